"""Where everything of a dot and interval chart is: names, panels on one scale, rows, lines of conditions."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from core.records import Condition
from gui.fonts import px, width_of
from gui.models.results_data import Chart, ChartRow
from gui.widgets.axis import Axis, nice_ticks

TITLE, TICKS, GAP, END = 24, 26, 14, 14
COHORT_ROW, DIMENSION_ROW, LEAST_ROW = 56, 34, 28
LEAST_PANEL = 130
APART = 0.24
SIGN = 14
"""Room for the arrow before a cohort that can be opened."""


@dataclass(frozen=True)
class ChartLayout:
    """Where everything is, for one size."""

    chart: Chart
    names: QRectF
    panels: tuple[QRectF, ...]
    tops: tuple[float, ...]
    heights: tuple[float, ...]
    ticks: tuple[float, ...]

    def axis(self, panel: int) -> Axis:
        """The scale of a panel; all have the same ends."""
        place = self.panels[panel]
        return Axis(place.left() + px(END), place.right() - px(END), self.ticks[0], self.ticks[-1])

    def middle(self, row: int, condition: Condition) -> float:
        """Height of a condition's line."""
        conditions = self.chart.conditions
        step = min(self.heights[row] * APART, px(14))
        shift = conditions.index(condition) - (len(conditions) - 1) / 2
        return self.tops[row] + self.heights[row] / 2 + shift * step

    def row_rect(self, row: int) -> QRectF:
        """A row over all panels."""
        right = self.panels[-1].right() if self.panels else self.names.right()
        return QRectF(self.names.left(), self.tops[row], right - self.names.left(), self.heights[row])

    def place_at(self, point: QPointF) -> tuple[int, int, Condition] | None:
        """Panel, row and condition whose line is nearest to a point."""
        panel = next((n for n, one in enumerate(self.panels) if one.left() <= point.x() <= one.right()), -1)
        row = self.row_at(point)
        if panel < 0 or row is None or not self.chart.conditions:
            return None
        nearest = min(self.chart.conditions, key=lambda one: abs(self.middle(row, one) - point.y()))
        return panel, row, nearest

    def row_at(self, point: QPointF) -> int | None:
        """The row at a point."""
        for row, (top, high) in enumerate(zip(self.tops, self.heights, strict=True)):
            if top <= point.y() < top + high:
                return row
        return None

    @property
    def bottom(self) -> float:
        """Where the axis is."""
        return self.tops[-1] + self.heights[-1] if self.tops else self.names.top()


def row_height(row: ChartRow) -> int:
    """Height that a row wants."""
    return px(COHORT_ROW if row.is_cohort else DIMENSION_ROW)


def chart_height(chart: Chart, share: float = 1.0) -> int:
    """Height of the whole chart; `share` makes the rows lower, never below the least."""
    return px(TITLE) + rows_height(chart, share) + px(TICKS)


def rows_height(chart: Chart, share: float = 1.0) -> int:
    """Height of the rows alone."""
    return sum(max(int(row_height(row) * share), px(LEAST_ROW)) for row in chart.rows)


def share_for(chart: Chart, room: float) -> float:
    """How much lower rows must be for the chart to go into a height; rows of the least height stay."""
    wanted = sum(row_height(row) for row in chart.rows)
    return min((room - px(TITLE) - px(TICKS)) / max(wanted, 1), 1.0)


def least_width(chart: Chart) -> int:
    """Width below which panels would be squeezed."""
    return names_width(chart) + len(chart.panels) * px(LEAST_PANEL + GAP)


def names_width(chart: Chart) -> int:
    """Width of the names at the left."""
    widest = max((width_of(row.name) + indent_of(row) for row in chart.rows), default=0)
    return widest + px(SIGN + 8)


def lay_out(chart: Chart, place: QRectF, *, has_edges: bool = True) -> ChartLayout:
    """Lay a chart out in a place; the rows share its height in proportion to what they want.

    Without edges there is no room for titles and ticks: they are painted elsewhere, where they stay put
    while the rows scroll.
    """
    names = QRectF(place.left(), place.top(), names_width(chart), place.height())
    count = max(len(chart.panels), 1)
    wide = (place.width() - names.width() - (count - 1) * px(GAP)) / count
    panels = tuple(
        QRectF(names.right() + n * (wide + px(GAP)), place.top(), wide, place.height())
        for n in range(len(chart.panels))
    )
    wanted = [row_height(row) for row in chart.rows]
    above, below = (px(TITLE), px(TICKS)) if has_edges else (0, 0)
    room = place.height() - above - below
    share = room / max(sum(wanted), 1)
    heights = tuple(high * share for high in wanted)
    tops, top = [], place.top() + above
    for high in heights:
        tops.append(top)
        top += high
    most = 6 if wide >= px(220) else 5 if wide >= px(170) else 4
    return ChartLayout(chart, names, panels, tuple(tops), heights, nice_ticks(*chart.ends, most))


def point_of(layout: ChartLayout, panel: int, row: int, condition: Condition) -> QPointF | None:
    """Where a marker is, None where there is none."""
    found = layout.chart.at(panel, row, condition)
    if found is None or found.number.value is None:
        return None
    return QPointF(layout.axis(panel).at(found.number.value), layout.middle(row, condition))


def indent_of(row: ChartRow) -> int:
    """Dimensions stand a little in from their cohort."""
    return 0 if row.is_cohort else px(10)
