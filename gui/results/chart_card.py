"""The upper card of the Results page: the Bias Intensity chart with its legend and its choices."""

from __future__ import annotations

from textwrap import fill

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from core.explained import OF_INTENSITY, PLANTED, kind_words
from gui.fonts import px
from gui.models.results_data import BiasIntensities, Chart, Kind, make_chart
from gui.results.figure import chart_legend
from gui.widgets.caption import Caption
from gui.widgets.chart_edge import ChartEdge
from gui.widgets.chart_layout import DIMENSION_ROW, TICKS, TITLE, rows_height, share_for
from gui.widgets.choice import Choice
from gui.widgets.flow import Flow
from gui.widgets.intensity_chart import IntensityChart
from gui.widgets.meaning import meaning_button
from gui.widgets.segmented import Segmented
from gui.widgets.sign_legend import SignLegend
from gui.widgets.wide_header import TIP_WIDTH

SHARE_OF_HEIGHT, SHARE_WHEN_EXPANDED = 0.44, 0.58


class ChartCard(QFrame):
    """`opened(Spot)` when a point was chosen; `moved(str)` with the point in words."""

    opened = Signal(object)
    moved = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self._found: BiasIntensities | None = None
        self._expanded: frozenset[str] = frozenset()
        self._height = px(736)
        self.chart = IntensityChart()
        self.legend = SignLegend()
        self.level = Segmented(["Cohorts", "Dimensions"], "Rows")
        self.kind_choice = Choice([], "Estimator")
        self._scroll = QScrollArea()
        self._head = Flow(gap=16)
        self._titles, self._axes = ChartEdge(self.chart, is_top=True), ChartEdge(self.chart, is_top=False)
        self._lay_out()
        self.level.chosen.connect(self._on_level)
        self.kind_choice.chosen.connect(self._show)
        self.chart.opened.connect(self.opened)
        self.chart.moved.connect(self._on_moved)
        self.chart.toggled.connect(self._on_toggled)

    @property
    def kind(self) -> Kind | None:
        """How Bias Intensity is estimated now."""
        if self._found is None or not self._found.kinds:
            return None
        return self._found.kinds[max(self.kind_choice.currentIndex(), 0)]

    @property
    def shown(self) -> Chart | None:
        """The chart that is shown."""
        return self.chart.chart

    def show_intensities(self, found: BiasIntensities | None) -> None:
        """Show other values; estimator and expanded cohorts stay."""
        self._found = found
        kinds = found.kinds if found is not None else ()
        self.kind_choice.set_words([kind.in_words for kind in kinds])
        for at, kind in enumerate(kinds):
            self.kind_choice.setItemData(at, _tip(kind), Qt.ItemDataRole.ToolTipRole)
        self._show()

    def fit_into(self, height: int) -> None:
        """Take at most a share of a height; more scrolls."""
        self._height = height
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow head takes more lines."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _lay_out(self) -> None:
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self.chart)
        self.chart.setProperty("kind", "scrolled")
        head = self._head
        head.addWidget(Caption("Bias Intensity", "card_title"))
        head.addWidget(meaning_button("What Bias Intensity means", (*OF_INTENSITY, PLANTED)))
        head.addWidget(self.legend)
        head.add_right(self.level)
        head.add_right(self.kind_choice)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(8), px(10), px(6))
        column.setSpacing(px(6))
        column.addLayout(head)
        edges = (self._titles, self._axes)
        for number, widget in enumerate((self._titles, self._scroll, self._axes)):
            if number == 2:
                column.addSpacing(-px(6))
            column.addWidget(widget)
        for edge in edges:
            self.chart.reshaped.connect(edge.update)
            self._scroll.horizontalScrollBar().valueChanged.connect(edge.set_across)

    def _show(self) -> None:
        found, kind = self._found, self.kind
        if found is None or kind is None:
            self.chart.show_chart(None, frozenset())
            return
        self.kind_choice.setToolTip(_tip(kind))
        chart = make_chart(found, kind, self._expanded)
        self.legend.show_items(chart_legend(chart))
        self.chart.show_chart(chart, self._expanded)
        self._fit()

    def _fit(self) -> None:
        chart = self.shown
        if chart is None:
            return
        of_height = SHARE_WHEN_EXPANDED if self._expanded else SHARE_OF_HEIGHT
        head = self._head.heightForWidth(max(self.width() - px(26), px(200)))
        room = max(int(self._height * of_height) - head - px(22), px(150))
        share = share_for(chart, room)
        self.chart.set_share(share)
        room -= px(TITLE) + px(TICKS)
        needed = rows_height(chart, share)
        bar = px(12) if self.chart.minimumWidth() > self._scroll.viewport().width() else 0
        self._scroll.setFixedHeight(min(needed, room) + bar)

    def _on_moved(self, said: str) -> None:
        layout, place = self.chart.layout_now(), self.chart.current
        if layout is not None and place is not None:
            middle = layout.row_rect(place[1]).center().toPoint()
            self._scroll.ensureVisible(middle.x(), middle.y(), 0, px(DIMENSION_ROW))
        self.moved.emit(said)

    def _on_level(self, index: int) -> None:
        if self._found is not None:
            self._expanded = frozenset(self._found.cohorts) if index == 1 else frozenset()
            self._show()

    def _on_toggled(self, cohort: str) -> None:
        self._expanded = self._expanded ^ {cohort}
        all_open = self._found is not None and self._expanded == frozenset(self._found.cohorts)
        wanted = 1 if all_open else 0
        if self.level.index != wanted:
            self.level.blockSignals(True)
            self.level.choose(wanted)
            self.level.blockSignals(False)
        self._show()


def _tip(kind: Kind) -> str:
    return fill(f"{kind.in_words}: {kind_words(kind.estimator, kind.aggregation)}", TIP_WIDTH)
