"""What another process wrote into the open study is seen here too, without opening it again."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from core.errors import StoreError
from gui.paced_read import PacedRead
from gui.studio import Studio

if TYPE_CHECKING:
    from storage.store import Store

MILLISECONDS_BETWEEN_LOOKS = 5000
LEAST_MILLISECONDS = 500

log = logging.getLogger(__name__)


class Elsewhere(QObject):
    """Looks now and then, when a page is shown, and when the window is turned to; tells the studio.

    A look asks SQLite for one number, in the pool: the command line, or a second window, may have written
    packets, merges or images meanwhile.
    """

    def __init__(self, studio: Studio, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._read = PacedRead(studio, self._on_looked, LEAST_MILLISECONDS, self)
        self._timer = QTimer(self)
        self._timer.setInterval(MILLISECONDS_BETWEEN_LOOKS)
        self._timer.timeout.connect(self.look)
        studio.study_opened.connect(self._timer.start)
        studio.study_closed.connect(self._timer.stop)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._on_state)

    def look(self) -> None:
        """Ask whether another process wrote; never blocking."""
        store = self._studio.store
        if store is not None:
            self._read.ask(lambda: _has_written(store))

    def _on_state(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self.look()

    def _on_looked(self, has_written: bool) -> None:
        if has_written:
            self._studio.tell_of_another()


def _has_written(store: Store) -> bool:
    try:
        return store.has_another_written()
    except StoreError as error:
        # The next act says it to the person; a look that nobody asked for stays silent.
        log.info("could not look for what others wrote: %s", error)
        return False
