"""The frame of a review: a table at the left, the row that is looked at on the right, trouble below."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.caption import Caption


class TableDialog(QDialog):
    """A window of its own; whoever makes one puts its parts in with `put_together`."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.resize(px(1180), px(680))
        self._trouble = Caption("", "danger", wraps=True)
        self._trouble.setVisible(False)

    @property
    def trouble(self) -> str:
        """What is said to be wrong."""
        return self._trouble.text()

    def say_trouble(self, words: str) -> None:
        """Say what is wrong; "" takes it away."""
        self._trouble.setText(words)
        self._trouble.setVisible(bool(words))

    def put_together(self, tools: QLayout, table: QWidget, side: QWidget, below: QWidget) -> None:
        """Lay everything out: tools above, table and side by side, trouble and one more line below."""
        both = QHBoxLayout()
        both.setSpacing(px(12))
        both.addWidget(table, 5)
        both.addWidget(side, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(12))
        column.setSpacing(px(10))
        column.addWidget(Caption(self.windowTitle(), "drawer_title"))
        column.addLayout(tools)
        column.addLayout(both, 1)
        column.addWidget(self._trouble)
        column.addWidget(below)
