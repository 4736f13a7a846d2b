"""One row of a table of answers, read with nothing taken for granted: what cannot be kept is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.answer_faults import is_time
from annotation.answering import BY_KEY, BY_POINTER, FROM_MARKS
from annotation.descriptors import LONGEST, SHORTEST, is_usable
from annotation.filled_cells import count_in, marks_in
from core.errors import BadInput
from core.questions import Question
from core.records import UNKNOWN, Answer, AnswerEvent, ImageSet

IMPORTED = "imported"
"""The act of an answer that came in a table."""

SOURCES = (FROM_MARKS, BY_POINTER, BY_KEY)
STATUSES = ("", "ok", UNKNOWN)
NEEDED = ("annotator", "image_set", "question", "label", "slider")
COLUMNS = (
    *(*NEEDED, "status", "marks", "slider_source", "is_simulated", "is_flagged", "comment"),
    *("wall_seconds", "active_seconds", "answered_at", "repeat_of"),
)
"""Of a table of answers; those without which none can be read come first."""

YES, NO = ("true", "1", "yes"), ("", "false", "0", "no")


@dataclass(frozen=True)
class ImportedRow:
    """A row as it is kept: who, about what, what was answered, and when."""

    who: tuple[str, bool]
    image_set: str
    repeat_of: str
    question: str
    answer: Answer
    at: str
    wall_seconds: float
    active_seconds: float

    @property
    def cell(self) -> tuple[str, str, str]:
        """Annotator, image set, question: what one answer is to."""
        return self.who[0], self.image_set, self.question

    @property
    def words(self) -> str:
        """The cell in words."""
        return f"{self.who[0]}, set {self.image_set}, {self.question}"

    def event(self, annotator_id: int, image_set_id: int) -> AnswerEvent:
        """The act that the row becomes."""
        return AnswerEvent(
            *(annotator_id, image_set_id, self.question, IMPORTED, self.answer, self.at),
            wall_seconds=self.wall_seconds,
            active_seconds=self.active_seconds,
        )


def read_row(
    number: int, row: Mapping[str, Any], sets: Mapping[str, ImageSet], asked: Mapping[str, Question]
) -> ImportedRow:
    """A row of a table, counted from 1, or BadInput that names it and says what cannot be kept."""
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
    who = (_text(row, "annotator"), _is(where, row, "is_simulated"))
    seconds = (_seconds(where, row, "wall_seconds"), _seconds(where, row, "active_seconds"))
    return ImportedRow(
        who, image_set, repeat_of, question, answer, _time(where, row, "answered_at"), *seconds
    )


def _answer(where: str, row: Mapping[str, Any], question: Question, most: int) -> Answer:
    label, status = _text(row, "label"), _text(row, "status")
    if status not in STATUSES:
        raise BadInput(f"{where}: the status {status!r} is none of {', '.join(STATUSES[1:])}.")
    is_unknown = UNKNOWN in (label, status)
    if not is_unknown and not label:
        raise BadInput(f"{where} has no answer.")
    if not is_unknown and not question.is_open and label not in question.option_ids:
        raise BadInput(f"{where}: {label!r} is no answer to {question.id}.")
    if not is_unknown and question.is_open and not is_usable(label):
        raise BadInput(
            f"{where}: {label!r} is no descriptor of {SHORTEST} to {LONGEST} characters with a letter."
        )
    slider = count_in(_text(row, "slider"), most, where)
    source = _text(row, "slider_source")
    if source and source not in SOURCES:
        raise BadInput(f"{where}: a count comes from one of {', '.join(SOURCES)}, not {source!r}.")
    marks = marks_in(_text(row, "marks"), most, where)
    if source and slider is None:
        raise BadInput(f"{where} says where its count is from, {source}, but has no count in `slider`.")
    if source == FROM_MARKS and slider != len(marks):
        raise BadInput(f"{where}: the count is {slider} and from marks, of which there are {len(marks)}.")
    from_marks = slider is not None and slider == len(marks)
    guessed = None if slider is None else "marks" if from_marks else "slider"
    return Answer(
        *(None if is_unknown else label, is_unknown, slider, source or guessed, marks),
        is_confirmed=True,
        is_flagged=_is(where, row, "is_flagged"),
        comment=_text(row, "comment"),
    )


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


def _is(where: str, row: Mapping[str, Any], name: str) -> bool:
    word = _text(row, name).casefold()
    if word not in (*YES, *NO):
        raise BadInput(f"{where}: {name} is {word!r}, not one of {', '.join((*YES, *NO[1:]))}.")
    return word in YES


def _time(where: str, row: Mapping[str, Any], name: str) -> str:
    """The time as it is written, or nothing."""
    text = _text(row, name)
    if text and not is_time(text):
        raise BadInput(f"{where}: {name} is {text!r}, which is no date and time.")
    return text
