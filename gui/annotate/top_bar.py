"""The bar above the stage: which set, which question, whether all is saved, undo, redo, keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gui import fonts
from gui.annotate.break_note import BreakNote
from gui.annotate.saved_caption import SavedCaption
from gui.palette import palette
from gui.widgets.icon_button import IconButton
from gui.widgets.question_dots import QuestionDots
from gui.words import key_words

HEIGHT = 44
BAR_WIDTH = 84


class SetCaption(QWidget):
    """ "Set 17 of 120", in a wide window with a bar of what is done, and a line that ends it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number, self._total, self._done = 1, 1, 0
        self._role = ""
        self._is_wide = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def show_progress(self, number: int, total: int, done: int, role: str = "") -> None:
        """Number of the set, of how many, how many are done; and the role where a round shows it."""
        if (number, total, done, role) != (self._number, self._total, self._done, self._role):
            self._number, self._total, self._done, self._role = number, total, done, role
            self.setAccessibleName(f"set {number} of {total}, {done} done" + (f", {role}" if role else ""))
            self.setToolTip(f"{done} of {total} sets are done")
            self.updateGeometry()
            self.update()

    def set_wide(self, is_wide: bool) -> None:
        """Whether there is room for the bar."""
        if is_wide != self._is_wide:
            self._is_wide = is_wide
            self.updateGeometry()
            self.update()

    @property
    def _lead(self) -> str:
        return f"Set {self._number}"

    def _words_width(self) -> int:
        widest = f"Set {self._total}"
        lead = max(fonts.width_of(widest, 14, True), fonts.width_of(self._lead, 14, True))
        return lead + fonts.px(5) + fonts.width_of(self._rest, 14)

    @property
    def _rest(self) -> str:
        return f"of {self._total}" + (f" · {self._role}" if self._role else "")

    def sizeHint(self) -> QSize:
        """Words, bar, line."""
        bar = fonts.px(BAR_WIDTH + 10) if self._is_wide else 0
        return QSize(self._words_width() + bar + fonts.px(14), fonts.px(32))

    def changeEvent(self, event: QEvent) -> None:
        """A new scale is a new size."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Words, bar, line."""
        painter = QPainter(self)
        roles = palette()
        upright = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setPen(roles.text)
        painter.setFont(fonts.font(14, True))
        painter.drawText(self.rect(), upright, self._lead)
        left = fonts.width_of(self._lead, 14, True) + fonts.px(5)
        painter.setPen(roles.muted)
        painter.setFont(fonts.font(14))
        painter.drawText(self.rect().adjusted(left, 0, 0, 0), upright, self._rest)
        middle = self.height() / 2
        if self._is_wide:
            self._paint_bar(painter, self._words_width() + fonts.px(10), middle)
        painter.setPen(QPen(roles.line, 1))
        x = self.width() - 0.5
        painter.drawLine(QLineF(x, middle - fonts.px(10), x, middle + fonts.px(10)))

    def _paint_bar(self, painter: QPainter, left: float, middle: float) -> None:
        roles = palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        high = fonts.px(4)
        trough = QRectF(left, middle - high / 2, fonts.px(BAR_WIDTH), high)
        painter.setBrush(roles.line)
        painter.drawRoundedRect(trough, high / 2, high / 2)
        if self._done != 0:
            trough.setWidth(max(high, trough.width() * self._done / self._total))
            painter.setBrush(roles.muted)
            painter.drawRoundedRect(trough, high / 2, high / 2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


class TopBar(QWidget):
    """Set, dots, break hint, saved, and the three icons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.way_back = IconButton("left", "Annotators")
        self.way_back.hide()
        self.set_caption = SetCaption()
        self.dots = QuestionDots()
        self.break_note = BreakNote()
        self.saved = SavedCaption()
        self.undo = IconButton("undo", "Undo", "Ctrl+Z")
        self.redo = IconButton("redo", "Redo", "Ctrl+Shift+Z")
        self.keys = IconButton("help", "Keys", "?")
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 12, 2)
        row.setSpacing(8)
        row.addWidget(self.way_back)
        row.addWidget(self.set_caption)
        row.addSpacing(4)
        row.addWidget(self.dots)
        row.addStretch(1)
        row.addWidget(self.break_note)
        row.addSpacing(8)
        row.addWidget(self.saved)
        for button in self.icons:
            row.addWidget(button)
        row.setStretchFactor(self.dots, 0)

    @property
    def icons(self) -> tuple[IconButton, ...]:
        """Undo, redo, keys."""
        return (self.undo, self.redo, self.keys)

    def show_way_back(self) -> None:
        """Offer the way back to the list of annotators, inside the window."""
        self.way_back.show()

    def set_wide(self, is_wide: bool) -> None:
        """The wider figures."""
        self.set_caption.set_wide(is_wide)
        self.dots.set_wide(is_wide)

    def show_hint(self, sentence: str) -> None:
        """The hint that a break is due; dots move closer for it before it loses its sentence."""
        self.break_note.show_hint(sentence)
        self._fit_hint()

    def _fit_hint(self) -> None:
        beside = (self.set_caption, self.saved, *self.icons)
        taken = sum(widget.sizeHint().width() + 8 for widget in beside) + 60
        room = self.width() - taken - self.dots.least_with_captions()
        self.break_note.set_full(self.break_note.full_width() <= room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for another length of the hint."""
        self._fit_hint()

    def show_history(self, *, can_undo: bool, can_redo: bool) -> None:
        """Whether there is something to undo and to redo; a disabled button says why."""
        self.undo.setEnabled(can_undo)
        self.undo.setToolTip(key_words("Undo (Ctrl+Z)") if can_undo else "Nothing to undo yet")
        self.redo.setEnabled(can_redo)
        self.redo.setToolTip(key_words("Redo (Ctrl+Shift+Z)") if can_redo else "Nothing was undone")

    def height_now(self) -> int:
        """Height at the current scale."""
        return fonts.px(HEIGHT)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel does nothing here."""
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The bar, with a line below it."""
        painter = QPainter(self)
        roles = palette()
        painter.fillRect(event.rect(), roles.window)
        painter.setPen(QPen(roles.line, 1))
        low = self.height() - 0.5
        painter.drawLine(QPointF(0, low), QPointF(self.width(), low))
