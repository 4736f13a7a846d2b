"""Looking closer: hold to peek, lock to zoom, pick two to compare. Moves nothing but the view."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from gui.annotate.zoom import Zoom
from gui.widgets.tile_grid import TileGrid


class Looking(QObject):
    """What is looked at, and how one gets out of it.

    `hint(words)` asks for a hint beside the question while two pictures are being picked; empty ends it.
    `home` asks for the key focus back.
    """

    hint = Signal(str)
    home = Signal()

    def __init__(self, grid: TileGrid, zoom: Zoom, parent: QWidget) -> None:
        super().__init__(parent)
        self._grid = grid
        self._zoom = zoom
        self._picked: list[int] | None = None

    @property
    def is_picking(self) -> bool:
        """Whether image keys pick pictures to compare now."""
        return self._picked is not None

    @property
    def is_looking(self) -> bool:
        """Whether the zoom lies over the stage."""
        return bool(self._zoom.positions)

    def peek(self) -> None:
        """Show the picture under the pointer or in focus at full size until the key is let go."""
        position = self._grid.position_at_pointer()
        if position is not None and not self._zoom.is_locked:
            self._zoom.look((position,), is_locked=False)

    def end_peek(self) -> None:
        """The key was let go."""
        if self.is_looking and not self._zoom.is_locked:
            self._zoom.leave()

    def toggle_lock(self) -> None:
        """Into zoom lock, or out of it."""
        if self._zoom.is_locked:
            self.leave()
            return
        position = self._zoom.positions[0] if self.is_looking else self._grid.position_at_pointer()
        self._lock((position if position is not None else 0,))

    def zoom_at(self, position: int, delta: int) -> None:
        """Ctrl and wheel over a tile."""
        if delta > 0:
            self._lock((position,))
            self._zoom.zoom_by_wheel(delta)

    def toggle_compare(self) -> None:
        """Begin to pick two pictures, or end the comparison."""
        if self.is_picking or len(self._zoom.positions) == 2:
            self.leave()
            return
        self._zoom.leave()
        self._picked = []
        self.hint.emit("compare: press two image keys")

    def pick(self, position: int) -> None:
        """Take one of the two pictures to compare."""
        if self._picked is None or position in self._picked or position >= self._grid.count:
            return
        self._picked.append(position)
        if len(self._picked) == 1:
            self.hint.emit(f"compare {position + 1} with: press an image key")
            return
        pair = (self._picked[0], self._picked[1])
        self._picked = None
        self.hint.emit("")
        self._lock(pair)

    def leave(self) -> bool:
        """Out of everything; False when there was nothing to get out of."""
        was_on = self.is_looking or self.is_picking
        if self.is_picking:
            self._picked = None
            self.hint.emit("")
        if self.is_looking:
            self._zoom.leave()
            self.home.emit()
        return was_on

    def arrow(self, dx: int, dy: int) -> bool:
        """Pan by an arrow key; False outside zoom lock."""
        if not self._zoom.is_locked:
            return False
        self._zoom.pan_by_key(dx, dy)
        return True

    def _lock(self, positions: tuple[int, ...]) -> None:
        self._zoom.look(positions, is_locked=True)
        self._zoom.setFocus(Qt.FocusReason.OtherFocusReason)
