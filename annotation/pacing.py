"""How far an annotator is, how long the rest takes at the own pace, and when a break is due."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from core.amounts import counted

BREAK_AFTER_SECONDS = 25 * 60.0
"""Active seconds since the last break after which the next set boundary shows the hint."""

BREAK_AFTER_SETS = 10
"""Or this many sets."""

ANSWERS_BEFORE_ESTIMATE = 5


@dataclass(frozen=True, slots=True)
class SittingProgress:
    """Sets with every question confirmed, of those assigned; and the same in answers."""

    done: int
    total: int
    answers_done: int
    answers_total: int

    @property
    def answers_left(self) -> int:
        """Answers still to confirm."""
        return self.answers_total - self.answers_done


def seconds_left(seconds_per_answer: Sequence[float], answers_left: int) -> float | None:
    """Active seconds for the rest, from the annotator's own median; None before there is a pace to speak of.

    >>> seconds_left([4.0, 5.0, 6.0, 7.0, 60.0], 10)
    60.0
    """
    if len(seconds_per_answer) < ANSWERS_BEFORE_ESTIMATE:
        return None
    return median(seconds_per_answer) * answers_left


class BreakHint:
    """Says at a set boundary when it is time for a break; taking or dismissing it begins a new stretch."""

    def __init__(self) -> None:
        self._since = 0.0
        self._sets: set[str] = set()
        self._sentence = ""

    @property
    def sentence(self) -> str:
        """The hint; empty while none is due."""
        return self._sentence

    def set_finished(self, set_key: str, active_seconds: float) -> None:
        """Note that a set was finished, `active_seconds` into the sitting; a second time it is not new."""
        if set_key in self._sets:
            return
        self._sets.add(set_key)
        minutes = int((active_seconds - self._since) // 60)
        if active_seconds - self._since >= BREAK_AFTER_SECONDS:
            self._sentence = f"{counted(minutes, 'minute')} at work."
        elif len(self._sets) >= BREAK_AFTER_SETS:
            self._sentence = f"{len(self._sets)} sets at a stretch."

    def answered(self, active_seconds: float) -> None:
        """The hint was taken or dismissed."""
        self._since, self._sets, self._sentence = active_seconds, set(), ""
