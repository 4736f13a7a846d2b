"""A page before its numbers are there: what is missing and the one act, or how far the computation is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QWidget

from core.jobs import Progress
from gui.fonts import px
from gui.widgets.caption import Caption
from gui.widgets.empty_page import EmptyPage
from gui.widgets.progress_bar import ProgressBar

WIDTH = 420


class ComputingPage(EmptyPage):
    """An empty page that can also show a job under way."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._bar, self._now = ProgressBar("Progress", is_moving=True), Caption("", "muted")
        self._missing = ""
        super().__init__(parent)
        self._bar.setFixedWidth(px(WIDTH))
        column = self.layout()
        assert isinstance(column, QBoxLayout)
        for at, widget in ((3, self._bar), (4, self._now)):
            column.insertWidget(at, widget, 0, Qt.AlignmentFlag.AlignHCenter)

    @property
    def text(self) -> str:
        """Everything it says."""
        return f"{self.sentence} {self._missing}".strip()

    @property
    def act(self) -> str:
        """What its button says; "" without one."""
        return "" if self.button.isHidden() else self.button.text()

    def say(self, first: str, second: str = "", button: str = "") -> None:
        """What will be here, what is missing, and the act that helps."""
        super().say(first, second, button)
        self._missing = second
        self._bar.hide()
        self._now.hide()

    def show_progress(self, title: str, progress: Progress | None) -> None:
        """A job is under way."""
        if self.sentence != title or self._bar.isHidden():
            self.say(title)
        self._bar.show()
        self._now.show()
        if progress is None:
            self._bar.set_progress(0, 1)
            self._now.setText("reading …")
        else:
            self._bar.set_progress(progress.done, progress.total)
            self._now.setText(f"{progress.done} of {progress.total}, {progress.text}")
