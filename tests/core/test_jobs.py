"""What the book of jobs says of a job that ends, is stopped, fails or is killed."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pytest

from core import jobs
from core.jobs import Job, Outcome, Progress, recorded
from core.progress_line import ProgressLine


class Book:
    def __init__(self) -> None:
        self.noted: list[Outcome] = []
        self.ended: list[tuple[str, Outcome]] = []

    def begin_job(self, kind: str, asked: int, settings: Mapping[str, Any]) -> int:
        return 1

    def note_job(self, job_id: int, outcome: Outcome) -> None:
        self.noted.append(outcome)

    def end_job(self, job_id: int, outcome: Outcome, state: str) -> None:
        self.ended.append((state, outcome))


def five_items(fails: bool = False) -> Job[Outcome]:
    """Two there already, one done, one failed, one not come to; each step tells of ten places."""
    outcome = Outcome(asked=5, skipped=2)
    yield Progress(4, 10, outcome=outcome)
    outcome.done += 1
    yield Progress(6, 10, outcome=outcome)
    outcome.fail("the fourth", "damaged", "It is torn.")
    yield Progress(8, 10, failed=1, outcome=outcome)
    if fails:
        raise OSError("gone")
    outcome.done += 1
    return outcome


def numbers(outcome: Outcome) -> tuple[int, int, int, int]:
    return outcome.asked, outcome.done, outcome.failed, outcome.skipped


def stepped(job: Job[Outcome], steps: int) -> None:
    for _ in range(steps):
        next(job)


def test_a_cancelled_job_tells_what_was_done_and_calls_the_rest_skipped() -> None:
    book = Book()
    job = recorded(five_items(), book, "generate", 5, {})
    stepped(job, 3)

    job.close()

    ((state, outcome),) = book.ended
    assert (state, numbers(outcome)) == ("cancelled", (5, 1, 1, 3))
    assert outcome.failures[0].item == "the fourth"


def test_a_job_that_fails_half_way_tells_the_same() -> None:
    book = Book()

    with suppress(OSError):
        list(recorded(five_items(fails=True), book, "generate", 5, {}))

    ((state, outcome),) = book.ended
    assert (state, numbers(outcome)) == ("failed", (5, 1, 1, 3))


def test_a_running_job_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "NOTED_EVERY_SECONDS", 0.0)
    book = Book()

    list(recorded(five_items(), book, "generate", 5, {}))

    assert [numbers(outcome) for outcome in book.noted] == [(5, 0, 0, 5), (5, 1, 0, 4), (5, 1, 1, 3)]


def test_a_job_that_keeps_no_outcome_is_told_by_its_progress() -> None:
    def plain() -> Job[Outcome]:
        yield Progress(3, 5, failed=1)
        return Outcome()

    book = Book()
    job = recorded(plain(), book, "extract", 5, {})
    stepped(job, 1)

    job.close()

    assert numbers(book.ended[0][1]) == (5, 2, 1, 2)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_time_left_is_told_by_this_run_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([100.0, 100.0, 110.0])
    monkeypatch.setattr("core.progress_line.time.monotonic", lambda: next(seconds))
    terminal = Terminal()
    line = ProgressLine("images", terminal)

    line(Progress(900, 1000))
    assert "left" not in terminal.getvalue()
    line(Progress(910, 1000))

    assert terminal.getvalue().endswith("910 of 1000 (91 %), 1 min left")
