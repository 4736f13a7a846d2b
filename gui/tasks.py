"""Long work and reads off the GUI thread; the only file of the window that touches threads.

`TaskRunner` steps jobs of `core.jobs` in threads of the one pool (`QThreadPool.globalInstance()`), and
answers reads with `Query`. A `Task` is made in the GUI thread and its signals must be connected to bound
methods of QObjects: lambdas and plain functions would run in the worker. Cancelling happens between two
steps; a paused job is simply not stepped. Tasks of one `lane` run one after the other.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from PySide6.QtCore import QDeadlineTimer, QEventLoop, QObject, QRunnable, QThreadPool, QTimer, Signal
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid as is_alive

from core.errors import UserError
from core.jobs import Job, Progress
from gui.pace import Pace
from gui.picture_classes import make_ready

log = logging.getLogger(__name__)

SECONDS_BETWEEN_REPORTS = 0.25
LONGEST_WAIT_AT_CLOSE = 5.0
FEWEST_THREADS = 8
"""Jobs wait on disks, servers and other processes, so the pool is wider than the machine has cores."""

SECONDS_BETWEEN_SWITCHES = 0.0005
"""How long a job holds the interpreter while the GUI thread wants it. With Python's 5 ms, painting a page,
which gives it back in every call of Qt, took up to half a second beside a job that computes."""


class WhenLeft(Enum):
    """What happens to a job when its study is left: a person is asked, it just stops, or it goes on."""

    ASK = "ask"
    STOP = "stop"
    GO_ON = "go on"


class Task(QObject):
    """One job being stepped: signals for what happens to it, and `cancel`, `pause`, `resume`."""

    progressed = Signal(object)
    finished = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    ended = Signal()
    held = Signal(bool)

    def __init__(
        self, name: str, job: Job[Any], page: str, noun: str, lane: str, when_left: WhenLeft
    ) -> None:
        super().__init__()
        self.name = name
        self.job = job
        self.page = page
        self.noun = noun
        self.lane = lane
        self.when_left = when_left
        self.progress: Progress | None = None
        self.pace = Pace()
        self.is_started = False
        self.stop_wanted = threading.Event()
        self.may_step = threading.Event()
        self.may_step.set()
        self.progressed.connect(self._on_progressed)

    @property
    def is_paused(self) -> bool:
        """Whether the job is held and not stepped."""
        return not self.may_step.is_set()

    def cancel(self) -> None:
        """Ask the job to stop after the step it is in; what it has done is kept."""
        self.stop_wanted.set()
        self.may_step.set()
        if not self.is_started:  # no thread has it, so its end is here
            self.is_started = True
            self.job.close()
            self.cancelled.emit()
            self.ended.emit()

    def pause(self) -> None:
        """Step no further until `resume`."""
        self.may_step.clear()
        self.pace.hold()
        self.held.emit(True)

    def resume(self) -> None:
        """Go on stepping."""
        self.pace.go_on()
        self.may_step.set()
        self.held.emit(False)

    def _on_progressed(self, progress: Progress) -> None:
        self.progress = progress
        self.pace.note(progress.done)


class _Steps(QRunnable):
    """Steps one task's job in a pool thread and says what became of it, exactly once."""

    def __init__(self, task: Task) -> None:
        super().__init__()
        self._task = task
        self.setAutoDelete(True)

    def run(self) -> None:
        task = self._task
        try:
            self._step_until_stopped()
            task.job.close()  # runs the job's own `finally`, here and now
            _say(task, "cancelled")
        except StopIteration as stop:
            _say(task, "finished", stop.value)
        except Exception as error:  # noqa: BLE001 - every fault must reach the GUI thread
            _log_failure(task.name, error)
            _say(task, "failed", error)
        finally:
            _say(task, "ended")

    def _step_until_stopped(self) -> None:
        """Step until cancel is asked for; StopIteration with the result passes through."""
        task = self._task
        reported_at = 0.0
        progress: Progress | None = None
        is_reported = True
        try:
            while not task.stop_wanted.is_set():
                if not task.may_step.wait(0.1):
                    continue
                progress, is_reported = next(task.job), False
                if time.monotonic() - reported_at >= SECONDS_BETWEEN_REPORTS:
                    reported_at, is_reported = time.monotonic(), True
                    _say(task, "progressed", progress)
        finally:
            if progress is not None and not is_reported:
                _say(task, "progressed", progress)


