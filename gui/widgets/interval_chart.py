"""Dot and interval by rows and panels on one scale, painted for the screen and for files alike."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from gui.fonts import font, px
from gui.models.number import NO_VALUE
from gui.models.results_data import ChartRow
from gui.palette import Palette
from gui.widgets.axis import draw_estimate, draw_grid_lines, draw_tick_words
from gui.widgets.chart_layout import END, SIGN, TICKS, TITLE, ChartLayout, indent_of
from gui.widgets.marker import draw_marker


def draw_chart(
    painter: QPainter,
    layout: ChartLayout,
    roles: Palette,
    draw_sign: Callable[[QPainter, ChartRow, QRectF], None] | None = None,
) -> None:
    """Paint titles, names, grid, intervals, markers and ticks."""
    draw_titles(painter, layout, roles)
    draw_rows(painter, layout, roles, draw_sign)
    draw_axes(painter, layout, roles, layout.bottom)


def draw_titles(painter: QPainter, layout: ChartLayout, roles: Palette) -> None:
    """Paint the titles of the panels at the top of the place."""
    for panel in range(len(layout.chart.panels)):
        _draw_title(painter, layout, panel, roles)


def draw_axes(painter: QPainter, layout: ChartLayout, roles: Palette, top: float) -> None:
    """Paint the axis of every panel with its ticks, from a height down."""
    for panel in range(len(layout.chart.panels)):
        _draw_axis(painter, layout, panel, roles, top)


def draw_rows(
    painter: QPainter,
    layout: ChartLayout,
    roles: Palette,
    draw_sign: Callable[[QPainter, ChartRow, QRectF], None] | None = None,
) -> None:
    """Paint names, grid, intervals and markers."""
    chart = layout.chart
    for panel in range(len(chart.panels)):
        axis = layout.axis(panel)
        draw_grid_lines(
            painter, axis, layout.ticks, layout.tops[0] if layout.tops else 0, layout.bottom, roles
        )
    for row, one in enumerate(chart.rows):
        _draw_name(painter, layout, row, one, roles, draw_sign)
        place = layout.row_rect(row)
        if row < len(chart.rows) - 1:
            painter.setPen(QPen(roles.line, 0.75))
            bottom = round(place.bottom()) + 0.5
            for across in layout.panels:
                painter.drawLine(QLineF(across.left(), bottom, across.right(), bottom))
        for panel in range(len(chart.panels)):
            _draw_values(painter, layout, panel, row, roles)


def _draw_title(painter: QPainter, layout: ChartLayout, panel: int, roles: Palette) -> None:
    place, chart = layout.panels[panel], layout.chart
    left = place.left() + px(END) if panel == 0 else place.left()
    if chart.panels[panel] in chart.found.generators:
        centre = QPointF(place.left() + px(END + 4), place.top() + px(TITLE) / 2 - 1)
        draw_marker(painter, roles.generator(chart.panels[panel]), centre, px(5))
        left = place.left() + px(END + 15)
    painter.setFont(font(13, True))
    painter.setPen(roles.text)
    room = place.right() - left
    text = QFontMetricsF(painter.font()).elidedText(
        chart.panel_title(panel), Qt.TextElideMode.ElideRight, room
    )
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    painter.drawText(QRectF(left, place.top(), room, px(TITLE) - 2), flags, text)


def _draw_name(
    painter: QPainter,
    layout: ChartLayout,
    row: int,
    one: ChartRow,
    roles: Palette,
    draw_sign: Callable[[QPainter, ChartRow, QRectF], None] | None,
) -> None:
    place = layout.row_rect(row)
    if draw_sign is not None:
        draw_sign(painter, one, QRectF(place.left(), place.top(), px(SIGN), place.height()))
    left = place.left() + px(SIGN + 3) + indent_of(one)
    painter.setFont(font(13))
    painter.setPen(roles.text if one.is_cohort else roles.muted)
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    painter.drawText(QRectF(left, place.top(), layout.names.right() - left, place.height()), flags, one.name)


def _draw_values(painter: QPainter, layout: ChartLayout, panel: int, row: int, roles: Palette) -> None:
    axis, undefined = layout.axis(panel), []
    for condition in layout.chart.conditions:
        found = layout.chart.at(panel, row, condition)
        if found is None or found.number.value is None:
            undefined.append(layout.middle(row, condition))
        if found is None:
            continue
        middle, marker = layout.middle(row, condition), roles.condition(condition)
        if found.truth is not None:
            draw_truth(painter, QPointF(axis.at(found.truth), middle), roles)
        if found.own is not None:
            draw_own(painter, QPointF(axis.at(found.own), middle), roles)
        radius = 4.5 if layout.heights[row] >= px(40) else 3.6
        draw_estimate(painter, axis, middle, found.number, marker, roles, radius=radius)
    if len(undefined) == len(layout.chart.conditions):
        undefined = [layout.tops[row] + layout.heights[row] / 2]  # one dash for all is enough
    painter.setFont(font(12))
    painter.setPen(roles.muted)
    for middle in undefined:
        place = QRectF(axis.left + px(3), middle - px(10), px(16), px(20))
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, NO_VALUE)


def draw_truth(painter: QPainter, at: QPointF, roles: Palette) -> None:
    """The hollow tick of a planted value."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(roles.text, 1))
    painter.setBrush(roles.surface)
    painter.drawRect(QRectF(at.x() - px(2), at.y() - px(6), px(4), px(12)))
    painter.restore()


def draw_own(painter: QPainter, at: QPointF, roles: Palette) -> None:
    """The filled tick of a model's own value, measured on many of its pictures."""
    painter.save()
    painter.setPen(QPen(roles.text, 1))
    painter.setBrush(roles.text)
    painter.drawRect(QRectF(at.x() - px(1), at.y() - px(6), px(2), px(12)))
    painter.restore()


def _draw_axis(painter: QPainter, layout: ChartLayout, panel: int, roles: Palette, top: float) -> None:
    axis, bottom = layout.axis(panel), round(top) + 0.5
    painter.setPen(QPen(roles.edge, 1))
    painter.drawLine(QLineF(layout.panels[panel].left(), bottom, layout.panels[panel].right(), bottom))
    for tick in layout.ticks:
        across = round(axis.at(tick)) + 0.5
        painter.drawLine(QLineF(across, bottom, across, bottom + px(3)))
    say = _decimals_for(layout.ticks)
    draw_tick_words(painter, axis, layout.ticks, bottom + px(3), px(TICKS) - px(6), roles, say)


def _decimals_for(ticks: tuple[float, ...]) -> Callable[[float], str]:
    places = 2 if any(abs(tick * 10 - round(tick * 10)) > 1e-6 for tick in ticks) else 1
    return lambda tick: f"{tick:.{places}f}"
