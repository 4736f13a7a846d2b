"""People and pipeline side by side, image set by image set: what each said, and in which way they differ.

Every image set and question of the consensus is one comparison, whatever became of it, so that the rows add
up: disagreements first, then what has no single label on one side, then what is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from core.questions import Question
from core.records import UNKNOWN, ImageSet

if TYPE_CHECKING:
    import pandas as pd

SAME_WITHIN = 0.5
"""Counts no further apart are the same: people's count is a mean, which need not be whole."""
ALL = ""


class Direction(StrEnum):
    """In which way the pipeline differs from people, the worst first."""

    LABEL = "another label"
    PIPELINE_UNKNOWN = "pipeline unknown"
    PEOPLE_UNKNOWN = "people unknown"
    MORE = "pipeline counts more"
    FEWER = "pipeline counts fewer"
    UNDECIDED = "no single label"
    SAME = "the same"


_RANK = {direction: rank for rank, direction in enumerate(Direction)}


@dataclass(frozen=True, slots=True)
class Side:
    """What one side said: a label ("unknown" included, "" for none), its count of images, and how.

    `detail` is people's votes, or the labels of a tie.
    """

    label: str
    count: float | None = None
    how: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One question about one image set."""

    image_set: ImageSet
    question: Question
    people: Side
    pipeline: Side

    @property
    def place(self) -> tuple[str, str]:
        """Image set (its key) and question (its id)."""
        return self.image_set.key, self.question.id

    @property
    def gap(self) -> float | None:
        """Pipeline's count minus people's, where both chose the same label and counted."""
        one, other = self.people, self.pipeline
        if one.label != other.label or one.label in ("", UNKNOWN) or one.count is None or other.count is None:
            return None
        return other.count - one.count

    @property
    def direction(self) -> Direction:
        """In which way the pipeline differs from people."""
        one, other = self.people.label, self.pipeline.label
        if not one or not other:
            return Direction.UNDECIDED
        if one != other:
            unknown = {one: Direction.PEOPLE_UNKNOWN, other: Direction.PIPELINE_UNKNOWN}
            return unknown.get(UNKNOWN, Direction.LABEL)
        gap = self.gap
        if gap is None or abs(gap) <= SAME_WITHIN:
            return Direction.SAME
        return Direction.MORE if gap > 0 else Direction.FEWER

    @property
    def is_apart(self) -> bool:
        """Whether both said something, and not the same."""
        return _RANK[self.direction] < _RANK[Direction.UNDECIDED]


def compare(
    consensus: pd.DataFrame,
    pipeline: pd.DataFrame,
    image_sets: Sequence[ImageSet],
    questions: Sequence[Question],
) -> tuple[Comparison, ...]:
    """Every image set and question that people were asked, disagreements first.

    Parameters
    ----------
    consensus : DataFrame
        The table `consensus` of `annotation.agreement.agreement`.
    pipeline : DataFrame
        From `annotation.comparison.pipeline_answers`; what it lacks has no label.
    image_sets, questions : sequence
        What rows of the tables are about; rows about anything else are left out.

    Returns
    -------
    tuple of Comparison
        By direction, in the order of `Direction`; counts furthest apart first; then in the order of the
        questions and image sets given.
    """
    machine = {
        (str(key), str(question)): Side(_word(label), _number(slider), str(how), _word(tied))
        for key, question, label, slider, how, tied in _rows(
            pipeline, ("image_set", "question", "label", "slider", "how", "tied")
        )
    }
    sets = {one.key: (at, one) for at, one in enumerate(image_sets)}
    asked = {one.id: (at, one) for at, one in enumerate(questions)}
    found: list[tuple[tuple[int, float, int, int], Comparison]] = []
    columns = ("image_set", "question", "label", "slider_mean_winner", "how", "votes")
    for key, question, label, slider, how, votes in _rows(consensus, columns):
        if key not in sets or question not in asked:
            continue
        people = Side(_word(label), _number(slider), str(how), _word(votes))
        read = machine.get((str(key), str(question)), Side("", how="no record"))
        made = Comparison(sets[key][1], asked[question][1], people, read)
        rank = (_RANK[made.direction], -abs(made.gap or 0.0), asked[question][0], sets[key][0])
        found.append((rank, made))
    return tuple(made for _, made in sorted(found, key=lambda one: one[0]))


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which comparisons are wanted; "" leaves a part open.

    `apart` is a direction, or a pair of labels ``(people's, pipeline's)``.
    """

    question: str = ALL
    role: str = ALL
    condition: str = ALL
    generator: str = ALL
    apart: str | tuple[str, str] = ALL

    def shows(self, one: Comparison) -> bool:
        """Whether a comparison is one of them."""
        where = one.image_set
        return (
            self.question in (ALL, one.question.id)
            and self.role in (ALL, where.role)
            and self.condition in (ALL, str(where.condition or ""))
            and self.generator in (ALL, where.generator)
            and self._is_apart_so(one)
        )

    def _is_apart_so(self, one: Comparison) -> bool:
        if isinstance(self.apart, tuple):
            return self.apart == (one.people.label, one.pipeline.label)
        return self.apart in (ALL, one.direction)


def directions_in(comparisons: Iterable[Comparison]) -> dict[Direction, int]:
    """How many comparisons there are of each direction that occurs, in their order."""
    counts = Counter(one.direction for one in comparisons)
    return {direction: counts[direction] for direction in Direction if counts[direction]}


def pairs_in(comparisons: Iterable[Comparison]) -> dict[tuple[str, str], int]:
    """Pairs of different labels (people's, pipeline's), the most frequent first."""
    counts = Counter(
        (one.people.label, one.pipeline.label)
        for one in comparisons
        if one.people.label and one.pipeline.label and one.people.label != one.pipeline.label
    )
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _rows(table: pd.DataFrame, columns: Sequence[str]) -> Iterable[tuple[Any, ...]]:
    """The columns as tuples; a column that is not there is empty."""
    series: Mapping[str, Any] = {
        name: table[name] if name in table else [""] * len(table) for name in columns
    }
    return zip(*(series[name] for name in columns), strict=True)


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Any) -> float | None:
    number = float("nan") if value is None else float(value)
    return number if number == number else None
