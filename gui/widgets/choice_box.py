"""A box to choose one of several: the wheel changes it only while it has the focus."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget

from gui.fonts import px, width_of


class ChoiceBox(QComboBox):
    """`chosen(caption)` when a person or `choose` picked another."""

    chosen = Signal(str)

    def __init__(self, captions: Sequence[str], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.addItems(captions)
        self.currentTextChanged.connect(self._on_changed)

    def set_captions(self, captions: Sequence[str]) -> None:
        """Offer others; what is chosen stays if it is among them, else the first is."""
        if [self.itemText(at) for at in range(self.count())] == list(captions):
            return
        before = self.currentText()
        self.blockSignals(True)
        self.clear()
        self.addItems(list(captions))
        at = self.findText(before)
        self.setCurrentIndex(max(at, 0))
        self.blockSignals(False)
        self.updateGeometry()
        if self.currentText() != before:
            self.chosen.emit(self.currentText())

    def choose(self, caption: str) -> None:
        """Choose one that is offered."""
        self.setCurrentIndex(max(self.findText(caption), 0))

    def sizeHint(self) -> QSize:
        """As wide as the longest caption with the arrow."""
        words = [self.itemText(at) for at in range(self.count())]
        widest = max((width_of(word) for word in words), default=px(60))
        return QSize(widest + px(44), px(30))

    def minimumSizeHint(self) -> QSize:
        """It may lose the end of a long caption, not its arrow."""
        return QSize(px(80), px(30))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """An unfocused box is scrolled past, not changed."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def _on_changed(self, caption: str) -> None:
        self.chosen.emit(caption)
