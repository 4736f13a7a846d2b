"""How the coverage grid is painted: heat by steps, hollow where nothing is, failures in words of red."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from gui.fonts import font, px
from gui.models.coverage import Cell, in_words
from gui.palette import palette
from gui.widgets.marker import draw_marker
from gui.words import percent_down, thousands

if TYPE_CHECKING:
    from gui.widgets.coverage_grid import CoverageGrid

_MIDDLE_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_MIDDLE_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


def paint_body(painter: QPainter, grid: CoverageGrid, across: int, down: int, area: QRect) -> None:
    """Paint the rows that are in sight: cells first, the frozen role column over them."""
    made = grid.geometry_now
    first = max((area.top() - made.header + down) // made.pitch, 0)
    last = min((area.bottom() - made.header + down) // made.pitch, len(grid.roles) - 1)
    painter.fillRect(area, palette().surface)
    for row in range(first, last + 1):
        _paint_row(painter, grid, row, across, down)
    _paint_focus(painter, grid)


def _paint_row(painter: QPainter, grid: CoverageGrid, row: int, across: int, down: int) -> None:
    made, roles, table = grid.geometry_now, palette(), grid.table
    assert table is not None
    top = made.header + row * made.pitch - down
    is_focused = grid.focused is not None and grid.focused[0] == row
    if is_focused:
        painter.fillRect(0, top - 1, grid.viewport().width(), made.pitch, roles.hover)
    for column in range(made.generators * made.conditions):
        key = grid.key_at((row, column))
        if key is not None:
            rect = made.cell(row, column).translated(-across, -down)
            _paint_cell(painter, rect, table.cell(grid.layer, key), grid.hovered == (row, column))
    left = QRect(0, top - 1, made.roles - px(6), made.pitch)
    painter.fillRect(left, roles.hover if is_focused else roles.surface)
    if table.is_in_human_study(grid.roles[row]):
        painter.fillRect(px(2), top + made.pitch // 2 - px(3) - 1, px(5), px(5), roles.mark)
    painter.setPen(roles.text)
    painter.setFont(font(13, is_focused))
    words = left.adjusted(px(14), 0, 0, 0)
    name = QFontMetrics(painter.font()).elidedText(
        in_words(grid.roles[row]), Qt.TextElideMode.ElideRight, words.width()
    )
    painter.drawText(words, _MIDDLE_LEFT, name)


def _paint_cell(painter: QPainter, rect: QRect, cell: Cell, is_hovered: bool) -> None:
    roles = palette()
    painter.fillRect(rect, roles.coverage[cell.step])
    if cell.step == 0 or is_hovered:
        painter.setPen(QPen(roles.edge if is_hovered else roles.line, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5))
    painter.setFont(font(12))
    if 0 < cell.done < cell.whole and not cell.failed:
        painter.setPen(roles.text)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, thousands(cell.done))
    if cell.failed:
        _paint_failed(painter, rect, cell)


def _paint_failed(painter: QPainter, rect: QRect, cell: Cell) -> None:
    roles = palette()
    painter.setFont(font(12, True))
    words = f"! {thousands(cell.failed)}"
    width = QFontMetrics(painter.font()).horizontalAdvance(words) + px(8)
    box = QRect(rect.right() - width - px(2), rect.top() + px(2), width, rect.height() - px(4))
    painter.fillRect(box, roles.surface)
    painter.setPen(roles.danger)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


def _paint_focus(painter: QPainter, grid: CoverageGrid) -> None:
    if grid.focused is None:
        return
    rect = QRectF(grid.cell_rect(*grid.focused))
    if rect.left() < grid.geometry_now.roles - px(8):
        return  # scrolled under the frozen column
    has_keyboard = grid.hasFocus()
    width = 2 if has_keyboard else 1
    painter.setPen(QPen(palette().focus if has_keyboard else palette().edge, width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inset = width / 2 if not has_keyboard else 0
    painter.drawRect(rect.adjusted(inset, inset, -inset, -inset))


def paint_header(painter: QPainter, grid: CoverageGrid, across: int) -> None:
    """Paint generators, percentages and conditions, and the line below them."""
    made, roles, table = grid.geometry_now, palette(), grid.table
    assert table is not None
    painter.fillRect(0, 0, grid.viewport().width(), made.header, roles.surface)
    for number, generator in enumerate(table.generators):
        left = made.group_left(number) - across
        if left + made.group_width > made.roles:
            _paint_group(painter, grid, generator, left)
    painter.fillRect(0, 0, made.roles - px(6), made.header, roles.surface)
    painter.setPen(roles.muted)
    painter.setFont(font(12))
    low = QRect(px(14), made.header - px(26), made.roles, px(20))
    painter.drawText(low, _MIDDLE_LEFT, "role")
    painter.fillRect(0, made.header - px(4), grid.viewport().width(), 1, roles.edge)


def _paint_group(painter: QPainter, grid: CoverageGrid, generator: str | None, left: int) -> None:
    made, roles, table = grid.geometry_now, palette(), grid.table
    assert table is not None
    top = QRect(left, px(6), made.group_width, px(22))
    total = table.total(grid.layer, generator)
    share = percent_down(total.done, total.whole)
    painter.setPen(roles.muted)
    painter.setFont(font(12))
    painter.drawText(top, _MIDDLE_RIGHT, share)
    room = made.group_width - QFontMetrics(painter.font()).horizontalAdvance(share) - px(28)
    if generator is not None:
        draw_marker(painter, roles.generator(generator), QPointF(left + px(7), top.center().y() + 1), px(6))
    painter.setPen(roles.text)
    painter.setFont(font(13, True))
    name = QFontMetrics(painter.font()).elidedText(
        generator or "no generator yet", Qt.TextElideMode.ElideRight, room
    )
    painter.drawText(top.adjusted(px(20), 0, 0, 0), _MIDDLE_LEFT, name)
    painter.setPen(roles.muted)
    painter.setFont(font(12))
    for within, condition in enumerate(table.conditions):
        cell = made.cell(0, within)
        place = QRect(left + cell.left() - made.group_left(0), made.header - px(26), made.cell_width, px(20))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(condition or "none"))
