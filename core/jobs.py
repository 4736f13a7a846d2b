"""Long work as plain functions: a job yields `Progress` and returns its result.

The command line runs a job in place with `run_here`; the window steps it in a pool thread
(`gui/tasks.py`); tests run it directly. Cancelling happens between two yields, so a step is short.
`Generator` here is Python's word and appears in no other file: elsewhere a generator makes images.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job has come: `done` of `total` steps, `failed` among them, and what it does now."""

    done: int
    total: int
    text: str = ""
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """One item that did not succeed: which, the class of failure, and the reason in a sentence."""

    item: str
    kind: str
    reason: str


@dataclass(slots=True)
class Outcome:
    """What became of every item that a job was asked for: asked = done + failed + skipped."""

    asked: int = 0
    done: int = 0
    skipped: int = 0
    failures: list[Failure] = field(default_factory=list)

    @property
    def failed(self) -> int:
        """Number of items that failed."""
        return len(self.failures)

    def fail(self, item: str, kind: str, reason: str) -> None:
        """Count one failed item with its class and reason."""
        self.failures.append(Failure(item, kind, reason))

    def check(self) -> None:
        """Raise AssertionError unless asked = done + failed + skipped (a fault of ours)."""
        total = self.done + self.failed + self.skipped
        if self.asked != total:
            raise AssertionError(f"{self.asked} asked, but {total} accounted for")

    def sentence(self, noun: str) -> str:
        """One line such as "60 images asked: 58 done, 1 failed, 1 skipped"."""
        return (
            f"{self.asked} {noun} asked: {self.done} done, {self.failed} failed, "
            f"{self.skipped} skipped"
        )


Job: TypeAlias = Generator[Progress, None, T]


def run_here(job: Job[T], report: Callable[[Progress], None] | None = None) -> T:
    """Run a job to its end in this thread and return its result."""
    while True:
        try:
            progress = next(job)
        except StopIteration as stop:
            result: T = stop.value
            return result
        if report is not None:
            report(progress)
