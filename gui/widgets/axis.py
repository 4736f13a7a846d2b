"""A horizontal axis shared by rows: where a value is, its grid lines, and its ticks with their words."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from gui.fonts import font, px
from gui.models.number import Number
from gui.palette import Marker, Palette
from gui.widgets.marker import draw_marker

_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 25.0, 50.0, 100.0)

INTERVAL_WIDTH = 1.6
MARKER_RADIUS = 4.5


@dataclass(frozen=True, slots=True)
class Axis:
    """From `low` at x = `left` to `high` at x = `right`; what lies outside is drawn at the end."""

    left: float
    right: float
    low: float = 0.0
    high: float = 1.0

    def at(self, value: float) -> float:
        """Where a value is, kept on the axis."""
        share = (value - self.low) / (self.high - self.low)
        return self.left + min(max(share, 0.0), 1.0) * (self.right - self.left)

    def holds(self, value: float) -> bool:
        """Whether a value is on the axis."""
        return self.low - 1e-9 <= value <= self.high + 1e-9


def draw_grid_lines(
    painter: QPainter, axis: Axis, ticks: Sequence[float], top: float, bottom: float, roles: Palette
) -> None:
    """Paint a thin vertical line at each tick."""
    painter.setPen(QPen(roles.line, 0.75))
    for tick in ticks:
        across = round(axis.at(tick)) + 0.5
        painter.drawLine(QLineF(across, top, across, bottom))


def draw_tick_words(
    painter: QPainter,
    axis: Axis,
    ticks: Sequence[float],
    top: float,
    height: float,
    roles: Palette,
    say: Callable[[float], str],
) -> None:
    """Paint the words of the ticks, each centred below its line."""
    painter.setPen(roles.muted)
    painter.setFont(font(12))
    half = px(40)
    for tick in ticks:
        place = QRectF(axis.at(tick) - half, top, 2 * half, height)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, say(tick))


def draw_estimate(
    painter: QPainter,
    axis: Axis,
    middle: float,
    number: Number,
    marker: Marker,
    roles: Palette,
    *,
    radius: float = MARKER_RADIUS,
) -> None:
    """Paint a marker and its interval at the height `middle`; a value off the axis becomes an arrow."""
    if number.value is None:
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if number.low is not None and number.high is not None:
        painter.setPen(QPen(marker.colour, px(10) * INTERVAL_WIDTH / 10, Qt.PenStyle.SolidLine))
        painter.drawLine(QLineF(axis.at(number.low), middle, axis.at(number.high), middle))
    at = QPointF(axis.at(number.value), middle)
    if axis.holds(number.value):
        draw_marker(painter, marker, at, px(10) * radius / 10)
    else:
        draw_arrow_off(painter, axis, middle, number.value, marker.colour)
    painter.restore()


def draw_arrow_off(painter: QPainter, axis: Axis, middle: float, value: float, colour: QColor) -> None:
    """Paint an arrow head at the end of the axis, towards a value that lies off it."""
    way, back, half = (-1 if value < axis.low else 1), px(7), px(4)
    tip = QPointF(axis.at(value), middle)
    tail = QPointF(tip.x() - way * back, middle)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([tip, tail + QPointF(0, half), tail - QPointF(0, half)]))
    painter.restore()


def nice_ticks(low: float, high: float, most: int = 6) -> tuple[float, ...]:
    """Round numbers from at most `low` to at least `high`, `most` of them at most and two at least.

    >>> nice_ticks(0.22, 0.66)
    (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
    >>> nice_ticks(0.0, 1.0, 3), nice_ticks(0.0, 0.6, 4), nice_ticks(0.0, 0.0)
    ((0.0, 0.5, 1.0), (0.0, 0.2, 0.4, 0.6), (0.0, 0.01))
    """
    for step in _STEPS:
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        last = max(last, first + 1)
        if last - first + 1 <= most:
            return tuple(round(number * step, 6) for number in range(first, last + 1))
    return (low, high)
