"""Long work as plain functions: a job yields `Progress` and returns its result.

The command line runs a job in place with `run_here`; the window steps it in a pool thread
(`gui/tasks.py`); tests run it directly. Cancelling happens between two yields, so a step is short.
`Generator` here is Python's word and appears in no other file: elsewhere a generator makes images.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, TypeVar

T = TypeVar("T")


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
        things = noun.removesuffix("s") if self.asked == 1 else noun
        return f"{self.asked} {things} asked: {self.done} done, {self.failed} failed, {self.skipped} skipped"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job has come: `done` of `total` steps, `failed` among them, and what it does now.

    `outcome` is what became of the items so far, where the job keeps one: the same object at every step.
    """

    done: int
    total: int
    text: str = ""
    failed: int = 0
    outcome: Outcome | None = field(default=None, compare=False, repr=False)


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


class JobBook(Protocol):
    """Where it is kept what was run and what became of it."""

    def begin_job(self, kind: str, asked: int, settings: Mapping[str, Any]) -> int:
        """Note that a job starts; returns its id."""

    def note_job(self, job_id: int, outcome: Outcome) -> None:
        """Note how far a job has come, and that it is still at work."""

    def end_job(self, job_id: int, outcome: Outcome, state: str) -> None:
        """Note how a job ended ("done", "cancelled", "failed"), with a row for each failure."""


NOTED_EVERY_SECONDS = 5.0
"""How often a running job tells the book how far it is: what a killed program leaves behind."""


def recorded(
    job: Job[Outcome], book: JobBook, kind: str, asked: int, settings: Mapping[str, Any]
) -> Job[Outcome]:
    """The same job, kept in the book: also when it is cancelled, fails half-way or is killed.

    What a job did not come to counts as skipped, so that asked = done + failed + skipped holds for it too.
    """
    job_id = book.begin_job(kind, asked, settings)
    last = Progress(0, asked)
    noted = time.monotonic()
    try:
        while True:
            try:
                last = next(job)
            except StopIteration as stop:
                outcome: Outcome = stop.value
                book.end_job(job_id, outcome, "done")
                return outcome
            if time.monotonic() - noted >= NOTED_EVERY_SECONDS:
                book.note_job(job_id, _so_far(last, asked))
                noted = time.monotonic()
            yield last
    except BaseException as error:
        job.close()
        state = "cancelled" if isinstance(error, GeneratorExit | KeyboardInterrupt) else "failed"
        # A job that stops by itself may know more than its last progress told.
        known = getattr(error, "outcome", None)
        book.end_job(job_id, known if isinstance(known, Outcome) else _so_far(last, asked), state)
        raise


def _so_far(last: Progress, asked: int) -> Outcome:
    known = last.outcome
    if known is not None:
        left = asked - known.done - known.failed
        return Outcome(asked=asked, done=known.done, skipped=max(left, 0), failures=list(known.failures))
    done = max(last.done - last.failed, 0)
    unnamed = [Failure("", "not listed", "The job ended before it could list it.")] * last.failed
    return Outcome(asked=asked, done=done, skipped=asked - done - last.failed, failures=unnamed)
