"""The Bias Intensity chart as a figure, and the signs that go with it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen

from core.records import Condition
from gui.fonts import font, px
from gui.models.results_data import Chart
from gui.palette import Palette
from gui.widgets.chart_layout import chart_height, lay_out, names_width
from gui.widgets.interval_chart import draw_chart, draw_own, draw_truth
from gui.widgets.marker import draw_marker
from gui.widgets.sign_legend import DrawSign, LegendItem, draw_items

PANEL, MARGIN, HEAD = 190, 16, 58
NO_BARS = "no intervals: too few roles"
SHORT = {Condition.CF: "context-free", Condition.CA_R: "related", Condition.CA_U: "unrelated"}


def chart_legend(chart: Chart) -> list[LegendItem]:
    """Conditions, planted truth where it is known, and what the bars are."""
    items = [LegendItem(f"{one.value} {SHORT[one]}", _sign_of(one)) for one in chart.conditions]
    drawn = chart.drawn  # a sign that stands nowhere in the chart would only be looked for
    if any(one.truth is not None for one in drawn):
        items.append(LegendItem("planted truth", _draw_truth_sign))
    if any(one.own is not None for one in drawn):
        items.append(LegendItem("measured truth", _draw_own_sign))
    items.append(LegendItem("bars: 95 % interval" if _has_bars(chart) else NO_BARS))
    return items


def _has_bars(chart: Chart) -> bool:
    return any(one.number.low is not None for one in chart.found.values.values())


def _sign_of(condition: Condition) -> DrawSign:
    def draw(painter: QPainter, place: QRectF, roles: Palette) -> None:
        marker, middle = roles.condition(condition), place.center()
        painter.setPen(QPen(marker.colour, 1.6))
        painter.drawLine(QPointF(place.left(), middle.y()), QPointF(place.right(), middle.y()))
        draw_marker(painter, marker, middle, px(4))

    return draw


def _draw_truth_sign(painter: QPainter, place: QRectF, roles: Palette) -> None:
    draw_truth(painter, QPointF(place.right() - px(4), place.center().y()), roles)


def _draw_own_sign(painter: QPainter, place: QRectF, roles: Palette) -> None:
    draw_own(painter, QPointF(place.right() - px(4), place.center().y()), roles)


class ChartFigure:
    """Everything needed to paint the chart into a file, without a widget."""

    def __init__(self, chart: Chart, remark: str) -> None:
        self.chart = chart
        self.remark = remark

    @property
    def size(self) -> QSize:
        """Size in px."""
        wide = names_width(self.chart) + len(self.chart.panels) * px(PANEL) + 2 * px(MARGIN)
        return QSize(max(wide, px(620)), chart_height(self.chart) + px(HEAD + 2 * MARGIN))

    def paint(self, painter: QPainter, place: QRectF, roles: Palette) -> None:
        """Title, what it is, legend, chart."""
        inner = place.adjusted(px(MARGIN), px(MARGIN), -px(MARGIN), -px(MARGIN))
        painter.setFont(font(14, True))
        painter.setPen(roles.text)
        left = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
        painter.drawText(inner, left, "Bias Intensity")
        painter.setFont(font(12))
        painter.setPen(roles.muted)
        right = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight
        painter.drawText(inner, right, self.remark)
        legend = QRectF(inner.left(), inner.top() + px(26), inner.width(), px(24))
        draw_items(painter, chart_legend(self.chart), legend, roles)
        draw_chart(painter, lay_out(self.chart, inner.adjusted(0, px(HEAD), 0, 0)), roles)
