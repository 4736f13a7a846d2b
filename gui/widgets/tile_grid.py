"""The stage: the pictures of one image set, all always visible, as large as the window allows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Signal
from PySide6.QtGui import QCursor, QPainter, QPaintEvent, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from gui import fonts
from gui.palette import palette
from gui.widgets.grid_geometry import COLUMNS, GridGeometry, grid_geometry
from gui.widgets.tile import STRIP, WIDE_STRIP, Tile

MOST = 10
WIDE_FROM = 1500
"""Window width from which strips, bars and steps get their wider figures."""


class TileGrid(QWidget):
    """Ten tiles, fewer shown when a set has fewer; it lays them out and passes their signals on."""

    pressed = Signal(int)
    zoom_wanted = Signal(int, int)
    side_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tiles = tuple(Tile(position, self) for position in range(MOST))
        self._count = MOST
        self._side = 0
        for tile in self.tiles:
            tile.pressed.connect(self.pressed)
            tile.zoom_wanted.connect(self.zoom_wanted)
        self.setAccessibleName("images")

    @property
    def count(self) -> int:
        """How many pictures this set has."""
        return self._count

    @property
    def side(self) -> int:
        """Side of a picture now."""
        return self._side

    @property
    def shown(self) -> Sequence[Tile]:
        """The tiles of this set."""
        return self.tiles[: self._count]

    def set_count(self, count: int) -> None:
        """Show the first `count` tiles."""
        if count != self._count:
            self._count = count
            for tile in self.tiles:
                tile.setVisible(tile.position < count)
            self._lay_out()

    def set_keys(self, keys: Sequence[str], *, is_markable: bool = True) -> None:
        """Print the image keys in the strips."""
        for tile, key in zip(self.tiles, keys, strict=True):
            tile.set_key(key, is_markable=is_markable)

    def set_marks(self, positions: frozenset[int]) -> None:
        """Mark exactly these positions; tiles that stay as they were are not repainted."""
        for tile in self.tiles:
            tile.set_marked(tile.position in positions)

    def show_picture(self, position: int, picture: QPixmap | None) -> None:
        """Show one decoded picture."""
        self.tiles[position].set_picture(picture)

    def position_at_pointer(self) -> int | None:
        """Position under the pointer, else the one with key focus, else None."""
        pointer = self.mapFromGlobal(QCursor.pos())
        for tile in self.shown:
            if tile.isVisible() and tile.body.translated(tile.pos()).contains(pointer):
                return tile.position
        return self.position_in_focus()

    def position_in_focus(self) -> int | None:
        """Position that has key focus, None when none has."""
        return next((tile.position for tile in self.shown if tile.hasFocus()), None)

    def neighbour(self, position: int, across: int, down: int) -> int:
        """Position reached from another by arrow keys; the edge holds."""
        column = position % COLUMNS + across
        there = position // COLUMNS * COLUMNS + column + COLUMNS * down
        is_inside = 0 <= column < COLUMNS and 0 <= there < self._count
        return there if is_inside else position

    def geometry_now(self) -> GridGeometry:
        """Where the pictures stand in the window as it is."""
        strip = WIDE_STRIP if self.window().width() >= WIDE_FROM else STRIP
        return grid_geometry(self.width(), self.height(), self._count, fonts.px(strip))

    def minimumSizeHint(self) -> QSize:
        """Small enough for every window that is allowed."""
        return QSize(400, 240)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out anew."""
        self._lay_out()

    def relayout(self) -> None:
        """Lay out anew after a change of scale."""
        self._lay_out()

    def _lay_out(self) -> None:
        found = self.geometry_now()
        for tile, (x, y) in zip(self.shown, found.corners, strict=True):
            tile.place(QPointF(x, y), found.side, found.strip)
        if found.side != self._side:
            self._side = found.side
            self.side_changed.emit(found.side)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel changes nothing on the stage."""
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The stage is achromatic, as a coloured surround shifts how skin, hair and light are judged."""
        QPainter(self).fillRect(event.rect(), palette().stage)
