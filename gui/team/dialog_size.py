"""How large a dialog may be: as large as it wishes, and no larger than the window it belongs to."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from gui.fonts import px

MARGIN = 24


def fitting(owner: QWidget | None, width: float, height: float) -> QSize:
    """A size in px of the design, within the owner's window."""
    wished = QSize(px(width), px(height))
    if owner is None:
        return wished
    room = owner.window().size() - QSize(MARGIN, MARGIN)
    return wished.boundedTo(room)
