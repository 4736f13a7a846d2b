"""A key cap: the key printed where the act is, so that the screen teaches its own keyboard."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui import fonts
from gui.palette import palette
from gui.words import key_words

SIDE = 18
ERASE = "⌫"
"""Drawn, not typed: many system fonts lack the sign."""


def cap_size(text: str, side: float = SIDE) -> QSize:
    """Size of a cap in px: square for one character, wider for a word."""
    height = fonts.px(side)
    if text == ERASE or len(text) == 1:
        return QSize(height, height)
    return QSize(fonts.width_of(text, 12, True) + fonts.px(10), height)


def paint_cap(
    painter: QPainter,
    place: QRectF,
    text: str,
    ink: QColor,
    border: QColor,
    fill: QColor | None = None,
) -> None:
    """Paint a cap into a rectangle: thin border, double at the bottom, or filled when chosen."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    radius = fonts.px(3)
    if fill is not None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(place, radius, radius)
    else:
        painter.setPen(QPen(border, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        low = place.bottom() - 1.5
        painter.drawLine(QPointF(place.left() + radius - 1, low), QPointF(place.right() - radius + 1, low))
    if text == ERASE:
        _paint_erase(painter, place, ink)
    else:
        painter.setPen(ink)
        painter.setFont(fonts.font(12, True))
        painter.drawText(place.adjusted(0, -0.5, 0, -0.5), Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()


def _paint_erase(painter: QPainter, place: QRectF, ink: QColor) -> None:
    unit = place.height() / 18
    centre = place.center() - QPointF(0, 0.5)
    outline = [(-6, 0), (-2.5, -3.5), (6, -3.5), (6, 3.5), (-2.5, 3.5)]
    painter.setPen(QPen(ink, 1.2 * unit, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolygon(QPolygonF([centre + QPointF(x, y) * unit for x, y in outline]))
    for sign in (-1, 1):
        painter.drawLine(centre + QPointF(0.2, -1.5 * sign) * unit, centre + QPointF(3.2, 1.5 * sign) * unit)


class KeyCap(QWidget):
    """A cap on its own, for lists of keys and hints."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = key_words(text)
        self.setAccessibleName(f"key {self._text}")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def text(self) -> str:
        """The key it shows."""
        return self._text

    def sizeHint(self) -> QSize:
        """As wide as its word."""
        return cap_size(self._text)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cap."""
        roles = palette()
        size = cap_size(self._text)
        painter = QPainter(self)
        top = (self.height() - size.height()) // 2
        paint_cap(painter, QRectF(0, top, size.width(), size.height()), self._text, roles.text, roles.edge)
