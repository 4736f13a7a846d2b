"""A wide table as in print: columns drop out by importance, the focused cell has a ring, its row is tinted.

The model names its columns (`columns`, a tuple of `GridColumn`); a subclass gives their widths. What
does not fit is put away, never squeezed, and stands in the column menu.
"""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from gui.fonts import font, px
from gui.models.columns import GridColumn, columns_that_fit
from gui.models.rows import Index
from gui.palette import palette
from gui.widgets.printed_rows import ROW_HEIGHT, as_in_print, paint_ground, paint_ring
from gui.widgets.wide_header import MARGIN, WideHeader


class WideModel(Protocol):
    """A table model that names its columns."""

    columns: tuple[GridColumn, ...]


class WideDelegate(QStyledItemDelegate):
    """Paints ground, line, bar and ring of a cell; a subclass paints what is in it."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a cell."""
        painter.save()
        paint_ground(painter, option, is_first=self._is_first(index))
        self.paint_cell(painter, QRect(option.rect), index)
        paint_ring(painter, option)
        painter.restore()

    def paint_cell(self, painter: QPainter, place: QRect, index: Index) -> None:
        """Paint what is in a cell: its text."""
        inner = place.adjusted(px(MARGIN), 0, -px(MARGIN), 0)
        painter.setPen(palette().text)
        painter.setFont(font(13))
        text = painter.fontMetrics().elidedText(
            str(index.data() or ""), Qt.TextElideMode.ElideRight, inner.width()
        )
        alignment = index.data(Qt.ItemDataRole.TextAlignmentRole)
        painter.drawText(inner, alignment or int(Qt.AlignmentFlag.AlignVCenter), text)

    def _is_first(self, index: Index) -> bool:
        view = self.parent()
        return isinstance(view, WideTable) and index.column() == view.first_column


class WideTable(QTableView):
    """`moved(row, column)` when another cell has the focus, `opened(row, column)` on a click or Enter."""

    moved = Signal(int, int)
    opened = Signal(int, int)

    def __init__(self, model: QAbstractTableModel, name: str, header: WideHeader) -> None:
        super().__init__()
        self._wishes: dict[str, bool] = {}
        self._widths: list[int] = []
        self.setModel(model)
        self.setHorizontalHeader(header)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        as_in_print(self)
        self.verticalHeader().setMinimumSectionSize(px(10))
        self.verticalHeader().setDefaultSectionSize(px(ROW_HEIGHT))
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._on_header_menu)
        self.selectionModel().currentChanged.connect(self._on_current)

    @property
    def columns(self) -> tuple[GridColumn, ...]:
        """The columns of the model."""
        columns: tuple[GridColumn, ...] = getattr(self.model(), "columns", ())
        return columns

    @property
    def first_column(self) -> int:
        """Number of the leftmost column that is shown."""
        shown = (number for number in range(len(self.columns)) if not self.isColumnHidden(number))
        return next(shown, 0)

    def width_for(self, column: GridColumn) -> int:
        """Width that a column needs, from the font; for one that stretches, the least."""
        raise NotImplementedError

    def fit(self) -> None:
        """Measure the columns anew and show those that fit."""
        self._widths = [self.width_for(column) for column in self.columns]
        self._share_room()

    def column_menu(self, parent: QWidget) -> QMenu:
        """Which columns to show; one that has no room says so by its absence from the ticks."""
        menu = QMenu(parent)
        menu.setAccessibleName("Columns")
        for number, column in enumerate(self.columns):
            act = menu.addAction(column.tip or column.title)
            act.setCheckable(True)
            act.setChecked(not self.isColumnHidden(number))
            act.setData(column.key)
            act.triggered.connect(self._on_wish)
        return menu

    # -- events ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the cell."""
        index = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self.opened.emit(index.row(), index.column())
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click opens the cell under the pointer."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index == self.currentIndex() and index.isValid():
            self.opened.emit(index.row(), index.column())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width shows other columns."""
        super().resizeEvent(event)
        if self._widths and event.size().width() != event.oldSize().width():
            self.fit()

    def changeEvent(self, event: QEvent) -> None:
        """A new font or scale gives new widths."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange) and self._widths:
            self.verticalHeader().setDefaultSectionSize(px(ROW_HEIGHT))
            self.fit()

    # -- parts ----------------------------------------------------------------------------------

    def _share_room(self) -> None:
        columns, room = self.columns, self.viewport().width()
        if len(self._widths) != len(columns) or not columns:
            return
        wishes = dict(self._wishes)
        current = self.currentIndex()
        if current.isValid() and current.column() < len(columns):
            # What is being looked at must not drop out when the drawer takes its room.
            wishes.setdefault(columns[current.column()].key, True)
        header = self.horizontalHeader()
        if header.isSortIndicatorShown() and 0 <= header.sortIndicatorSection() < len(columns):
            wishes.setdefault(columns[header.sortIndicatorSection()].key, True)  # what orders the rows
        shown = columns_that_fit(columns, self._widths, room, wishes)
        spare = max(room - sum(self._widths[number] for number in shown), 0)
        stretching = [number for number in shown if columns[number].stretches]
        for number, width in enumerate(self._widths):
            self.setColumnHidden(number, number not in shown)
            is_last = bool(stretching) and number == max(stretching)
            extra = spare // len(stretching) if number in stretching else 0
            if is_last:
                extra = spare - (len(stretching) - 1) * (spare // len(stretching))
            self.setColumnWidth(number, width + extra)

    def _on_wish(self, is_wanted: bool) -> None:
        act = self.sender()
        key = getattr(act, "data", lambda: None)()
        if isinstance(key, str):
            self._wishes[key] = is_wanted
            self._share_room()

    def _on_header_menu(self, place: QPoint) -> None:
        menu = self.column_menu(self)
        menu.popup(self.horizontalHeader().mapToGlobal(place))

    def _on_current(self, current: QModelIndex, _before: QModelIndex) -> None:
        header = self.horizontalHeader()
        if isinstance(header, WideHeader):
            header.set_focused(current.column() if current.isValid() else -1)
        if current.isValid():
            self.moved.emit(current.row(), current.column())
