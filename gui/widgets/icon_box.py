"""An icon on its own in a row of captions."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.fonts import px
from gui.icons import draw_icon


class IconBox(QWidget):
    """An icon as a small widget that follows the theme."""

    def __init__(self, name: str, role: str = "text", size: int = 16) -> None:
        super().__init__()
        self._name, self._role, self._side = name, role, size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Square."""
        return QSize(px(self._side), px(self._side))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the icon in the current palette."""
        draw_icon(QPainter(self), self._name, self._role, self.rect().toRectF())
