"""The study in numbers, read again after changes: one read serves the rail and the Study page."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from gui.models.overview import Overview, read_overview

if TYPE_CHECKING:
    from gui.studio import Studio
    from gui.tasks import Query
    from storage.store import Store

SHORTEST_MILLISECONDS = 1000
SHARE_OF_TIME = 0.1
"""Reading takes at most a tenth of the time, however large the study."""


class OverviewFeed(QObject):
    """`arrived(Overview)` after the study was opened and, at most once a second, after it changed."""

    arrived = Signal(object)

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self._studio = studio
        self.latest: Overview | None = None
        self._query: Query | None = None
        self._is_stale = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._on_rested)
        studio.changed.connect(self._on_changed)
        studio.study_opened.connect(self._on_opened)

    def _on_opened(self) -> None:
        self.latest = None
        if self._query is not None:
            self._query.drop()
            self._query = None
        self._rest.stop()
        self._read()

    def _on_changed(self, _words: frozenset[str]) -> None:
        if self._query is not None or self._rest.isActive():
            self._is_stale = True
        else:
            self._read()

    def _read(self) -> None:
        store = self._studio.store
        if store is not None:
            self._is_stale = False
            self._query = self._studio.query(lambda: _timed(store), self._on_read, self._on_failed)

    def _on_read(self, found: tuple[Overview, float]) -> None:
        self._query = None
        self.latest, seconds = found
        self._rest.start(max(SHORTEST_MILLISECONDS, int(1000 * seconds / SHARE_OF_TIME)))
        self.arrived.emit(self.latest)

    def _on_failed(self, error: Exception) -> None:
        self._query = None
        self._studio.runner.trouble.emit("Reading the study", error)

    def _on_rested(self) -> None:
        if self._is_stale:
            self._read()


def _timed(store: Store) -> tuple[Overview, float]:
    began = time.monotonic()
    return read_overview(store), time.monotonic() - began
