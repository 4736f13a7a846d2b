"""The coverage grid: roles down, generators × conditions across, painted by hand, one cell in focus."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from core.records import Condition
from gui.fonts import px, width_of
from gui.models.coverage import CoverageTable, Key, Layer, in_words
from gui.widgets.coverage_geometry import CoverageGeometry, measured
from gui.widgets.coverage_painting import paint_body, paint_header

_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class CoverageGrid(QAbstractScrollArea):
    """A grid over a `CoverageTable`: arrows move, Enter or a double click opens, the pointer is shown.

    Signals: `moved(Key or None)` when another cell has the focus; `opened(Key)`.
    """

    moved = Signal(object)
    opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Coverage: roles by generator and condition")
        self.viewport().setMouseTracking(True)
        self._beside_header = QWidget()
        self.addScrollBarWidget(self._beside_header, Qt.AlignmentFlag.AlignTop)
        self.table: CoverageTable | None = None
        self.layer = Layer.IMAGES
        self.roles: tuple[str, ...] = ()
        self.focused: tuple[int, int] | None = None
        self.hovered: tuple[int, int] | None = None
        self.geometry_now = CoverageGeometry()

    def set_table(self, table: CoverageTable, layer: Layer, roles: Sequence[str]) -> None:
        """Show a table in one layer, only these roles; the focus stays on its cell if that is there."""
        before = self.current
        self.table, self.layer, self.roles = table, layer, tuple(roles)
        self.hovered = None
        self.focused = self._place_of(before) if before is not None else None
        self._lay_out()
        self._tell()
        self.viewport().update()

    @property
    def columns(self) -> tuple[tuple[str | None, Condition | None], ...]:
        """Generator and condition of each column, generators outside, conditions inside."""
        if self.table is None:
            return ()
        table = self.table
        return tuple(
            (generator, condition) for generator in table.generators for condition in table.conditions
        )

    @property
    def current(self) -> Key | None:
        """The cell in focus."""
        return self.key_at(self.focused)

    def key_at(self, place: tuple[int, int] | None) -> Key | None:
        """The cell at (row, column)."""
        if place is None or place[0] >= len(self.roles) or place[1] >= len(self.columns):
            return None
        generator, condition = self.columns[place[1]]
        return Key(self.roles[place[0]], generator, condition)

    def focus_cell(self, row: int, column: int) -> None:
        """Move the focus to a cell, kept within the grid and scrolled into view."""
        if not self.roles or not self.columns:
            return
        row = min(max(row, 0), len(self.roles) - 1)
        column = min(max(column, 0), len(self.columns) - 1)
        self.focused = (row, column)
        self._scroll_to(row, column)
        self._tell()
        self.viewport().update()

    def focus_key(self, key: Key) -> None:
        """Move the focus to a cell by its key, if it is shown."""
        place = self._place_of(key)
        if place is not None:
            self.focus_cell(*place)

    def cell_rect(self, row: int, column: int) -> QRect:
        """Where a cell is on the viewport."""
        return self.geometry_now.cell(row, column).translated(-self._across(), -self._down())

    # -- events ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home, End and pages move; Enter opens."""
        key = Qt.Key(event.key())
        row, column = self.focused or (0, 0)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.focused)
        elif key in _STEPS:
            down, right = _STEPS[key] if self.focused else (0, 0)
            self.focus_cell(row + down, column + right)
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            page = max(self.geometry_now.rows_in(self.viewport().height()) - 1, 1)
            self.focus_cell(row + (page if key == Qt.Key.Key_PageDown else -page), column)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._to_end(key == Qt.Key.Key_End, bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press focuses the cell under the pointer."""
        place = self._place_at(event.position().toPoint())
        if place is not None:
            self.focus_cell(*place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Everything was done at the press."""
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click opens the cell."""
        self._open(self._place_at(event.position().toPoint()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The cell under the pointer is outlined."""
        self._hover(self._place_at(event.position().toPoint()))

    def viewportEvent(self, event: QEvent) -> bool:
        """Leaving takes the outline away."""
        if event.type() == QEvent.Type.Leave:
            self._hover(None)
        return super().viewportEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The first cell takes the focus when none has it."""
        super().focusInEvent(event)
        if self.focused is None:
            self.focus_cell(0, 0)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Without the keyboard the ring becomes an edge."""
        super().focusOutEvent(event)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns share the width."""
        super().resizeEvent(event)
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        """A new font or scale gives new columns."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows in sight, then the header over them."""
        if self.table is None:
            return
        painter = QPainter(self.viewport())
        paint_body(painter, self, self._across(), self._down(), event.rect())
        paint_header(painter, self, self._across())

    # -- parts ----------------------------------------------------------------------------------

    def _place_of(self, key: Key) -> tuple[int, int] | None:
        column = (key.generator, key.condition)
        if key.role not in self.roles or column not in self.columns:
            return None
        return self.roles.index(key.role), self.columns.index(column)

    def _lay_out(self) -> None:
        if self.table is None:
            return
        words = max((width_of(in_words(role)) for role in self.table.roles), default=0)
        self.geometry_now = measured(
            self.viewport().width(), words, len(self.table.generators), len(self.table.conditions)
        )
        made = self.geometry_now
        self._beside_header.setFixedHeight(made.header)
        body = self.viewport().height() - made.header
        self.verticalScrollBar().setRange(0, max(made.height(len(self.roles)) - body, 0))
        self.verticalScrollBar().setPageStep(max(body, 1))
        self.verticalScrollBar().setSingleStep(made.pitch)
        self.horizontalScrollBar().setRange(0, max(made.width - self.viewport().width(), 0))
        self.horizontalScrollBar().setPageStep(self.viewport().width())
        self.horizontalScrollBar().setSingleStep(px(24))

    def _across(self) -> int:
        return self.horizontalScrollBar().value()

    def _down(self) -> int:
        return self.verticalScrollBar().value()

    def _place_at(self, point: QPoint) -> tuple[int, int] | None:
        if point.y() < self.geometry_now.header:
            return None
        wanted = self.geometry_now.place_at(point + QPoint(self._across(), self._down()))
        if wanted is None or wanted[0] >= len(self.roles):
            return None
        return wanted

    def _scroll_to(self, row: int, column: int) -> None:
        rect, made = self.cell_rect(row, column), self.geometry_now
        bar = self.verticalScrollBar()
        if rect.top() < made.header:
            bar.setValue(bar.value() + rect.top() - made.header)
        elif rect.bottom() > self.viewport().height():
            bar.setValue(bar.value() + rect.bottom() - self.viewport().height() + 1)
        bar = self.horizontalScrollBar()
        if rect.left() < made.roles:
            bar.setValue(bar.value() + rect.left() - made.roles)
        elif rect.right() > self.viewport().width():
            bar.setValue(bar.value() + rect.right() - self.viewport().width() + 1)

    def _to_end(self, is_last: bool, is_of_grid: bool) -> None:
        row, _ = self.focused or (0, 0)
        if is_of_grid:
            row = len(self.roles) - 1 if is_last else 0
        self.focus_cell(row, len(self.columns) - 1 if is_last else 0)

    def _hover(self, place: tuple[int, int] | None) -> None:
        if place != self.hovered:
            self.hovered = place
            self.viewport().update()

    def _open(self, place: tuple[int, int] | None) -> None:
        key = self.key_at(place)
        if key is not None:
            self.opened.emit(key)

    def _tell(self) -> None:
        key = self.current
        if key is not None and self.table is not None:
            cell = self.table.cell(self.layer, key)
            said = f"{in_words(key.role)}, {key.condition or 'no condition'}, {key.generator or ''}"
            self.setAccessibleDescription(f"{said}: {cell.done} of {cell.whole} {self.layer}")
        self.moved.emit(key)
