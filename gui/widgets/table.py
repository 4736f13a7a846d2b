"""Tables as in print: rows of 30 px, horizontal lines only, a ring on the focused cell, the row tinted."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from gui.fonts import font, px
from gui.models.rows import ITEM_ROLE, MARKER_ROLE, RowsModel
from gui.palette import palette
from gui.widgets.marker import draw_marker
from gui.widgets.printed_rows import ROW_HEIGHT, as_in_print, paint_ground, paint_ring


class TableDelegate(QStyledItemDelegate):
    """Paints one cell from roles: ground, line, marker, text, and the ring of the focus."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a cell."""
        paint_ground(painter, option, is_first=index.column() == 0)
        self._paint_text(painter, QRect(option.rect).adjusted(px(8), 0, -px(8), 0), index)
        paint_ring(painter, option)

    def _paint_text(
        self, painter: QPainter, place: QRect, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        roles, marked = palette(), index.data(MARKER_ROLE)
        if marked is not None:
            # Qt hands a condition back as plain text.
            name = str(marked)
            marker = roles.conditions[name] if name in roles.conditions else roles.generator(name)
            draw_marker(painter, marker, QPointF(place.left() + px(6), QRectF(place).center().y()), px(5))
            place = place.adjusted(px(18), 0, 0, 0)
        painter.setPen(roles.text)
        painter.setFont(font(13))
        text = painter.fontMetrics().elidedText(
            str(index.data() or ""), Qt.TextElideMode.ElideRight, place.width()
        )
        painter.drawText(place, index.data(Qt.ItemDataRole.TextAlignmentRole), text)


class Table(QTableView):
    """A table view over a `RowsModel`; `moved(row value)` when another row is current, `opened` on Enter."""

    moved = Signal(object)
    opened = Signal(object)

    def __init__(self, model: RowsModel, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setAccessibleName(name)
        self.setItemDelegate(TableDelegate(self))
        as_in_print(self)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)  # in the order the rows came
        self.setSortingEnabled(True)
        self._set_heights()
        self.selectionModel().currentRowChanged.connect(self._on_current)
        self.activated.connect(self._on_activated)

    def set_widths(self, *widths: int) -> None:
        """Widths of the columns in px at 100 %, the last one taking the rest."""
        for column, width in enumerate(widths):
            self.setColumnWidth(column, px(width))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the row."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().data(ITEM_ROLE))
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """A new scale gives new rows."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._set_heights()

    def _set_heights(self) -> None:
        self.verticalHeader().setDefaultSectionSize(px(ROW_HEIGHT))
        self.horizontalHeader().setFixedHeight(px(30))

    def _on_current(self, current: QModelIndex, _before: QModelIndex) -> None:
        self.moved.emit(current.data(ITEM_ROLE) if current.isValid() else None)

    def _on_activated(self, index: QModelIndex) -> None:
        self.opened.emit(index.data(ITEM_ROLE))
