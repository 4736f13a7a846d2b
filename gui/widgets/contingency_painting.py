"""How the counts table is painted: heads, names, cells by steps, sums, and the ring of the current cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from gui.fonts import font, px
from gui.models.contingency import Contingency
from gui.palette import palette
from gui.words import thousands

if TYPE_CHECKING:
    from gui.widgets.contingency_grid import ContingencyGrid

ROW, HEAD = 30, 44
_CENTRE = Qt.AlignmentFlag.AlignCenter
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


def paint_grid(painter: QPainter, grid: ContingencyGrid) -> None:
    """Paint the whole table."""
    table = grid.shown
    if table is None or not table.categories:
        return
    _paint_heads(painter, grid, table)
    for row in table.rows:
        _paint_name(painter, grid, table, row)
        for column in table.columns:
            _paint_cell(painter, grid.cell_rect(row, column), table, row, column)
    _paint_sums(painter, grid, table)
    if grid.current is not None:
        has_focus = grid.hasFocus()
        painter.setPen(QPen(palette().focus if has_focus else palette().edge, 2 if has_focus else 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(grid.cell_rect(*grid.current).adjusted(0, 0, -1, -1))


def _paint_heads(painter: QPainter, grid: ContingencyGrid, table: Contingency) -> None:
    roles, half, names = palette(), px(HEAD) // 2, grid.names_width()
    cells = QRect(names, 0, round(grid.pitch() * len(table.columns)), half)
    painter.setFont(font(12, True))
    painter.setPen(roles.text)
    painter.drawText(cells, _CENTRE, table.other)
    metrics = QFontMetrics(painter.font())
    side = metrics.elidedText(table.side, Qt.TextElideMode.ElideRight, names - px(6))
    painter.drawText(QRect(0, half, names, half), _LEFT, side)
    painter.setFont(font(12))
    painter.setPen(roles.muted)
    for column in table.columns:
        place = grid.cell_rect(table.rows[0], column)
        place.setTop(half)
        place.setHeight(half)
        category = table.categories[column]
        painter.drawText(place, _CENTRE, category.key or category.name[:2])
    wide = grid.sums_width()
    painter.drawText(QRect(grid.width() - wide, half, wide, half), _RIGHT, "all")


def _paint_name(painter: QPainter, grid: ContingencyGrid, table: Contingency, row: int) -> None:
    roles, category = palette(), table.categories[row]
    place = grid.cell_rect(row, table.columns[0])
    painter.setFont(font(12))
    painter.setPen(roles.muted)
    top, high = place.top(), place.height()
    painter.drawText(QRect(0, top, px(18), high), _LEFT, category.key)
    if category.name == category.key:
        return
    painter.setFont(font(13))
    painter.setPen(roles.text)
    room = grid.names_width() - px(22)
    name = QFontMetrics(painter.font()).elidedText(category.name, Qt.TextElideMode.ElideRight, room)
    painter.drawText(QRect(px(18), top, room, high), _LEFT, name)


def _paint_cell(painter: QPainter, place: QRect, table: Contingency, row: int, column: int) -> None:
    roles, count = palette(), table.count(row, column)
    is_agreed = table.is_agreement(row, column)
    ground = roles.sunken if is_agreed and count else roles.coverage[table.step(row, column)]
    painter.fillRect(place, ground)
    if not count:
        painter.setPen(QPen(roles.line, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5))
        return
    painter.setFont(font(13, not is_agreed))
    painter.setPen(roles.muted if is_agreed else roles.text)
    painter.drawText(place, _CENTRE, thousands(count))


def _paint_sums(painter: QPainter, grid: ContingencyGrid, table: Contingency) -> None:
    roles, wide = palette(), grid.sums_width()
    bottom = px(HEAD) + len(table.rows) * px(ROW)
    painter.fillRect(0, bottom, grid.width(), 1, roles.edge)
    painter.setFont(font(12))
    painter.setPen(roles.muted)
    for row in table.rows:
        place = grid.cell_rect(row, table.columns[0])
        right = QRect(grid.width() - wide, place.top(), wide, place.height())
        painter.drawText(right, _RIGHT, thousands(table.row_sum(row)))
    painter.drawText(QRect(0, bottom, px(60), px(ROW)), _LEFT, "all")
    for column in table.columns:
        place = grid.cell_rect(table.rows[0], column)
        below = QRect(place.left(), bottom, place.width(), px(ROW))
        painter.drawText(below, _CENTRE, thousands(table.column_sum(column)))
    painter.setFont(font(12, True))
    painter.setPen(roles.text)
    painter.drawText(QRect(grid.width() - wide, bottom, wide, px(ROW)), _RIGHT, thousands(table.total))
