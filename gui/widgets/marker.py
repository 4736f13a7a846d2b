"""Markers: the filled shapes that stand for a condition or a generator, and a caption with one."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from core.records import Condition
from gui.fonts import px
from gui.palette import LETTER, Marker, palette


def draw_marker(painter: QPainter, marker: Marker, centre: QPointF, radius: float) -> None:
    """Paint one marker around a point."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(marker.colour)
    if marker.shape == "circle":
        painter.drawEllipse(centre, radius * 0.9, radius * 0.9)
    elif marker.shape.startswith(LETTER):
        painter.setPen(marker.colour)
        letters = QFont(painter.font())
        letters.setPixelSize(max(round(radius * 2.5), 8))
        letters.setWeight(QFont.Weight.DemiBold)
        painter.setFont(letters)
        side = 4 * radius
        place = QRectF(centre.x() - side / 2, centre.y() - side / 2, side, side)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, marker.shape.removeprefix(LETTER))
    elif marker.shape == "cross":
        pen = QPen(marker.colour, max(radius * 0.36, 1.4))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        arm = radius * 0.8
        for sign in (1, -1):
            painter.drawLine(centre + QPointF(-arm, -arm * sign), centre + QPointF(arm, arm * sign))
    else:
        outline = QPolygonF([centre + point * radius for point in _OUTLINES[marker.shape]])
        painter.drawPolygon(outline)
    painter.restore()


def _around(count: int, turn: float = 0.0, inner: float | None = None) -> list[QPointF]:
    """Points on a circle from the top; with `inner`, a point on a smaller circle between each two."""
    steps = count * 2 if inner is not None else count
    points = []
    for step in range(steps):
        angle = math.radians(360 * step / steps + turn - 90)
        radius = inner if inner is not None and step % 2 else 1.0
        points.append(QPointF(radius * math.cos(angle), radius * math.sin(angle)))
    return points


def _plus(thick: float = 0.36) -> list[QPointF]:
    corner = [(thick, 1.0), (thick, thick), (1.0, thick)]
    quarter = corner + [(x, -y) for x, y in reversed(corner)]
    return [QPointF(x, y) for x, y in quarter + [(-x, y) for x, y in reversed(quarter)]]


_OUTLINES = {
    "square": [QPointF(x, y) for x, y in ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8))],
    "triangle up": [QPointF(x, y) for x, y in ((0.0, -0.95), (1.0, 0.8), (-1.0, 0.8))],
    "triangle down": [QPointF(x, y) for x, y in ((0.0, 0.95), (1.0, -0.8), (-1.0, -0.8))],
    "hexagon": _around(6),
    "plus": _plus(),
    "star": _around(5, inner=0.42),
    "diamond": [QPointF(x, y) for x, y in ((0.0, -1.1), (0.62, 0.0), (0.0, 1.1), (-0.62, 0.0))],
}


class MarkerBox(QWidget):
    """A marker as a small widget, for rows of captions; `of` is a condition or a generator's name."""

    def __init__(self, of: Condition | str | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._of = of
        self.setFixedSize(self.sizeHint())
        self.setAccessibleName(str(of or "no condition"))

    def sizeHint(self) -> QSize:
        """Square, as high as a line of small text."""
        return QSize(px(14), px(14))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the marker in the current palette."""
        is_condition = self._of is None or isinstance(self._of, Condition)
        roles = palette()
        marker = roles.condition(self._of) if is_condition else roles.generator(str(self._of))
        draw_marker(QPainter(self), marker, QRectF(self.rect()).center(), px(5))
