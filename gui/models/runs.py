"""Runs of generation and extraction on one axis of time, and what failed by condition, role and generator.

Failures are no random loss: an extractor that refuses more pictures of one role leaves another sample of
that role, which is a bias of its own. So shares stand beside each other with their intervals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from core.records import Condition
from gui.models.coverage import in_words
from gui.models.number import Number

if TYPE_CHECKING:
    from core.jobs import Failure
    from storage.progress import FailedRecords
    from storage.store import Store
    from storage.study import Coverage, JobInfo

PARTS = ("condition", "role", "generator")
"""What failures are counted by."""

IMAGES, RECORDS = "images", "records"
MOST_FAILURES = 100


@dataclass(frozen=True, slots=True)
class Run:
    """One run: what it was, when (seconds since the epoch), and what became of what it was asked for."""

    job_id: int
    name: str
    state: str
    began: float
    ended: float | None
    asked: int
    done: int
    failed: int
    skipped: int


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many failed in one condition, role or generator; `number` has the interval."""

    key: str
    name: str
    failed: int
    whole: int
    number: Number


@dataclass(frozen=True)
class RunsView:
    """All runs, the newest first, and the shares by (images or records, part)."""

    runs: tuple[Run, ...]
    shares: dict[tuple[str, str], tuple[Share, ...]]

    def failed(self, what: str) -> int:
        """How many failed in all."""
        return sum(one.failed for one in self.shares.get((what, "condition"), ()))


def read_runs(store: Store) -> RunsView:
    """Read runs and failures; call it off the GUI thread."""
    from storage.progress import failed_records

    coverage, unread = store.coverage(), failed_records(store)
    shares = {}
    for part in PARTS:
        shares[IMAGES, part] = shares_of(_images_by(coverage, part))
        shares[RECORDS, part] = shares_of(_records_by(coverage, unread, part))
    return RunsView(tuple(run_of(one) for one in reversed(store.jobs())), shares)


def failures_of(store: Store, job_id: int) -> tuple[Failure, ...]:
    """The first failures of a run."""
    return tuple(store.failures_of(job_id)[:MOST_FAILURES])


def run_of(job: JobInfo) -> Run:
    """A job as a run."""
    of = job.settings.get("generator") or job.settings.get("extractor") or ""
    name = f"{job.kind.capitalize()}, {of}" if of else job.kind.capitalize()
    ended = _seconds(job.ended_at) if job.ended_at else None
    numbers = (job.asked, job.done, job.failed, job.skipped)
    return Run(job.job_id, name, job.state, _seconds(job.started_at), ended, *numbers)


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


Counts = dict[str, tuple[int, int]]
"""Key of a part to how many failed of how many."""


def _images_by(coverage: Iterable[Coverage], part: str) -> Counts:
    found: Counts = {}
    for one in coverage:
        if one.generator is not None:
            _add(found, _key(one, part), one.images_left_out, one.images + one.images_left_out)
    return found


def _records_by(coverage: Iterable[Coverage], unread: Iterable[FailedRecords], part: str) -> Counts:
    """An image that several extractors failed on counts once for each; so does the whole."""
    found: Counts = {}
    extractors = {one.extractor for one in unread}
    for one in coverage:
        if one.generator is not None:
            _add(found, _key(one, part), 0, one.records * max(len(extractors), 1))
    for failed in unread:
        _add(found, _key(failed, part), failed.images, 0)
    return found


def _add(found: Counts, key: str, failed: int, whole: int) -> None:
    before = found.get(key, (0, 0))
    found[key] = (before[0] + failed, before[1] + whole)


def _key(one: Coverage | FailedRecords, part: str) -> str:
    if part == "condition":
        return str(one.condition or "")
    return str(one.role if part == "role" else one.generator)


def shares_of(counts: Counts) -> tuple[Share, ...]:
    """Shares with Wilson intervals, the highest first, conditions in their order; empty ones left out."""
    from core.statistics.proportion import wilson_limits

    kept = [(key, failed, whole) for key, (failed, whole) in counts.items() if whole]
    if not kept:
        return ()
    lows, highs = wilson_limits([one[1] for one in kept], [one[2] for one in kept])
    made = [
        Share(key, _name(key), failed, whole, Number(failed / whole, float(low), float(high), units=whole))
        for (key, failed, whole), low, high in zip(kept, lows.tolist(), highs.tolist(), strict=True)
    ]
    # Conditions keep the order that they have everywhere.
    place = {str(condition): number for number, condition in enumerate((*Condition, ""))}
    return tuple(sorted(made, key=lambda one: (place.get(one.key, 0), -(one.number.value or 0), one.name)))


def _name(key: str) -> str:
    return key if key in set(Condition) else in_words(key) if key else "no condition"


def uneven_words(shares: Sequence[Share], part: str) -> str:
    """Whether some intervals do not meet: then what is left is not the sample that was asked for."""
    some = [one for one in shares if one.number.low is not None and one.number.high is not None]
    if len(some) < 2 or not any(one.failed for one in some):
        return ""
    first, last = some[0], some[-1]
    low, high = first.number.low or 0.0, last.number.high or 0.0
    if low > high:
        return (
            f"Uneven: {first.name} lost more than {last.name}, by more than chance explains for one pair. "
            "What is left of it is another sample."
        )
    return f"No {part} stands out from the others by more than its interval."
