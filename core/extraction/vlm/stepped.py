"""An event loop that runs in slices, so that a job around it can be paused and cancelled between them.

Its clock stands still between slices: a run that was paused for an hour does not come back to time-outs of
requests that were answered meanwhile. Answers that arrive in a pause wait in the socket.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")

SLICE = 0.05
"""Seconds of a slice: how long cancelling may take."""


class _StandingClock(asyncio.SelectorEventLoop):
    """Counts only the time inside slices."""

    def __init__(self) -> None:
        super().__init__()
        self.stood = 0.0

    def time(self) -> float:
        return time.monotonic() - self.stood


class SteppedLoop:
    """Runs coroutines in slices in the thread that steps it.

    Parameters
    ----------
    threads : int
        Threads for work that would hold the loop up, such as decoding pictures.
    """

    def __init__(self, threads: int = 2) -> None:
        self._loop = _StandingClock()
        self._loop.set_default_executor(ThreadPoolExecutor(threads, "pictures"))
        self._left_at: float | None = None

    def clock(self) -> float:
        """Seconds that the loop has been running, from some beginning."""
        return self._loop.time()

    def run(self, work: Coroutine[Any, Any, T], every: float = SLICE) -> Generator[None, None, T]:
        """Run a coroutine to its end, yielding after every slice; closing the generator cancels it."""
        task = self._loop.create_task(work)
        try:
            while not task.done():
                self._slice(asyncio.wait({task}, timeout=every))
                if not task.done():
                    yield
            return task.result()
        finally:
            if not task.done():
                self.cancel()

    def run_whole(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a short coroutine in one go."""
        return self._slice(work)

    def close(self) -> None:
        """Cancel what is left, end the threads and close the loop."""
        if self._loop.is_closed():
            return
        self.cancel()
        self._slice(self._loop.shutdown_asyncgens())
        self._slice(self._loop.shutdown_default_executor())
        self._loop.close()

    def _slice(self, work: Coroutine[Any, Any, T]) -> T:
        if self._left_at is not None:
            self._loop.stood += time.monotonic() - self._left_at
        try:
            return self._loop.run_until_complete(work)
        finally:
            self._left_at = time.monotonic()

    def cancel(self) -> None:
        """Cancel everything that runs and wait until it has ended."""
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        if tasks:
            self._slice(_ended(tasks))


async def _ended(tasks: set[asyncio.Task[Any]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)
