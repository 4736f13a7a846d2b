"""The Annotate page: who sits down, and then the annotation screen."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from annotation.session import Session
from gui.annotate import key_settings
from gui.annotate.offers import Offer, open_session, read_offer
from gui.annotate.saved_caption import SavedRelay
from gui.annotate.screen import AnnotateScreen
from gui.annotate.start import StartView
from gui.pages.page import Page
from gui.studio import Studio

_KEPT = "annotation in progress"


class Sitting(QObject):
    """A session that is open in this window, with what tells of its saving.

    It belongs to the studio, not to the page: the window makes its pages anew at another scale, and
    nothing that is still on its way to the disk may go with the old one.
    """

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self.relay = SavedRelay(self)
        self.session: Session | None = None
        self.shows_role = False
        self.study_key = studio.store.study.study_key if studio.store is not None else ""


class AnnotatePage(Page):
    """Start view and screen; the screen brings its own top bar."""

    name: ClassVar[str] = "annotate"
    title: ClassVar[str] = "Annotate"
    icon: ClassVar[str] = "annotate"
    words: ClassVar[frozenset[str]] = frozenset({"image", "round", "image_set", "annotator", "answer"})
    has_header: ClassVar[bool] = False

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(studio, parent)
        self.start = StartView()
        self.screen_widget: AnnotateScreen | None = None
        self._opening: Sitting | None = None
        self._is_warned = False
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.start)
        self.start.begin.connect(self._on_begin)
        self.start.go_to.connect(self._on_go_to)
        studio.study_closed.connect(self._on_study_closed)

    def show_item(self, what: object) -> None:
        """Sit down the annotator whom another page names, unless somebody sits here already."""
        store = self.studio.store
        if isinstance(what, str) and store is not None and self.screen_widget is None:
            self._on_begin(what, store.study.count_mode)

    # Start

    def refresh(self) -> None:
        """Read what there is, unless somebody is annotating."""
        store = self.studio.store
        if store is not None and self.screen_widget is None:
            self.studio.query(lambda: read_offer(store), self._on_offer)

    def _on_offer(self, offer: Offer) -> None:
        self.start.show_offer(offer)

    def _on_go_to(self, page: str) -> None:
        self.asked_for.emit(page, None)

    def _on_begin(self, name: str, count_mode: str) -> None:
        store = self.studio.store
        if store is None:
            return
        sitting = self._opening = Sitting(self.studio)
        tell = sitting.relay.tell
        self.studio.query(
            lambda: open_session(store, name, count_mode, tell), self._on_session, self._on_not_opened
        )

    def _on_session(self, opened: tuple[Session, bool]) -> None:
        sitting, self._opening = self._opening, None
        if sitting is None:
            return
        sitting.session, sitting.shows_role = opened
        self.studio.setProperty(_KEPT, sitting)
        self._show_sitting(sitting)

    def _on_not_opened(self, error: Exception) -> None:
        self._opening = None
        self.start.show_trouble(str(error))

    # Screen

    def _show_sitting(self, sitting: Sitting) -> None:
        store = self.studio.store
        if store is None or sitting.session is None:
            return
        screen = AnnotateScreen(
            *(sitting.session, self.studio.runner, store.image_bytes, sitting.relay),
            keys=key_settings.chosen_keys(),
            read_small=store.thumbnail_bytes,
            shows_role=sitting.shows_role,
        )
        screen.preset_chosen.connect(key_settings.remember_preset)
        screen.parts.top.show_way_back()
        screen.parts.top.way_back.clicked.connect(self.leave)
        self.screen_widget = screen
        self._stack.addWidget(screen)
        self._stack.setCurrentWidget(screen)
        self.setFocusProxy(screen)

    def showEvent(self, event: QShowEvent) -> None:
        """Go on where an annotator was, also on a page that was made anew."""
        super().showEvent(event)
        self.window().installEventFilter(self)
        kept = self.studio.property(_KEPT)
        if isinstance(kept, Sitting) and self.screen_widget is None:
            self._show_sitting(kept)

    def leave(self) -> None:
        """Back to the start view; everything is on the disk by then, or stays here until it is."""
        if self.screen_widget is None or not self.screen_widget.hand_over():
            return
        self._drop_screen()
        self.studio.setProperty(_KEPT, None)
        self.mark_stale()

    def _drop_screen(self) -> None:
        screen, self.screen_widget = self.screen_widget, None
        if screen is not None:
            screen.stop()
            self.setFocusProxy(self.start)
            self._stack.setCurrentWidget(self.start)
            self._stack.removeWidget(screen)
            screen.hide()
            screen.deleteLater()

    def _on_study_closed(self) -> None:
        self._drop_screen()
        self.studio.setProperty(_KEPT, None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window closes: what is being typed counts, and the disk is waited for.

        Acts that cannot be saved hold the window open once; closing it again closes it.
        """
        if event.type() is not QEvent.Type.Close or self.screen_widget is None:
            return False
        if self.screen_widget.hand_over() or self._is_warned:
            return False
        self._is_warned = True
        event.ignore()
        return True

    def keys(self) -> list[tuple[str, str]]:
        """The screen has its own sheet of keys."""
        return [("?", "all keys of the annotation screen")]
