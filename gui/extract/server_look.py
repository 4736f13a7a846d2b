"""Asking a server what it can do, and showing what was found."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QVBoxLayout

from core.jobs import Job, Progress
from gui.extract.server_work import ServerCheck
from gui.fonts import px
from gui.studio import Studio
from gui.tasks import Task
from gui.widgets.caption import Caption
from gui.widgets.check_rows import show_checks

NOT_CHECKED = "Not checked yet. One question shows what the server takes and what a picture costs."


class ServerLook(QObject):
    """One look at a time, off the GUI thread, shown in `rows`; `failed(str)` says why there was none."""

    failed = Signal(str)

    def __init__(self, studio: Studio, parent: QObject) -> None:
        super().__init__(parent)
        self._studio = studio
        self._task: Task | None = None
        self.found: ServerCheck | None = None
        self.rows = QVBoxLayout()
        self.rows.setContentsMargins(0, 0, px(8), 0)
        self.rows.setSpacing(0)

    @property
    def is_asking(self) -> bool:
        """Whether a server is being asked."""
        return self._task is not None

    def ask(self, job: Job[ServerCheck]) -> None:
        """Ask, and show what comes."""
        self._say("Asking the server …")
        self._task = self._studio.runner.run("Check the server", job, noun="questions")
        self._task.progressed.connect(self._on_progress)
        self._task.finished.connect(self._on_checked)
        self._task.failed.connect(self._on_failed)

    def forget(self) -> None:
        """What was found holds no longer."""
        self.drop()
        self.found = None
        self._say(NOT_CHECKED, wraps=True)

    def drop(self) -> None:
        """Want no answer any more."""
        task, self._task = self._task, None
        if task is not None:
            task.progressed.disconnect(self._on_progress)
            task.finished.disconnect(self._on_checked)
            task.failed.disconnect(self._on_failed)
            task.cancel()

    def _on_progress(self, progress: Progress) -> None:
        self._say(progress.text, wraps=True)

    def _on_checked(self, found: ServerCheck) -> None:
        self._task, self.found = None, found
        self._clear()
        show_checks(self.rows, found.checks)
        self.rows.addStretch(1)

    def _on_failed(self, error: Exception) -> None:
        self._task = None
        self.failed.emit(str(error))

    def _say(self, sentence: str, *, wraps: bool = False) -> None:
        self._clear()
        self.rows.addWidget(Caption(sentence, "muted", wraps=wraps))
        self.rows.addStretch(1)

    def _clear(self) -> None:
        while (item := self.rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
