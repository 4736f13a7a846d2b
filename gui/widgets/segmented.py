"""A segmented control: one of a few, arrow keys move, the chosen one is tinted and bold."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from gui.fonts import px, width_of


class Segmented(QWidget):
    """Choose one of `captions`; `chosen(index)` says so, also when the choice is set by `choose`."""

    chosen = Signal(int)

    def __init__(self, captions: Sequence[str], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for number, caption in enumerate(captions):
            segment = self._segment(caption, number, len(captions))
            segment.setAccessibleName(f"{name}: {caption}")
            self._group.addButton(segment, number)
            row.addWidget(segment)
        self._group.button(0).setChecked(True)
        self._group.idToggled.connect(self._on_toggled)

    @property
    def index(self) -> int:
        """Number of the chosen segment."""
        return self._group.checkedId()

    def choose(self, index: int) -> None:
        """Choose a segment."""
        self._group.button(index).setChecked(True)

    def set_caption(self, index: int, caption: str) -> None:
        """Change what a segment says, such as its count."""
        button = self._group.button(index)
        button.setText(caption)
        button.setAccessibleName(f"{self.accessibleName()}: {caption}")
        button.setMinimumWidth(_width_for(caption))

    def set_enabled(self, index: int, is_enabled: bool, why_not: str = "") -> None:
        """Offer a segment or not; the tooltip says why not."""
        button = self._group.button(index)
        button.setEnabled(is_enabled)
        button.setToolTip("" if is_enabled else why_not)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right move the choice."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        wanted = self._group.button(self.index + step)
        if wanted is not None and wanted.isEnabled():
            wanted.setChecked(True)
            wanted.setFocus()

    def _segment(self, caption: str, number: int, of: int) -> QPushButton:
        segment = QPushButton(caption)
        segment.setCheckable(True)
        segment.setAutoDefault(False)
        segment.setProperty("kind", "seg")
        # Bold text of the chosen one must not move the others.
        segment.setMinimumWidth(_width_for(caption))
        place = "only" if of == 1 else {0: "first", of - 1: "last"}.get(number, "middle")
        segment.setProperty("place", place)
        return segment

    def _on_toggled(self, index: int, is_on: bool) -> None:
        if is_on:
            self.chosen.emit(index)


def _width_for(caption: str) -> int:
    return width_of(caption, is_bold=True) + px(26)
