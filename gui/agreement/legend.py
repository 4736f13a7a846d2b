"""The signs of the Agreement page: grey band with its tick, violet diamond, the sign of a fragile κ."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from gui.agreement.painting import draw_ceiling, pipeline_marker
from gui.fonts import px
from gui.icons import draw_icon
from gui.models.number import Number
from gui.palette import Palette
from gui.widgets.axis import Axis, draw_estimate


def draw_band(painter: QPainter, place: QRectF, roles: Palette) -> None:
    """The human ceiling."""
    axis = Axis(place.left(), place.right())
    draw_ceiling(painter, place.adjusted(0, 2, 0, -2), axis, Number(0.5, 0.05, 0.95), roles)


def draw_diamond(painter: QPainter, place: QRectF, roles: Palette) -> None:
    """The pipeline."""
    axis, number = Axis(place.left(), place.right()), Number(0.5, 0.0, 1.0)
    draw_estimate(painter, axis, place.center().y(), number, pipeline_marker(roles), roles, radius=5.5)


def draw_info(painter: QPainter, place: QRectF, roles: Palette) -> None:
    """One label dominates."""
    side = px(14)
    box = QRectF(place.left() + px(2), place.center().y() - side / 2, side, side)
    draw_icon(painter, "info", "warn", box)
