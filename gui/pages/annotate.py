"""The Annotate page: who sits down, and then the annotation screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from annotation.session import Session
from annotation.unsaved import put_aside
from gui.annotate import key_settings
from gui.annotate.offers import Offer, open_session, read_offer
from gui.annotate.saved_caption import SavedRelay
from gui.annotate.screen import AnnotateScreen, Typing
from gui.annotate.start import StartView
from gui.annotate.unsaved import lost_question, unsaved_question
from gui.pages.page import Page
from gui.studio import Studio
from gui.widgets.consequence import ConsequenceDialog

if TYPE_CHECKING:
    from storage.store import Store

_KEPT = "annotation in progress"


class Sitting(QObject):
    """A session that is open in this window, with what tells of its saving; a hold of the studio.

    It belongs to the studio, not to the page: the window makes its pages anew at another scale, and
    nothing that is still on its way to the disk may go with the old one.
    """

    def __init__(self, studio: Studio, store: Store) -> None:
        super().__init__(studio)
        self.relay = SavedRelay(self)
        self.store = store
        self.session: Session | None = None
        self.shows_role = False
        self.screen: AnnotateScreen | None = None
        self.typing, self.finding = Typing.NOTHING, ""

    def take_typed(self) -> None:
        """What is being typed on the screen counts."""
        if self.screen is not None:
            self.screen.take_typed()

    @property
    def is_saved(self) -> bool:
        """Whether every act is on the disk."""
        return self.session is None or self.session.pending == 0

    @property
    def trouble(self) -> str:
        """Why saving stopped."""
        return self.session.trouble if self.session is not None else ""

    def wait(self) -> bool:
        """Block for a moment until every act is on the disk."""
        return self.session is None or self.session.wait_saved()

    def put_aside(self) -> Path | None:
        """Write the acts that are not saved to a file beside the study; None when there is none."""
        if self.session is None or not self.session.unsaved:
            return None
        return put_aside(self.store.folder, self.session.annotator, self.session.unsaved)


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
        self.dialog: ConsequenceDialog | None = None
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

    def close_drawer(self) -> bool:
        """Esc closes the explanation of the page."""
        return self.screen_widget is None and self.start.about.close_it()

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
        sitting = self._opening = Sitting(self.studio, store)
        tell = sitting.relay.tell
        self.studio.query(
            lambda: open_session(store, name, count_mode, tell), self._on_session, self._on_not_opened
        )

    def _on_session(self, opened: tuple[Session, bool]) -> None:
        sitting, self._opening = self._opening, None
        if sitting is None or sitting.store is not self.studio.store:
            return
        sitting.session, sitting.shows_role = opened
        self.studio.setProperty(_KEPT, sitting)
        self.studio.hold(sitting)
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
        self.screen_widget = sitting.screen = screen
        self._stack.addWidget(screen)
        self._stack.setCurrentWidget(screen)
        self.setFocusProxy(screen)

    def showEvent(self, event: QShowEvent) -> None:
        """Go on where an annotator was, also on a page that was made anew."""
        super().showEvent(event)
        kept = self.studio.property(_KEPT)
        if isinstance(kept, Sitting) and self.screen_widget is None:
            self._show_sitting(kept)
            # Not now: the page itself is about to get the focus.
            QTimer.singleShot(0, self._go_on_typing)

    def _go_on_typing(self) -> None:
        kept = self.studio.property(_KEPT)
        if isinstance(kept, Sitting) and self.screen_widget is not None:
            self.screen_widget.go_on_typing(kept.typing, kept.finding)
            kept.typing = Typing.NOTHING

    def take_focus(self) -> None:
        """The keyboard stays where somebody types."""
        if self.screen_widget is None or self.screen_widget.typing is Typing.NOTHING:
            super().take_focus()

    def keep_for_another(self) -> None:
        """This page goes and another takes its place: what is being typed counts, and is typed on there."""
        kept = self.studio.property(_KEPT)
        if isinstance(kept, Sitting) and self.screen_widget is not None:
            kept.typing = self.screen_widget.typing
            kept.finding = self.screen_widget.parts.bar.options.finding
            self.screen_widget.take_typed()
            kept.screen = None

    def leave(self) -> None:
        """Back to the start view once everything is on the disk; what cannot be saved is asked about."""
        kept = self.studio.property(_KEPT)
        if self.screen_widget is None or not isinstance(kept, Sitting):
            return
        if self.screen_widget.hand_over():
            self._go()
        elif kept.session is not None:
            self._ask(unsaved_question(kept.session, self.window()), self._put_aside)

    def _ask(self, dialog: ConsequenceDialog, act: Callable[[], None]) -> None:
        self.dialog = dialog
        dialog.accepted.connect(act)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _put_aside(self) -> None:
        kept = self.studio.property(_KEPT)
        if isinstance(kept, Sitting):
            self.studio.query(kept.put_aside, self._on_put_aside, self._on_not_put_aside)

    def _on_put_aside(self, path: Path | None) -> None:
        self._go()
        if path is not None:
            self.start.show_trouble(f"What could not be saved is in {path.name}, in the folder of the study.")

    def _on_not_put_aside(self, error: Exception) -> None:
        kept = self.studio.property(_KEPT)
        if isinstance(kept, Sitting) and kept.session is not None:
            why = (error.strerror if isinstance(error, OSError) else "") or type(error).__name__
            self._ask(lost_question(kept.session, why, self.window()), self._go)

    def _go(self) -> None:
        kept = self.studio.property(_KEPT)
        if isinstance(kept, Sitting):
            self.studio.let_go(kept)
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
        self._opening = None
        self._drop_screen()
        self.studio.setProperty(_KEPT, None)
        self.start.set_busy(is_busy=False)

    def keys(self) -> list[tuple[str, str]]:
        """The screen has its own sheet of keys."""
        return [("?", "all keys of the annotation screen")]
