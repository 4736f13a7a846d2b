"""How fast a job goes and how long it still takes, from the steps it reports; paused time does not count."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

WINDOW_SECONDS = 120.0
FEWEST_SECONDS = 2.0


class Pace:
    """Rate over the last two minutes of work; nothing is claimed before two seconds of it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held_seconds = 0.0
        self._held_since: float | None = None
        self._noted: deque[tuple[float, int]] = deque()

    def note(self, done: int) -> None:
        """Take down that `done` steps are behind us now."""
        now = self._worked()
        self._noted.append((now, done))
        while now - self._noted[0][0] > WINDOW_SECONDS and len(self._noted) > 2:
            self._noted.popleft()

    def hold(self) -> None:
        """The job is paused from now on."""
        if self._held_since is None:
            self._held_since = self._clock()

    def go_on(self) -> None:
        """The job goes on."""
        if self._held_since is not None:
            self._held_seconds += self._clock() - self._held_since
            self._held_since = None

    @property
    def per_second(self) -> float | None:
        """Steps a second, None while there is too little to go by."""
        if len(self._noted) < 2:
            return None
        (began, first), (now, last) = self._noted[0], self._noted[-1]
        if now - began < FEWEST_SECONDS or last <= first:
            return None
        return (last - first) / (now - began)

    def seconds_left(self, total: int) -> float | None:
        """Seconds until `total` steps are done at this rate, None while there is no rate."""
        rate = self.per_second
        if rate is None:
            return None
        return max(total - self._noted[-1][1], 0) / rate

    def _worked(self) -> float:
        return (self._held_since or self._clock()) - self._held_seconds
