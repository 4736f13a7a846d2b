"""Titles above the rows of the chart and the axis below them: they stay put while the rows scroll."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.fonts import px
from gui.palette import palette
from gui.widgets.chart_layout import TICKS, TITLE
from gui.widgets.intensity_chart import IntensityChart
from gui.widgets.interval_chart import draw_axes, draw_titles


class ChartEdge(QWidget):
    """One of the two edges of a chart."""

    def __init__(self, rows: IntensityChart, is_top: bool) -> None:
        super().__init__()
        self._rows = rows
        self._is_top = is_top
        self._across = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(px(200), px(TITLE if self._is_top else TICKS))

    def set_across(self, across: int) -> None:
        """Follow the rows when they scroll sideways."""
        self._across = across
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint over the same columns as the rows."""
        layout = self._rows.layout_now()
        if layout is None:
            return
        painter = QPainter(self)
        painter.translate(-self._across, 0)
        if self._is_top:
            draw_titles(painter, layout, palette())
        else:
            draw_axes(painter, layout, palette(), 0)
