"""The hint that a break is due, in the top bar, where nothing moves because of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from gui import fonts
from gui.icons import draw_icon
from gui.palette import palette
from gui.widgets.text_line import TextLine


class BreakNote(QWidget):
    """Says how long one has been at work, and offers a break; dismissing it is as good an answer."""

    taken = Signal()
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(fonts.px(32), 0, 12, 0)
        row.setSpacing(12)
        self._row = row
        self._words = TextLine(13)
        self._take = _Link("Take a break")
        self._not_now = _Link("Not now")
        for widget in (self._words, self._take, self._not_now):
            row.addWidget(widget)
        self._take.clicked.connect(self.taken)
        self._not_now.clicked.connect(self.dismissed)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(fonts.px(30))
        self.hide()

    @property
    def take_button(self) -> QPushButton:
        """Takes the break."""
        return self._take

    @property
    def dismiss_button(self) -> QPushButton:
        """Puts the hint away."""
        return self._not_now

    def show_hint(self, sentence: str) -> None:
        """Show the hint; an empty one hides it."""
        self._words.set_text(sentence)
        self.setToolTip(sentence)
        self.setVisible(bool(sentence))

    def _width(self, *, has_words: bool) -> int:
        margins = self._row.contentsMargins()
        links = self._take.width() + self._row.spacing() + self._not_now.width()
        words = self._words.one_line() + self._row.spacing() if has_words else 0
        return margins.left() + words + links + margins.right()

    def full_width(self) -> int:
        """Width with its sentence."""
        return self._width(has_words=True)

    def set_full(self, is_full: bool) -> None:
        """Whether there is room for the sentence; else it is in the tooltip."""
        self._words.setVisible(is_full)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """The acts, and the sentence where there is room."""
        return QSize(self._width(has_words=not self._words.isHidden()), fonts.px(30))

    def paintEvent(self, event: QPaintEvent) -> None:
        """A soft field with a cup."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette().warn_soft)
        painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        side = fonts.px(16)
        draw_icon(painter, "cup", "warn", QRectF(fonts.px(9), (self.height() - side) / 2, side, side))


class _Link(QPushButton):
    """An underlined word in the colour of warnings."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._fit()

    def _fit(self) -> None:
        self.setFixedSize(fonts.width_of(self.text(), 13, True) + 6, fonts.px(30))

    def changeEvent(self, event: QEvent) -> None:
        """A new scale is a new size."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Underlined words; a ring when it has the focus."""
        painter = QPainter(self)
        roles = palette()
        font = fonts.font(13, True)
        underlined = type(font)(font)
        underlined.setUnderline(True)
        painter.setFont(underlined)
        painter.setPen(roles.text if self.underMouse() else roles.warn)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if self.hasFocus():
            painter.setPen(roles.focus)
            painter.drawRect(self.rect().adjusted(0, 3, -1, -4))
