"""Python's collection of cycles, kept out of the way of a person's hands.

A full collection visits every object there is and holds the interpreter meanwhile: beside a study of the
paper's size that was up to 0.8 s in which no key was answered. The small collections stay automatic; the
full one is made when the GUI thread has done next to nothing for some seconds.
"""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer

YOUNG, MIDDLE, NEVER = 2_000, 20, 1_000_000
"""Objects before a small collection, small ones before a middle one, middle ones before a full one."""

MILLISECONDS_BETWEEN_LOOKS = 2_000
QUIET_SHARE = 0.02
"""The GUI thread is quiet while it computes less than this share of the time."""

QUIET_LOOKS = 4
SECONDS_BETWEEN_COLLECTIONS = 60.0


class Tidying(QObject):
    """Collects fully when the GUI thread, in which it is made, has been quiet for four looks in a row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.set_threshold(YOUNG, MIDDLE, NEVER)
        self._used, self._at = time.thread_time(), time.monotonic()
        self._collected_at = self._at
        self._quiet = 0
        self._timer = QTimer(self)
        self._timer.setInterval(MILLISECONDS_BETWEEN_LOOKS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> bool:
        """Count a quiet look or begin anew; returns whether it collected."""
        used, at = time.thread_time(), time.monotonic()
        is_quiet = used - self._used < QUIET_SHARE * max(at - self._at, 0.001)
        self._quiet = self._quiet + 1 if is_quiet else 0
        self._used, self._at = used, at
        if self._quiet < QUIET_LOOKS or at - self._collected_at < SECONDS_BETWEEN_COLLECTIONS:
            return False
        gc.collect()
        self._collected_at, self._quiet = time.monotonic(), 0
        return True
