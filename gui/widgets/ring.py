"""The ring that says "running": a pale circle with the done share in accent, still between reports."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gui.fonts import px
from gui.palette import palette


def draw_ring(painter: QPainter, place: QRectF, share: float) -> None:
    """Paint a ring in a square place; at least a tenth is filled, so that it is seen to run."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    width = max(px(2), 2)
    inner = place.adjusted(width / 2, width / 2, -width / 2, -width / 2)
    painter.setPen(QPen(palette().line, width))
    painter.drawEllipse(inner)
    pen = QPen(palette().accent, width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.drawArc(inner, 90 * 16, -round(max(share, 0.1) * 360 * 16))
    painter.restore()
