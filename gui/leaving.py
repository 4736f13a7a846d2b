"""The way out of an open study: jobs are asked about, what is typed counts, the disk is waited for.

Nothing here blocks: the window goes on answering while saves and jobs come to their end. Whoever has
something that must not be lost is a `Hold` of the studio.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QObject, QTimer

from core.errors import StoreError, UserError
from gui.tasks import Task, TaskRunner, WhenLeft

MILLISECONDS_BETWEEN_LOOKS = 20
LONGEST_WAIT_FOR_SAVES = 10.0
LONGEST_WAIT_FOR_JOBS = 5.0

AskAboutJobs = Callable[[Sequence[Task], Callable[[], None], Callable[[], None]], None]
"""Asks a person whether these jobs may be stopped; calls the first when they may, else the second."""


class Hold(Protocol):
    """Something of the open study that has to reach the disk before the study is let go."""

    def take_typed(self) -> None:
        """Make an act of what is being typed."""

    @property
    def is_saved(self) -> bool:
        """Whether everything is on the disk."""

    @property
    def trouble(self) -> str:
        """Why saving has stopped, and what is waiting; empty while it works."""

    def wait(self) -> bool:
        """Block for a moment until everything is saved; for the end of the window only."""

    def put_aside(self) -> object:
        """Write what cannot be saved somewhere else; for the end of the window only."""


class Leaving(QObject):
    """One attempt to leave: calls `on_free`, or `on_stayed` with the reason (None: a person's wish).

    Both are called at once where nothing has to be waited for.
    """

    def __init__(
        self,
        runner: TaskRunner,
        holds: Sequence[Hold],
        ask: AskAboutJobs | None,
        on_free: Callable[[], None],
        on_stayed: Callable[[UserError | None], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._holds = tuple(holds)
        self._ask = ask
        self._on_free = on_free
        self._on_stayed = on_stayed
        self._deadline = 0.0
        self._is_dropped = False
        self._look: Callable[[], None] = self._look_at_saves
        self._timer = QTimer(self)
        self._timer.setInterval(MILLISECONDS_BETWEEN_LOOKS)
        self._timer.timeout.connect(self._on_time)

    def start(self) -> None:
        """Ask about jobs that run, if there are any."""
        jobs = [task for task in self._runner.tasks if task.when_left is WhenLeft.ASK]
        if jobs and self._ask is not None:
            self._ask(jobs, self._take_typed, self._stay)
        else:
            self._take_typed()

    def drop(self) -> None:
        """Nobody waits for this attempt any more."""
        self._is_dropped = True
        self._timer.stop()
        self.deleteLater()

    def _stay(self) -> None:
        if not self._is_dropped:
            self._on_stayed(None)

    def _take_typed(self) -> None:
        if self._is_dropped:
            return
        for hold in self._holds:
            hold.take_typed()
        self._deadline = time.monotonic() + LONGEST_WAIT_FOR_SAVES
        self._look = self._look_at_saves
        self._look()

    def _look_at_saves(self) -> None:
        if all(hold.is_saved for hold in self._holds):
            self._runner.cancel_of_study()
            self._deadline = time.monotonic() + LONGEST_WAIT_FOR_JOBS
            self._look = self._look_at_jobs
            self._look()
            return
        trouble = next((hold.trouble for hold in self._holds if hold.trouble), "")
        if trouble or time.monotonic() > self._deadline:
            self._timer.stop()
            why = trouble or "The disk has not answered yet."
            remedy = "Save again on the page Annotate, or go back to the annotators there."
            said = f"The study stays open, because not every act is saved. {why}"
            self._on_stayed(StoreError(said, remedy))
        else:
            self._timer.start()

    def _look_at_jobs(self) -> None:
        if self._runner.of_study and time.monotonic() < self._deadline:
            self._timer.start()
        else:
            self._timer.stop()
            self._on_free()

    def _on_time(self) -> None:
        self._look()
