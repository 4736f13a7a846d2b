"""The persistence table as arrays: codes for words, ranks for sorting, so that 96,000 rows sort at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gui.models.coverage import in_words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]
    Bools = npt.NDArray[np.bool_]

VERDICTS = ("invariant", "changed", "not enough data")
PUBLISHED = ("invariant", "changes", "undefined")
"""What the published rule says of a label: p above .05 and a range of at most 5 points is invariant."""
CONDITION_ENDS = ("cf", "car", "cau")
NUMBERS = ("prevalence", "range_pp", "p_adjusted", "ccs", "ccs_low", "ccs_high", "ccs_if_stable")


@dataclass(frozen=True)
class Words:
    """A column of repeated words: a code a row, and for every code its id and what the screen says."""

    codes: Ints
    ids: tuple[str, ...]
    names: tuple[str, ...]

    def id_at(self, row: int) -> str:
        """Id of a row."""
        return self.ids[int(self.codes[row])]

    def name_at(self, row: int) -> str:
        """Name of a row."""
        return self.names[int(self.codes[row])]


@dataclass(frozen=True)
class PersistenceData:
    """Columns of the table; `x`, `n`, `low` and `high` have one column a condition (CF, CA-R, CA-U)."""

    generator: Words
    role: Words
    dimension: Words
    label: Words
    verdict: Ints
    x: Ints
    n: Ints
    low: Floats
    high: Floats
    prevalence: Floats
    range_pp: Floats
    p_adjusted: Floats
    ccs: Floats
    ccs_low: Floats
    ccs_high: Floats
    ccs_if_stable: Floats
    move: Floats
    prompt: Words
    reason: Words
    published: Ints
    """Place in `PUBLISHED`."""
    ranks: Mapping[str, Ints] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(self.verdict)

    def find(self, generator: str, role: str, dimension: str, label: str) -> int:
        """Row of a key, −1 when there is none."""
        here = (
            _is(self.generator, generator)
            & _is(self.role, role)
            & _is(self.dimension, dimension)
            & _is(self.label, label)
        ).nonzero()[0]
        return int(here[0]) if len(here) else -1


def _is(words: Words, one: str) -> Any:
    return words.codes == (words.ids.index(one) if one in words.ids else -1)


NO_NAMES: Mapping[str, str] = MappingProxyType({})


def persistence_data(
    persistence: Any,
    prevalence: Any,
    robustness: Any,
    names: Mapping[str, str],
    label_names: Mapping[str, str] = NO_NAMES,
) -> PersistenceData:
    """Arrays from the result tables; called where the job runs.

    Parameters
    ----------
    persistence, prevalence, robustness : DataFrame
        As `core.analysis` makes them: a row of the first goes with three of the second (CF, CA-R, CA-U)
        and one of the third.
    names : mapping
        Dimension id to its name on the screen.
    label_names : mapping
        The same of labels; those that are not in it are open words, and stand as they are.
    """
    import numpy as np

    rows = len(persistence)
    if len(prevalence) != 3 * rows or len(robustness) != rows:
        raise AssertionError("prevalence and robustness do not go with persistence")
    columns = {
        "generator": _words(persistence["generator"], lambda word: word),
        "role": _words(persistence["role"], in_words),
        "dimension": _words(persistence["dimension"], lambda word: names.get(word, in_words(word))),
        "label": _words(persistence["label"], lambda word: label_names.get(word, in_words(word))),
        "prompt": _words(robustness["prompt"], lambda word: word),
        "reason": _words(persistence["reason"], lambda word: word),
    }
    verdict = np.array([VERDICTS.index(one) for one in persistence["verdict"].astype(str)], dtype=np.int64)
    numbers = {name: _floats(persistence[name]) for name in NUMBERS}
    ranks = {name: rank_of_words(columns[name]) for name in ("generator", "role", "dimension", "label")}
    ranks |= {name: rank_of_numbers(values) for name, values in numbers.items()}
    is_invariant = persistence["invariant_paper"].astype("boolean")
    published = np.where(is_invariant.isna(), 2, np.where(is_invariant.fillna(False), 0, 1)).astype(np.int64)
    ranks |= {"verdict": verdict, "published": published}
    made: dict[str, Any] = {**columns, **numbers, "verdict": verdict, "published": published, "ranks": ranks}
    for name in ("x", "n"):
        counts = [persistence[f"{name}_{end}"].to_numpy() for end in CONDITION_ENDS]
        made[name] = np.column_stack(counts).astype(np.int64)
    for name in ("low", "high"):
        made[name] = _floats(prevalence[name]).reshape(rows, 3)
    return PersistenceData(**made, move=_floats(robustness["largest_move"]))


def _floats(column: Any) -> Floats:
    import numpy as np

    return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan), dtype=np.float64)


def _words(column: Any, name: Any) -> Words:
    import numpy as np

    as_category = column.astype("category")
    ids = tuple(str(word) for word in as_category.cat.categories)
    codes = as_category.cat.codes.to_numpy().astype(np.int64)
    return Words(codes, ids, tuple(name(word) for word in ids))


def rank_of_words(words: Words) -> Ints:
    """For every row the place of its word in the alphabet of the screen."""
    import numpy as np

    place = np.zeros(len(words.ids), dtype=np.int64)
    for rank, code in enumerate(sorted(range(len(words.ids)), key=lambda at: words.names[at].casefold())):
        place[code] = rank
    return np.asarray(place[words.codes])


def rank_of_numbers(values: Floats) -> Ints:
    """For every row the place of its number; what is undefined comes before everything."""
    import numpy as np

    known = np.isfinite(values)
    ranks = np.full(len(values), -1, dtype=np.int64)
    ranks[known] = np.unique(values[known], return_inverse=True)[1]
    return ranks


@dataclass(frozen=True, slots=True)
class Filter:
    """Which rows are shown; None and "" filter nothing."""

    generator: str | None = None
    role: str | None = None
    dimension: str | None = None
    text: str = ""
    verdicts: frozenset[str] = frozenset()
    published: str | None = None

    def without_verdicts(self) -> Filter:
        """The same without the chips, for their counts."""
        return replace(self, verdicts=frozenset())


def rows_that_pass(data: PersistenceData, wanted: Filter) -> Ints:
    """Numbers of the rows that pass a filter, in the order of the table."""
    import numpy as np

    passes: Bools = np.ones(data.size, dtype=bool)
    for words, one in (
        (data.generator, wanted.generator),
        (data.role, wanted.role),
        (data.dimension, wanted.dimension),
    ):
        if one is not None:
            passes &= _is(words, one)
    text = wanted.text.strip().casefold()
    if text:
        says = np.zeros(data.size, dtype=bool)
        for words in (data.label, data.dimension, data.role):
            hit = np.array([text in name.casefold() for name in words.names], dtype=bool)
            if len(hit):
                says |= hit[words.codes]
        passes &= says
    if wanted.verdicts:
        chosen = np.array([verdict in wanted.verdicts for verdict in VERDICTS])
        passes &= chosen[data.verdict]
    if wanted.published is not None:
        passes &= data.published == PUBLISHED.index(wanted.published)
    return np.asarray(np.flatnonzero(passes), dtype=np.int64)


def verdict_counts(data: PersistenceData, rows: Ints) -> dict[str, int]:
    """How many of these rows have each verdict."""
    import numpy as np

    counts = np.bincount(data.verdict[rows], minlength=len(VERDICTS))
    return {verdict: int(count) for verdict, count in zip(VERDICTS, counts, strict=True)}


def in_order(data: PersistenceData, rows: Ints, key: str, is_down: bool) -> Ints:
    """The rows sorted by a column; equal ones stay in the order of the table, undefined ones come last."""
    import numpy as np

    ranks = data.ranks[key][rows]
    if is_down:
        order = np.argsort(-ranks, kind="stable")
    else:
        last = np.where(ranks < 0, np.iinfo(np.int64).max, ranks)
        order = np.argsort(last, kind="stable")
    return np.asarray(rows[order])


def names_in(words: Words, rows: Sequence[int] | Ints | None = None) -> list[tuple[str, str]]:
    """(id, name) of the words that occur, by name."""
    import numpy as np

    codes = np.unique(words.codes if rows is None else words.codes[rows])
    found = [(words.ids[code], words.names[code]) for code in codes.tolist() if code >= 0]
    return sorted(found, key=lambda pair: pair[1].casefold())
