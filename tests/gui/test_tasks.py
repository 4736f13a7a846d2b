"""Jobs in the pool: each ends exactly once, can be cancelled and held, and none outlives the window."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QObject, QThread
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from core.errors import BadInput
from core.importing.walk import NotWanted
from core.jobs import Job, Progress
from gui.tasks import Query, Task, TaskRunner, _Read


class Listener(QObject):
    """Writes down what a task said, and in which thread."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[str, Any]] = []
        self.threads: set[QThread] = set()

    def follow(self, task: Task) -> Listener:
        """Listen to all signals of a task."""
        task.progressed.connect(self.on_progressed)
        task.finished.connect(self.on_finished)
        task.failed.connect(self.on_failed)
        task.cancelled.connect(self.on_cancelled)
        task.ended.connect(self.on_ended)
        return self

    def _note(self, word: str, value: Any = None) -> None:
        self.heard.append((word, value))
        self.threads.add(QThread.currentThread())

    def on_progressed(self, progress: Progress) -> None:
        """Progress."""
        self._note("progressed", progress.done)

    def on_finished(self, result: Any) -> None:
        """The result."""
        self._note("finished", result)

    def on_failed(self, error: Exception) -> None:
        """The error."""
        self._note("failed", error)

    def on_cancelled(self) -> None:
        """Cancelled."""
        self._note("cancelled")

    def on_ended(self) -> None:
        """The end."""
        self._note("ended")

    @property
    def words(self) -> list[str]:
        """Everything but progress."""
        return [word for word, _ in self.heard if word != "progressed"]


@pytest.fixture
def runner(qapp: QApplication) -> Iterator[TaskRunner]:
    made = TaskRunner()
    yield made
    made.close()


def counting(steps: int, pause: float = 0.0) -> Job[int]:
    for step in range(steps):
        time.sleep(pause)
        yield Progress(step + 1, steps)
    return steps


def failing(error: Exception) -> Job[None]:
    yield Progress(0, 1)
    raise error


def endless(on_close: Callable[[], None] = lambda: None) -> Job[None]:
    try:
        done = 0
        while True:
            time.sleep(0.005)
            done += 1
            yield Progress(done, 10**6)
    finally:
        on_close()


def test_a_job_ends_with_its_result_in_the_gui_thread(qtbot: QtBot, runner: TaskRunner):
    listener = Listener().follow(runner.run("count", counting(3)))

    qtbot.waitUntil(lambda: runner.is_idle)

    assert listener.words == ["finished", "ended"]
    assert ("finished", 3) in listener.heard
    assert listener.threads == {QThread.currentThread()}


def test_the_last_step_is_always_reported(qtbot: QtBot, runner: TaskRunner):
    listener = Listener().follow(runner.run("count", counting(50)))

    qtbot.waitUntil(lambda: runner.is_idle)

    reported = [value for word, value in listener.heard if word == "progressed"]
    assert reported[-1] == 50
    assert len(reported) <= 3


def test_cancelling_runs_what_the_job_has_to_finish(qtbot: QtBot, runner: TaskRunner):
    closed = threading.Event()
    task = runner.run("endless", endless(closed.set))
    listener = Listener().follow(task)
    qtbot.waitUntil(lambda: task.progress is not None)

    task.cancel()
    qtbot.waitUntil(lambda: runner.is_idle)

    assert listener.words == ["cancelled", "ended"]
    assert closed.is_set()


def test_a_held_job_is_not_stepped_until_it_goes_on(qtbot: QtBot, runner: TaskRunner):
    steps: list[int] = []

    def noting() -> Job[None]:
        for step in range(10**6):
            steps.append(step)
            time.sleep(0.005)
            yield Progress(step, 10**6)

    task = runner.run("noting", noting())
    qtbot.waitUntil(lambda: len(steps) > 3)
    task.pause()
    qtbot.wait(50)
    held_at = len(steps)
    qtbot.wait(100)

    assert len(steps) == held_at
    task.resume()
    qtbot.waitUntil(lambda: len(steps) > held_at + 3)
    task.cancel()
    qtbot.waitUntil(lambda: runner.is_idle)


def test_a_held_job_can_be_cancelled(qtbot: QtBot, runner: TaskRunner):
    task = runner.run("endless", endless())
    listener = Listener().follow(task)
    task.pause()

    task.cancel()
    qtbot.waitUntil(lambda: runner.is_idle)

    assert listener.words == ["cancelled", "ended"]


