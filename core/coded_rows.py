"""Rows of a table as whole numbers, and for every row whether it can be counted or why not.

Words are trimmed and coded in alphabetical order; a row that lacks one, names no known condition or a
dimension that the schema does not have, goes no further. What a label means is asked of the schema once
for each distinct (dimension, label).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import lt
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.cube import CONDITIONS, Stage
from core.errors import BadInput
from core.label_form import word_of
from core.records import UNKNOWN, Status
from core.schema import Dimension, Schema
from core.statistics.arrays import Bools, Codes, Ints, combined, looked_up, marked, positions, ranked

NO_CONDITION = "no condition stated"
OTHER_CONDITION = "condition is not CF, CA-R or CA-U"
OTHER_DIMENSION = "dimension not in the schema"
OUTSIDE = "label outside the vocabulary"
NO_LABEL = "no label given"
TWICE = "said more than once of the same image"

EMPTY_LIST = -1
"""In place of a label: a list that was read and holds nothing. Its image counts."""

_CONDITION_WORDS = {
    "context-free": "CF",
    "context-free cf": "CF",
    "context-aware related": "CA-R",
    "context-aware related ca-r": "CA-R",
    "context-aware unrelated": "CA-U",
    "context-aware unrelated ca-u": "CA-U",
}


def condition_of(text: str) -> str | None:
    """The condition that a word means, published folder names included; None for another word.

    >>> condition_of("Context-aware_Related_CA-R"), condition_of("ca-u"), condition_of("other")
    ('CA-R', 'CA-U', None)
    """
    word = " ".join(text.replace("_", " ").split()).casefold()
    ids = {condition.value.casefold(): condition.value for condition in CONDITIONS}
    return ids.get(word) or _CONDITION_WORDS.get(word)


@dataclass
class Tally:
    """Why rows were left out: `why` is a position in `reasons`, or `USED`. The first reason stands."""

    size: int
    why: npt.NDArray[np.int16] = field(init=False)
    reasons: list[str] = field(default_factory=list)

    USED = -1

    def __post_init__(self) -> None:
        self.why = np.full(self.size, self.USED, dtype=np.int16)

    def leave_out(self, rows: Bools, reason: str) -> None:
        """Leave out the rows that are still used, for a reason."""
        if reason not in self.reasons:
            self.reasons.append(reason)
        if rows.any():
            self.why[rows & (self.why == self.USED)] = self.reasons.index(reason)

    def stage(self, name: str) -> Stage:
        """What became of all rows."""
        counts = np.bincount(self.why + 1, minlength=len(self.reasons) + 1)
        left_out = {
            reason: int(counts[code + 1]) for code, reason in enumerate(self.reasons) if counts[code + 1]
        }
        return Stage(name, self.size, int(counts[0]), left_out)


@dataclass(frozen=True)
class CodedRows:
    """The rows that name a generator, role, condition, prompt and dimension, coded; one entry a row.

    `label` is a position in `labels`, or `EMPTY_LIST`; -2 where the row is not used. `position` is the
    row in the table. Prompts are (role, condition, text) in order. `required` has codes of the further
    columns that were asked for.
    """

    generators: tuple[str, ...]
    roles: tuple[str, ...]
    prompts: tuple[tuple[int, int, str], ...]
    dimensions: tuple[Dimension, ...]
    labels: tuple[tuple[int, str], ...]
    position: Codes
    generator: Codes
    prompt: Codes
    dimension: Codes
    label: Codes
    tally: Tally
    required: Mapping[str, Codes] = field(default_factory=dict)


def code_rows(frame: pd.DataFrame, schema: Schema, required: Sequence[str]) -> CodedRows:
    """Code the rows of a table.

    Parameters
    ----------
    frame : DataFrame
        Columns generator, role, condition, prompt, dimension, label, those in `required`, and optionally
        status.
    schema : Schema
        Dimensions, vocabularies and other spellings.
    required : sequence of str
        Further columns that no row may leave empty.

    Raises
    ------
    BadInput
        A missing column or a status that is none.
    """
    wanted = ["generator", "role", "condition", "prompt", "dimension", "label", *required]
    missing = [column for column in wanted if column not in frame.columns]
    if missing:
        raise BadInput(f"The table has no column {missing[0]}.", f"It needs {', '.join(wanted)}.")
    tally = Tally(len(frame))
    columns = {name: coded(frame[name]) for name in wanted if name != "label"}
    for name in ("generator", "role", "prompt", *required):
        tally.leave_out(columns[name][0] < 0, f"no {name} stated")
    condition = condition_codes(*columns["condition"], tally)
    dimension, dimensions = _dimensions(*columns["dimension"], schema, tally)
    leave_out_statuses(frame, tally)
    alive = positions(is_placed(tally))
    generator, generators = used_codes(columns["generator"], alive)
    role, roles = used_codes(columns["role"], alive)
    prompt, prompts = prompt_codes(role, looked_up(condition, alive), *used_codes(columns["prompt"], alive))
    codes, words = used_codes(coded(frame["label"], keep_empty=True), alive)
    seen, place = ranked(looked_up(dimension, alive))
    place = place.astype(dimension.dtype)
    kept = tuple(dimensions[one] for one in seen)
    label, labels = _labels(place, codes, words, kept, schema, tally, alive)
    more = {name: used_codes(columns[name], alive)[0] for name in required}
    return CodedRows(
        generators, roles, prompts, kept, labels, alive, generator, prompt, place, label, tally, more
    )


def coded(column: pd.Series[Any], *, keep_empty: bool = False) -> tuple[Codes, tuple[str, ...]]:
    """Codes of the trimmed words of a column and the words in alphabetical order; -1 where there is none.

    Examples
    --------
    >>> codes, words = coded(pd.Series([" b", "a", None, ""]))
    >>> codes.tolist(), words
    ([1, 0, -1, -1], ('a', 'b'))
    """
    category = as_category(column)
    said = [(word if type(word) is str else word_of(word)).strip() for word in category.categories.tolist()]
    numbers = category.categories.to_numpy()
    if numbers.dtype.kind == "i" and said and numbers[0] >= 0 and numbers[-1] < 2**53 and not keep_empty:
        order = _in_order_of_words(numbers)
        places, words = np.full(len(said) + 1, -1), [said[place] for place in order.tolist()]
        places[order] = np.arange(len(said))
    elif said and said[0] and not keep_empty and all(map(lt, said, said[1:])):
        places, words = np.arange(len(said) + 1), said  # as they are: many names of images need no sorting
        places[-1] = -1
    else:
        words = sorted({*said, ""} if keep_empty else {*said} - {""})
        rank = {word: position for position, word in enumerate(words)}
        places = np.array([*(rank.get(word, -1) for word in said), rank.get("", -1)])
    narrow = np.int8 if len(words) < 2**7 else np.int16 if len(words) < 2**15 else np.int32
    return looked_up(places.astype(narrow), category.codes), tuple(words)


def _in_order_of_words(numbers: Ints) -> Ints:
    """Whole numbers from 0 in the alphabetical order of their digits: 1, 10, 2."""
    digits = np.searchsorted(10 ** np.arange(1, 19), numbers, side="right") + 1
    return np.lexsort((digits, numbers * 10 ** (digits.max() - digits)))


def as_category(column: pd.Series[Any]) -> pd.Categorical[Any]:
    """A column as a categorical; whole numbers from 0, as of images, without hashing each row."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind == "i" and len(column):
        numbers = column.to_numpy()
        if numbers.min() >= 0 and numbers.max() <= 2 * numbers.size:
            kinds, place = ranked(numbers)
            return pd.Categorical.from_codes(place, categories=pd.Index(kinds), validate=False)
    category: pd.Categorical[Any] = column.astype("category").array
    return category


