"""The axis of the Agreement page as a figure: questions by cohort, human ceiling and pipeline."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen

from gui.agreement.legend import draw_band, draw_diamond
from gui.agreement.painting import draw_ceiling, pipeline_marker
from gui.fonts import font, px, width_of
from gui.models.agreement_rows import AgreementRow, RowKind, with_cohorts
from gui.palette import Palette
from gui.widgets.axis import Axis, draw_estimate, draw_grid_lines, draw_tick_words
from gui.widgets.sign_legend import LegendItem, draw_items

WIDTH, ROW, COHORT, MARGIN, FOOT = 760, 22, 26, 16, 46
CEILING_WORDS, PIPELINE_WORDS = "one person with the rest", "pipeline with the rest"


class AxisFigure:
    """Everything needed to paint the figure, without a widget."""

    def __init__(
        self,
        rows: Sequence[AgreementRow],
        ticks: Sequence[float],
        title: str,
        is_pipeline_open: bool,
        measure: str,
        remark: str = "",
    ) -> None:
        self.rows = with_cohorts([row for row in rows if row.kind is RowKind.QUESTION])
        self.ticks = tuple(ticks)
        self.title = title
        self.measure = measure
        self.remark = f"; {remark}" if remark else ""
        self.is_pipeline_open = is_pipeline_open

    @property
    def size(self) -> QSize:
        """Size in px."""
        rows = sum(px(COHORT) if row.kind is RowKind.COHORT else px(ROW) for row in self.rows)
        return QSize(px(WIDTH), rows + px(2 * MARGIN + 56 + FOOT))

    def paint(self, painter: QPainter, place: QRectF, roles: Palette) -> None:
        """Title, legend, rows, axis."""
        left = place.left() + px(MARGIN)
        names = max((width_of(row.name) for row in self.rows), default=0) + px(16)
        axis = Axis(left + names, place.right() - px(MARGIN + 10), self.ticks[0], self.ticks[-1])
        painter.setFont(font(14, True))
        painter.setPen(roles.text)
        painter.drawText(
            QRectF(left, place.top() + px(MARGIN), place.width(), px(24)),
            Qt.AlignmentFlag.AlignLeft,
            self.title,
        )
        legend = QRectF(left, place.top() + px(MARGIN + 26), place.width() - px(2 * MARGIN), px(24))
        self._paint_legend(painter, legend, roles)
        bottom = place.top() + px(MARGIN + 56)
        for row in self.rows:
            bottom = self._paint_row(painter, row, left, bottom, axis, roles)
        painter.setPen(QPen(roles.edge, 1))
        painter.drawLine(QLineF(axis.left, bottom, axis.right, bottom))
        for tick in self.ticks:
            painter.drawLine(QLineF(axis.at(tick), bottom, axis.at(tick), bottom + px(3)))
        draw_tick_words(painter, axis, self.ticks, bottom + px(4), px(16), roles, lambda tick: f"{tick:g}")
        under = QRectF(axis.left, bottom + px(20), axis.right - axis.left, px(18))
        painter.drawText(under, Qt.AlignmentFlag.AlignCenter, self.measure)

    def _paint_legend(self, painter: QPainter, place: QRectF, roles: Palette) -> None:
        items = [LegendItem(CEILING_WORDS, draw_band)]
        if self.is_pipeline_open:
            items.append(LegendItem(PIPELINE_WORDS, draw_diamond))
        items.append(LegendItem(f"bars: 95 % bootstrap interval over image sets{self.remark}"))
        draw_items(painter, items, place, roles)

    def _paint_row(
        self, painter: QPainter, row: AgreementRow, left: float, top: float, axis: Axis, roles: Palette
    ) -> float:
        is_cohort = row.kind is RowKind.COHORT
        high = px(COHORT) if is_cohort else px(ROW)
        place = QRectF(left, top, axis.left - left, high)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setFont(font(12, is_cohort) if is_cohort else font(13))
        painter.setPen(roles.text)
        painter.drawText(place.adjusted(0 if is_cohort else px(10), 0, 0, 0), flags, row.name)
        draw_grid_lines(painter, axis, self.ticks, top, top + high, roles)
        if not is_cohort:
            line = QRectF(axis.left, top, axis.right - axis.left, high)
            draw_ceiling(painter, line, axis, row.ceiling, roles)
            if self.is_pipeline_open:
                marker = pipeline_marker(roles)
                draw_estimate(painter, axis, line.center().y(), row.pipeline, marker, roles, radius=5)
        return top + high
