"""What a page says while it is empty: what will be here, what is missing, and the one act."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption


class EmptyPage(QWidget):
    """Two lines and at most one button, in the middle; `acted` when it is pressed."""

    acted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._first, self._second = Caption("", "card_title", wraps=True), Caption("", "muted", wraps=True)
        for caption in (self._first, self._second):
            caption.setFixedWidth(px(420))
            caption.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.button = Button("", "primary")
        column = QVBoxLayout(self)
        column.setSpacing(px(8))
        column.addStretch(2)
        column.addLayout(_in_the_middle(self._first))
        column.addLayout(_in_the_middle(self._second))
        column.addSpacing(px(4))
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        self.button.clicked.connect(self.acted)
        self.say("")

    @property
    def sentence(self) -> str:
        """The first line."""
        return self._first.text()

    def say(self, first: str, second: str = "", button: str = "") -> None:
        """Change what it says; "" for the button offers none."""
        self._first.setText(first)
        self._second.setText(second)
        self._second.setVisible(bool(second))
        self.button.setText(button)
        self.button.setAccessibleName(button)
        self.button.setVisible(bool(button))
        self.setAccessibleName(f"{first} {second}".strip())


def _in_the_middle(caption: Caption) -> QHBoxLayout:
    """A row around it; an alignment would cut off all lines but the first."""
    row = QHBoxLayout()
    row.addStretch(1)
    row.addWidget(caption)
    row.addStretch(1)
    return row
