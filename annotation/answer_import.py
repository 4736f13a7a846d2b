"""Answers from a table of one's own export, back into a study with the same round.

A row is an answer as it stood, so it becomes one act. What the study has already is left alone: the same
table twice adds nothing, and a row that contradicts an answer of the study is named and not taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from annotation.imported_row import ImportedRow, read_row
from core.annotator_names import check_new_name
from core.errors import BadInput
from core.questions import Question
from core.records import Annotator, AnswerEvent, ImageSet


class AnsweredStudy(Protocol):
    """What importing answers needs of a store."""

    def annotators(self) -> list[Annotator]:
        """Everybody who annotates in the study."""

    def image_sets(self, round_id: int, purpose: str = "study") -> list[ImageSet]:
        """The image sets of a round."""

    def add_annotator(self, name: str, is_simulated: bool = False) -> Annotator:
        """Add an annotator, or find the one of that name."""

    def add_repeats(self, round_id: int, sets: Sequence[ImageSet], keys: Sequence[str]) -> list[ImageSet]:
        """Second showings of image sets."""

    def answer_events(self, annotator_id: int) -> list[AnswerEvent]:
        """Everything an annotator did that stands."""

    def append_answers(self, events: Sequence[AnswerEvent]) -> None:
        """Append many events in one transaction."""


@dataclass(frozen=True)
class ImportedAnswers:
    """What became of the rows of a table."""

    counts: Counter[str] = field(default_factory=Counter)
    contradicting: list[str] = field(default_factory=list)
    """A sentence for each row that says something else than the study."""

    @property
    def sentence(self) -> str:
        """One line, such as "40 new, 3 same, 0 conflicting"."""
        return ", ".join(f"{self.counts[word]} {word}" for word in ("new", "same", "conflicting"))


def import_answers(
    study: AnsweredStudy,
    round_id: int,
    rows: Iterable[Mapping[str, Any]],
    questions: Sequence[Question],
    *,
    is_dry_run: bool = False,
) -> ImportedAnswers:
    """Take a table of answers in, whole or not at all; rows that contradict the study are named instead.

    Parameters
    ----------
    study : AnsweredStudy
        Where the round is.
    round_id : int
        Its image sets are found by their keys; those of `repeat_of` are added where they are new.
    rows : iterable of mapping
        annotator, image_set, question, label, slider, status, and where there are any marks, slider_source,
        is_simulated, is_flagged, comment, wall_seconds, active_seconds, answered_at, repeat_of.
    questions : sequence of Question
        What the round asks.
    is_dry_run : bool
        Only say what would become of the rows; nothing is changed.

    Raises
    ------
    BadInput
        A row that cannot be kept as it is, or that says something else than one before it; both are named
        by their numbers.
    """
    table = list(rows)
    asked = {one.id: one for one in questions}
    sets = {one.key: one for one in study.image_sets(round_id)}
    again = {one.key: one for one in study.image_sets(round_id, "repeat")}
    read = [read_row(number, row, sets, asked) for number, row in enumerate(table, start=1)]
    _must_agree(read)
    people = _people(study, read)
    found, fresh = _compared(study, read, people, {**sets, **again})
    if is_dry_run or not fresh:
        return found
    missing = dict.fromkeys((row.image_set, row.repeat_of) for row in fresh if row.repeat_of)
    new = [(key, first) for key, first in missing if key not in again]
    added = study.add_repeats(round_id, [sets[first] for _, first in new], [key for key, _ in new])
    places = {**sets, **again, **{one.key: one for one in added}}
    numbers = {who: study.add_annotator(*who).annotator_id for who in dict.fromkeys(row.who for row in fresh)}
    study.append_answers([row.event(numbers[row.who], places[row.image_set].image_set_id) for row in fresh])
    return found


def _must_agree(read: Sequence[ImportedRow]) -> None:
    """BadInput where two rows of a table answer the same question of the same set otherwise."""
    first: dict[tuple[str, str, str], tuple[int, ImportedRow]] = {}
    for number, row in enumerate(read, start=1):
        before, one = first.setdefault(row.cell, (number, row))
        if one.answer != row.answer:
            raise BadInput(
                f"Row {number} says something else than row {before}: {row.words}.",
                "Leave one of the two in the table.",
            )


def _people(study: AnsweredStudy, read: Sequence[ImportedRow]) -> dict[str, int]:
    """The numbers of those who are in the study; BadInput for a name that cannot be."""
    known = {one.name: one for one in study.annotators()}
    names = list(known)
    for name, is_simulated in dict.fromkeys(row.who for row in read):
        if name not in known:
            check_new_name(name, names)
            known[name] = Annotator(0, name, is_simulated)
            names.append(name)
        elif known[name].is_simulated != is_simulated:
            raise BadInput(f"{name!r} is a person and a simulated annotator.", "Choose another name.")
    return {name: one.annotator_id for name, one in known.items() if one.annotator_id}


def _compared(
    study: AnsweredStudy, read: Sequence[ImportedRow], people: Mapping[str, int], sets: Mapping[str, ImageSet]
) -> tuple[ImportedAnswers, list[ImportedRow]]:
    """What becomes of each row, and the rows that are taken in."""
    names = {one.image_set_id: key for key, one in sets.items()}
    known = {
        (name, names[event.image_set_id], event.question): event.answer
        for name in {row.who[0] for row in read} & people.keys()
        for event in study.answer_events(people[name])
        if event.image_set_id in names
    }
    found, fresh = ImportedAnswers(), []
    for number, row in enumerate(read, start=1):
        standing = known.get(row.cell)
        if standing is None or not standing.is_confirmed:
            known[row.cell] = row.answer
            fresh.append(row)
            found.counts["new"] += 1
        elif standing == row.answer:
            found.counts["same"] += 1
        else:
            found.counts["conflicting"] += 1
            found.contradicting.append(f"Row {number} contradicts the study and was not taken: {row.words}.")
    return found, fresh
