"""A whole number to type: arrow keys step, and the wheel changes it only while it has the focus."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QSpinBox, QWidget

from gui.fonts import px


class NumberBox(QSpinBox):
    """A number from `least` to `most`."""

    def __init__(self, least: int, most: int, value: int, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(least, most)
        self.setValue(value)
        self.setAccessibleName(name)
        self.setFixedWidth(px(120))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.lineEdit().setTextMargins(px(8), 0, px(8), 0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """An unfocused number is scrolled past, not changed."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
