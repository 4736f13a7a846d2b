"""How long an annotator worked on a question: wall, active, and the time to the first act.

Everything is monotonic. Active time counts from one input (key, pointer, gaining focus) to the next, but no
more than `IDLE_SECONDS` of it: whoever does nothing for a minute has stopped working at the minute. Time
without focus does not count, nor does time in which the machine slept: while the window beats (`tick`, once
a second), a gap between two beats means that the program did not run, and the gap is left out. Every instant
is looked at once, so nothing counts twice, and a clock that jumps back counts nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

IDLE_SECONDS = 60.0
"""Active time stops this long after the last input."""

BEAT_GAP_SECONDS = 10.0
"""Two beats further apart than this mean that the program did not run in between."""


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds since the question was shown, seconds of those at work, and seconds until the first act."""

    wall_seconds: float
    active_seconds: float
    first_act_seconds: float | None


class ActiveClock:
    """Measures one sitting; `now` gives monotonic seconds.

    The window calls `input` at every key and pointer event, `focus` when it gains or loses the focus and,
    if it can, `tick` once a second. The session calls `show` and `act`.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._seen = now()
        self._last_input = self._seen
        self._has_focus = True
        self._is_beating = False
        self._shown_at = self._seen
        self._first_act: float | None = None
        self._active = 0.0
        self._before = 0.0

    def show(self) -> None:
        """Begin a question: its three times start from zero."""
        self.input()
        self._before += self._active
        self._active = 0.0
        self._shown_at = self._seen
        self._first_act = None

    def input(self) -> None:
        """Note a key press, a click or a move of the pointer."""
        self._advance()
        self._last_input = self._seen

    def focus(self, has_focus: bool) -> None:
        """Note that the window gained or lost the focus."""
        self._advance()
        if has_focus and not self._has_focus:
            self._last_input = self._seen
        self._has_focus = has_focus

    def tick(self) -> None:
        """Note that the program runs; once this was called, long gaps count as sleep."""
        self._advance()
        self._is_beating = True

    def act(self) -> Times:
        """Note an act on the question shown, and return its times."""
        self.input()
        if self._first_act is None:
            self._first_act = self._seen - self._shown_at
        return self.times()

    def times(self) -> Times:
        """The times of the question shown, as of now."""
        self._advance()
        return Times(self._seen - self._shown_at, self._active, self._first_act)

    @property
    def sitting_seconds(self) -> float:
        """Active seconds of all questions since this clock was made."""
        self._advance()
        return self._before + self._active

    def _advance(self) -> None:
        now = max(self._now(), self._seen)
        slept = self._is_beating and now - self._seen > BEAT_GAP_SECONDS
        if self._has_focus and not slept:
            until = min(now, self._last_input + IDLE_SECONDS)
            self._active += max(0.0, until - self._seen)
        self._seen = now
