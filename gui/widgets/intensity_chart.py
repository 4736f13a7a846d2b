"""The Bias Intensity chart as a widget: values under the pointer, arrows move, a click opens."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.records import Condition
from gui.fonts import px
from gui.icons import draw_icon
from gui.models.results_data import ALL, Chart, ChartRow, Spot, intensity_sentence
from gui.palette import palette
from gui.widgets.chart_layout import ChartLayout, lay_out, least_width, point_of, rows_height
from gui.widgets.interval_chart import draw_rows

Place = tuple[int, int, Condition]


class IntensityChart(QWidget):
    """`opened(Spot)` on a click or Enter, `moved(str)` with the point in words, `toggled(cohort)`.

    Only the rows: titles and axis are `ChartEdge`s, told by `reshaped` that widths have changed.
    """

    opened = Signal(object)
    moved = Signal(str)
    toggled = Signal(str)
    reshaped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chart: Chart | None = None
        self.expanded: frozenset[str] = frozenset()
        self.current: Place | None = None
        self._hovered: Place | None = None
        self._share = 1.0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Bias Intensity by cohort, generator and condition")

    def show_chart(self, chart: Chart | None, expanded: frozenset[str]) -> None:
        """Show another chart; the current point stays where it is still there."""
        before = self._spot(self.current)
        self.chart, self.expanded, self._hovered = chart, expanded, None
        self.current = self._place_of(before) if before is not None else None
        self.updateGeometry()
        self.setMinimumWidth(least_width(chart) if chart is not None else 0)
        self.update()
        self.reshaped.emit()

    def set_share(self, share: float) -> None:
        """Make the rows lower in a low window."""
        if share != self._share:
            self._share = share
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """As high as its rows."""
        return QSize(px(400), rows_height(self.chart, self._share) if self.chart is not None else px(120))

    def minimumSizeHint(self) -> QSize:
        """Rows are not squeezed."""
        return self.sizeHint()

    def layout_now(self) -> ChartLayout | None:
        """Where everything is."""
        if self.chart is None or not self.chart.rows or not self.chart.panels:
            return None
        return lay_out(self.chart, QRectF(self.rect()).adjusted(0, 0, -1, 0), has_edges=False)

    # -- events ---------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Panels share the width."""
        super().resizeEvent(event)
        self.reshaped.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move, Enter opens, Space opens or closes the dimensions of a cohort."""
        key, chart = Qt.Key(event.key()), self.chart
        if chart is None or not chart.rows or not chart.conditions:
            super().keyPressEvent(event)
            return
        place = self.current or (0, 0, chart.conditions[0])
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(place)
        elif key == Qt.Key.Key_Space:
            self._toggle(chart.rows[place[1]])
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            step = 1 if key == Qt.Key.Key_Right else -1
            self.go((min(max(place[0] + step, 0), len(chart.panels) - 1), place[1], place[2]))
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step(place, 1 if key == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on a name opens its dimensions, one in a panel opens the nearest point."""
        layout = self.layout_now()
        if layout is None:
            return
        row = layout.row_at(event.position())
        if event.position().x() < layout.names.right():
            if row is not None:
                self._toggle(layout.chart.rows[row])
            return
        place = layout.place_at(event.position())
        if place is not None:
            self.go(place)
            self._open(place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The nearest point is outlined."""
        layout = self.layout_now()
        self._hover(layout.place_at(event.position()) if layout is not None else None)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer."""
        self._hover(None)

    def event(self, event: QEvent) -> bool:
        """Say the point under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            layout = self.layout_now()
            place = layout.place_at(QPointF(event.pos())) if layout is not None else None
            said = intensity_sentence(layout.chart, *place) if layout is not None and place else ""
            QToolTip.showText(event.globalPos(), said, self)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The first point takes the focus when none has it."""
        super().focusInEvent(event)
        if self.current is None and self.chart is not None and self.chart.rows and self.chart.conditions:
            self.go((0, 0, self.chart.conditions[0]))
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The chart, a ring round the current point, a thin one round that under the pointer."""
        layout = self.layout_now()
        if layout is None:
            return
        painter, roles = QPainter(self), palette()
        draw_rows(painter, layout, roles, self._draw_sign)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for place, colour, width in (
            (self._hovered, roles.edge, 1),
            (self.current if self.hasFocus() else None, roles.focus, 2),
        ):
            point = point_of(layout, *place) if place is not None else None
            if point is not None:
                painter.setPen(QPen(colour, width))
                painter.drawEllipse(point, px(8), px(8))

    # -- parts ----------------------------------------------------------------------------------

    def go(self, place: Place) -> None:
        """Make a point current and say it."""
        self.current = place
        if self.chart is not None:
            said = intensity_sentence(self.chart, *place)
            self.setAccessibleDescription(said)
            self.moved.emit(said)
        self.update()

    def _step(self, place: Place, step: int) -> None:
        """Up and down go through the conditions of a row, then to the next row."""
        chart = self.chart
        assert chart is not None
        number = place[1] * len(chart.conditions) + chart.conditions.index(place[2]) + step
        number = min(max(number, 0), len(chart.rows) * len(chart.conditions) - 1)
        row, at = divmod(number, len(chart.conditions))
        self.go((place[0], row, chart.conditions[at]))

    def _open(self, place: Place) -> None:
        spot = self._spot(place)
        if spot is not None:
            self.opened.emit(spot)

    def _toggle(self, row: ChartRow) -> None:
        if row.cohort != ALL:
            self.toggled.emit(row.cohort)

    def _hover(self, place: Place | None) -> None:
        if place != self._hovered:
            self._hovered = place
            self.update()

    def _spot(self, place: Place | None) -> Spot | None:
        if place is None or self.chart is None:
            return None
        return self.chart.spot(*place)

    def _place_of(self, spot: Spot) -> Place | None:
        chart = self.chart
        if chart is None or spot.generator not in chart.panels or spot.condition not in chart.conditions:
            return None
        for row, one in enumerate(chart.rows):
            if (one.cohort, one.dimension) == (spot.cohort, spot.dimension):
                return chart.panels.index(spot.generator), row, spot.condition
        return None

    def _draw_sign(self, painter: QPainter, row: ChartRow, place: QRectF) -> None:
        if row.is_cohort and row.cohort != ALL:
            side = px(12)
            box = QRectF(place.left(), place.center().y() - side / 2, side, side)
            draw_icon(painter, "down" if row.cohort in self.expanded else "right", "muted", box)
