"""What every page is given: the open study, the runner of long work, the theme, and one signal of change.

A page never touches the store on the GUI thread: it asks with `studio.query(read, self._on_read)`.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from core.errors import UserError
from gui.leaving import AskAboutJobs, Hold, Leaving
from gui.overview_feed import OverviewFeed
from gui.tasks import Query, TaskRunner
from gui.theme import Theme

if TYPE_CHECKING:
    from storage.store import Store

log = logging.getLogger(__name__)

MILLISECONDS_BETWEEN_CHANGES = 250
EVERYTHING = frozenset(
    {
        *("annotator", "answer", "bank", "extractor", "generator", "hand_in", "image", "image_set", "job"),
        *("label", "note", "packet", "prompt", "record", "role", "round"),
    }
)
"""Every word of a change."""


class Studio(QObject):
    """The open study and what belongs to it.

    Signals: `changed(frozenset)` after writes, at most four times a second, with the words of what
    changed ("image", "record", "answer" …); `study_opened` and `study_closed`;
    `stayed(folder)` when the open study was not left for the one in a folder, or None;
    `simulated_changed` when the study begins or ceases to hold simulated answers or records;
    `extractor_chosen` when a person chose whose records the pages of results are to show.
    """

    changed = Signal(object)
    study_opened = Signal()
    study_closed = Signal()
    stayed = Signal(object)
    simulated_changed = Signal()
    extractor_chosen = Signal()
    _written = Signal(object)

    def __init__(self, runner: TaskRunner, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.runner = runner
        self.theme = theme
        self.store: Store | None = None
        self.simulated: frozenset[str] = frozenset()
        self._extractor = ""
        self.ask_about_jobs: AskAboutJobs | None = None
        self._holds: list[Hold] = []
        self._leaving: Leaving | None = None
        self._coming: Store | None = None
        self._asked = 0
        self._is_opening = False
        self._on_error: Callable[[Exception], None] | None = None
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
        stop: threading.Event | None = None,
    ) -> Query:
        """Run `read()` in the pool and deliver its result to a bound method of a QObject."""
        return self.runner.query(read, on_done, on_error, stop)

    def extractor_of(self, names: Sequence[str]) -> str:
        """Whose records a page shows: what a person chose on any page, else the usual one."""
        from core.extraction.choosing import usual_extractor

        return self._extractor if self._extractor in names else usual_extractor(names)

    def choose_extractor(self, name: str) -> None:
        """A person chose whose records to show; the other pages follow."""
        if name and name != self._extractor:
            self._extractor = name
            self.extractor_chosen.emit()

    # -- opening and leaving ----------------------------------------------------------------------

    @property
    def is_opening(self) -> bool:
        """Whether a study is being opened, or the open one is being left."""
        return self._is_opening or self._leaving is not None

    def open_study(self, folder: Path, on_error: Callable[[Exception], None] | None = None) -> None:
        """Open a study off the GUI thread; `study_opened` says when it is there."""

        def read() -> Store:
            from storage.store import Store

            return Store.open(folder)

        self.make_study(read, on_error)

    def make_study(
        self, make: Callable[[], Store], on_error: Callable[[Exception], None] | None = None
    ) -> None:
        """Make a study off the GUI thread with a function that returns its open store, and adopt it.

        Asked for another one meanwhile, the earlier is let go of when it comes.
        """
        self._asked += 1
        self._is_opening = True
        number, self._on_error = self._asked, on_error
        self.query(lambda: (number, make()), self._on_made, self._on_not_made)

    def _on_made(self, made: tuple[int, Store]) -> None:
        number, store = made
        if number != self._asked:
            store.close()
            return
        self._is_opening = False
        self.adopt(store)

    def _on_not_made(self, error: Exception) -> None:
        self._is_opening = False
        if self._on_error is not None:
            self._on_error(error)
        else:
            self.runner.trouble.emit("Reading the study", error)

    def hold(self, hold: Hold) -> None:
        """From now on the study is not left before this has everything on the disk."""
        self._holds.append(hold)

    def let_go(self, hold: Hold) -> None:
        """It has nothing to lose any more."""
        if hold in self._holds:
            self._holds.remove(hold)

    def adopt(self, store: Store) -> None:
        """Make an opened store the study of this window, once the one before could be left.

        `stayed(store)` says that the one before stays, because a person wished it or not everything in it
        could be saved; the store that was to come is closed then.
        """
        if self.store is None:
            self._take(store)
        else:
            self._leave(partial(self._take, store), store)

    def leave_study(self) -> None:
        """Close the open study once everything in it is on the disk and its jobs may stop."""
        if self.store is not None:
            self._leave(self.close_study, None)

    def _leave(self, on_free: Callable[[], None], coming: Store | None) -> None:
        self._end_leaving_at_once()
        self._coming = coming
        self._leaving = Leaving(
            self.runner, self._holds, self.ask_about_jobs, partial(self._free, on_free), self._stay, self
        )
        self._leaving.start()

    def _free(self, on_free: Callable[[], None]) -> None:
        self._end_leaving()
        on_free()

    def _stay(self, why: UserError | None) -> None:
        coming, folder = self._coming, self._coming.folder if self._coming is not None else None
        self._end_leaving()
        if coming is not None:
            coming.close()
        if why is not None:
            self.runner.trouble.emit("", why)
        self.stayed.emit(folder)

    def _end_leaving_at_once(self) -> None:
        if self._leaving is not None:
            self._leaving.drop()
        if self._coming is not None:
            self._coming.close()
        self._leaving, self._coming = None, None

    def _end_leaving(self) -> None:
        leaving, self._leaving, self._coming = self._leaving, None, None
        if leaving is not None:
            leaving.deleteLater()

    def _take(self, store: Store) -> None:
        self.close_study()
        self.store = store
        store.on_change(self._written.emit)
        self.study_opened.emit()
        self.look_for_simulated()

    def are_holds_saved(self) -> bool:
        """Take what is typed and block for a moment until it is saved; for the end of the window only."""
        for hold in self._holds:
            hold.take_typed()
        saved = [hold.wait() for hold in self._holds]
        return all(saved)

    def _put_aside(self) -> None:
        """What is not in the study by now goes into a file beside it."""
        if self.are_holds_saved():
            return
        for hold in self._holds:
            try:
                hold.put_aside()
            except OSError:
                log.exception("acts were not saved and could not be put aside")

    def close_study(self) -> None:
        """Close the open study, if any, after stopping what works on it; what was written is on disk.

        This asks nobody; `leave_study` and `adopt` do.
        """
        if self.store is not None:
            self._put_aside()
            self.runner.stop_of_study()
            self.store.close()
            self.store = None
            self._holds.clear()
            self._extractor = ""
            self.study_closed.emit()
        self._words.clear()
        self._set_simulated(frozenset())

    def shut_down(self) -> None:
        """The window is going: stop everything, wait at most five seconds for it, let go of the study."""
        self._asked += 1  # a study that is still being opened is let go of when it comes
        self._end_leaving_at_once()
        self.runner.close()
        self.close_study()

    def look_for_simulated(self) -> None:
        """Ask the store whether it holds simulated answers or records."""
        store = self.store
        if store is not None:
            self.query(store.simulated_parts, self._set_simulated)

    def tell_of_another(self) -> None:
        """Another process wrote into the study, nobody knows what: every page reads again when shown."""
        self._on_written(EVERYTHING)

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
