"""The plot of a validation as a figure for a file, with its legend."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter

from gui.fonts import px
from gui.palette import Palette
from gui.validation.plot import height_of, legend_of, paint_plot
from gui.validation.result import Result
from gui.widgets.sign_legend import LINE, draw_items, item_places

WIDE = 760


def figure_of(result: Result) -> tuple[Callable[[QPainter, QRectF, Palette], None], QSize]:
    """The plot with its legend as a figure for a file, and its size."""
    items = legend_of(result.plot)
    wide, high = px(WIDE), int(height_of(result.plot))
    below = item_places(items, wide - px(32))[-1][1] + px(LINE)
    return partial(_paint_figure, result, below), QSize(wide, high + below + px(40))


def _paint_figure(result: Result, below: int, painter: QPainter, place: QRectF, roles: Palette) -> None:
    inner = place.adjusted(px(16), px(12), -px(16), -px(12))
    paint_plot(painter, inner.adjusted(0, 0, 0, -below), roles, result.plot)
    legend = QRectF(inner.left(), inner.bottom() - below, inner.width(), below)
    draw_items(painter, legend_of(result.plot), legend, roles)