class Query(QObject):
    """One read in the pool; its result arrives in the GUI thread unless it was dropped meanwhile."""

    done = Signal(object)
    failed = Signal(object)
    ended = Signal()

    def __init__(self, read: Callable[[], Any], stop: threading.Event | None = None) -> None:
        super().__init__()
        self.read = read
        self.stop = stop or threading.Event()
        self.is_dropped = False

    def drop(self) -> None:
        """Want the result no longer, because a newer question was asked; also drops its errors."""
        self.is_dropped = True
        self.stop.set()
        self.done.disconnect()
        self.failed.disconnect()


class _Read(QRunnable):
    def __init__(self, query: Query) -> None:
        super().__init__()
        self._query = query
        self.setAutoDelete(True)

    def run(self) -> None:
        query = self._query
        try:
            if not query.is_dropped:
                _say(query, "done", query.read())
        except Exception as error:  # noqa: BLE001 - every fault must reach the GUI thread
            if not query.stop.is_set():  # else nobody asks any more
                _log_failure("reading", error)
                _say(query, "failed", error)
        finally:
            _say(query, "ended")


def _say(source: QObject, signal: str, *what: Any) -> None:
    """Emit a signal of a task or read, unless the window and all that was in it are gone."""
    try:
        getattr(source, signal).emit(*what)
    except RuntimeError:
        if is_alive(source):
            raise


def _log_failure(name: str, error: Exception) -> None:
    if isinstance(error, UserError):
        log.warning("%s: %s", name, error)
    else:
        log.error("%s failed", name, exc_info=error)


