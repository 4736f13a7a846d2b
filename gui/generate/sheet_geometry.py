"""Where pictures stand that are grouped by prompt: a line of words, then rows of squares; no painting."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect

from gui.fonts import px

HEAD, GAP, BELOW, EDGE = 28, 8, 14, 3
SMALLEST_SIDE, SIDE_FOR_TEN = 84, 120

Place = tuple[int, int]
"""Number of a group, and of a cell in it."""


class SheetGeometry:
    """Places of all cells; `cells` is how many each group has."""

    def __init__(self, cells: Sequence[int], width: int) -> None:
        self._cells = tuple(cells)
        self._room = max(width - px(2 * EDGE), 1)
        self.columns = columns_in(self._room, max(cells, default=1))
        self.side = max((self._room - (self.columns - 1) * px(GAP)) // self.columns, 1)
        self._tops: list[int] = []
        top = 0
        for number in self._cells:
            self._tops.append(top)
            top += px(HEAD) + self._rows(number) * (self.side + px(GAP)) + px(BELOW)
        self.height = top

    def head(self, group: int) -> QRect:
        """The line of words over a group."""
        return QRect(px(EDGE), self._tops[group], self._room, px(HEAD))

    def place(self, group: int, cell: int) -> QRect:
        """The square of a cell."""
        row, column = divmod(cell, self.columns)
        step = self.side + px(GAP)
        top = self._tops[group] + px(HEAD) + row * step
        return QRect(px(EDGE) + column * step, top, self.side, self.side)

    def groups_in(self, top: int, bottom: int) -> range:
        """Groups of which something lies between two heights."""
        first = max(bisect_right(self._tops, top) - 1, 0)
        return range(first, bisect_right(self._tops, bottom))

    def cell_at(self, point: QPoint) -> Place | None:
        """The cell under a point."""
        for group in self.groups_in(point.y(), point.y()):
            for cell in range(self._cells[group]):
                if self.place(group, cell).contains(point):
                    return group, cell
        return None

    def step(self, at: Place, across: int, down: int, filled: Sequence[int]) -> Place:
        """The filled cell next to one; at an end the same. `filled` is how many each group has."""
        group, cell = at
        if across:
            wanted = cell + across
            if 0 <= wanted < filled[group]:
                return group, wanted
            group += across
            if not 0 <= group < len(filled):
                return at
            return group, 0 if across > 0 else filled[group] - 1
        row, column = divmod(cell, self.columns)
        rows = [(one, line) for one in range(len(filled)) for line in range(self._rows(filled[one]))]
        wanted = rows.index((group, row)) + down
        if not 0 <= wanted < len(rows):
            return at
        group, row = rows[wanted]
        return group, min(row * self.columns + column, filled[group] - 1)

    def _rows(self, cells: int) -> int:
        return -(-cells // self.columns)


def columns_in(width: int, cells: int) -> int:
    """Ten side by side where there is room for ten, else five, else as many as are large enough."""
    if cells > 5 and (width + px(GAP)) // 10 >= px(SIDE_FOR_TEN):
        return 10
    return min(5, max(width // px(SMALLEST_SIDE), 1))
