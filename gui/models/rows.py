"""Rows of plain values as a Qt table model, sorted by any column; for tables that fit into memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

Index = QModelIndex | QPersistentModelIndex
ITEM_ROLE = Qt.ItemDataRole.UserRole
"""The row's own value."""
MARKER_ROLE = Qt.ItemDataRole.UserRole + 1
"""A condition or a generator's name whose marker stands before the text."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its title, its text for a row, what it is sorted by, and how it is set."""

    title: str
    text: Callable[[Any], str]
    sort_key: Callable[[Any], Any] | None = None
    is_number: bool = False
    marker: Callable[[Any], Any] | None = None
    tip: Callable[[Any], str] | None = None


class RowsModel(QAbstractTableModel):
    """A table over a list of rows; `set_rows` replaces them and keeps the order asked for."""

    def __init__(self, columns: Sequence[Column], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.rows: list[Any] = []
        self._sorted_by: tuple[int, Qt.SortOrder] | None = None

    def set_rows(self, rows: Sequence[Any]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = list(rows)
        self._put_in_order()
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of rows."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """Number of columns."""
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows."""
        if not index.isValid():
            return None
        column, row = self.columns[index.column()], self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(row)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.tip(row) if column.tip else None
        if role == MARKER_ROLE:
            return column.marker(row) if column.marker else None
        return row if role == ITEM_ROLE else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles of the columns."""
        if orientation is not Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        return _alignment(self.columns[section]) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; equal rows stay in their order."""
        self._sorted_by = (column, order)
        self.layoutAboutToBeChanged.emit()
        self._put_in_order()
        self.layoutChanged.emit()

    def _put_in_order(self) -> None:
        if self._sorted_by is None or not 0 <= self._sorted_by[0] < len(self.columns):
            return
        column, order = self.columns[self._sorted_by[0]], self._sorted_by[1]
        is_down = order == Qt.SortOrder.DescendingOrder
        self.rows.sort(key=column.sort_key or column.text, reverse=is_down)


def _alignment(column: Column) -> int:
    across = Qt.AlignmentFlag.AlignRight if column.is_number else Qt.AlignmentFlag.AlignLeft
    return int(across | Qt.AlignmentFlag.AlignVCenter)
