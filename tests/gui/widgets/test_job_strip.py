"""What the job strip says while a job runs, and afterwards."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.jobs import Job, Outcome, Progress
from gui.tasks import TaskRunner
from gui.theme import Theme
from gui.widgets.caption import Caption
from gui.widgets.job_strip import JobRow, JobStrip


@pytest.fixture
def runner(theme: Theme) -> Iterator[TaskRunner]:
    made = TaskRunner()
    yield made
    made.close()


@pytest.fixture
def strip(qtbot: QtBot, runner: TaskRunner) -> JobStrip:
    made = JobStrip(runner)
    qtbot.addWidget(made)
    return made


def endless(failed: int = 0) -> Job[None]:
    done = 0
    while True:
        time.sleep(0.005)
        done += 1
        yield Progress(done, 16560, "baker", failed)


def brief(outcome: Outcome) -> Job[Outcome]:
    yield Progress(1, 1)
    return outcome


def said(row: JobRow) -> str:
    """All that a row shows."""
    return "  ".join(one.text() for one in row.findChildren(Caption) if not one.isHidden())


def test_a_running_job_has_a_row_with_count_failures_and_what_follows(
    qtbot: QtBot, runner: TaskRunner, strip: JobStrip
):
    runner.run("Generate, FLUX.1", endless(6), noun="images", lane="gpu")
    runner.run("Generate, Qwen-Image", endless(), noun="images", lane="gpu")
    (row,) = strip.rows
    qtbot.waitUntil(lambda: "of 16" in said(row))

    assert "Generate, FLUX.1" in said(row)
    assert "6 failed" in said(row)
    assert "Next: Generate, Qwen-Image" in said(row)


def test_the_next_job_of_the_lane_takes_its_place(qtbot: QtBot, runner: TaskRunner, strip: JobStrip):
    first = runner.run("first", endless(), lane="gpu")
    runner.run("second", endless(), lane="gpu")
    qtbot.waitUntil(lambda: first.progress is not None)

    first.cancel()
    qtbot.waitUntil(lambda: len(runner.tasks) == 1)

    assert [row.task.name for row in strip.rows] == ["second"]


def test_pause_holds_the_job_and_continue_lets_it_go_on(qtbot: QtBot, runner: TaskRunner, strip: JobStrip):
    task = runner.run("Generate", endless())
    (row,) = strip.rows
    pause = row.pause_button

    qtbot.mouseClick(pause, Qt.MouseButton.LeftButton)
    assert task.is_paused
    assert pause.text() == "Continue"
    assert "paused" in said(row)

    qtbot.mouseClick(pause, Qt.MouseButton.LeftButton)
    assert not task.is_paused


def test_cancel_says_what_is_kept_and_then_can_be_closed(qtbot: QtBot, runner: TaskRunner, strip: JobStrip):
    task = runner.run("Generate", endless(), noun="images")
    (row,) = strip.rows
    qtbot.waitUntil(lambda: task.progress is not None)

    qtbot.mouseClick(row.cancel_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: runner.is_idle)

    assert "cancelled" in said(row)
    assert "images are kept" in said(row)
    qtbot.mouseClick(row.cancel_button, Qt.MouseButton.LeftButton)
    assert strip.rows == ()
    assert strip.isHidden()


def test_what_failed_stays_until_it_is_closed(qtbot: QtBot, runner: TaskRunner, strip: JobStrip):
    outcome = Outcome(asked=3, done=2)
    outcome.fail("baker", "truncated", "cut off")
    runner.run("Extract", brief(outcome), noun="images")
    qtbot.waitUntil(lambda: runner.is_idle)

    (row,) = strip.rows
    assert "3 images asked: 2 done, 1 failed, 0 skipped" in said(row)
    assert "see What failed" in said(row)


def test_a_new_job_takes_the_place_of_an_old_result(qtbot: QtBot, runner: TaskRunner, strip: JobStrip):
    runner.run("Extract", brief(Outcome(asked=1, done=1)))
    qtbot.waitUntil(lambda: runner.is_idle)
    runner.run("Generate", endless())

    assert [row.task.name for row in strip.rows] == ["Generate"]


def test_a_clean_result_leaves_by_itself(
    qtbot: QtBot, runner: TaskRunner, strip: JobStrip, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("gui.widgets.job_strip.MILLISECONDS_A_CLEAN_RESULT_STAYS", 20)
    task = runner.run("Analysis", brief(Outcome(asked=1, done=1)))
    with qtbot.waitSignal(task.finished):
        pass

    qtbot.waitUntil(lambda: not strip.rows)
    assert not strip.isVisible()
