"""The plot of a validation: accuracy with its interval by dimension, a marker for each side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.validation.prompts import Side
from gui.fonts import font, px, width_of
from gui.palette import Marker, Palette, palette
from gui.validation.result import ALL, PlotRow, side_words
from gui.widgets.axis import Axis, draw_estimate, draw_grid_lines, draw_tick_words
from gui.widgets.marker import draw_marker
from gui.widgets.sign_legend import LegendItem

SHAPES = {
    ALL: "diamond",
    Side.WITH.value: "circle",
    Side.AGAINST.value: "triangle down",
    Side.NEUTRAL.value: "square",
    Side.WITHOUT.value: "plus",
}
TICKS, FEW_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0), (0.0, 0.5, 1.0)
NARROW = 260
"""Width of an axis below which it has few ticks."""

LINE, PAD, FOOT, GAP = 14, 6, 26, 12


def legend_of(rows: Sequence[PlotRow]) -> tuple[LegendItem, ...]:
    """The sides that occur, with their markers."""
    there = [side for side in SHAPES if any(side in row.numbers for row in rows)]
    return tuple(LegendItem(side_words(side), partial(_draw_sign, side)) for side in there)


def _draw_sign(side: str, painter: QPainter, place: QRectF, roles: Palette) -> None:
    draw_marker(painter, _marker(side, roles), place.center(), px(5))


def _marker(side: str, roles: Palette) -> Marker:
    colour = roles.text if side == ALL else roles.pipeline
    return Marker(colour, SHAPES[side], "")


class ValidationPlot(QWidget):
    """Painted, one row a dimension; as high as its rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[PlotRow, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def rows(self) -> tuple[PlotRow, ...]:
        """What is drawn."""
        return self._rows

    def show_rows(self, rows: Sequence[PlotRow]) -> None:
        """Draw others."""
        self._rows = tuple(rows)
        self.setAccessibleName("Accuracy by dimension and side")
        self.setAccessibleDescription("; ".join(map(_in_words, rows)))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Names, a readable axis, and all rows."""
        return QSize(px(420), int(_height_of_rows(self._rows)))

    def minimumSizeHint(self) -> QSize:
        """Half of that in width."""
        return QSize(px(240), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint in the current palette."""
        paint_rows(QPainter(self), QRectF(self.rect()), palette(), self._rows)


class PlotAxis(QWidget):
    """The axis of a plot whose rows scroll, always in sight below it."""

    def __init__(self, plot: ValidationPlot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plot = plot
        self.setFixedHeight(px(FOOT))
        plot.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the width of the plot."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Paint):
            self.update()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ticks where the plot has its lines."""
        place = QRectF(0, 0, self._plot.width(), self.height())
        _paint_ticks(QPainter(self), place, palette(), self._plot.rows, 0.0)


def paint_plot(painter: QPainter, place: QRectF, roles: Palette, rows: Sequence[PlotRow]) -> None:
    """Paint rows and axis into a place, for a file."""
    paint_rows(painter, place, roles, rows)
    _paint_ticks(painter, place, roles, rows, place.top() + _height_of_rows(rows))


def paint_rows(painter: QPainter, place: QRectF, roles: Palette, rows: Sequence[PlotRow]) -> None:
    """Paint names, grid and values into a place; the same for the screen and for a file."""
    names, axis = _across(place, rows)
    bottom = place.top() + sum(map(_height, rows))
    draw_grid_lines(painter, axis, _ticks(axis), place.top(), bottom, roles)
    top = place.top()
    for row in rows:
        high = _height(row)
        painter.setPen(roles.text)
        painter.setFont(font(12, row.dimension == ALL))
        room = QRectF(place.left(), top, names, high)
        text = painter.fontMetrics().elidedText(row.name, Qt.TextElideMode.ElideRight, names)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        for at, side in enumerate(_sides(row)):
            middle = top + px(PAD) + px(LINE) * (at + 0.5)
            draw_estimate(painter, axis, middle, row.numbers[side], _marker(side, roles), roles)
        painter.fillRect(QRectF(place.left(), round(top + high) - 1, place.width(), 1), roles.line)
        top += high


def _paint_ticks(
    painter: QPainter, place: QRectF, roles: Palette, rows: Sequence[PlotRow], top: float
) -> None:
    axis = _across(place, rows)[1]
    draw_tick_words(painter, axis, _ticks(axis), top, px(FOOT), roles, lambda tick: f"{100 * tick:.0f} %")


def _ticks(axis: Axis) -> tuple[float, ...]:
    return TICKS if axis.right - axis.left >= px(NARROW) else FEW_TICKS


def _across(place: QRectF, rows: Sequence[PlotRow]) -> tuple[int, Axis]:
    """Room of the names, and the axis beside them."""
    names = min(max((width_of(row.name, 12, True) for row in rows), default=0), round(place.width() * 0.4))
    return names, Axis(place.left() + names + px(GAP + 4), place.right() - px(22))


def height_of(rows: Sequence[PlotRow]) -> float:
    """Height of the plot with its ticks."""
    return _height_of_rows(rows) + px(FOOT)


def _height_of_rows(rows: Sequence[PlotRow]) -> float:
    return sum(map(_height, rows))


def _sides(row: PlotRow) -> list[str]:
    return [side for side in SHAPES if side in row.numbers]


def _height(row: PlotRow) -> float:
    return px(LINE) * len(_sides(row)) + 2 * px(PAD)


def _in_words(row: PlotRow) -> str:
    said = [f"{side_words(side)} {_percent(row.numbers[side].value)}" for side in _sides(row)]
    return f"{row.name}: {', '.join(said)}"


def _percent(value: float | None) -> str:
    return "undefined" if value is None else f"{100 * value:.0f} %"
