"""The one line to type into: a descriptor with suggestions from the own history, or a filter for options.

Nothing is suggested before three letters, nothing is ever preselected, and a suggestion is taken only by
an act on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QStringListModel, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QCompleter, QLineEdit, QWidget

from gui import fonts

LONGEST = 40


class DescriptorBox(QLineEdit):
    """Says `taken(text, is_suggestion)` when a text shall count, and `left` when typing is over."""

    taken = Signal(str, bool)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_filter = False
        self._suggest: Callable[[str], Sequence[str]] | None = None
        self._stored = ""
        self._model = QStringListModel(self)
        completer = QCompleter(self._model, self)
        completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setWidget(self)
        completer.activated.connect(self._on_suggestion)
        self._completer = completer
        popup = completer.popup()
        assert popup is not None  # a completer makes its own list
        self._popup = popup
        self.textEdited.connect(self._on_edited)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def start(
        self, *, is_filter: bool, suggest: Callable[[str], Sequence[str]] | None = None, key: str = ""
    ) -> None:
        """Be empty and ready for one question; `key` leads here."""
        self._is_filter, self._suggest, self._stored = is_filter, suggest, ""
        self.setMaxLength(LONGEST)
        self.clear()
        self._popup.hide()
        words = "type to find" if is_filter else "one to three words"
        self.setPlaceholderText(words if is_filter or not key else f"{words}    {key}")
        self.setAccessibleName("find a category" if is_filter else "descriptor")
        leads = f"{key} leads here, " if key else ""
        self.setToolTip(f"{leads}Enter takes what is typed, Esc leaves")
        self.setFont(fonts.font(14))

    def show_stored(self, text: str) -> None:
        """Show the descriptor as stored, unless the annotator is just typing another one."""
        if self._is_filter:
            return
        if not (self.hasFocus() and self.text() != self._stored):
            self.setText(text)
        self._stored = text

    @property
    def completer_popup(self) -> QAbstractItemView:
        """The list of suggestions."""
        return self._popup

    @property
    def is_changed(self) -> bool:
        """Whether something was typed that is not stored yet."""
        return not self._is_filter and self.text() != self._stored

    def commit(self, *, is_suggestion: bool = False) -> None:
        """Hand over what was typed or taken, once."""
        if self.is_changed:
            self._stored = self.text()
            self.taken.emit(self.text(), is_suggestion)

    def _on_edited(self, text: str) -> None:
        words = list(self._suggest(text)) if self._suggest is not None and not self._is_filter else []
        self._model.setStringList(words)
        if words:
            self._completer.complete()
            self._popup.setCurrentIndex(self._model.index(-1))
        else:
            self._popup.hide()

    def _on_suggestion(self, text: str) -> None:
        self.setText(text)
        self.commit(is_suggestion=True)
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter takes the text and leaves, Esc leaves; everything else is typing."""
        key = event.key()
        if self._popup.isVisible() and self._is_for_popup(key):
            event.ignore()  # the list takes it: Enter its current line, Esc closes it
        elif _is_enter(key) and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            event.accept()  # the key that leads here; pressed here it must not lead out again
        elif _is_enter(key):
            if self._is_filter:
                self.taken.emit(self.text(), False)
            else:
                self.commit()
                self.left.emit()
            event.accept()
        elif key == Qt.Key.Key_Escape:
            self.commit()
            if self._is_filter:
                self.clear()
                self.textEdited.emit("")
            self.left.emit()
            event.accept()
        else:
            super().keyPressEvent(event)
            event.accept()

    def _is_for_popup(self, key: int) -> bool:
        if key == Qt.Key.Key_Escape:
            return True
        return _is_enter(key) and self._popup.currentIndex().isValid()

    def event(self, event: QEvent) -> bool:
        """Keep every key from window shortcuts while typing; Tab still leaves."""
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving by Tab, by a click or into a menu hands the text over too."""
        super().focusOutEvent(event)
        if not self._popup.isVisible():
            self.commit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel never changes an answer."""
        event.accept()


def _is_enter(key: int) -> bool:
    return key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
