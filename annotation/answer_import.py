"""Answers from a table of one's own export, back into a study with the same round.

A row is an answer as it stood, so it becomes one act. What the study has already is left alone: the same
table twice adds nothing, and a row that contradicts an answer of the study is counted and not taken.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from core.errors import BadInput
from core.questions import Question
from core.records import UNKNOWN, Annotator, Answer, AnswerEvent, ImageSet

IMPORTED = "imported"
"""The act of an answer that came in a table."""

SOURCES = ("marks", "slider", "key")


class AnsweredStudy(Protocol):
    """What importing answers needs of a store."""

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

    @property
    def sentence(self) -> str:
        """One line, such as "40 new, 3 same, 0 conflicting"."""
        return ", ".join(f"{self.counts[word]} {word}" for word in ("new", "same", "conflicting"))


def import_answers(
    study: AnsweredStudy, round_id: int, rows: Iterable[Mapping[str, Any]], questions: Sequence[Question]
) -> ImportedAnswers:
    """Take a table of answers in, whole or not at all.

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

    Raises
    ------
    BadInput
        A row that cannot be kept as it is, named by its number.
    """
    table = list(rows)
    asked = {one.id: one for one in questions}
    sets = {one.key: one for one in study.image_sets(round_id)}
    read = [_read(number, row, sets, asked) for number, row in enumerate(table, start=1)]
    again = {one.key: one for one in study.image_sets(round_id, "repeat")}
    missing = dict.fromkeys((row.image_set, row.repeat_of) for row in read if row.repeat_of)
    fresh = [(key, first) for key, first in missing if key not in again]
    if fresh:
        added = study.add_repeats(round_id, [sets[first] for _, first in fresh], [key for key, _ in fresh])
        again |= {one.key: one for one in added}
    people = {
        name: study.add_annotator(name, is_one) for name, is_one in dict.fromkeys(row.who for row in read)
    }
    known = {
        (person.annotator_id, event.image_set_id, event.question): event.answer
        for person in people.values()
        for event in study.answer_events(person.annotator_id)
    }
    found, events = ImportedAnswers(), []
    for row in read:
        person = people[row.who[0]]
        where = again[row.image_set] if row.repeat_of else sets[row.image_set]
        event = row.event(person.annotator_id, where.image_set_id)
        standing = known.get((person.annotator_id, where.image_set_id, event.question))
        if standing is None or not standing.is_confirmed:
            events.append(event)
            found.counts["new"] += 1
        else:
            found.counts["same" if standing == event.answer else "conflicting"] += 1
    study.append_answers(events)
    return found


@dataclass(frozen=True)
class _Row:
    who: tuple[str, bool]
    image_set: str
    repeat_of: str
    question: str
    answer: Answer
    at: str
    wall_seconds: float
    active_seconds: float

    def event(self, annotator_id: int, image_set_id: int) -> AnswerEvent:
        return AnswerEvent(
            *(annotator_id, image_set_id, self.question, IMPORTED, self.answer, self.at),
            wall_seconds=self.wall_seconds,
            active_seconds=self.active_seconds,
        )


def _read(
    number: int, row: Mapping[str, Any], sets: Mapping[str, ImageSet], asked: Mapping[str, Question]
) -> _Row:
    where = f"Row {number}"
    image_set, repeat_of, question = _text(row, "image_set"), _text(row, "repeat_of"), _text(row, "question")
    if (repeat_of or image_set) not in sets:
        raise BadInput(
            f"{where}: this round has no image set {repeat_of or image_set!r}.",
            "Import into a study whose round was designed with the same images and seed.",
        )
    if question not in asked:
        raise BadInput(f"{where}: this round does not ask {question!r}.")
    if not _text(row, "annotator"):
        raise BadInput(f"{where} names no annotator.")
    most = len(sets[repeat_of or image_set].images)
    answer = _answer(where, row, asked[question], most)
    who = (_text(row, "annotator"), _is(row, "is_simulated"))
    seconds = (_seconds(where, row, "wall_seconds"), _seconds(where, row, "active_seconds"))
    return _Row(who, image_set, repeat_of, question, answer, _text(row, "answered_at"), *seconds)


def _answer(where: str, row: Mapping[str, Any], question: Question, most: int) -> Answer:
    label, status = _text(row, "label"), _text(row, "status")
    is_unknown = UNKNOWN in (label, status)
    if not is_unknown and not label:
        raise BadInput(f"{where} has no answer.")
    if not is_unknown and not question.is_open and label not in question.option_ids:
        raise BadInput(f"{where}: {label!r} is no answer to {question.id}.")
    slider = _count(where, _text(row, "slider"), most)
    source = _text(row, "slider_source")
    if source and source not in SOURCES:
        raise BadInput(f"{where}: a count comes from one of {', '.join(SOURCES)}, not {source!r}.")
    marks = _marks(where, _text(row, "marks"), most)
    from_marks = slider is not None and slider == len(marks)
    guessed = None if slider is None else "marks" if from_marks else "slider"
    return Answer(
        *(None if is_unknown else label, is_unknown, slider, source or guessed, marks),
        is_confirmed=True,
        is_flagged=_is(row, "is_flagged"),
        comment=_text(row, "comment"),
    )


def _count(where: str, text: str, most: int) -> int | None:
    plain = text.removesuffix(".0")
    if not plain:
        return None
    if not (plain.isascii() and plain.isdecimal() and int(plain) <= most):
        raise BadInput(f"{where}: the count {text!r} is not a whole number from 0 to {most}.")
    return int(plain)


def _marks(where: str, text: str, most: int) -> frozenset[int]:
    try:
        found = json.loads(text) if text else []
    except ValueError:
        found = None
    if not isinstance(found, list) or not all(isinstance(one, int) and 0 <= one < most for one in found):
        raise BadInput(f"{where}: the marks {text!r} are no list of positions from 0 to {most - 1}.")
    return frozenset(found)


def _seconds(where: str, row: Mapping[str, Any], name: str) -> float:
    try:
        found = float(_text(row, name) or 0.0)
    except ValueError:
        found = -1.0
    if not 0 <= found < 1e9:
        raise BadInput(f"{where}: {name} is not a number of seconds.")
    return found


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return "" if value is None or value != value else str(value).strip()


def _is(row: Mapping[str, Any], name: str) -> bool:
    return _text(row, name).casefold() in ("true", "1", "yes")
