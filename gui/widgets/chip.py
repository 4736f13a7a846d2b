"""Chips: verdicts and small facts, always with their word; no hue and no praise."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gui.fonts import font, px, width_of
from gui.palette import palette

SIGNS = {"invariant": "=", "changed": "≠", "not enough data": "…"}
HEIGHT = 21


def chip_width(word: str) -> int:
    """Width of a chip with this word, with its sign if it is a verdict."""
    return width_of(_text(word), 12, is_bold=word in ("invariant", "changed")) + px(14)


def draw_chip(painter: QPainter, word: str, place: QRectF) -> None:
    """Paint a chip at the left of `place`, centred in its height."""
    roles = palette()
    box = QRectF(place.left(), place.center().y() - px(HEIGHT) / 2, chip_width(word), px(HEIGHT))
    box.adjust(0.7, 0.7, -0.7, -0.7)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font(12, is_bold=word in ("invariant", "changed")))
    ink = roles.text
    if word == "invariant":
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(roles.mark)
        ink = roles.on_mark
    elif word == "changed":
        painter.setPen(QPen(roles.text, 1.4))
    elif word == "not enough data":
        painter.setPen(QPen(roles.edge, 1, Qt.PenStyle.DashLine))
        ink = roles.muted
    else:
        painter.setPen(QPen(roles.edge, 1))
    painter.drawRoundedRect(box, px(3), px(3))
    painter.setPen(ink)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, _text(word))
    painter.restore()


def _text(word: str) -> str:
    sign = SIGNS.get(word)
    return f"{sign} {word}" if sign else word


class Chip(QWidget):
    """One chip as a widget."""

    def __init__(self, word: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._word = word
        self.setAccessibleName(word)
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        """Width from its word, 21 px high."""
        return QSize(chip_width(self._word), px(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the chip."""
        draw_chip(QPainter(self), self._word, QRectF(self.rect()))
