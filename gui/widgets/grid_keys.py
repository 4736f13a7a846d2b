"""The arrow keys in a grid of pictures."""

from __future__ import annotations

from PySide6.QtCore import Qt


def arrow_step(key: int, columns: int) -> int | None:
    """How many places an arrow key moves in rows of so many columns; None for another key."""
    steps = {
        Qt.Key.Key_Left: -1,
        Qt.Key.Key_Right: 1,
        Qt.Key.Key_Up: -columns,
        Qt.Key.Key_Down: columns,
    }
    return steps.get(Qt.Key(key))
