"""Decisions on their way to the disk: one after the other, in the order in which they were made.

While one is under way the study is not left (`gui.leaving`).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Signal

from gui.adjudication.facts import Decisions
from gui.studio import Studio

MOST_SECONDS = 2.0


class DecisionWriter(QObject):
    """`written(decisions)` when nothing waits any more; `failed(sentence)` drops what waited behind it."""

    written = Signal(object)
    failed = Signal(str)

    def __init__(self, studio: Studio, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._waiting: deque[Callable[[], Decisions]] = deque()
        self.is_busy = False
        self._is_held = False

    # What leaving a study asks

    def take_typed(self) -> None:
        """What is typed is part of a decision only once that is kept."""

    @property
    def is_saved(self) -> bool:
        """Whether every decision is on the disk."""
        return not (self.is_busy or self._waiting)

    @property
    def trouble(self) -> str:
        """What cannot be written is told at once and not kept waiting."""
        return ""

    def wait(self) -> bool:
        """Wait a moment for what is under way."""
        until = time.monotonic() + MOST_SECONDS
        while not self.is_saved and time.monotonic() < until:
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents, 20)
        return self.is_saved

    def put_aside(self) -> object:
        """There is nothing to put aside: see `trouble`."""
        return None

    # Writing

    def write(self, act: Callable[[], Decisions]) -> None:
        """Write a decision, or take one back, once those before it are on the disk."""
        self._waiting.append(act)
        if not self._is_held:
            self._is_held = True
            self._studio.hold(self)
        self._go_on()

    def drop(self) -> None:
        """Begin nothing more: the study is closed."""
        self._waiting.clear()
        self._let_go()

    def _go_on(self) -> None:
        if not self.is_busy and self._waiting:
            self.is_busy = True
            self._studio.query(self._waiting.popleft(), self._on_written, self._on_not_written)

    def _on_written(self, decisions: Decisions) -> None:
        self.is_busy = False
        if self._waiting:
            self._go_on()
        else:
            self._let_go()
            self.written.emit(decisions)

    def _on_not_written(self, error: Exception) -> None:
        self.is_busy = False
        self._waiting.clear()
        self._let_go()
        self.failed.emit(str(error))

    def _let_go(self) -> None:
        if self._is_held:
            self._is_held = False
            self._studio.let_go(self)
