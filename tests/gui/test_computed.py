"""A result that takes a job: computed once, kept until the study changes, dropped with it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.errors import BadInput
from core.jobs import Job, Progress
from gui.computed import Computed
from gui.studio import Studio

Settle = Callable[[Studio], None]


@pytest.fixture
def computed(studio: Studio) -> Computed:
    """A computed thing of a page."""
    return Computed(studio, "Sums", "results")


class Jobs:
    """Makes jobs that return their number, and counts how often it was asked for one."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> Job[int]:
        self.made += 1
        number = self.made

        def job() -> Job[int]:
            yield Progress(0, 1, "adding")
            return number

        return job()


def heard(computed: Computed) -> list[Any]:
    results: list[Any] = []
    computed.arrived.connect(results.append)
    return results


def test_the_same_question_is_answered_from_what_is_kept(computed: Computed, studio: Studio, settle: Settle):
    jobs, results = Jobs(), heard(computed)

    computed.ask("all", jobs)
    settle(studio)
    computed.ask("all", jobs)

    assert results == [1, 1]
    assert jobs.made == 1


def test_a_question_under_way_is_not_asked_twice(computed: Computed, studio: Studio, settle: Settle):
    jobs, results = Jobs(), heard(computed)

    computed.ask("all", jobs)
    computed.ask("all", jobs)
    settle(studio)

    assert (results, jobs.made) == ([1], 1)


def test_a_change_of_the_study_makes_the_result_old(computed: Computed, studio: Studio, settle: Settle):
    jobs, results = Jobs(), heard(computed)
    computed.ask("all", jobs)
    settle(studio)

    computed.outdate()
    assert not computed.has("all")
    computed.ask("all", jobs)
    settle(studio)

    assert results == [1, 2]


def test_a_newer_question_drops_the_answer_to_the_older(computed: Computed, studio: Studio, settle: Settle):
    jobs, results = Jobs(), heard(computed)

    computed.ask("old", jobs)
    computed.ask("new", jobs)
    settle(studio)

    assert results == [2]


def test_closing_the_study_forgets_everything(computed: Computed, studio: Studio, settle: Settle):
    jobs = Jobs()
    computed.ask("all", jobs)
    settle(studio)

    computed.forget()

    assert not computed.has("all")
    assert not computed.is_running


def test_a_page_that_is_made_anew_finds_what_was_computed(computed: Computed, studio: Studio, settle: Settle):
    jobs = Jobs()
    computed.ask("all", jobs)
    settle(studio)

    another = Computed(studio, "Sums", "results")
    results = heard(another)
    another.ask("all", jobs)

    assert (results, jobs.made) == ([1], 1)


def test_a_page_that_is_made_anew_waits_for_the_job_that_runs_already(
    studio: Studio, qtbot: QtBot, settle: Settle
):
    gate = threading.Event()
    made = 0

    def make_job() -> Job[int]:
        nonlocal made
        made += 1

        def job() -> Job[int]:
            while not gate.wait(0.005):
                yield Progress(0, 1)
            return 7

        return job()

    page = QWidget()
    Computed(studio, "Sums", "results", page).ask("all", make_job)
    with qtbot.waitSignal(page.destroyed):
        page.deleteLater()
    another = Computed(studio, "Sums", "results")
    results = heard(another)
    another.ask("all", make_job)
    assert len(studio.runner.tasks) == 1

    gate.set()
    settle(studio)
    assert (results, made) == ([7], 1)


def test_a_failure_is_handed_on_and_the_next_question_asks_again(
    computed: Computed, studio: Studio, qtbot: QtBot, settle: Settle
):
    def failing() -> Job[int]:
        yield Progress(0, 1)
        raise BadInput("There is nothing to add.")

    with qtbot.waitSignal(computed.failed) as failed:
        computed.ask("all", failing)
    settle(studio)
    results = heard(computed)
    computed.ask("all", Jobs())
    settle(studio)

    assert str(failed.args[0]) == "There is nothing to add."
    assert results == [1]
