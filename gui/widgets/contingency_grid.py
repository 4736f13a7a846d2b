"""The counts table of two sides: the diagonal grey, what is off it in steps, so that disagreement is seen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.fonts import px, width_of
from gui.models.contingency import Cell, Contingency
from gui.widgets.contingency_painting import HEAD, ROW, paint_grid
from gui.words import counted

LEAST_COLUMN, GAP = 30, 2
WIDEST_NAMES = 130

_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class ContingencyGrid(QWidget):
    """One cell is current; `opened(row, column, Contingency)` when it changes by key or pointer.

    Rarer labels fold together where there is no room for all: `folded` when another width did that.
    """

    opened = Signal(int, int, object)
    folded = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole: Contingency | None = None
        self._shown: Contingency | None = None
        self.current: Cell | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)
        self.setAccessibleName("Counts")

    @property
    def shown(self) -> Contingency | None:
        """The table as it is shown, rarer labels folded."""
        return self._shown

    def show_table(self, table: Contingency | None) -> None:
        """Show another table; its fullest cell off the diagonal becomes current."""
        self._whole = table
        self._fold()
        self.current = self._shown.first_apart() if self._shown is not None else None
        self.updateGeometry()
        self.update()

    def go(self, row: int, column: int) -> None:
        """Make a cell current and say so."""
        table = self._shown
        if table is None or not table.categories:
            return
        self.current = (_nearest(row, table.rows), _nearest(column, table.columns))
        self.setAccessibleDescription(self.cell_words(self.current))
        self.update()
        self.opened.emit(*self.current, table)

    def cell_words(self, cell: Cell) -> str:
        """A cell in words: "5 image sets: A middle-aged, B young adult"."""
        table = self._shown
        if table is None:
            return ""
        one, two = table.categories[cell[0]].name, table.categories[cell[1]].name
        return f"{counted(table.count(*cell), table.unit)}: {table.side} {one}, {table.other} {two}"

    def sizeHint(self) -> QSize:
        """As high as its rows."""
        rows = len(self._shown.rows) + 1 if self._shown is not None else 0
        return QSize(px(300), px(HEAD) + rows * px(ROW) + px(4))

    # -- events ---------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More width, more labels."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            before = len(self._shown.categories) if self._shown is not None else 0
            self._fold()
            if self._shown is not None and len(self._shown.categories) != before:
                self.current = self._shown.first_apart()
                self.updateGeometry()
                self.folded.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move."""
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        table = self._shown
        if table is None or not table.categories:
            return
        row, column = self.current or (table.rows[0], table.columns[0])
        down, right = step if self.current is not None else (0, 0)
        self.go(_step(row, down, table.rows), _step(column, right, table.columns))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press makes the cell current."""
        cell = self.cell_at(event.position().toPoint().x(), event.position().toPoint().y())
        if cell is not None:
            self.go(*cell)

    def event(self, event: QEvent) -> bool:
        """Say a cell under the pointer in words."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            cell = self.cell_at(event.pos().x(), event.pos().y())
            QToolTip.showText(event.globalPos(), self.cell_words(cell) if cell else "", self)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring shows."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring becomes thinner."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Heads, cells, sums, and the ring of the current cell."""
        paint_grid(QPainter(self), self)

    # -- geometry -------------------------------------------------------------------------------

    def cell_rect(self, row: int, column: int) -> QRect:
        """Where the cell of two categories is."""
        table = self._shown
        if table is None:
            return QRect()
        down, across = table.rows.index(row), table.columns.index(column)
        left = self.names_width() + round(across * self.pitch())
        right = self.names_width() + round((across + 1) * self.pitch())
        return QRect(left, px(HEAD) + down * px(ROW), right - left - px(GAP), px(ROW) - px(GAP))

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell at a point."""
        table = self._shown
        if table is None or x < self.names_width() or y < px(HEAD):
            return None
        down, across = (y - px(HEAD)) // px(ROW), int((x - self.names_width()) / max(self.pitch(), 1))
        if down >= len(table.rows) or across >= len(table.columns):
            return None
        return table.rows[down], table.columns[across]

    def names_width(self) -> int:
        """Room for the names of the rows."""
        table = self._whole
        if table is None:
            return 0
        names = [width_of(one.name) for one in table.categories if one.name != one.key]
        widest = max([*names, width_of(table.side, 12, True) - px(22)])
        return min(widest, px(WIDEST_NAMES), self.width() // 3) + px(26)

    def sums_width(self) -> int:
        """Room for the sums of the rows."""
        return width_of("0 000", 12)

    def pitch(self) -> float:
        """From one column to the next."""
        count = len(self._shown.columns) if self._shown is not None else 0
        room = self.width() - self.names_width() - self.sums_width()
        return min(room / count, px(64)) if count else 0.0

    def _fold(self) -> None:
        if self._whole is None:
            self._shown = None
            return
        room = self.width() - self.names_width() - self.sums_width()
        self._shown = self._whole.folded(max(room // px(LEAST_COLUMN), 3))


def _nearest(wanted: int, among: tuple[int, ...]) -> int:
    return min(among, key=lambda one: abs(one - wanted))


def _step(at: int, step: int, among: tuple[int, ...]) -> int:
    """The category a step further among those that are shown."""
    place = among.index(at) if at in among else 0
    return among[min(max(place + step, 0), len(among) - 1)]
