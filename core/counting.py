"""From rows to the cube: a label table (one row per image, dimension and label) or a table of counts.

Every row is used or left out for one reason, and the reasons add up. Unknown is taken out image by image,
before counting; a label outside a closed vocabulary counts for nothing, and its image has no usable
record in that dimension unless it has another label there.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from core.coded_rows import EMPTY_LIST, TWICE, CodedRows, Tally, code_rows, coded
from core.counting_notes import count_notes, label_notes
from core.cube import Cube, Stage
from core.errors import BadInput
from core.records import UNKNOWN
from core.schema import Schema
from core.shared_seeds import (
    NOTHING_KNOWN,
    SharedSeeds,
    Sharing,
    images_of_several,
    images_that_share,
    seed_codes,
)
from core.statistics.arrays import (
    Bools,
    Codes,
    Ints,
    added_up,
    combined,
    counted,
    distinct,
    is_repeated,
    joint_key,
    looked_up,
    marked,
    positions,
    ranked,
)

MOST_IMAGES = 1_000_000
"""Of one prompt; exact tests work through every count up to this."""

IMAGES_PER_PROMPT = 10
"""How many images a prompt has where a table of counts does not say (as in the published tables)."""


def cube_of_labels(frame: pd.DataFrame, schema: Schema) -> Cube:
    """Count a label table.

    Parameters
    ----------
    frame : DataFrame
        Columns generator, role, condition, prompt, image, dimension, label and, optionally, status
        (default "ok") and seed (empty where nobody knows it). Others, cohort among them, are not read: the
        schema knows the cohort.
    schema : Schema
        Dimensions and vocabularies.

    Returns
    -------
    Cube
        Its stages: rows, then images × dimensions.

    Raises
    ------
    BadInput
        A missing column, a status that is none, or no usable row at all.
    """
    rows = code_rows(frame, schema, ("image",))
    image = images_of(_place(rows), rows.required["image"])
    _, pair, first = distinct(combined(image, rows.dimension, len(rows.dimensions)))
    once = _leave_out_repetitions(rows, pair)
    why = _why_not(rows, pair, first.size)
    shown = once[looked_up(rows.label, once) != EMPTY_LIST]
    amounts = counted(looked_up(pair, shown), first.size)
    del pair, once  # there may be tens of millions of rows: what follows has room for its own
    notes = label_notes(rows.dimensions, amounts, looked_up(rows.dimension, first))
    del amounts
    cell = _cell(rows, first)
    return _cube(
        rows,
        images=_per_cell(rows, cell[why == Tally.USED]),
        set_aside={
            reason: _per_cell(rows, cell[why == code])
            for code, reason in enumerate(rows.tally.reasons)
            if np.any(why == code)
        },
        entries=_entries(rows, shown),
        notes=notes,
        seeds=_seeds(frame, rows, image, first[why == Tally.USED], shown),
    )


def cube_of_counts(
    frame: pd.DataFrame, schema: Schema, *, images_per_prompt: int = IMAGES_PER_PROMPT
) -> Cube:
    """Take over a table of counts: images that show a label, per generator, prompt and dimension.

    Parameters
    ----------
    frame : DataFrame
        Columns generator, role, condition, prompt, dimension, label, count and, optionally, images: the
        images of that prompt with a usable record in that dimension.
    schema : Schema
        Dimensions and vocabularies.
    images_per_prompt : int
        Images of a prompt where there is no column `images`. Those labelled unknown are taken off; a
        dimension with one label an image has at most as many as its counts add up to.

    Returns
    -------
    Cube
        A count above the number of images is taken as that number, and noted.

    Raises
    ------
    BadInput
        A missing column, a count that is not a whole number from 0, or numbers of images that differ
        within one prompt and dimension.
    """
    rows = code_rows(frame, schema, ("count",))
    count = whole_numbers(frame, "count")[rows.position]
    _, cell, first = distinct(combined(_place(rows), rows.dimension, len(rows.dimensions)))
    cells = _cell(rows, first)
    used = np.flatnonzero((rows.label >= 0) & (rows.tally.why[rows.position] == Tally.USED))
    why = rows.tally.why[rows.position]
    is_unknown = np.array([reason == UNKNOWN for reason in rows.tally.reasons] + [False])[why]
    unknown = np.bincount(cell[is_unknown], weights=count[is_unknown], minlength=first.size)
    known = np.bincount(cell[used], weights=count[used], minlength=first.size)
    if "images" in frame.columns:
        images = _stated_images(whole_numbers(frame, "images")[rows.position], cell, first)
    else:
        images = np.maximum(images_per_prompt - unknown, 0).astype(np.int64)
        single = np.array([not one.is_list for one in rows.dimensions])[rows.dimension[first]]
        images = np.where(single, np.minimum(images, known), images).astype(np.int64)
    entries = _entries(rows, used, count[used])
    per_cell = _per_cell(rows, cells, images)
    over = _cap(entries, per_cell, rows)
    aside = {UNKNOWN: _per_cell(rows, cells, np.rint(unknown).astype(np.int64))} if unknown.any() else {}
    return _cube(rows, images=per_cell, set_aside=aside, entries=entries, notes=over)


def _seeds(frame: pd.DataFrame, rows: CodedRows, image: Codes, usable: Ints, shown: Ints) -> Sharing:
    """The images that share their seed. `usable` are first rows of usable records, `shown` rows of labels."""
    if "seed" not in frame.columns:
        return NOTHING_KNOWN
    place, first = distinct(image)[1:]
    codes = looked_up(seed_codes(*coded(frame["seed"])), rows.position)
    seed = codes[first].copy()
    seed[place[codes != looked_up(seed, place)]] = -1  # an image of several seeds has none that is known
    known = int(np.count_nonzero(seed >= 0))
    generator, prompt = rows.generator[first], rows.prompt[first]
    kept = images_that_share(generator, prompt, seed)
    several = images_of_several(generator, prompt, seed)
    if not kept.size:
        return Sharing(None, known, first.size, *several)
    kept = kept[np.lexsort((seed[kept], generator[kept], prompt[kept]))]
    rank = np.full(first.size, -1, dtype=np.int32)
    rank[kept] = np.arange(kept.size)
    of_row = looked_up(rank, place)
    table = np.zeros((kept.size, len(rows.dimensions)), dtype=np.bool_)
    usable = usable[of_row[usable] >= 0]
    table[of_row[usable], rows.dimension[usable]] = True
    shown = shown[of_row[shown] >= 0]
    key = of_row[shown].astype(np.int64) * max(len(rows.labels), 1) + rows.label[shown]
    shown = shown[np.argsort(key)]  # whatever the order of the rows, sums are added up in one order
    role = np.array([one for one, _, _ in rows.prompts], dtype=np.int64)[prompt[kept]]
    shared = SharedSeeds(
        generator[kept], prompt[kept], role, ranked(seed[kept])[1], table,
        of_row[shown], rows.label[shown], len(rows.generators), len(rows.roles),
    )  # fmt: skip
    return Sharing(shared, known, first.size, *several)


def _place(rows: CodedRows) -> Codes:
    """Generator and prompt of each row as one number."""
    return combined(rows.generator, rows.prompt, len(rows.prompts))


def _cell(rows: CodedRows, which: Codes) -> Codes:
    """Generator, prompt and dimension of some rows as one number."""
    generator, prompt, dimension = (
        looked_up(codes, which) for codes in (rows.generator, rows.prompt, rows.dimension)
    )
    return combined(combined(generator, prompt, len(rows.prompts)), dimension, len(rows.dimensions))


def _why_not(rows: CodedRows, pair: Codes, size: int) -> Codes:
    """Why an image has no usable record in a dimension, `USED` where it has: used goes before any reason."""
    why = np.full(size, len(rows.tally.reasons), dtype=np.int16)
    of_row = looked_up(rows.tally.why, rows.position)
    aside = np.flatnonzero(of_row != Tally.USED)
    np.minimum.at(why, pair[aside], of_row[aside])
    why[marked(pair[of_row == Tally.USED], size)] = Tally.USED
    return why


def _leave_out_repetitions(rows: CodedRows, pair: Codes) -> Codes:
    """The used rows, each (image, dimension, label) once; the others are left out."""
    used = positions(looked_up(rows.tally.why, rows.position) == Tally.USED)
    again = _is_said_again(looked_up(pair, used), looked_up(rows.label, used))
    repeated = np.zeros(rows.tally.size, dtype=bool)
    repeated[rows.position[used[again]]] = True
    rows.tally.leave_out(repeated, TWICE)
    return used[~again]


def _is_said_again(pair: Codes, label: Codes, most: int = 1 << 20) -> Bools:
    """Rows that say a label of an image × dimension which an earlier row has said."""
    begins = np.ones(pair.size, dtype=np.bool_)
    np.not_equal(pair[1:], pair[:-1], out=begins[1:])
    if np.count_nonzero(begins) > np.count_nonzero(marked(pair, int(pair.max(initial=-1)) + 1)):
        return is_repeated(joint_key(pair, label.astype(np.int64) + 1))
    # The rows of each image × dimension stand together, as in a study: some of them at a time.
    starts = range(most, pair.size, most)
    ends = [start + int(np.argmax(begins[start:])) for start in starts if begins[start:].any()]
    parts = np.split(pair, ends), np.split(label.astype(np.int32) + np.int32(1), ends)
    return np.concatenate([is_repeated(joint_key(*part)) for part in zip(*parts, strict=True)])


def _entries(rows: CodedRows, which: Codes, count: Ints | None = None) -> list[Ints]:
    """Generator, prompt, label and count of every count above zero, by prompt, generator and label.

    Without `count` each row counts once.
    """
    size = max(len(rows.labels), 1)
    prompts, generators, labels = (
        looked_up(codes, which) for codes in (rows.prompt, rows.generator, rows.label)
    )
    place = combined(prompts, generators, max(len(rows.generators), 1))
    kinds, total = added_up(combined(place, labels, size), count)
    above = total > 0
    where, label = np.divmod(kinds[above], size)
    prompt, generator = np.divmod(where, max(len(rows.generators), 1))
    return [generator, prompt, label, total[above]]


def _per_cell(rows: CodedRows, cell: Codes, amount: Ints | None = None) -> Ints:
    """Add amounts up by cell (`_cell`), or how many there are of each: shape (G, P, D)."""
    shape = (len(rows.generators), len(rows.prompts), len(rows.dimensions))
    total = np.bincount(cell, weights=amount, minlength=int(np.prod(shape)))
    return np.asarray(np.rint(total).astype(np.int64).reshape(shape))


def _cap(entries: list[Ints], images: Ints, rows: CodedRows) -> tuple[str, ...]:
    dimension = np.array([one for one, _ in rows.labels], dtype=np.int64)
    generator, prompt, label, count = entries
    most = images[generator, prompt, dimension[label]] if label.size else count
    over = int(np.count_nonzero(count > most))
    entries[3] = np.minimum(count, most)
    sums = np.zeros(images.shape, dtype=np.int64)
    np.add.at(sums, (generator, prompt, dimension[label]), entries[3])
    single = np.array([not one.is_list for one in rows.dimensions], dtype=np.bool_)
    crowded = int(np.count_nonzero((sums > images)[:, :, single]))
    return count_notes(over, crowded)


def _stated_images(images: Ints, cell: Codes, first: Codes) -> Ints:
    stated = images[first]
    if np.any(images != stated[cell]):
        raise BadInput(
            "The column images differs between rows of one generator, prompt and dimension.",
            "Give the number of images with a usable record in that dimension, the same in each row.",
        )
    return stated


def whole_numbers(frame: pd.DataFrame, column: str) -> Ints:
    """A column as whole numbers from 0; BadInput names the first row that is none."""
    numbers = pd.to_numeric(frame[column].astype(object), errors="coerce").to_numpy(dtype=np.float64)
    within = (numbers >= 0) & (numbers <= MOST_IMAGES)
    wrong = ~(np.isfinite(numbers) & within & (numbers == np.rint(numbers)))
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise BadInput(
            f"Row {row + 1}: {column} is {frame[column].iloc[row]}.",
            f"Give whole numbers from 0 to {MOST_IMAGES}.",
        )
    return numbers.astype(np.int64)


def images_of(place: Codes, codes: Codes) -> Codes:
    """Which image a row is about: its name, unless a name stands for images of several prompts."""
    of_name = np.zeros(int(codes.max(initial=-1)) + 1, dtype=place.dtype)
    of_name[codes] = place
    if np.array_equal(looked_up(of_name, codes), place):
        return codes
    return ranked(combined(ranked(place)[1], codes, of_name.size))[1]


def _cube(
    rows: CodedRows,
    *,
    images: Ints,
    set_aside: dict[str, Ints],
    entries: list[Ints],
    notes: tuple[str, ...],
    seeds: Sharing | None = None,
) -> Cube:
    stage = rows.tally.stage("rows")
    left_out = {reason: int(amount.sum()) for reason, amount in set_aside.items()}
    used = int(images.sum())
    pairs = Stage("images × dimensions", used + sum(left_out.values()), used, left_out)
    if used == 0:
        why = ", ".join(f"{reason}: {count}" for reason, count in stage.left_out.items()) or "it is empty"
        raise BadInput(f"No row of the table can be counted ({why}).", "Check its columns and its words.")
    generator, prompt, label, count = entries
    seen = np.bincount(label, minlength=len(rows.labels)) > 0  # a label counted 0 times is none
    names = [name for name, is_seen in zip(rows.labels, seen, strict=True) if is_seen]
    rank = np.cumsum(seen) - 1
    label = rank[label]
    if seeds is not None and seeds.shared is not None:
        shared = replace(seeds.shared, entry_label=rank[seeds.shared.entry_label])
        seeds = replace(seeds, shared=shared)
    return Cube(
        generators=rows.generators,
        roles=rows.roles,
        prompts=tuple(text for _, _, text in rows.prompts),
        prompt_role=np.array([role for role, _, _ in rows.prompts], dtype=np.int64),
        prompt_condition=np.array([condition for _, condition, _ in rows.prompts], dtype=np.int64),
        dimensions=rows.dimensions,
        labels=tuple(name for _, name in names),
        label_dimension=np.array([dimension for dimension, _ in names], dtype=np.int64),
        images=images,
        set_aside=set_aside,
        entry_generator=generator,
        entry_prompt=prompt,
        entry_label=label,
        entry_count=count,
        stages=(stage, pairs),
        notes=notes,
        seeds=seeds or NOTHING_KNOWN,
    )
