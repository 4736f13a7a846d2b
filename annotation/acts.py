"""The acts of an annotator as they stand in the log, and what a session says back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from annotation.checks import SoftWarning
from annotation.history import REDO, UNDO
from core.records import Answer, AnswerEvent


class Act(StrEnum):
    """`AnswerEvent.act`. Beside these there are "asked: kept …" and "asked: changed …" with ids of checks."""

    CHOOSE = "choose"
    UNKNOWN = "unknown"
    DESCRIBE = "describe"
    ACCEPT_SUGGESTION = "accept suggestion"
    MARK = "mark"
    UNMARK = "unmark"
    MARK_ALL = "mark all"
    CLEAR_MARKS = "clear marks"
    NONE_OF_THEM = "none of them"
    SET_COUNT = "set count"
    CLEAR_COUNT = "clear count"
    FLAG = "flag"
    UNFLAG = "unflag"
    COMMENT = "comment"
    CONFIRM = "confirm"
    UNDO = UNDO
    REDO = REDO
    TAKE_BREAK = "take a break"
    DISMISS_BREAK = "no break now"


KEPT, CHANGED = "asked: kept ", "asked: changed "
"""An answer that was asked about: what the annotator decided, followed by the ids of the checks."""

Content: TypeAlias = tuple[str | None, bool, int | None, str | None, frozenset[int]]
Kept: TypeAlias = tuple[int, str, str, Content]
"""Image set, question, check, and what the answer was when the annotator kept it."""


@dataclass(frozen=True, slots=True)
class ConfirmResult:
    """What became of an act that can be held up.

    `kind` is "moved" (confirmed, and on to the next open question), "open" (`missing` says what is not
    answered), "ask" (`warnings` to keep or to change), "done" or "nothing" (no effect, no event).
    `sentence` is for the screen; `is_at_end` is set when nothing at all is left to answer.
    """

    kind: Literal["moved", "open", "ask", "done", "nothing"]
    missing: tuple[str, ...] = ()
    sentence: str = ""
    warnings: tuple[SoftWarning, ...] = ()
    is_at_end: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A question back to the annotator that waits for keep or change."""

    about: Literal["none", "question", "set"]
    warnings: tuple[SoftWarning, ...]

    @property
    def checks(self) -> str:
        """Ids of the checks as they are logged."""
        return ", ".join(warning.check for warning in self.warnings)

    @property
    def result(self) -> ConfirmResult:
        """What the act that led here returns."""
        sentence = " ".join(warning.sentence for warning in self.warnings)
        return ConfirmResult("ask", sentence=sentence, warnings=self.warnings)


def kept_of(image_set_id: int, question: str, checks: Iterable[str], answer: Answer) -> set[Kept]:
    """Keys under which warnings count as kept, for as long as the answer stays what it was."""
    content = (answer.label, answer.is_unknown, answer.slider, answer.slider_source, answer.marks)
    return {(image_set_id, question, check, content) for check in checks}


def kept_in(events: Iterable[AnswerEvent]) -> set[Kept]:
    """All warnings that were kept in a log."""
    kept: set[Kept] = set()
    for event in events:
        if event.act.startswith(KEPT):
            checks = event.act.removeprefix(KEPT).split(", ")
            kept |= kept_of(event.image_set_id, event.question, checks, event.answer)
    return kept
