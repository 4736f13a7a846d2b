"""A card: surface, one line as border, an optional title with something at its right, and a body."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.caption import Caption, ElidedCaption, spacer


class Card(QFrame):
    """A titled frame; add what it holds to `body`."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(px(16), px(14), px(16), px(14))
        outer.setSpacing(0)
        self._title = Caption("", "card_title")
        self._top = QHBoxLayout()
        self._top.setSpacing(px(8))
        self._top.addWidget(self._title)
        self._facts = ElidedCaption("", "muted")
        self._facts.hide()
        self._top.addWidget(self._facts, 1000)
        self._top.addWidget(spacer(), 1)
        outer.addLayout(self._top)
        self.body = QVBoxLayout()
        self.body.setSpacing(px(4))
        outer.addLayout(self.body)
        self.set_title(title)

    def set_title(self, title: str) -> None:
        """Change the title; an empty one leaves no line."""
        self._title.setText(title)
        self._title.setVisible(bool(title))
        self._top.setContentsMargins(0, 0, 0, px(8) if title else 0)
        self.setAccessibleName(title)

    def set_facts(self, facts: str) -> None:
        """A muted line beside the title; an empty one leaves nothing."""
        self._facts.setText(facts)
        self._facts.setVisible(bool(facts))

    def add_to_title(self, widget: QWidget) -> None:
        """Put a widget at the right of the title."""
        self._top.addWidget(widget)

    def empty(self) -> None:
        """Take everything out of the body."""
        empty_layout(self.body)


def empty_layout(layout: QVBoxLayout | QHBoxLayout) -> None:
    """Remove and delete everything in a layout, rows within rows too."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif isinstance(inner, QVBoxLayout | QHBoxLayout):
            empty_layout(inner)
            inner.deleteLater()
