"""What the numbers of a card mean: terms with their formulas, in a window that Esc closes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.explained import Term
from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.raised_dialog import RaisedDialog
from gui.widgets.scroll_column import ScrollColumn

WIDTH, MOST_HEIGHT = 600, 620
SHARE_OF_WINDOW = 0.9


class Meaning(RaisedDialog):
    """Terms one below the other; those that do not fit scroll."""

    def __init__(self, title: str, terms: Sequence[Term], parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        scroll = ScrollColumn()
        scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        scroll.column.setSpacing(px(12))
        for term in terms:
            scroll.column.addLayout(_lines(term))
        scroll.column.addStretch(1)
        self.column.addWidget(scroll, 1)
        tallest = parent.height() * SHARE_OF_WINDOW if parent is not None else px(MOST_HEIGHT)
        self.resize(px(WIDTH), min(px(MOST_HEIGHT), int(tallest)))
        scroll.setFocus()


def meaning_button(title: str, terms: Sequence[Term], caption: str = "") -> Button:
    """A question mark, with a caption where there is room, that opens what the numbers beside it mean."""
    button = Button(caption, "quiet", "help", name=title)
    button.clicked.connect(partial(_open, button, title, terms))
    return button


def _open(button: Button, title: str, terms: Sequence[Term]) -> None:
    Meaning(title, terms, button.window()).open()


def _lines(term: Term) -> QVBoxLayout:
    lines = QVBoxLayout()
    lines.setSpacing(px(3))
    lines.addWidget(Caption(term.name, "card_title", wraps=True))
    if term.formula:
        lines.addWidget(Caption(term.formula, "strong", wraps=True))
    lines.addWidget(Caption(term.says, wraps=True))
    return lines
