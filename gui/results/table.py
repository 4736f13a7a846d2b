"""The persistence table: prevalence in three conditions on one axis, range, CCS, interval, verdict."""

from __future__ import annotations

from heapq import nlargest

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter

from gui.fonts import font, px, width_of
from gui.models.columns import GridColumn
from gui.models.number import NO_VALUE
from gui.models.persistence_data import PUBLISHED, VERDICTS
from gui.models.persistence_table import DOWN_FIRST, PREVALENCE, SORT_KEYS, VERDICT, PersistenceModel
from gui.models.rows import Index
from gui.palette import palette
from gui.widgets.axis import Axis, draw_estimate, draw_grid_lines, draw_tick_words
from gui.widgets.chip import chip_width, draw_chip
from gui.widgets.marker import draw_marker
from gui.widgets.printed_rows import ROW_HEIGHT
from gui.widgets.wide_header import MARGIN, WideHeader
from gui.widgets.wide_table import WideDelegate, WideTable

TICKS, FEW_TICKS, ROOM_FOR_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0), (0.0, 0.5, 1.0), 150
EDGE, LEAST_AXIS, BEST_AXIS = 16, 170, 260
WIDEST_WORDS = 150
NARROW_FROM, NARROW_WORDS, NARROW_AXIS = 900, 84, 106
"""In a table narrower than this names are shortened and the axis is short, so that more columns stay."""
LABEL_COLUMN = 3
CONDITIONS = ("CF", "CA-R", "CA-U")
_MIDDLE_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_MIDDLE_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


