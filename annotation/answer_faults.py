"""What keeps an answer that came from elsewhere from being one, although it is well formed."""

from __future__ import annotations

from datetime import datetime

from annotation.answering import FROM_MARKS
from annotation.checks import missing_of
from core.questions import Question
from core.records import Answer


def fault_of(question: Question, answer: Answer, at: str) -> str:
    """Why an answer given at a time cannot be kept as it is; empty when it can.

    An answer that is not confirmed yet may lack what it likes.
    """
    if answer.slider_source == FROM_MARKS and answer.slider != len(answer.marks):
        return "a count from marks that is not the number of marks"
    missing = missing_of(question, answer) if answer.is_confirmed else ()
    if missing:
        return f"confirmed without {' and '.join(missing)}"
    return "" if is_time(at) else "a time that is no date and time"


def is_time(text: str) -> bool:
    """Whether a text is a date and time as ISO 8601 writes it.

    >>> is_time("2026-11-30T10:00:00.000Z"), is_time("noon")
    (True, False)
    """
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
