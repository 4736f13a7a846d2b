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
        self._first, self._second = Caption("", "card_title"), Caption("", "muted", wraps=True)
        self._second.setFixedWidth(px(420))
        for caption in (self._first, self._second):
            caption.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.button = Button("", "primary")
        column = QVBoxLayout(self)
        column.setSpacing(px(8))
        column.addStretch(2)
        column.addWidget(self._first, 0, Qt.AlignmentFlag.AlignHCenter)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(self._second)
        middle.addStretch(1)
        column.addLayout(middle)
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
