"""A drop-down of a few words with our own arrow; for choices that are too many for a segmented control."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from gui.fonts import px, width_of
from gui.icons import draw_icon


class Choice(QComboBox):
    """`chosen(index)` when another entry was chosen, by person or program. The wheel changes nothing."""

    chosen = Signal(int)

    def __init__(self, words: Sequence[str], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setMaxVisibleItems(18)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_words(words)
        self.currentIndexChanged.connect(self.chosen)

    def set_words(self, words: Sequence[str], usual: int = 0) -> None:
        """Offer other entries; the chosen one stays chosen if it is among them, else the usual one is."""
        before = self.currentText()
        was_blocked = self.blockSignals(True)
        self.clear()
        self.addItems(list(words))
        at = self.findText(before) if before else -1
        self.setCurrentIndex(at if at >= 0 else usual)
        self.blockSignals(was_blocked)
        widest = max((width_of(word) for word in words), default=0)
        self.setFixedWidth(min(widest, px(230)) + px(50))

    def choose(self, index: int) -> None:
        """Choose an entry."""
        self.setCurrentIndex(index)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolling past must not change a choice."""
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the list, as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.showPopup()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The frame as styled, the arrow our own."""
        super().paintEvent(event)
        side = px(14)
        place = QRectF(self.width() - side - px(7), (self.height() - side) / 2, side, side)
        draw_icon(QPainter(self), "down", "muted" if self.isEnabled() else "faint", place)
