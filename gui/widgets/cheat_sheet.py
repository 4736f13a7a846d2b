"""The cheat sheet: every key of the window and of the page that is shown. Esc or F1 closes it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.caption import Caption
from gui.widgets.key_cap import KeyCap
from gui.widgets.raised_dialog import RaisedDialog
from gui.words import key_words

Keys = Sequence[tuple[str, str]]


class CheatSheet(RaisedDialog):
    """Keys in two columns: the window's and the page's."""

    def __init__(self, parts: Sequence[tuple[str, Keys]], parent: QWidget | None = None) -> None:
        super().__init__("Keys", parent, kind="page_title", note="Keys never fire while you type.")
        row = QHBoxLayout()
        row.setSpacing(px(40))
        for title, keys in parts:
            if keys:
                row.addLayout(_part(title, keys))
        self.column.addLayout(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F1 closes what F1 opened."""
        if event.key() == Qt.Key.Key_F1:
            self.accept()
        else:
            super().keyPressEvent(event)


def _part(title: str, keys: Keys) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(px(8))
    column.addWidget(Caption(title, "muted"))
    grid = QGridLayout()
    grid.setHorizontalSpacing(px(20))
    grid.setVerticalSpacing(px(6))
    for row, (names, what) in enumerate(keys):
        caps = QHBoxLayout()
        caps.setSpacing(px(4))
        for name in names.split():
            caps.addWidget(KeyCap(name))
        caps.addStretch(1)
        grid.addLayout(caps, row, 0)
        grid.addWidget(Caption(key_words(what)), row, 1)
    column.addLayout(grid)
    column.addStretch(1)
    return column
