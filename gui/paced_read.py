"""A read that is asked for often and carried out seldom: never twice at once, with a rest after each."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer

from gui.studio import Studio
from gui.tasks import Query

SHARE_OF_TIME = 0.1
"""Reading takes at most a tenth of the time, however large the study."""


class PacedRead(QObject):
    """Reads in the pool and hands the result to a bound method; a later wish replaces one that waits.

    Parameters
    ----------
    studio : Studio
    on_done : callable
        Bound method of a QObject that takes the result.
    least_milliseconds : int
        Shortest time from one result to the next read.
    parent : QObject, optional
    """

    def __init__(
        self,
        studio: Studio,
        on_done: Callable[[Any], None],
        least_milliseconds: int = 1000,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._studio = studio
        self._on_done = on_done
        self._least = least_milliseconds
        self._query: Query | None = None
        self._wanted: Callable[[], Any] | None = None
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._go_on)
        studio.study_closed.connect(self.drop)

    def ask(self, read: Callable[[], Any], *, now: bool = False) -> None:
        """Read when the rest is over; `now` drops what is under way and does not wait.

        A person who asked for something else waits for nothing, a change of the study may.
        """
        self._wanted = read
        if now:
            self._drop_query()
            self._rest.stop()
        self._go_on()

    def drop(self) -> None:
        """Want nothing any more."""
        self._wanted = None
        self._drop_query()
        self._rest.stop()

    def _go_on(self) -> None:
        if self._wanted is None or self._query is not None or self._rest.isActive():
            return
        read, self._wanted = self._wanted, None
        self._query = self._studio.query(lambda: _timed(read), self._on_read, self._on_failed)

    def _on_read(self, found: tuple[Any, float]) -> None:
        self._query = None
        result, seconds = found
        self._rest.start(max(self._least, int(1000 * seconds / SHARE_OF_TIME)))
        self._on_done(result)

    def _on_failed(self, error: Exception) -> None:
        self._query = None
        self._rest.start(self._least)
        self._studio.runner.trouble.emit("Reading the study", error)

    def _drop_query(self) -> None:
        if self._query is not None:
            self._query.drop()
            self._query = None


def _timed(read: Callable[[], Any]) -> tuple[Any, float]:
    began = time.monotonic()
    return read(), time.monotonic() - began
