"""Rows to counts the published way: words normalised, ten images a prompt, counts capped at ten."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.coded_rows import (
    NO_LABEL,
    TWICE,
    Tally,
    coded,
    condition_codes,
    leave_out_statuses,
    prompt_codes,
    used_codes,
)
from core.counting import images_of, whole_numbers
from core.cube import Cube
from core.errors import BadInput
from core.records import UNKNOWN
from core.schema import COHORTS, Dimension, Schema
from core.statistics.arrays import Codes, Ints, added_up, combined, is_repeated, joint_key, looked_up, ranked

IMAGES_PER_PROMPT = 10
_KEYS = ("generator", "role", "condition", "prompt")
NOT_COUNTED = ("role_hint",)
"""Dimensions that the published code leaves out by name."""

TOTALS = "totals"
JOINED = "label with | from the generator SDXL"

_COHORT_WORDS = {"scene_appearance": "Scene", "scene": "Scene", "camera": "Camera", "objects": "Objects"}
_COHORT_WORDS |= {"people": "People"}


def plain_word(text: str) -> str:
    """A label or dimension as the published code compares it.

    >>> plain_word(" Lab-Coat "), plain_word("__x")
    ('lab_coat', 'x')
    """
    word = re.sub(r"_+", "_", re.sub(r"[\s-]+", "_", text.strip().lower()))
    return word.removeprefix("_").removesuffix("_")


def plot_name(generator: str) -> str:
    """The generator's name in the published figures, which orders its random draws.

    >>> plot_name("92_job_description_3.5"), plot_name("92_job_description_Flux"), plot_name("mine")
    ('SD3.5', 'Flux', 'mine')
    """
    name = generator.rsplit("_", 1)[-1]
    return "SD3.5" if name == "3.5" else name


def paper_cube(frame: pd.DataFrame, schema: Schema) -> Cube:
    """Counts of a label table or a table of counts, as the published code would make them.

    Parameters
    ----------
    frame : DataFrame
        As for `core.counting`; the schema is asked for the cohort of a dimension only where the table
        has no column `cohort`. There is no list of allowed dimensions or labels.

    Returns
    -------
    Cube
        `images` is ten per prompt with any known label in the dimension.

    Raises
    ------
    BadInput
        A missing column, a count that is none, or no row that can be counted.
    """
    is_counts = "count" in frame.columns
    wanted = [*_KEYS, "dimension", "label", "count" if is_counts else "image"]
    missing = [column for column in wanted if column not in frame.columns]
    if missing:
        raise BadInput(f"The table has no column {missing[0]}.", f"It needs {', '.join(wanted)}.")
    tally = Tally(len(frame))
    columns = {name: coded(frame[name]) for name in _KEYS}
    for name in ("generator", "role", "prompt"):
        tally.leave_out(columns[name][0] < 0, f"no {name} stated")
    condition = condition_codes(*columns["condition"], tally)
    leave_out_statuses(frame, tally)
    dimension, dimensions = _dimensions(frame, schema, tally)
    label, words = _labels(frame, columns["generator"], tally)
    if not is_counts:
        places = [columns[name][0] for name in ("generator", "role", "prompt")]
        _once_per_image(frame, [*places, condition], dimension, tally)
    amount = whole_numbers(frame, "count") if is_counts else None
    rows = tally.why == Tally.USED
    if not rows.any():
        raise BadInput("No row of the table can be counted.", "Check its columns and its words.")
    generator, generators = used_codes(columns["generator"], rows)
    role, roles = used_codes(columns["role"], rows)
    prompt, prompts = prompt_codes(role, condition[rows], *used_codes(columns["prompt"], rows))
    seen, place = ranked(dimension[rows])
    pairs, pair = ranked(combined(place, label[rows], len(words)))
    entries, over = _entries(generator, prompt, pair, None if amount is None else amount[rows])
    label_dimension = pairs // len(words)
    images = np.zeros((len(generators), len(prompts), seen.size), dtype=np.int64)
    images[entries[0], entries[1], label_dimension[entries[2]]] = IMAGES_PER_PROMPT
    return Cube(
        generators=generators,
        roles=roles,
        prompts=tuple(text for _, _, text in prompts),
        prompt_role=np.array([one for one, _, _ in prompts], dtype=np.int64),
        prompt_condition=np.array([one for _, one, _ in prompts], dtype=np.int64),
        dimensions=tuple(dimensions[one] for one in seen),
        labels=tuple(words[one % len(words)] for one in pairs.tolist()),
        label_dimension=label_dimension,
        images=images,
        set_aside={},
        entry_generator=entries[0],
        entry_prompt=entries[1],
        entry_label=entries[2],
        entry_count=entries[3],
        stages=(tally.stage("rows"),),
        notes=(f"{over} count{'s' if over > 1 else ''} above ten, taken as ten",) if over else (),
    )


def _entries(generator: Codes, prompt: Codes, label: Codes, amount: Ints | None) -> tuple[list[Ints], int]:
    """Counts by prompt, generator and label, capped at ten, and how many were above."""
    generators, labels = int(generator.max()) + 1, int(label.max()) + 1
    kinds, total = added_up(combined(combined(prompt, generator, generators), label, labels), amount)
    count = np.minimum(total, IMAGES_PER_PROMPT)
    where, entry_label = np.divmod(kinds, labels)
    entry_prompt, entry_generator = np.divmod(where, generators)
    return [entry_generator, entry_prompt, entry_label, count], int(np.count_nonzero(total > count))


def _once_per_image(frame: pd.DataFrame, places: Sequence[Codes], dimension: Codes, tally: Tally) -> None:
    """An image has a set of words in a dimension: the same word twice counts once."""
    image, _ = coded(frame["image"])
    tally.leave_out(image < 0, "no image stated")
    used = tally.why == Tally.USED
    label, _ = coded(frame["label"], keep_empty=True)
    which = images_of(joint_key(*(codes[used] for codes in places)), image[used])
    again = np.zeros(tally.size, dtype=bool)
    again[used] = is_repeated(joint_key(which, dimension[used], label[used]))
    tally.leave_out(again, TWICE)


def _dimensions(frame: pd.DataFrame, schema: Schema, tally: Tally) -> tuple[Codes, tuple[Dimension, ...]]:
    """Dimensions by cohort and name; a word in two cohorts is two dimensions, as published."""
    codes, words = coded(frame["dimension"])
    tally.leave_out(codes < 0, "no dimension stated")
    cohort, cohorts = coded(frame["cohort"]) if "cohort" in frame.columns else (np.full_like(codes, -1), ())
    pairs, place = ranked((cohort + np.int64(1)) * (len(words) + 1) + codes + 1)
    named = []
    for one in pairs.tolist():
        group, code = divmod(one, len(words) + 1)
        name = plain_word(words[code - 1]) if code else ""
        stated = plain_word(cohorts[group - 1]) if group else ""
        if not stated and schema.has(name):
            stated = schema.dimension(name).cohort
        named.append((_COHORT_WORDS.get(stated.lower(), stated), name))
    order = sorted(set(named), key=lambda pair: (_rank(pair[0]), pair))
    rank = looked_up(np.array([order.index(pair) for pair in named], dtype=np.int16), place)
    for flags, reason in (
        ([pair[1] in NOT_COUNTED for pair in order], "dimension role_hint"),
        ([pair[0] == TOTALS for pair in order], "cohort totals"),
    ):
        tally.leave_out(looked_up(np.array(flags, dtype=np.bool_), rank), reason)
    return rank, tuple(
        Dimension(name, name, cohort, "open_list", (), None, "as published") for cohort, name in order
    )


def _rank(cohort: str) -> int:
    return COHORTS.index(cohort) if cohort in COHORTS else len(COHORTS)


def _labels(
    frame: pd.DataFrame, generator: tuple[Codes, tuple[str, ...]], tally: Tally
) -> tuple[Codes, tuple[str, ...]]:
    codes, said = coded(frame["label"], keep_empty=True)
    is_sdxl = np.array([*(plot_name(name).casefold() == "sdxl" for name in generator[1]), False])
    joined = np.array(["|" in word for word in said], dtype=bool)
    tally.leave_out(looked_up(joined, codes) & looked_up(is_sdxl, generator[0]), JOINED)
    plain = [plain_word(word) for word in said]
    words = sorted(set(plain))
    rank = {word: place for place, word in enumerate(words)}
    for word, reason in ((UNKNOWN, UNKNOWN), ("", NO_LABEL)):
        tally.leave_out(looked_up(np.array([one == word for one in plain], dtype=np.bool_), codes), reason)
    return looked_up(np.array([rank[word] for word in plain], dtype=np.int32), codes), tuple(words)
