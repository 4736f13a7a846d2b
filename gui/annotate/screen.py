"""The annotation screen: one annotator, one set of ten, one question at a time.

Stands inside the window's Annotate page and alone for a packet. It owns the parts, the image cache and the
key dispatcher, and connects them; the session holds every rule and every answer.
"""

from __future__ import annotations

from enum import Enum
from math import ceil

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from annotation.session import Session
from gui.annotate.acting import Acting
from gui.annotate.decoding import ReadBytes, shared_pixels
from gui.annotate.image_cache import ImageCache, Runner
from gui.annotate.key_dispatcher import KeyDispatcher
from gui.annotate.keys import KeyMap, key_map
from gui.annotate.looking import Looking
from gui.annotate.parts import Parts
from gui.annotate.saved_caption import SavedRelay
from gui.annotate.showing import Showing
from gui.palette import palette

MILLISECONDS_BEFORE_NEW_SIZE = 120
MILLISECONDS_BEFORE_COUNTING = 300
BEAT_MILLISECONDS = 1000


class Typing(Enum):
    """Where somebody types."""

    NOTHING = "nothing"
    COMMENT = "comment"
    IN_BOX = "box of the answer"


class AnnotateScreen(QWidget):
    """Shows a session.

    Parameters
    ----------
    session : Session
        Made with `relay.tell` as its `on_saved`.
    runner : Runner
        Decodes pictures off the GUI thread.
    read : callable
        Bytes of an image, called in a pool thread.
    relay : SavedRelay
        Says when something was saved; made in the GUI thread.
    keys : KeyMap, optional
        Bindings; QWERTY if none are given.
    read_small : callable, optional
        Bytes of the small form of an image (at most 512 px a side), which the ten are shown from where it
        is large enough.
    shows_role : bool
        Whether this round shows the role of each set; the one thing about an image that may be shown,
        and only where the round says so.
    """

    preset_chosen = Signal(str)
    moved = Signal()

    def __init__(
        self,
        session: Session,
        runner: Runner,
        read: ReadBytes,
        relay: SavedRelay,
        keys: KeyMap | None = None,
        *,
        read_small: ReadBytes | None = None,
        shows_role: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.session = session
        self.setAccessibleName("annotate")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        keys = keys or key_map()
        pixels = shared_pixels(session.image_sets)
        self.cache = ImageCache(runner, read, pixels, read_small, self)
        self.parts = Parts(self, pixels)
        self.showing = Showing(session, self.parts, self.cache, keys, shows_role=shows_role)
        self.looking = Looking(self.parts.grid, self.parts.zoom, self)
        self.acting = Acting(session, self.parts, self.showing, self.looking, self)
        self.dispatcher = KeyDispatcher(self, keys)
        self._resize_timer = QTimer(self, singleShot=True, interval=MILLISECONDS_BEFORE_NEW_SIZE)
        self._count_timer = QTimer(self, singleShot=True, interval=MILLISECONDS_BEFORE_COUNTING)
        self._beat = QTimer(self, interval=BEAT_MILLISECONDS)
        self._connect_keys(relay)
        self._connect_answer()
        self._connect_panels()
        session.theme = palette().name
        self.show_state()
        if session.is_complete:
            self.acting.opening.show_end()

    def _connect_keys(self, relay: SavedRelay) -> None:
        clock = self.session.clock
        self.dispatcher.asked.connect(self.acting.on_asked)
        self.dispatcher.released.connect(self.acting.on_released)
        self.dispatcher.arrow.connect(self.acting.on_arrow)
        self.dispatcher.input_seen.connect(clock.input)
        self.dispatcher.focus_seen.connect(self._on_focus_seen)
        self._beat.timeout.connect(clock.tick)
        self._resize_timer.timeout.connect(self._on_new_size)
        self.cache.ready.connect(self._on_picture)
        self.cache.detail_ready.connect(self._on_detail)
        self.acting.acted.connect(self.show_state)
        self.acting.counted.connect(self._count_timer.start)
        self._count_timer.timeout.connect(self.showing.count_done)
        relay.saved.connect(self._on_saved)

    def _connect_answer(self) -> None:
        bar, acting = self.parts.bar, self.acting
        bar.options.chosen.connect(acting.choose)
        bar.options.unknown_chosen.connect(self._on_unknown)
        bar.options.described.connect(acting.describe)
        bar.options.left_text.connect(acting.go_home)
        bar.slider.set_by_pointer.connect(acting.set_by_pointer)
        bar.slider.set_by_key.connect(acting.set_by_key)
        bar.flag.clicked.connect(self._on_flag)
        bar.comment.clicked.connect(acting.opening.open_comment)
        bar.back.clicked.connect(self._on_back)
        bar.confirm.clicked.connect(acting.confirm)
        bar.hint.clicked.connect(acting.opening.toggle_guide)
        self.parts.grid.pressed.connect(acting.press_tile)
        self.parts.grid.zoom_wanted.connect(self.looking.zoom_at)
        self.parts.grid.side_changed.connect(self._on_side_changed)

    def _connect_panels(self) -> None:
        parts, acting = self.parts, self.acting
        parts.zoom.pressed.connect(acting.press_tile)
        parts.zoom.wanted.connect(self._on_detail_wanted)
        parts.top.undo.clicked.connect(acting.undo)
        parts.top.redo.clicked.connect(acting.redo)
        parts.top.keys.clicked.connect(acting.opening.toggle_keys)
        parts.top.dots.asked_for.connect(self._on_dot)
        parts.top.break_note.taken.connect(acting.begin_break)
        parts.top.break_note.dismissed.connect(acting.dismiss_break)
        parts.ask.kept.connect(acting.keep)
        parts.ask.changed.connect(acting.change)
        parts.comment.kept.connect(acting.take_comment)
        parts.sheet.closed.connect(acting.opening.toggle_keys)
        parts.sheet.preset_chosen.connect(self._on_preset)
        parts.trouble.retry.connect(self._on_retry)
        parts.pause.done.connect(acting.end_break)
        parts.end.done.connect(parts.end.hide)
        self.looking.hint.connect(self.showing.show_hint)
        self.looking.home.connect(acting.go_home)

    # State

    def show_state(self) -> None:
        """Show the session as it is now."""
        if self.showing.show():
            self.parts.comment.leave()
            self.acting.opening.close_guide()
            self.acting.begin_question()
            self.moved.emit()

    def set_keys(self, keys: KeyMap) -> None:
        """Use other keys from now on."""
        self.dispatcher.keys = keys
        self.showing.set_keys(keys)
        self.show_state()

    @property
    def typing(self) -> Typing:
        """Where somebody types just now."""
        if self.parts.comment.is_open:
            return Typing.COMMENT
        return Typing.IN_BOX if self.parts.bar.options.box.hasFocus() else Typing.NOTHING

    def go_on_typing(self, where: Typing, finding: str = "") -> None:
        """Put the cursor where it was on a screen that this one takes the place of.

        `finding` is what was typed to find a category, which is no part of the answer.
        """
        if where is Typing.COMMENT:
            self.acting.opening.open_comment()
        elif where is Typing.IN_BOX and self.parts.bar.options.has_box:
            self.parts.bar.options.type_on(finding)
            self.parts.area.ensureWidgetVisible(self.parts.bar.options.box)

    def take_typed(self) -> None:
        """Make an act of what is being typed, without waiting for anything."""
        self.parts.comment.leave()
        self.parts.bar.options.commit_text()

    def hand_over(self) -> bool:
        """Take what is being typed and wait for the disk; False when something is not saved."""
        self.take_typed()
        is_saved = self.session.wait_saved()
        self.showing.show_saved()
        return is_saved

    def stop(self) -> None:
        """Watch no keys and decode no pictures any more."""
        self.dispatcher.stop()
        self._beat.stop()
        self.cache.close()

    # What comes in

    def _on_unknown(self) -> None:
        self.acting.do(self.session.choose_unknown)

    def _on_flag(self) -> None:
        self.acting.do(self.session.flag)

    def _on_back(self) -> None:
        self.acting.do(self.session.back)

    def _on_dot(self, index: int) -> None:
        self.acting.do(lambda: self.session.go_to_question(index))

    def _on_saved(self) -> None:
        self.showing.show_saved()

    def _on_retry(self) -> None:
        self.session.retry()
        self.showing.show_saved()

    def _on_preset(self, name: str) -> None:
        self.set_keys(key_map(name))
        self.parts.sheet.hide()
        self.acting.opening.toggle_keys()
        self.preset_chosen.emit(name)

    def _on_picture(self, image_id: int) -> None:
        for place in self.showing.positions_of(image_id):
            self.showing.show_picture(place)

    def _on_detail(self, image_id: int) -> None:
        if any(place in self.parts.zoom.positions for place in self.showing.positions_of(image_id)):
            self.parts.zoom.refresh()

    def _on_detail_wanted(self, position: int) -> None:
        self.cache.want_detail(self.showing.image_at(position))

    def _on_side_changed(self, _side: int) -> None:
        if self.parts.grid.tiles[0].has_picture:
            self._resize_timer.start()
        else:
            self._on_new_size()

    def _on_new_size(self) -> None:
        self.cache.set_pixels(ceil(self.parts.grid.side * self.devicePixelRatioF()))

    def _on_focus_seen(self, has_focus: bool) -> None:
        self.session.clock.focus(has_focus and not self.parts.pause.isVisible())

    # The widget

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the parts where they belong."""
        self.parts.place()

    def showEvent(self, event: QShowEvent) -> None:
        """Keys are ours while the screen is shown."""
        super().showEvent(event)
        self.dispatcher.start()
        self._beat.start()
        self.session.clock.focus(True)
        self.parts.place()
        self._on_new_size()
        self.acting.begin_question()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing counts and no key is ours while it is hidden; what was being typed is kept."""
        self.take_typed()
        self.dispatcher.stop()
        self._beat.stop()
        self.session.clock.focus(False)
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """The theme is part of the stimulus and is stored with each act; a new scale is a new layout."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.session.theme = palette().name
            self.parts.place()
            self.parts.grid.relayout()

    def event(self, event: QEvent) -> bool:
        """Another screen may have another pixel ratio."""
        if event.type() is QEvent.Type.DevicePixelRatioChange:
            self._on_new_size()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The stage is behind everything."""
        QPainter(self).fillRect(event.rect(), palette().stage)
