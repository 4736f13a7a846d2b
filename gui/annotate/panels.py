"""What floats over the stage for a moment: a panel known by its border, never a pop-up window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from gui import fonts
from gui.palette import palette
from gui.widgets.key_button import KeyButton
from gui.widgets.text_line import TextLine


class Panel(QFrame):
    """A floating panel; it is laid out anew every time it is shown, so it is right at any scale."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "raised")
        self.setAccessibleName(name)
        self.hide()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel reaches nothing behind a panel."""
        event.accept()


class Words(TextLine):
    """Text that wraps in a layout: its height follows from its width."""

    def __init__(self, size: float = fonts.BODY, role: str = "text", *, is_bold: bool = False) -> None:
        super().__init__(size, role, is_bold=is_bold)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        """It wraps."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height when wrapped at a width."""
        return self.height_in(width)

    def sizeHint(self) -> QSize:
        """Wide, and wrapped at that."""
        wide = min(self.one_line(), fonts.px(440))
        return QSize(wide, self.height_in(wide))

    def minimumSizeHint(self) -> QSize:
        """A few words wide."""
        return QSize(fonts.px(120), self.line_height())


class AskPanel(Panel):
    """Asks once whether a doubtful answer shall stay: keep it, or change it. The app changes nothing."""

    kept = Signal()
    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__("question about the answer", parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(10)
        self._words = Words(14)
        column.addWidget(self._words)
        row = QHBoxLayout()
        row.addStretch(1)
        self.change = KeyButton("Change it", "Esc", parent=self)
        self.keep = KeyButton("Keep it", "Enter", parent=self)
        self.keep.set_look("open")
        self._none = KeyButton("None of them", "-", parent=self)
        self._none.set_look("open")
        for button in (self.change, self.keep, self._none):
            row.addWidget(button)
        column.addLayout(row)
        self.change.clicked.connect(self.changed)
        self.keep.clicked.connect(self.kept)
        self._none.clicked.connect(self.kept)

    @property
    def none(self) -> KeyButton:
        """Keeps "none of them"."""
        return self._none

    def ask(self, sentences: Sequence[str], *, is_about_none: bool, none_key: str) -> None:
        """Show what there is to decide."""
        self._words.set_text("\n".join(sentences))
        self.keep.setVisible(not is_about_none)
        self._none.setVisible(is_about_none)
        self._none.set_key(none_key)
        self.show()
        self.raise_()

    def stand(self, right: int, bottom: int, most: int) -> None:
        """Stand with its lower right corner there, at most so wide."""
        wide = min(max(self.sizeHint().width(), fonts.px(360)), most)
        high = max(self.heightForWidth(wide), self.sizeHint().height())
        self.setGeometry(right - wide, bottom - high, wide, high)


class TroubleStrip(QFrame):
    """Saving does not work: what happened, what was kept, and one act. It lies over the edge of the stage."""

    retry = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "notice_danger")
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 8, 8)
        self._words = Words(13, "danger")
        self.button = KeyButton("Save again", "", parent=self)
        row.addWidget(self._words, 1)
        row.addWidget(self.button)
        self.button.clicked.connect(self.retry)
        self.hide()

    @property
    def words(self) -> str:
        """What it says."""
        return self._words.text

    def show_trouble(self, sentence: str) -> None:
        """Show the trouble; an empty one hides the strip."""
        self._words.set_text(sentence)
        self.setVisible(bool(sentence))
        if sentence:
            self.raise_()

    def stand(self, top: int, width: int) -> None:
        """Stand below the top bar."""
        self.setGeometry(8, top + 8, width - 16, max(self.heightForWidth(width - 16), fonts.px(52)))


class NotePanel(Panel):
    """A quiet state that fills the stage: a break, or the end of all sets."""

    done = Signal()

    def __init__(self, name: str, act: str, key: str, parent: QWidget) -> None:
        super().__init__(name, parent)
        self.setProperty("kind", "")
        self.setAutoFillBackground(False)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        column.addStretch(1)
        self._title = TextLine(18, is_bold=True, align=Qt.AlignmentFlag.AlignHCenter)
        self._facts = TextLine(13, "muted", align=Qt.AlignmentFlag.AlignHCenter)
        self.button = KeyButton(act, key, parent=self)
        for widget in (self._title, self._facts):
            column.addWidget(widget)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.button)
        row.addStretch(1)
        column.addSpacing(6)
        column.addLayout(row)
        column.addStretch(1)
        self.button.clicked.connect(self.done)

    @property
    def words(self) -> str:
        """Title and facts."""
        return f"{self._title.text} {self._facts.text}"

    def say(self, title: str, facts: str) -> None:
        """What the state is."""
        self._title.set_text(title)
        self._facts.set_text(facts)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The stage without pictures."""
        QPainter(self).fillRect(event.rect(), palette().stage)


class CommentBox(Panel):
    """A few lines for the study lead. Leaving keeps what was written; undo takes it back."""

    kept = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("comment", parent)
        self.is_open = False
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(8)
        title = Words(14, is_bold=True)
        title.set_text("Comment on this question")
        self.box = _CommentText(self)
        self.keep = KeyButton("Keep comment", "Esc", parent=self)
        self.keep.set_look("open")
        row = QHBoxLayout()
        hint = Words(12, "muted")
        hint.set_text("For the study lead. It is kept when you leave the box.")
        row.addWidget(hint, 1)
        row.addWidget(self.keep)
        column.addWidget(title)
        column.addWidget(self.box, 1)
        column.addLayout(row)
        self.keep.clicked.connect(self.leave)
        self.box.left.connect(self.leave)

    def open_with(self, text: str) -> None:
        """Open with the comment as it stands, ready for typing; open already, go on with what is typed."""
        if not self.is_open:
            self.box.setPlainText(text)
            self.is_open = True
        self.show()
        self.raise_()
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.moveCursor(self.box.textCursor().MoveOperation.End)

    def leave(self) -> None:
        """Close and hand the comment over."""
        if self.is_open:
            self.is_open = False
            text = self.box.toPlainText()
            self.hide()
            self.kept.emit(text)

    def stand(self, corner: QPoint, most: QSize) -> None:
        """Stand with its lower right corner there."""
        size = QSize(fonts.px(420), fonts.px(200)).boundedTo(most)
        self.setGeometry(corner.x() - size.width(), corner.y() - size.height(), size.width(), size.height())


class _CommentText(QPlainTextEdit):
    """Esc and Ctrl+Enter leave; everything else is typing."""

    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setAccessibleName("comment text")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave, or type."""
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        is_ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() == Qt.Key.Key_Escape or (is_enter and is_ctrl):
            self.left.emit()
            event.accept()
        else:
            super().keyPressEvent(event)
            event.accept()