def is_placed(tally: Tally) -> Bools:
    """Rows that belong to a generator, prompt and dimension, whatever their status."""
    statuses = {status.value for status in Status}
    placed = [True, *(reason in statuses for reason in tally.reasons)]
    return looked_up(np.array([*placed[1:], placed[0]], dtype=np.bool_), tally.why)


def used_codes(
    column: tuple[Codes, tuple[str, ...]], alive: npt.NDArray[Any]
) -> tuple[Codes, tuple[str, ...]]:
    """The codes of some rows (by position, or as a mask), without the words that none of them has."""
    codes, words = column
    if alive.dtype == np.bool_:
        mine = codes[alive]
    else:
        mine = codes if alive.size == codes.size else looked_up(codes, alive)
    seen = marked(mine, len(words))
    rank = (np.cumsum(seen) - 1).astype(codes.dtype)
    kept = tuple(word for word, is_seen in zip(words, seen, strict=True) if is_seen)
    return mine if seen.all() else looked_up(rank, mine), kept


def condition_codes(codes: Codes, words: tuple[str, ...], tally: Tally) -> Codes:
    """The condition of each row as a position in `CONDITIONS`; rows without one are left out."""
    order = [condition.value for condition in CONDITIONS]
    meanings = [condition_of(word) for word in words]
    rank = np.array([*(order.index(one) if one else -2 for one in meanings), -1], dtype=np.int8)
    condition = looked_up(rank, codes)
    tally.leave_out(condition == -1, NO_CONDITION)
    tally.leave_out(condition == -2, OTHER_CONDITION)
    return condition


