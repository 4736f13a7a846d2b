"""The drawer at the right: what one number or cell is made of, while the table stays where it was."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption


class Drawer(QFrame):
    """A titled panel with a close button; add what it shows to `body`. Esc closes it."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(12), px(12), px(12))
        column.setSpacing(px(8))
        top = QHBoxLayout()
        self._title = Caption("", "drawer_title", wraps=True)
        self._close = Button("", "quiet", "x", key="Esc", name="Close")
        top.addWidget(self._title, 1)
        top.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(top)
        self._facts = Caption("", "muted", wraps=True)
        column.addWidget(self._facts)
        self.body = QVBoxLayout()
        self.body.setSpacing(px(8))
        column.addLayout(self.body, 1)
        self._close.clicked.connect(self.close_it)
        self.hide()

    @property
    def title(self) -> str:
        """What it shows."""
        return self._title.text()

    def open_with(self, title: str, facts: str = "") -> None:
        """Open, or show something else when open already."""
        self._title.setText(title)
        self._facts.setText(facts)
        self._facts.setVisible(bool(facts))
        self.setAccessibleName(f"Drawer: {title}")
        self.show()

    def close_it(self) -> bool:
        """Close; returns whether it was open."""
        was_open = not self.isHidden()
        if was_open:
            self.hide()
            self.closed.emit()
        return was_open

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_it()
        else:
            super().keyPressEvent(event)
