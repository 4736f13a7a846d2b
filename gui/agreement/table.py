"""The grid of the Agreement page: questions by cohort, coefficients, one axis for people and pipeline."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QStyleOptionViewItem

from gui.agreement.painting import axis_in, draw_axis_cell
from gui.fonts import font, px, width_of
from gui.icons import draw_icon
from gui.models.agreement_rows import AXIS, GAP, KAPPA_TICKS, QUESTION, TOP, AgreementRow, RowKind
from gui.models.agreement_table import AgreementModel
from gui.models.columns import GridColumn
from gui.models.number import Number, decimals, percent, signed
from gui.models.rows import Index
from gui.palette import palette
from gui.widgets.axis import draw_tick_words
from gui.widgets.interval_cell import cell_width, draw_interval_cell
from gui.widgets.wide_header import MARGIN, WideHeader
from gui.widgets.wide_table import WideDelegate, WideTable

GROUP_HEIGHT, TITLES = 26, 26
LEAST_AXIS = 200
_MIDDLE_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_MIDDLE_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


class AgreementTable(WideTable):
    """Arrows move from cell to cell and step over cohorts."""

    def __init__(self, model: AgreementModel) -> None:
        self.header = AgreementHeader()
        super().__init__(model, "Agreement: questions by coefficient", self.header)
        self._model = model
        self.setItemDelegate(AgreementDelegate(self))
        model.modelReset.connect(self._on_reset)

    def width_for(self, column: GridColumn) -> int:
        """From the font: the longest name, a value with its interval, the least axis."""
        both = 2 * px(MARGIN)
        if column.key == QUESTION:
            names = [width_of(row.name, 13, row.kind is not RowKind.QUESTION) for row in self._model.rows]
            return max(names, default=px(120)) + px(14 + 24) + px(MARGIN)
        if column.key == TOP:
            return width_of("100 %", 13, is_bold=True) + both
        if column.key == AXIS:
            return px(LEAST_AXIS)
        if column.key == GAP:
            return width_of("−0.00", 13, is_bold=True) + both + px(8)
        numbers = (row.numbers.get(column.key) for row in self._model.rows)
        return cell_width(number for number in numbers if number is not None) + both

    def current_row(self) -> AgreementRow | None:
        """The row in focus."""
        index = self.currentIndex()
        return self._model.rows[index.row()] if index.isValid() else None

    def _on_reset(self) -> None:
        for number, row in enumerate(self._model.rows):
            if row.kind is RowKind.COHORT:
                self.setRowHeight(number, px(GROUP_HEIGHT))
        self.fit()


class AgreementHeader(WideHeader):
    """Two lines: who is compared with whom, then the titles and the ticks of the axis."""

    def __init__(self) -> None:
        super().__init__()
        self.remark = ""

    def set_remark(self, remark: str) -> None:
        """A few words at the right of the upper line."""
        self.remark = remark
        self.viewport().update()

    def sizeHint(self) -> QSize:
        """Two lines."""
        return QSize(super().sizeHint().width(), px(2 * TITLES))

    def paint_title(self, painter: QPainter, place: QRect, column: GridColumn, logical: int) -> None:
        """Paint the lower line of a title."""
        lower = place.adjusted(0, place.height() - px(TITLES), 0, 0)
        if column.key == AXIS:
            whole = lower.adjusted(-px(MARGIN), 0, px(MARGIN), 0)
            model = self.model()
            ticks = model.ticks if isinstance(model, AgreementModel) else KAPPA_TICKS
            axis = axis_in(QRectF(whole), ticks)
            draw_tick_words(painter, axis, ticks, whole.top(), whole.height(), palette(), _tick)
        else:
            super().paint_title(painter, lower, column, logical)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the upper line over the columns that belong together."""
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setFont(font(12, True))
        painter.setPen(palette().text)
        said: set[str] = set()
        for logical in range(self.count()):
            column = self.column(logical)
            if column is None or not column.group or column.group in said or self.isSectionHidden(logical):
                continue
            said.add(column.group)
            left = self.place_of(logical).left() + px(MARGIN)
            painter.drawText(QRect(left, 0, self.width() - left, px(TITLES)), _MIDDLE_LEFT, column.group)
        self._paint_remark(painter)

    def _paint_remark(self, painter: QPainter) -> None:
        """Paint the remark where it does not meet the title before it."""
        sections = [n for n in range(self.count()) if not self.isSectionHidden(n)]
        titled = [n for n in sections if (column := self.column(n)) is not None and column.key == AXIS]
        if not self.remark or not titled:
            return
        column = self.column(titled[0])
        assert column is not None
        taken = self.place_of(titled[0]).left() + px(MARGIN) + width_of(column.group, 12, True)
        right = self.viewport().width() - px(MARGIN)
        if right - width_of(self.remark, 12) > taken + px(12):
            painter.setFont(font(12))
            painter.setPen(palette().muted)
            painter.drawText(QRect(0, 0, right, px(TITLES)), _MIDDLE_RIGHT, self.remark)


