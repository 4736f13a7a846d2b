"""The bar below a picture, filled where it has the label and hollow where not, and what that means."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.fonts import font, px, width_of
from gui.palette import Palette, palette


def draw_bar(painter: QPainter, bar: QRectF, has_label: bool, roles: Palette) -> None:
    """The bar below a picture."""
    if has_label:
        painter.fillRect(bar, roles.mark)
    else:
        painter.setPen(QPen(roles.edge, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))


class SheetLegend(QWidget):
    """What a filled and a hollow bar mean."""

    def __init__(self) -> None:
        super().__init__()
        self._label = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_label(self, label: str) -> None:
        """Name the label."""
        self._label = label
        self.setAccessibleName(f"filled bar: {label}; hollow bar: other label")
        self.show()
        self.update()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(px(200), px(20))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Bar and word, twice."""
        painter, left = QPainter(self), 0
        painter.setFont(font(12))
        for has_label, words in ((True, self._label), (False, "other label")):
            bar = QRectF(left, self.height() / 2 - px(2), px(18), px(4))
            draw_bar(painter, bar, has_label, palette())
            painter.setPen(palette().muted)
            text = QRectF(left + px(24), 0, self.width(), self.height())
            painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
            left += px(24) + width_of(words, 12) + px(16)
