"""Painted text in a design size and a palette role: follows theme and scale by itself, and wraps."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui import fonts
from gui.palette import palette


class TextLine(QWidget):
    """A caption of one size, weight and role; `lead` is a second part in bold after it."""

    def __init__(
        self,
        size: float = fonts.BODY,
        role: str = "text",
        *,
        is_bold: bool = False,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._size = size
        self._role = role
        self._is_bold = is_bold
        self._align = align
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    @property
    def text(self) -> str:
        """What it says."""
        return self._text

    def set_text(self, text: str, role: str = "") -> None:
        """Say something, in another role if one is given."""
        if (text, role or self._role) != (self._text, self._role):
            self._text, self._role = text, role or self._role
            self.setAccessibleName(text)
            self.updateGeometry()
            self.update()

    def set_size(self, size: float) -> None:
        """Another design size."""
        if size != self._size:
            self._size = size
            self.updateGeometry()
            self.update()

    def one_line(self) -> int:
        """Width of the text in one line."""
        return fonts.width_of(self._text, self._size, self._is_bold) + 1

    def height_in(self, width: int) -> int:
        """Height of the text when it wraps at a width."""
        flags = int(Qt.TextFlag.TextWordWrap)
        return self._metrics().boundingRect(QRect(0, 0, max(width, 1), 10000), flags, self._text).height()

    def line_height(self) -> int:
        """Height of one line."""
        return self._metrics().height()

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(fonts.font(self._size, self._is_bold))

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(self.one_line(), self.line_height())

    def changeEvent(self, event: QEvent) -> None:
        """A new scale is a new size."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text, wrapped, centred in height."""
        painter = QPainter(self)
        painter.setPen(palette().role(self._role))
        painter.setFont(fonts.font(self._size, self._is_bold))
        flags = Qt.AlignmentFlag.AlignVCenter | self._align | Qt.TextFlag.TextWordWrap
        painter.drawText(QRectF(self.rect()), flags, self._text)
