"""A list to check things off, painted from roles: a box with an edge, filled and ticked when checked."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gui.fonts import font, px
from gui.icons import draw_icon
from gui.palette import palette

SIDE = 16


def draw_check(painter: QPainter, box: QRectF, is_checked: bool, is_enabled: bool = True) -> None:
    """Paint the box of a check box."""
    roles = palette()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if is_checked and is_enabled:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(roles.accent)
        painter.drawRoundedRect(box, px(3), px(3))
    else:
        painter.setPen(QPen(roles.edge if is_enabled else roles.line, 1))
        painter.setBrush(roles.surface)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), px(3), px(3))
    if is_checked:
        draw_icon(painter, "check", "on_accent" if is_enabled else "faint", box)
    painter.restore()


class _CheckDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(px(120), px(26))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        roles, place = palette(), QRectF(option.rect)
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(place, roles.hover)
        box = QRectF(place.left() + px(8), place.center().y() - px(SIDE) / 2, px(SIDE), px(SIDE))
        state = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole) or 0)
        draw_check(painter, box, state is Qt.CheckState.Checked)
        painter.setPen(roles.text)
        painter.setFont(font(13))
        words = place.adjusted(px(SIDE + 16), 0, 0, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, index.data())
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(roles.focus, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(place.adjusted(1, 1, -1, -1))


class CheckList(QListWidget):
    """A list to check things off: a press or Space toggles; `toggled` says that something changed."""

    toggled = Signal()

    def __init__(self, captions: tuple[str, ...], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setItemDelegate(_CheckDelegate(self))
        self.setMouseTracking(True)
        self.setProperty("kind", "boxed")
        self.fill(captions)

    def fill(self, captions: tuple[str, ...]) -> None:
        """Show other things to check off, none of them checked."""
        self.clear()
        for caption in captions:
            item = QListWidgetItem(caption, self)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            item.setCheckState(Qt.CheckState.Unchecked)

    @property
    def checked(self) -> tuple[int, ...]:
        """Rows that are checked."""
        rows = range(self.count())
        return tuple(row for row in rows if self.item(row).checkState() is Qt.CheckState.Checked)

    def toggle(self, row: int) -> None:
        """Check or uncheck a row."""
        item = self.item(row)
        is_checked = item.checkState() is Qt.CheckState.Checked
        item.setCheckState(Qt.CheckState.Unchecked if is_checked else Qt.CheckState.Checked)
        self.toggled.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press toggles the row under the pointer."""
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            self.toggle(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space toggles the current row."""
        if event.key() == Qt.Key.Key_Space and self.currentRow() >= 0:
            self.toggle(self.currentRow())
        else:
            super().keyPressEvent(event)
