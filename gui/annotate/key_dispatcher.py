"""The one place where keys become commands.

An event filter on the application that looks at every key meant for the annotation screen, and asks first
whether somebody is typing: with focus in a text box, or while an input method composes, no command fires.
Keys that belong to the focused control (arrows on the count, Space on a button) stay with it.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from gui.annotate.keys import Command, KeyMap
from gui.widgets.count_slider import CountSlider

_TEXT = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox, QComboBox, QAbstractItemView)
_HELD = frozenset({Command.PEEK, Command.GUIDE})
_MAY_REPEAT = frozenset({Command.UNDO, Command.REDO})

_NAMES = {
    Qt.Key.Key_Return: "Enter",
    Qt.Key.Key_Enter: "Enter",
    Qt.Key.Key_Backspace: "Backspace",
    Qt.Key.Key_PageDown: "PgDn",
    Qt.Key.Key_PageUp: "PgUp",
    Qt.Key.Key_Space: "Space",
    Qt.Key.Key_Escape: "Esc",
    Qt.Key.Key_Left: "Left",
    Qt.Key.Key_Right: "Right",
    Qt.Key.Key_Up: "Up",
    Qt.Key.Key_Down: "Down",
}

_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}

_PLACES = dict(zip(range(16, 26), "QWERTYUIOP", strict=True)) | dict(
    zip(range(30, 39), "ASDFGHJKL", strict=True)
)
_PLACES |= dict(zip(range(44, 51), "ZXCVBNM", strict=True))
"""Letters by the place of the key, for layouts without Latin letters."""

_X11_OFFSET = 8

_KEYS = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease)
_INPUT = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseMove,
        QEvent.Type.HoverMove,
        QEvent.Type.Wheel,
        QEvent.Type.TouchBegin,
    }
)
_WATCHED = frozenset(
    {
        *_KEYS,
        *_INPUT,
        QEvent.Type.InputMethod,
        QEvent.Type.WindowActivate,
        QEvent.Type.WindowDeactivate,
    }
)


def key_name(event: QKeyEvent) -> str:
    """A key press as it is written in a key map, such as "Q", "?", "Ctrl+Shift+Z"."""
    held = event.modifiers()
    key = event.key()
    name = _NAMES.get(Qt.Key(key)) if key in _NAMES else _printed(event)
    parts = [
        word
        for flag, word in (
            (Qt.KeyboardModifier.ControlModifier, "Ctrl"),
            (Qt.KeyboardModifier.MetaModifier, "Meta"),
            (Qt.KeyboardModifier.AltModifier, "Alt"),
        )
        if held & flag
    ]
    # Shift is part of the character for signs and digits ("?", a French "1"), a modifier for the rest.
    has_shift = bool(held & Qt.KeyboardModifier.ShiftModifier)
    if has_shift and (len(name or "") != 1 or (name or "").isalpha()):
        parts.append("Shift")
    return "+".join([*parts, name]) if name else ""


def _printed(event: QKeyEvent) -> str:
    key = event.key()
    if key >= 0x01000000 or key == 0:
        return ""
    text = QKeySequence(key).toString()
    if len(text) == 1 and text.isalpha() and not text.isascii() and text not in "ÉÈÇÀÄÖÜ":
        scan = event.nativeScanCode()
        return _PLACES.get(scan - _X11_OFFSET, _PLACES.get(scan, text))
    return text


class KeyDispatcher(QObject):
    """Turns keys into `asked(command, number)` while its screen is shown; `released` ends what is held.

    `arrow(dx, dy)` are arrows that no focused control wants. `input_seen` and `focus_seen(bool)` are for
    the clock: that somebody is there, and that the window has the focus.
    """

    asked = Signal(object, int)
    released = Signal(object)
    arrow = Signal(int, int)
    input_seen = Signal()
    focus_seen = Signal(bool)

    def __init__(self, screen: QWidget, keys: KeyMap) -> None:
        super().__init__(screen)
        self._screen = screen
        self.keys = keys
        self._is_composing = False
        self._held: dict[int, Command] = {}

    def start(self) -> None:
        """Watch from now on."""
        application = QApplication.instance()
        if application is not None:
            application.installEventFilter(self)

    def stop(self) -> None:
        """Watch no longer, and let go of what is held."""
        application = QApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
        self._let_go()

    @property
    def is_typing(self) -> bool:
        """Whether keys are text now: focus in a text box, or an input method composing."""
        return self._is_composing or isinstance(self._focus(), _TEXT)

    def _focus(self) -> QWidget | None:
        found = QApplication.focusWidget()
        return found if found is not None else self._screen.window().focusWidget()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look at keys, input and focus; everything else passes at once."""
        kind = event.type()
        if kind not in _WATCHED or not isinstance(watched, QWidget):
            return False
        if kind in (QEvent.Type.WindowActivate, QEvent.Type.WindowDeactivate):
            self._note_window(watched, kind is QEvent.Type.WindowActivate)
            return False
        if kind in _INPUT and self._is_inside(watched):
            self.input_seen.emit()
        if isinstance(event, QInputMethodEvent):
            self._is_composing = bool(event.preeditString())
            return False
        return kind in _KEYS and isinstance(event, QKeyEvent) and self._key(watched, event)

    def _note_window(self, watched: QWidget, is_active: bool) -> None:
        if watched is self._screen.window():
            self.focus_seen.emit(is_active)
            if not is_active:
                self._is_composing = False
                self._let_go()

    def _is_inside(self, widget: QWidget) -> bool:
        return widget is self._screen or self._screen.isAncestorOf(widget)

    def _key(self, watched: QWidget, event: QKeyEvent) -> bool:
        """True when the key was used and must go nowhere else."""
        if event.type() is QEvent.Type.KeyRelease:
            return self._release(event)
        focus = self._focus()
        is_ours = focus is None or focus is self._screen.window() or self._is_inside(focus)
        is_first = watched is focus or (focus is None and watched is self._screen.window())
        if not is_ours or not is_first or self.is_typing or QApplication.activeModalWidget() is not None:
            return False
        if self._belongs_to(focus, event):
            return False
        found = self.keys.command_of(key_name(event))
        if event.type() is QEvent.Type.ShortcutOverride:
            if found is not None:
                event.accept()  # the window's own shortcuts do not get it
            return False
        if found is None:
            return self._arrow(event)
        command, number = found
        if not event.isAutoRepeat() or command in _MAY_REPEAT:
            if command in _HELD:
                self._held[event.key()] = command
            self.asked.emit(command, number)
        return True

    @staticmethod
    def _belongs_to(focus: QWidget | None, event: QKeyEvent) -> bool:
        if event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier):
            return False
        key = event.key()
        if isinstance(focus, CountSlider):
            return key in _ARROWS or key in (Qt.Key.Key_Home, Qt.Key.Key_End)
        return isinstance(focus, QAbstractButton) and key == Qt.Key.Key_Space

    def _arrow(self, event: QKeyEvent) -> bool:
        step = _ARROWS.get(Qt.Key(event.key())) if event.key() in _ARROWS else None
        if step is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        self.arrow.emit(*step)
        return True

    def _release(self, event: QKeyEvent) -> bool:
        if event.isAutoRepeat() or event.key() not in self._held:
            return False
        self.released.emit(self._held.pop(event.key()))
        return True

    def _let_go(self) -> None:
        for command in list(self._held.values()):
            self.released.emit(command)
        self._held.clear()