class AgreementDelegate(WideDelegate):
    """Names, values with their intervals, the axis, and the sign of a fragile κ."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """A cohort has no ground of its own, a mean no line."""
        row = _row(index)
        if row.kind is RowKind.COHORT:
            _paint_cohort(painter, QRect(option.rect), index, row)
            return
        super().paint(painter, option, index)
        if row.kind is RowKind.MEAN:
            painter.fillRect(option.rect.left(), option.rect.top(), option.rect.width(), 1, palette().edge)

    def paint_cell(self, painter: QPainter, place: QRect, index: Index) -> None:
        """Paint what is in a cell."""
        row, model = _row(index), index.model()
        assert isinstance(model, AgreementModel)
        key = model.columns[index.column()].key
        inner = place.adjusted(px(MARGIN), 0, -px(MARGIN), -1)
        number = model.number_at(index.row(), index.column())
        is_total = row.kind is not RowKind.QUESTION
        if key == QUESTION:
            _paint_name(painter, inner, row)
        elif key == TOP:
            _paint_top(painter, inner, row)
        elif key == AXIS:
            pipeline = row.pipeline if model.is_pipeline_open else None
            if row.kind is not RowKind.POOLED:
                line = QRectF(place).adjusted(0, 0, 0, -1)
                draw_axis_cell(painter, line, row.ceiling, pipeline, palette(), model.ticks)
        elif key == GAP:
            _paint_gap(painter, inner, number, is_total)
        elif number is not None:
            draw_interval_cell(painter, QRectF(inner), number, palette(), is_bold=is_total)


def _row(index: Index) -> AgreementRow:
    model = index.model()
    assert isinstance(model, AgreementModel)
    return model.rows[index.row()]


def _paint_cohort(painter: QPainter, place: QRect, index: Index, row: AgreementRow) -> None:
    roles = palette()
    painter.fillRect(place, roles.surface)
    painter.fillRect(place.left(), place.bottom(), place.width(), 1, roles.line)
    if index.column() == 0:
        painter.setFont(font(12, True))
        painter.setPen(roles.text)
        painter.drawText(place.adjusted(px(MARGIN), px(2), 0, 0), _MIDDLE_LEFT, row.name)


def _paint_name(painter: QPainter, place: QRect, row: AgreementRow) -> None:
    roles = palette()
    is_question = row.kind is RowKind.QUESTION
    painter.setFont(font(13, not is_question))
    painter.setPen(roles.text)
    words = place.adjusted(px(12) if is_question else 0, 0, 0, 0)
    room = words.width() - (px(20) if row.is_dominated else 0)
    text = painter.fontMetrics().elidedText(row.name, Qt.TextElideMode.ElideRight, room)
    painter.drawText(words, _MIDDLE_LEFT, text)
    if row.is_dominated:
        side = px(15)
        box = QRectF(place.right() - side, place.center().y() - side / 2, side, side)
        draw_icon(painter, "info", "warn", box)


def _paint_top(painter: QPainter, place: QRect, row: AgreementRow) -> None:
    if row.kind is not RowKind.QUESTION:
        return
    painter.setFont(font(13, row.is_dominated))
    painter.setPen(palette().warn if row.is_dominated else palette().muted)
    painter.drawText(place, _MIDDLE_RIGHT, percent(row.top_share))


def _paint_gap(painter: QPainter, place: QRect, number: Number | None, is_total: bool) -> None:
    if number is None:
        return
    is_bold = is_total or number.leaves_zero_out
    painter.setFont(font(13, is_bold))
    painter.setPen(palette().text if is_bold else palette().muted)
    painter.drawText(place, _MIDDLE_RIGHT, signed(number.value))


def _tick(value: float) -> str:
    return decimals(value, 0 if value == round(value) else 1)


def first_question(model: AgreementModel) -> QModelIndex:
    """The first cell that can be chosen."""
    for number, row in enumerate(model.rows):
        if row.kind is RowKind.QUESTION:
            return model.index(number, 0)
    return QModelIndex()