class TaskRunner(QObject):
    """Runs jobs and reads in the pool and keeps each until it has ended.

    `task_added` and `task_ended` are for the job strip and the rail; `trouble` (name, error) is where
    `gui.notices` listens.
    """

    task_added = Signal(object)
    task_ended = Signal(object)
    trouble = Signal(str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        sys.setswitchinterval(SECONDS_BETWEEN_SWITCHES)
        self._pool = QThreadPool.globalInstance()
        self._pool.setMaxThreadCount(max(FEWEST_THREADS, self._pool.maxThreadCount()))
        self._tasks: list[Task] = []
        self._queries: list[Query] = []
        self._is_closing = False

    @property
    def tasks(self) -> tuple[Task, ...]:
        """All tasks that have not ended, running ones and those that wait for their lane."""
        return tuple(self._tasks)

    @property
    def is_idle(self) -> bool:
        """Whether no task and no read is under way."""
        return not self._tasks and not self._queries

    def run(
        self,
        name: str,
        job: Job[Any],
        *,
        page: str = "",
        noun: str = "steps",
        lane: str = "",
        when_left: WhenLeft = WhenLeft.ASK,
    ) -> Task:
        """Step a job in the pool and return its task; connect to it before going back to the event loop.

        Parameters
        ----------
        name : str
            What the job strip says, such as "Generate, FLUX.1".
        page : str
            Page whose rail entry shows the ring.
        noun : str
            What is counted, such as "images", for the rate.
        lane : str
            Tasks of one lane run one after the other; "" starts at once.
        when_left : WhenLeft
            What happens to it when the open study is closed. Only a job that holds a study of its own may
            go on.
        """
        task = Task(name, job, page, noun, lane, when_left)
        task.failed.connect(self._on_failed)
        task.ended.connect(self._on_ended)
        self._tasks.append(task)
        self.task_added.emit(task)
        # Not now: a short job would be over before whoever asked for it had connected to the task.
        QTimer.singleShot(0, self._start_what_may)
        return task

    def query(
        self,
        read: Callable[[], Any],
        on_done: Callable[[Any], None],
        on_error: Callable[[Exception], None] | None = None,
        stop: threading.Event | None = None,
    ) -> Query:
        """Call `read()` in the pool and hand its result to `on_done`, a bound method of a QObject.

        `stop` is set once the result is not wanted any more; a long read looks at it and ends.
        """
        make_ready()
        query = Query(read, stop)
        query.done.connect(_bound(on_done))
        query.failed.connect(_bound(on_error) if on_error else self._on_query_failed)
        query.ended.connect(self._on_query_ended)
        self._queries.append(query)
        self._pool.start(_Read(query), 1)
        return query

    @property
    def of_study(self) -> tuple[Task, ...]:
        """The tasks that end with the open study."""
        return tuple(task for task in self._tasks if task.when_left is not WhenLeft.GO_ON)

    def cancel_all(self) -> None:
        """Ask every task to stop after its step, and forget those that have not begun."""
        self._cancel(self.tasks)

    def cancel_of_study(self) -> None:
        """The same for the tasks that end with the open study."""
        self._cancel(self.of_study)

    def close(self) -> bool:
        """Stop for good: cancel all, wait at most five seconds; returns whether all came to its end."""
        self._is_closing = True
        self.cancel_all()
        self._stop_reads()
        return self._wait(lambda: self.is_idle)

    def stop_of_study(self) -> bool:
        """Cancel what ends with the study and wait, at most five seconds; returns whether it has ended."""
        self.cancel_of_study()
        self._stop_reads()
        return self._wait(lambda: not self.of_study and not self._queries)

    def _stop_reads(self) -> None:
        """Long reads end where they are; short ones do not look."""
        for query in self._queries:
            query.stop.set()

    def _cancel(self, tasks: Sequence[Task]) -> None:
        before, self._is_closing = self._is_closing, True  # what waited must not begin meanwhile
        for task in tasks:
            task.cancel()
        self._is_closing = before
        QTimer.singleShot(0, self._start_what_may)

    def _wait(self, is_over: Callable[[], bool]) -> bool:
        deadline = QDeadlineTimer(int(LONGEST_WAIT_AT_CLOSE * 1000))
        while not is_over() and not deadline.hasExpired():
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents, 20)
            self._pool.waitForDone(10)
        return is_over()

    def _start_what_may(self) -> None:
        if self._is_closing:
            return
        busy = {task.lane for task in self._tasks if task.is_started and task.lane}
        for task in self._tasks:
            if task.is_started or task.lane in busy:
                continue
            if task.lane:
                busy.add(task.lane)
            task.is_started = True
            self._pool.start(_Steps(task))

    def _on_failed(self, error: Exception) -> None:
        task = self.sender()
        self.trouble.emit(task.name if isinstance(task, Task) else "", error)

    def _on_ended(self) -> None:
        task = self.sender()
        if isinstance(task, Task):
            self._forget(task)

    def _forget(self, task: Task) -> None:
        if task in self._tasks:
            self._tasks.remove(task)
            self.task_ended.emit(task)
        self._start_what_may()

    def _on_query_failed(self, error: Exception) -> None:
        self.trouble.emit("Reading the study", error)

    def _on_query_ended(self) -> None:
        query = self.sender()
        if isinstance(query, Query) and query in self._queries:
            self._queries.remove(query)


def _bound(slot: Callable[..., None]) -> Callable[..., None]:
    """The slot itself, after making sure that it is a bound method of a QObject."""
    if not isinstance(getattr(slot, "__self__", None), QObject):
        raise TypeError("a slot for another thread's result must be a bound method of a QObject")
    return slot