@pytest.mark.parametrize("error", [BadInput("No such file.", "Choose another."), ZeroDivisionError("ours")])
def test_a_failed_job_hands_its_error_to_whoever_listens(qtbot: QtBot, runner: TaskRunner, error: Exception):
    with qtbot.waitSignal(runner.trouble) as trouble:
        listener = Listener().follow(runner.run("Generate", failing(error)))
    qtbot.waitUntil(lambda: runner.is_idle)

    assert trouble.args == ["Generate", error]
    assert listener.words == ["failed", "ended"]


def test_jobs_of_one_lane_run_one_after_the_other(qtbot: QtBot, runner: TaskRunner):
    first = runner.run("first", endless(), lane="gpu")
    second = runner.run("second", counting(1), lane="gpu")
    beside = Listener().follow(runner.run("beside", counting(1), lane="net"))
    qtbot.waitUntil(lambda: "finished" in beside.words)

    assert not second.is_started
    first.cancel()
    qtbot.waitUntil(lambda: runner.is_idle)
    assert second.is_started


def test_a_job_that_waits_in_its_lane_is_cancelled_without_ever_beginning(qtbot: QtBot, runner: TaskRunner):
    runner.run("first", endless(), lane="gpu")
    waiting = runner.run("second", counting(1), lane="gpu")
    listener = Listener().follow(waiting)

    runner.cancel_all()
    qtbot.waitUntil(lambda: runner.is_idle)

    assert listener.words == ["cancelled", "ended"]
    assert waiting.progress is None


def test_a_waiting_job_alone_is_cancelled_while_the_other_goes_on(qtbot: QtBot, runner: TaskRunner):
    first = runner.run("first", endless(), lane="gpu")
    waiting = runner.run("second", counting(1), lane="gpu")

    waiting.cancel()
    qtbot.waitUntil(lambda: waiting not in runner.tasks)

    assert runner.tasks == (first,)


def test_eight_jobs_at_once_all_end(qtbot: QtBot, runner: TaskRunner):
    listeners = [Listener().follow(runner.run(str(one), counting(20, 0.001))) for one in range(8)]

    qtbot.waitUntil(lambda: runner.is_idle)

    assert all(listener.words == ["finished", "ended"] for listener in listeners)


def test_closing_stops_everything(qtbot: QtBot):
    runner = TaskRunner()
    closed = [threading.Event() for _ in range(3)]
    for event in closed:
        runner.run("endless", endless(event.set))
    qtbot.waitUntil(lambda: all(task.progress for task in runner.tasks))

    assert runner.close()
    assert all(event.is_set() for event in closed)


class Reader(QObject):
    """Takes results of reads."""

    def __init__(self) -> None:
        super().__init__()
        self.results: list[Any] = []
        self.errors: list[Exception] = []

    def on_read(self, result: Any) -> None:
        """A result."""
        self.results.append((result, QThread.currentThread() is QApplication.instance().thread()))

    def on_error(self, error: Exception) -> None:
        """An error."""
        self.errors.append(error)


def test_a_read_runs_elsewhere_and_its_result_arrives_here(qtbot: QtBot, runner: TaskRunner):
    reader, here = Reader(), threading.get_ident()

    runner.query(lambda: threading.get_ident() != here, reader.on_read)
    qtbot.waitUntil(lambda: runner.is_idle)

    assert reader.results == [(True, True)]


def test_a_dropped_read_is_never_delivered(qtbot: QtBot, runner: TaskRunner):
    reader, gate = Reader(), threading.Event()

    query = runner.query(lambda: gate.wait(2), reader.on_read)
    query.drop()
    gate.set()
    qtbot.waitUntil(lambda: runner.is_idle)

    assert reader.results == []


def test_a_read_that_fails_says_so_where_it_was_asked(qtbot: QtBot, runner: TaskRunner):
    reader, error = Reader(), BadInput("No.", "")

    def read() -> None:
        raise error

    runner.query(read, reader.on_read, reader.on_error)
    qtbot.waitUntil(lambda: runner.is_idle)

    assert reader.errors == [error]


def test_a_function_that_would_run_in_the_worker_is_refused(runner: TaskRunner):
    with pytest.raises(TypeError, match="bound method"):
        runner.query(lambda: 1, lambda result: None)


def test_a_long_read_ends_when_the_window_closes(runner: TaskRunner, qtbot: QtBot) -> None:
    listener, stop, is_under_way = Listener(), threading.Event(), threading.Event()

    def read() -> None:
        is_under_way.set()
        assert stop.wait(5)
        raise NotWanted

    runner.query(read, listener.on_finished, listener.on_failed, stop)
    assert is_under_way.wait(5)

    assert runner.close()
    assert listener.words == []


def test_a_task_whose_window_is_gone_ends_quietly() -> None:
    query = Query(lambda: 1)
    delete(query)

    _Read(query).run()
