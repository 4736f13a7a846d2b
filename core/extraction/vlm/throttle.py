"""How many requests are under way at once: as many as asked for, fewer when the server says too many."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from random import Random

SLOWER = 0.7
"""Factor on the number at once when the server says that it is too many."""

_SLOWING_TAKES = 0.25
"""Seconds within which several such answers are one and the same event."""


class Throttle:
    """Places for requests; their number falls fast and rises slowly, and the door can be shut for a while.

    Parameters
    ----------
    most : int
        Most places.
    clock : callable
        Seconds on the clock of the event loop.
    random : Random
        Source of jitter, so that those who wait do not all return at once.
    """

    def __init__(self, most: int, clock: Callable[[], float], random: Random) -> None:
        self._most = most
        self._places = float(most)
        self._clock = clock
        self._random = random
        self._taken = 0
        self._opens_at = 0.0
        self._slowed_at = float("-inf")
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._released = asyncio.Event()

    @property
    def places(self) -> int:
        """How many requests may be under way now."""
        return int(self._places)

    @property
    def shut_for(self) -> float:
        """Seconds until the next request may start; 0 when it may now."""
        return max(self._opens_at - self._clock(), 0.0)

    async def enter(self) -> None:
        """Wait for a place and take it."""
        while not self._released.is_set():
            wait = self.shut_for
            if wait > 0:
                await self.sleep(wait + self._random.random() * min(wait * 0.1, 1.0))
            elif self._taken < self.places:
                break
            else:
                await self._turn()
        self._taken += 1

    def leave(self) -> None:
        """Give a place back."""
        self._taken -= 1
        self._call()

    def release(self) -> None:
        """Let everybody in at once and end all sleep: the run is over, and they will see that it is."""
        self._released.set()
        while self._waiting:
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(None)

    async def sleep(self, seconds: float) -> None:
        """Sleep, but not beyond the end of the run."""
        try:
            async with asyncio.timeout(seconds):
                await self._released.wait()
        except TimeoutError:
            pass

    def slow_down(self, wait: float | None) -> None:
        """The server said too many; `wait` is the seconds that it asks everyone to stay away."""
        now = self._clock()
        if now - self._slowed_at >= _SLOWING_TAKES:
            self._slowed_at = now
            self._places = max(1.0, self._places * SLOWER)
        if wait is not None:
            self._opens_at = max(self._opens_at, now + wait)

    def go_on(self) -> None:
        """A request went well: one place more for every round of them."""
        self._places = min(float(self._most), self._places + 1 / self._places)
        self._call()

    async def _turn(self) -> None:
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        try:
            await future
        except asyncio.CancelledError:
            self._call()  # a turn that was given to us passes to the next
            raise

    def _call(self) -> None:
        free = self.places - self._taken
        while self._waiting and free > 0:
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(None)
                free -= 1
