from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.jobs import Failure, Outcome
from storage import process
from storage.process import may_live, this_process
from storage.store import Store
from tests.storage.builders import new_store


def test_a_job_runs_until_it_ends_with_its_numbers(store: Store) -> None:
    number = store.begin_job("generate", 4, {"generator": "drawn-a"})
    (running,) = store.jobs()
    failures = [Failure("prompt 3", "GeneratorError", "too hot"), Failure("prompt 1", "OSError", "disk full")]

    store.end_job(number, Outcome(4, 1, 1, failures))

    (ended,) = store.jobs()
    assert (running.state, running.asked, running.ended_at) == ("running", 4, None)
    assert (ended.job_id, ended.kind, ended.settings) == (number, "generate", {"generator": "drawn-a"})
    assert (ended.state, ended.asked, ended.done, ended.failed, ended.skipped) == ("done", 4, 1, 2, 1)
    assert ended.ended_at
    assert store.failures_of(number) == failures


def test_a_job_that_is_done_accounts_for_every_item(store: Store) -> None:
    number = store.begin_job("generate", 4, {})

    with pytest.raises(AssertionError, match="4 asked, but 1 accounted for"):
        store.end_job(number, Outcome(4, 1))
    store.end_job(number, Outcome(4, 1), "cancelled")

    assert [job.state for job in store.jobs()] == ["cancelled"]


def test_failures_may_be_kept_while_the_job_goes_on(store: Store) -> None:
    number, other = store.begin_job("extract", 4), store.begin_job("extract", 4)

    store.add_failures(number, [Failure("image 1", "timeout", "no answer")])

    assert store.failures_of(number) == [Failure("image 1", "timeout", "no answer")]
    assert store.failures_of(other) == []


def test_a_job_of_this_process_goes_on_when_the_study_is_opened_again(folder: Path) -> None:
    with new_store(folder) as one:
        one.begin_job("generate", 1)
        with Store.open(folder) as other:
            assert [job.state for job in other.jobs()] == ["running"]


def test_a_job_of_an_ended_process_is_interrupted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with new_store(folder) as store:
        store.begin_job("generate", 1)
    monkeypatch.setattr(process, "_TOKEN", "the next run, with the same number")

    with Store.open(folder) as store:
        assert [job.state for job in store.jobs()] == ["interrupted"]


def test_this_process_lives() -> None:
    assert may_live(this_process())


def test_another_process_that_runs_lives() -> None:
    number = os.getppid()

    assert may_live({**this_process(), "pid": number, "started": process._started(number), "token": "other"})


def test_a_number_given_to_another_program_is_not_the_same_process() -> None:
    assert not may_live({**this_process(), "pid": os.getppid(), "started": "long ago", "token": "other"})


def test_a_number_that_nobody_has_is_not_alive() -> None:
    assert not may_live({**this_process(), "pid": 2**22 + 1, "started": "", "token": "other"})


def test_of_another_machine_nobody_knows() -> None:
    assert may_live({"host": "elsewhere", "pid": 1, "started": "", "token": "other"})


def test_a_job_on_another_machine_is_at_work_until_it_was_silent_for_an_hour() -> None:
    at = datetime.now(UTC)
    elsewhere = {"host": "elsewhere", "pid": 1, "started": "", "token": "other"}

    assert may_live({**elsewhere, "seen_at": (at - timedelta(minutes=50)).isoformat()})
    assert not may_live({**elsewhere, "seen_at": (at - timedelta(minutes=70)).isoformat()})


def test_a_killed_job_keeps_the_numbers_it_noted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with new_store(folder) as store:
        number = store.begin_job("generate", 10)
        store.note_job(number, Outcome(asked=10, done=3, skipped=2))
    monkeypatch.setattr("storage.job_rows.may_live", lambda process: False)

    with Store.open(folder) as store:
        (job,) = store.jobs()

    assert (job.state, job.asked, job.done, job.failed, job.skipped) == ("interrupted", 10, 3, 0, 7)


def test_a_job_thought_dead_runs_again_with_its_next_word(folder: Path) -> None:
    with new_store(folder) as store:
        number = store.begin_job("generate", 10)
        store.end_job(number, Outcome(asked=10), "interrupted")

        store.note_job(number, Outcome(asked=10, done=4))

        assert [(job.state, job.done, job.ended_at) for job in store.jobs()] == [("running", 4, None)]
