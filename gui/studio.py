"""What every page is given: the open study, the runner of long work, the theme, and one signal of change.

A page never touches the store on the GUI thread: it asks with `studio.query(read, self._on_read)`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from gui.overview_feed import OverviewFeed
from gui.tasks import Query, TaskRunner
from gui.theme import Theme

if TYPE_CHECKING:
    from storage.store import Store

MILLISECONDS_BETWEEN_CHANGES = 250


class Studio(QObject):
    """The open study and what belongs to it.

    Signals: `changed(frozenset)` after writes, at most four times a second, with the words of what
    changed ("image", "record", "answer" …); `study_opened` and `study_closed`;
    `simulated_changed` when the study begins or ceases to hold simulated answers or records.
    """

    changed = Signal(object)
    study_opened = Signal()
    study_closed = Signal()
    simulated_changed = Signal()
    _written = Signal(object)

    def __init__(self, runner: TaskRunner, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.runner = runner
        self.theme = theme
        self.store: Store | None = None
        self.simulated: frozenset[str] = frozenset()
        self._words: set[str] = set()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(MILLISECONDS_BETWEEN_CHANGES)
        self._timer.timeout.connect(self._tell)
        self._written.connect(self._on_written)
        self.feed = OverviewFeed(self)

    @property
    def has_simulated(self) -> bool:
        """Whether the study holds simulated answers or records; every page that shows some says so."""
        return bool(self.simulated)

    @property
    def folder(self) -> Path | None:
        """Folder of the open study."""
        return self.store.folder if self.store else None

    def query(
        self,
        read: Callable[[], Any],
        on_done: Callable[[Any], None],
        on_error: Callable[[Exception], None] | None = None,
    ) -> Query:
        """Run `read()` in the pool and deliver its result to a bound method of a QObject."""
        return self.runner.query(read, on_done, on_error)

    def open_study(self, folder: Path, on_error: Callable[[Exception], None] | None = None) -> None:
        """Open a study off the GUI thread; `study_opened` says when it is there."""

        def read() -> Store:
            from storage.store import Store

            return Store.open(folder)

        self.query(read, self.adopt, on_error)

    def make_study(
        self, make: Callable[[], Store], on_error: Callable[[Exception], None] | None = None
    ) -> None:
        """Make a study off the GUI thread with a function that returns its open store, and adopt it."""
        self.query(make, self.adopt, on_error)

    def adopt(self, store: Store) -> None:
        """Make an opened store the study of this window and close the one before."""
        self.close_study()
        self.store = store
        store.on_change(self._written.emit)
        self.study_opened.emit()
        self.look_for_simulated()

    def close_study(self) -> None:
        """Close the open study, if any, after stopping what works on it; what was written is on disk."""
        if self.store is not None:
            self.runner.stop_all()
            self.store.close()
            self.store = None
            self.study_closed.emit()
        self._words.clear()
        self._set_simulated(frozenset())

    def look_for_simulated(self) -> None:
        """Ask the store whether it holds simulated answers or records."""
        store = self.store
        if store is not None:
            self.query(lambda: simulated_parts(store), self._set_simulated)

    def _on_written(self, words: frozenset[str]) -> None:
        self._words |= words
        if not self._timer.isActive():
            self._timer.start()

    def _tell(self) -> None:
        words, self._words = frozenset(self._words), set()
        if self.store is None or not words:
            return
        self.changed.emit(words)
        if words & {"annotator", "answer", "extractor", "record"}:
            self.look_for_simulated()

    def _set_simulated(self, parts: frozenset[str]) -> None:
        if parts != self.simulated:
            self.simulated = parts
            self.simulated_changed.emit()


def simulated_parts(store: Store) -> frozenset[str]:
    """What of the study is simulated: "answers", "records", both or nothing."""
    parts = set()
    if any(annotator.is_simulated for annotator in store.annotators()):
        parts.add("answers")
    if any(extractor.is_simulated for extractor in store.extractors()):
        parts.add("records")
    return frozenset(parts)
