"""How the axis of the Agreement page is painted: grey band and tick for people, violet for the pipeline."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from gui.fonts import px
from gui.models.agreement_rows import KAPPA_TICKS
from gui.models.number import Number
from gui.palette import Marker, Palette
from gui.widgets.axis import Axis, draw_arrow_off, draw_estimate, draw_grid_lines

EDGE = 16
"""Room at either end of the axis, for half a tick's word and half a diamond."""

BAND_SHARE, BAND_STRENGTH = 0.56, 46


def axis_in(place: QRectF, ticks: Sequence[float] = KAPPA_TICKS) -> Axis:
    """The axis in a cell, from the first tick to the last."""
    return Axis(place.left() + px(EDGE), place.right() - px(EDGE), ticks[0], ticks[-1])


def draw_axis_cell(
    painter: QPainter,
    place: QRectF,
    ceiling: Number,
    pipeline: Number | None,
    roles: Palette,
    ticks: Sequence[float] = KAPPA_TICKS,
) -> None:
    """Paint grid lines, the human ceiling and, when it is open, the pipeline."""
    axis = axis_in(place, ticks)
    draw_grid_lines(painter, axis, ticks, place.top(), place.bottom(), roles)
    draw_ceiling(painter, place, axis, ceiling, roles)
    if pipeline is not None:
        draw_estimate(painter, axis, place.center().y(), pipeline, pipeline_marker(roles), roles, radius=5.5)


def draw_ceiling(painter: QPainter, place: QRectF, axis: Axis, ceiling: Number, roles: Palette) -> None:
    """Paint the band of the interval and the tick of the value."""
    if ceiling.value is None:
        return
    high = place.height() * BAND_SHARE
    top = place.center().y() - high / 2
    if ceiling.low is not None and ceiling.high is not None:
        left, right = axis.at(ceiling.low), axis.at(ceiling.high)
        painter.fillRect(QRectF(left, top, max(right - left, 1.0), high), band_colour(roles))
    if not axis.holds(ceiling.value):
        draw_arrow_off(painter, axis, place.center().y(), ceiling.value, roles.human)
        return
    at = axis.at(ceiling.value)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.fillRect(QRectF(round(at) - 1, top, 2, high), roles.human)


def band_colour(roles: Palette) -> QColor:
    """The grey of the band: ink let through, so that it is neutral on every ground."""
    made = QColor(roles.human)
    made.setAlpha(BAND_STRENGTH)
    return made


def pipeline_marker(roles: Palette) -> Marker:
    """The violet diamond."""
    return Marker(roles.pipeline, "diamond", "d")
