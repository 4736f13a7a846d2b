"""A column that scrolls up and down and never sideways; what has the focus is kept in sight."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from gui.fonts import px


class ScrollColumn(QScrollArea):
    """Add widgets to `column`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inner = QWidget()
        self._inner.setProperty("kind", "scrolled")
        self.column = QVBoxLayout(self._inner)
        self.column.setContentsMargins(0, 0, px(8), 0)
        self.column.setSpacing(px(8))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(self._inner)

    def keep_in_sight(self, of: QWidget, place: QRect) -> None:
        """Scroll as little as is needed to show a place of a widget in the column."""
        corner = of.mapTo(self._inner, place.topLeft())
        self.ensureVisible(
            corner.x() + place.width() // 2, corner.y() + place.height() // 2, 0, place.height() // 2 + px(12)
        )

    def to_top(self) -> None:
        """Show the beginning."""
        self.verticalScrollBar().setValue(0)