def _dimensions(
    codes: Codes, words: tuple[str, ...], schema: Schema, tally: Tally
) -> tuple[Codes, tuple[Dimension, ...]]:
    rank = {name: position for position, name in enumerate(schema.dimension_ids)}
    place = looked_up(np.array([*(rank.get(word, -2) for word in words), -1], dtype=np.int16), codes)
    tally.leave_out(place == -1, "no dimension stated")
    tally.leave_out(place == -2, OTHER_DIMENSION)
    return place, schema.dimensions


def leave_out_statuses(frame: pd.DataFrame, tally: Tally) -> None:
    """Leave out rows whose status is not ok, each status a reason of its own."""
    if "status" not in frame.columns:
        return
    codes, words = coded(frame["status"])
    allowed = [status.value for status in Status]
    strange = [word for word in words if word not in allowed]
    if strange:
        raise BadInput(f"There is no status {strange[0]!r}.", f"Use one of {', '.join(allowed)}.")
    for status in allowed:
        if status != Status.OK.value and status in words:
            tally.leave_out(codes == words.index(status), status)


def prompt_codes(
    role: Codes, condition: Codes, text: Codes, texts: tuple[str, ...]
) -> tuple[Codes, tuple[tuple[int, int, str], ...]]:
    """Prompts as distinct (role, condition, text), in this order: the code of each row, and what it means."""
    width = max(len(texts), 1)
    where = combined(role, condition, len(CONDITIONS))
    kinds, codes = _by_text(where, text, width)
    place, words = np.divmod(kinds, width)
    roles, conditions = np.divmod(place, len(CONDITIONS))
    names = [texts[word] for word in words.tolist()]
    return codes, tuple(zip(roles.tolist(), conditions.tolist(), names, strict=True))


def _by_text(where: Codes, text: Codes, width: int) -> tuple[Ints, Codes]:
    """Distinct `where * width + text` ascending, and which of them each row has."""
    of_text = np.zeros(width, dtype=where.dtype)
    of_text[text] = where
    if np.array_equal(looked_up(of_text, text), where):  # a sentence of one role and condition: the rule
        seen = marked(text, width)
        kinds = of_text[seen].astype(np.int64) * width + np.flatnonzero(seen)
        order = np.argsort(kinds)
        rank: Codes = np.zeros(width, dtype=np.int16 if order.size < 2**15 else np.int32)
        rank[np.flatnonzero(seen)[order]] = np.arange(order.size)
        return kinds[order], looked_up(rank, text)
    return ranked(combined(where, text, width))


def _labels(
    dimension: Codes,
    codes: Codes,
    words: tuple[str, ...],
    dimensions: tuple[Dimension, ...],
    schema: Schema,
    tally: Tally,
    alive: Codes,
) -> tuple[Codes, tuple[tuple[int, str], ...]]:
    """What each row's label means: a position among the labels used, or why the row is not."""
    ok = looked_up(tally.why, alive) == Tally.USED
    kinds, kind = ranked(combined(dimension, codes, max(len(words), 1)))
    used = marked(kind[ok], kinds.size)
    meanings = [
        _meaning(schema, dimensions[one // len(words)], words[one % len(words)]) if is_used else NO_LABEL
        for one, is_used in zip(kinds.tolist(), used, strict=True)
    ]
    why = np.array([one if isinstance(one, str) else "" for one in meanings], dtype=object)
    for reason in (UNKNOWN, NO_LABEL, OUTSIDE):
        rows = np.zeros(tally.size, dtype=bool)
        rows[alive[looked_up(why == reason, kind)]] = True
        tally.leave_out(rows, reason)
    names = sorted(
        {
            (int(one // len(words)), meaning[0])
            for one, meaning, is_used in zip(kinds.tolist(), meanings, used, strict=True)
            if is_used and not isinstance(meaning, str) and meaning[0]
        }
    )
    rank = {name: position for position, name in enumerate(names)}
    codes_of: Codes = np.array(
        [
            -2 if isinstance(meaning, str) else rank.get((one // len(words), meaning[0]), EMPTY_LIST)
            for one, meaning in zip(kinds.tolist(), meanings, strict=True)
        ],
        dtype=np.int16 if len(names) < 2**15 else np.int32,
    )
    if not kinds.size:
        return codes, tuple(names)
    label = looked_up(codes_of, kind)
    label[~ok] = -2
    return label, tuple(names)


def _meaning(schema: Schema, dimension: Dimension, text: str) -> tuple[str] | str:
    """The label that a word means, as a tuple of one (empty text: an empty list); else the reason."""
    if not text:
        return ("",) if dimension.is_list else NO_LABEL
    label = schema.canonical(dimension.id, text)
    if label is None:
        return OUTSIDE
    return UNKNOWN if label == UNKNOWN else (label,)
