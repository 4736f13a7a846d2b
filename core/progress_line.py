"""Progress on a terminal: one line that is written over, and nothing at all when it is not one."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from core.jobs import Progress


def share(done: int, total: int) -> int:
    """Percent done, rounded down: 99 until all is there."""
    return 100 if total <= 0 else done * 100 // total


def duration(seconds: float) -> str:
    """A length of time in words that suit its size.

    Examples
    --------
    >>> duration(42), duration(200), duration(18_600), duration(115_200)
    ('42 s', '3 min', '5 h 10 min', '1 day 8 h')
    """
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min"
    if whole < 86_400:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    days = whole // 86_400
    return f"{days} day{'s' if days > 1 else ''} {whole % 86_400 // 3600} h"


class ProgressLine:
    """Call it with each `Progress` of a job; at most four lines a second reach the terminal."""

    def __init__(self, name: str, stream: TextIO | None = None) -> None:
        self._name = name
        self._stream = stream if stream is not None else sys.stderr
        # There is no stream at all where standard error was closed.
        self._is_shown = self._stream is not None and self._stream.isatty()
        self._begun = time.monotonic()
        self._last = 0.0
        self._width = 0
        self._there: int | None = None

    def __call__(self, progress: Progress) -> None:
        """Write the line again if it is time to."""
        if self._there is None:  # what an earlier run did says nothing about how fast this one is
            self._there = progress.done
        now = time.monotonic()
        if not self._is_shown or (now - self._last < 0.25 and progress.done < progress.total):
            return
        self._last = now
        text = f"{self._name}: {progress.done} of {progress.total} ({share(progress.done, progress.total)} %)"
        made = progress.done - self._there
        if made > 0 and progress.done < progress.total:
            left = (now - self._begun) / made * (progress.total - progress.done)
            text += f", {duration(left)} left"
        if progress.failed:
            text += f", {progress.failed} failed"
        # Spaces over what is left of the line before: an old Windows console shows other signs as they are.
        self._stream.write(f"\r{text.ljust(self._width)}")
        self._width = len(text)
        self._stream.flush()

    def end(self) -> None:
        """Clear the line."""
        if self._is_shown:
            self._stream.write(f"\r{' ' * self._width}\r")
            self._stream.flush()
