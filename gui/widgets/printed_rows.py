"""How rows of tables look, as in print: horizontal lines only, the row tinted, a ring on the focused cell."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem, QTableView

from gui.fonts import px
from gui.palette import palette

ROW_HEIGHT = 30


def as_in_print(view: QTableView) -> None:
    """No grid, no row names; whole rows are chosen, and nothing is edited."""
    view.setShowGrid(False)
    view.setMouseTracking(True)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setTabKeyNavigation(False)
    view.setWordWrap(False)
    view.setCornerButtonEnabled(False)
    view.verticalHeader().hide()


def paint_ground(painter: QPainter, option: QStyleOptionViewItem, *, is_first: bool) -> None:
    """Ground and line of a cell, and the bar of a chosen row in its first column."""
    roles, place = palette(), QRect(option.rect)
    is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
    is_over = bool(option.state & QStyle.StateFlag.State_MouseOver)
    painter.fillRect(place, roles.accent_soft if is_chosen else roles.hover if is_over else roles.surface)
    painter.fillRect(place.left(), place.bottom(), place.width(), 1, roles.line)
    if is_chosen and is_first:
        painter.fillRect(place.left(), place.top(), px(3), place.height(), roles.accent)


def paint_ring(painter: QPainter, option: QStyleOptionViewItem) -> None:
    """The ring of the cell that has the keyboard."""
    if option.state & QStyle.StateFlag.State_HasFocus:
        painter.setPen(QPen(palette().focus, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRect(option.rect).adjusted(1, 1, -1, -2))
