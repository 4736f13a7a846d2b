"""Where the parts of the coverage grid are, in px of the whole grid before scrolling."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect

from gui.fonts import px, width_of

NARROWEST_CELL = 44
WIDEST_CELL = 220
NARROWEST_ROLES = 132


@dataclass(frozen=True, slots=True)
class CoverageGeometry:
    """`roles` is the width of the frozen role column; columns of one generator stand close together."""

    roles: int = 0
    header: int = 0
    pitch: int = 1
    cell_width: int = 1
    gap: int = 0
    group_gap: int = 0
    generators: int = 0
    conditions: int = 0

    @property
    def group_width(self) -> int:
        """Width of one generator's columns."""
        return self.conditions * self.cell_width + (self.conditions - 1) * self.gap

    @property
    def width(self) -> int:
        """Width of the whole grid."""
        return self.roles + self.generators * (self.group_width + self.group_gap)

    def height(self, rows: int) -> int:
        """Height of so many rows without the header."""
        return rows * self.pitch

    def rows_in(self, height: int) -> int:
        """How many whole rows are seen at this height of the viewport."""
        return max((height - self.header) // self.pitch, 1)

    def group_left(self, number: int) -> int:
        """Left edge of a generator's columns."""
        return self.roles + number * (self.group_width + self.group_gap)

    def cell(self, row: int, column: int) -> QRect:
        """The rectangle of one cell."""
        group, within = divmod(column, max(self.conditions, 1))
        left = self.group_left(group) + within * (self.cell_width + self.gap)
        return QRect(left, self.header + row * self.pitch, self.cell_width, self.pitch - self.gap)

    def place_at(self, point: QPoint) -> tuple[int, int] | None:
        """(row, column) of the cell at a point, None beside the cells."""
        row = (point.y() - self.header) // self.pitch
        for column in range(self.generators * self.conditions):
            rect = self.cell(row, column)
            if row >= 0 and rect.left() <= point.x() <= rect.right():
                return row, column
        return None


def measured(width: int, words: int, generators: int, conditions: int) -> CoverageGeometry:
    """Geometry for a viewport of this width: cells share it, but never get narrower than a number needs."""
    group_gap, gap = px(14), px(2)
    columns = max(generators * conditions, 1)
    without_roles = width - generators * group_gap - generators * (conditions - 1) * gap
    narrowest = max(px(NARROWEST_CELL), width_of("CA-U", 12) + px(8))
    # Where room is short, the longest role names are shortened before any column scrolls out of sight.
    roles = min(words + px(34), max(without_roles - columns * narrowest, px(NARROWEST_ROLES)))
    cell = min(max((without_roles - roles) // columns, narrowest), px(WIDEST_CELL))
    return CoverageGeometry(
        roles=roles,
        header=px(58),
        pitch=px(24),
        cell_width=cell,
        gap=gap,
        group_gap=group_gap,
        generators=generators,
        conditions=conditions,
    )
