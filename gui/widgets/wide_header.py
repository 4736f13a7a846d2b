"""The header of a wide table: titles in 12 px muted, the column in focus or sorted by in bold."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtWidgets import QHeaderView, QToolTip, QWidget

from gui.fonts import font, px
from gui.models.columns import GridColumn
from gui.palette import palette

HEADER_HEIGHT, MARGIN = 30, 8
TIP_WIDTH = 76
"""Signs in a line of an explanation."""


class WideHeader(QHeaderView):
    """Asks the model for its `columns`; a subclass paints the title of a column with an axis."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.focused = -1
        self.setHighlightSections(False)
        self.setMinimumSectionSize(px(10))
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setAccessibleName("Columns")

    def sizeHint(self) -> QSize:
        """One line of titles."""
        return QSize(super().sizeHint().width(), px(HEADER_HEIGHT))

    def set_focused(self, section: int) -> None:
        """Set the title of one column in bold."""
        if section != self.focused:
            self.focused = section
            self.viewport().update()

    def column(self, logical: int) -> GridColumn | None:
        """The column of a section."""
        columns: Sequence[GridColumn] = getattr(self.model(), "columns", ())
        return columns[logical] if 0 <= logical < len(columns) else None

    def place_of(self, logical: int) -> QRect:
        """Where a title is on the viewport."""
        return QRect(self.sectionViewportPosition(logical), 0, self.sectionSize(logical), self.height())

    def paintSection(self, painter: QPainter, rect: QRect, logical: int) -> None:
        """Paint one title with the line below it."""
        roles, column = palette(), self.column(logical)
        painter.fillRect(rect, roles.surface)
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, roles.edge)
        if column is not None:
            painter.save()
            self.paint_title(painter, rect.adjusted(px(MARGIN), 0, -px(MARGIN), -1), column, logical)
            painter.restore()

    def paint_title(self, painter: QPainter, place: QRect, column: GridColumn, logical: int) -> None:
        """Paint the words of one title, with an arrow when it is sorted by."""
        is_sorted = self.isSortIndicatorShown() and self.sortIndicatorSection() == logical
        is_bold = is_sorted or logical == self.focused
        is_up = self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        arrow = ("↑ " if is_up else "↓ ") if is_sorted else ""
        painter.setFont(font(12, is_bold))
        painter.setPen(palette().text if is_bold else palette().muted)
        across = Qt.AlignmentFlag.AlignRight if column.is_number else Qt.AlignmentFlag.AlignLeft
        painter.drawText(place, across | Qt.AlignmentFlag.AlignVCenter, arrow + column.title)

    def viewportEvent(self, event: QEvent) -> bool:
        """Say what a title means."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            column = self.column(self.logicalIndexAt(QPoint(event.pos().x(), 1)))
            said = [column.tip, fill(column.meaning, TIP_WIDTH)] if column else []
            QToolTip.showText(event.globalPos(), "\n".join(filter(None, said)), self)
            return True
        return super().viewportEvent(event)
