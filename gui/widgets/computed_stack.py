"""Where a page's computed numbers stand: what is missing, how far the job is, or the numbers themselves.

One result is shown at a time. While another is computed for other settings the progress stands in its
place; while the same one is computed anew the old numbers stay.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from core.jobs import Job, Progress
from gui.computed import Computed
from gui.fonts import px
from gui.models.missing import Missing
from gui.studio import Studio
from gui.widgets.act_strip import ActStrip
from gui.widgets.computing_page import ComputingPage


class HasSettings(Protocol):
    """A result that knows what it was computed for."""

    @property
    def settings(self) -> Any:
        """The settings."""


class ComputedStack(QWidget):
    """`arrived(result)`; `wanted` when a person asks to compute (again); `page_wanted(name)`.

    Parameters
    ----------
    studio : Studio
    name : str
        What is computed, such as "Agreement"; the job strip says it.
    page : str
        Page of the window.
    content : QWidget
        Shows the numbers. Filled after the stack stands in its place it is made faster: each move of what is
        shown has the style sheet applied to all of it anew.
    """

    arrived = Signal(object)
    wanted = Signal()
    page_wanted = Signal(str)
    emptied = Signal()

    def __init__(self, studio: Studio, name: str, page: str, content: QWidget) -> None:
        super().__init__()
        self._name = name
        self._missing: Missing | None = None
        self.result: HasSettings | None = None
        self.computed = Computed(studio, name, page, self)
        self.empty, self.stale = ComputingPage(), ActStrip("info")
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(content)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        column.addWidget(self.stale)
        column.addWidget(self._stack, 1)
        self.computed.arrived.connect(self._on_arrived)
        self.computed.progressed.connect(self._on_progressed)
        self.computed.failed.connect(self._on_failed)
        self.computed.cancelled.connect(self._on_cancelled)
        self.stale.accepted.connect(self.wanted)
        self.empty.acted.connect(self._on_acted)
        studio.study_closed.connect(self.clear)

    @property
    def is_showing(self) -> bool:
        """Whether numbers are shown."""
        return self._stack.currentIndex() == 1

    def ask(self, settings: Any, make_job: Callable[[], Job[Any]]) -> None:
        """Show the result for these settings, computing it if need be."""
        self.stale.hide()
        self._missing = None
        self.computed.ask(settings, make_job)
        if self.computed.is_running and (self.result is None or self.result.settings != settings):
            self._show_empty()
            self.empty.show_progress(f"Computing {self._name.lower()}", self.computed.progress)

    def say_missing(self, missing: Missing) -> None:
        """There is nothing to compute."""
        self.stale.hide()
        self.result = None
        self._missing = missing
        self._show_empty()
        self.empty.say(missing.title, missing.sentence, missing.act)

    def say_stale(self, settings: Any, sentence: str) -> None:
        """Something came in since; a person decides when to compute again."""
        if not self.computed.has(settings) and not self.computed.is_running:
            self.stale.ask(sentence, "Compute again")

    def clear(self) -> None:
        """There is another study."""
        self.result, self._missing = None, None
        self.stale.hide()
        self.empty.say("")
        self._show_empty()

    def _show_empty(self) -> None:
        self._stack.setCurrentIndex(0)
        self.emptied.emit()

    def _on_arrived(self, result: HasSettings) -> None:
        self.result = result
        self._stack.setCurrentIndex(1)
        self.arrived.emit(result)

    def _on_progressed(self, progress: Progress) -> None:
        if not self.is_showing:
            self.empty.show_progress(f"Computing {self._name.lower()}", progress)

    def _on_failed(self, error: Exception) -> None:
        self._say_not_computed(str(error))

    def _on_cancelled(self) -> None:
        self._say_not_computed("The computation was cancelled.")

    def _say_not_computed(self, why: str) -> None:
        if self.is_showing:
            self.stale.ask(f"{self._name} is not computed anew: {why}", "Compute again")
        else:
            self.empty.say(f"{self._name} is not computed", why, "Compute again")

    def _on_acted(self) -> None:
        if self._missing is not None and self._missing.page:
            self.page_wanted.emit(self._missing.page)
        else:
            self.wanted.emit()
