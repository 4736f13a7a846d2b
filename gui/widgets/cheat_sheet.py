"""The cheat sheet: every key of the window and of the page that is shown. Esc or F1 closes it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.key_cap import KeyCap
from gui.words import key_words

Keys = Sequence[tuple[str, str]]


class CheatSheet(QDialog):
    """Keys in two columns: the window's and the page's."""

    def __init__(self, parts: Sequence[tuple[str, Keys]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        frame = QFrame(self)
        frame.setProperty("kind", "raised")
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(frame)
        column = QVBoxLayout(frame)
        column.setContentsMargins(px(20), px(16), px(16), px(20))
        column.setSpacing(px(12))
        top = QHBoxLayout()
        top.addWidget(Caption("Keys", "page_title"), 1)
        top.addWidget(Caption("Keys never fire while you type.", "muted"))
        close = Button("", "quiet", "x", key="Esc", name="Close")
        close.clicked.connect(self.accept)
        top.addWidget(close)
        column.addLayout(top)
        row = QHBoxLayout()
        row.setSpacing(px(40))
        for title, keys in parts:
            if keys:
                row.addLayout(_part(title, keys))
        column.addLayout(row)

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
