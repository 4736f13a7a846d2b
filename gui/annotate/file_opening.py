"""A packet that the desktop hands over after the start, as macOS does with a double-click."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QEventLoop, QObject, QTimer
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

WAIT_MILLISECONDS = 400
"""How long a program without an argument waits for a file before it asks for one."""


class FileOpening(QObject):
    """Keeps the first file that the system asks the application to open."""

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self.path: Path | None = None
        self._loop: QEventLoop | None = None
        application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the file; everything else goes on."""
        if isinstance(event, QFileOpenEvent) and event.file():
            if self.path is None:
                self.path = Path(event.file())
            if self._loop is not None:
                self._loop.quit()
            return True
        return super().eventFilter(watched, event)

    def wait(self, milliseconds: int = WAIT_MILLISECONDS) -> Path | None:
        """The file, once it is there; None when none came."""
        if self.path is None:
            self._loop = QEventLoop()
            QTimer.singleShot(milliseconds, self._loop.quit)
            self._loop.exec()
            self._loop = None
        return self.path