class PersistenceTable(WideTable):
    """Arrows move, Enter opens, a title sorts."""

    def __init__(self, model: PersistenceModel) -> None:
        super().__init__(model, "Persistence: labels by role", PersistenceHeader())
        self._model = model
        self.setItemDelegate(PersistenceDelegate(self))
        header = self.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.sectionClicked.connect(self._on_title)
        model.modelReset.connect(self._on_reset)
        self._show_order()

    def width_for(self, column: GridColumn) -> int:
        """From the words that occur, and from the widest number."""
        both, table = 2 * px(MARGIN), self._model.table
        is_narrow = self.viewport().width() < px(NARROW_FROM)
        titled = width_of(f"↓ {column.title}", 12, is_bold=True) + both
        if column.key in ("generator", "role", "dimension", "label"):
            # Of thousands of names only the longest are measured.
            names = nlargest(12, getattr(table, column.key).names, key=len) if table is not None else ()
            widest = max((width_of(name, 13, column.key == "label") for name in names), default=px(80))
            extra = px(16) if column.key == "generator" else 0
            return max(min(widest, px(NARROW_WORDS if is_narrow else WIDEST_WORDS)) + extra + both, titled)
        if column.key == PREVALENCE:
            least = px(NARROW_AXIS if is_narrow else LEAST_AXIS)
            return least if is_narrow else min(max(self.viewport().width() // 4, least), px(BEST_AXIS))
        if column.key == "published":
            return max(max(width_of(word) for word in PUBLISHED) + both, titled)
        if column.key == VERDICT:
            return max(chip_width(word) for word in VERDICTS) + both
        longest = {"ccs_interval": "100.0–100.0", "p_adjusted": "< 0.001"}.get(column.key, "100.0")
        return max(width_of(longest) + both, titled)

    def sort_by(self, key: str, is_down: bool) -> None:
        """Sort by a column and show the first rows; the row in focus stays in focus, wherever it is now."""
        at = self.current_data_row()
        self._model.sort_by(key, is_down)
        self._show_order()
        self.go_to(at)
        self.scrollToTop()

    def current_data_row(self) -> int:
        """Row of the table that is in focus, −1 for none."""
        index = self.currentIndex()
        return self._model.data_row(index.row()) if index.isValid() else -1

    def go_to(self, data_row: int) -> None:
        """Put the focus on a row of the table, if it passes the filter, else on the first."""
        row = self._model.row_of(data_row)
        column = self.currentIndex().column() if self.currentIndex().isValid() else LABEL_COLUMN
        if self._model.rowCount():
            self.setCurrentIndex(self._model.index(max(row, 0), column))

    def _on_title(self, section: int) -> None:
        column = self.columns[section]
        # The header has moved its own arrow by now, so only the model knows what was sorted by before.
        is_same = SORT_KEYS.get(column.key, column.key) == self._model.sort_key
        is_down = not self._model.is_down if is_same else column.key in DOWN_FIRST
        self.sort_by(column.key, is_down)

    def _show_order(self) -> None:
        keys = [column.key for column in self.columns]
        key = {"ccs_low": "ccs_interval"}.get(self._model.sort_key, self._model.sort_key)
        order = Qt.SortOrder.DescendingOrder if self._model.is_down else Qt.SortOrder.AscendingOrder
        self.horizontalHeader().setSortIndicator(keys.index(key), order)

    def _on_reset(self) -> None:
        self.verticalHeader().setDefaultSectionSize(px(ROW_HEIGHT))
        self.fit()


class PersistenceHeader(WideHeader):
    """The prevalence column has the ticks of its axis for a title."""

    def paint_title(self, painter: QPainter, place: QRect, column: GridColumn, logical: int) -> None:
        """Ticks over the axis, words over the rest."""
        if column.key != PREVALENCE:
            super().paint_title(painter, place, column, logical)
            return
        whole = QRectF(place.adjusted(-px(MARGIN), 0, px(MARGIN), 0))
        ticks = TICKS if whole.width() >= px(ROOM_FOR_TICKS) else FEW_TICKS
        draw_tick_words(painter, axis_in(whole), ticks, whole.top(), whole.height(), palette(), _percent_tick)


class PersistenceDelegate(WideDelegate):
    """Markers with intervals, numbers, chips."""

    def paint_cell(self, painter: QPainter, place: QRect, index: Index) -> None:
        """Paint what is in a cell."""
        model = index.model()
        assert isinstance(model, PersistenceModel)
        key, at = model.columns[index.column()].key, model.data_row(index.row())
        inner = place.adjusted(px(MARGIN), 0, -px(MARGIN), -1)
        if key == PREVALENCE:
            draw_prevalence(painter, QRectF(place).adjusted(0, 0, 0, -1), model, at)
        elif key == VERDICT:
            draw_chip(painter, model.text(at, key), QRectF(inner))
        else:
            self._paint_text(painter, inner, model, key, at)

    def _paint_text(
        self, painter: QPainter, place: QRect, model: PersistenceModel, key: str, at: int
    ) -> None:
        roles, text = palette(), model.text(at, key)
        if key == "generator" and model.table is not None:
            marker = roles.generator(model.table.generator.id_at(at))
            centre = QPointF(place.left() + px(6), QRectF(place).center().y())
            draw_marker(painter, marker, centre, px(5))
            place = place.adjusted(px(16), 0, 0, 0)
        is_number = key not in ("generator", "role", "dimension", "label", "published")
        is_second = key in ("ccs_interval", "ccs_if_stable", "published") or text == NO_VALUE
        painter.setFont(font(12 if key == "ccs_interval" else 13, key == "label"))
        painter.setPen(roles.muted if is_second else roles.text)
        if not is_number:
            text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, _MIDDLE_RIGHT if is_number else _MIDDLE_LEFT, text)


def axis_in(place: QRectF) -> Axis:
    """The 0–100 % axis in a cell."""
    return Axis(place.left() + px(EDGE), place.right() - px(EDGE))


def draw_prevalence(painter: QPainter, place: QRectF, model: PersistenceModel, at: int) -> None:
    """Paint the three conditions, 0.24 of the row apart, each with its interval."""
    roles, axis = palette(), axis_in(place)
    draw_grid_lines(painter, axis, TICKS, place.top(), place.bottom(), roles)
    for line, (name, number) in enumerate(zip(CONDITIONS, model.prevalences(at), strict=True)):
        middle = place.center().y() + (line - 1) * place.height() * 0.24
        draw_estimate(painter, axis, middle, number, roles.condition(name), roles, radius=4)


def _percent_tick(value: float) -> str:
    return "100 %" if value == 1 else f"{value * 100:.0f}"
