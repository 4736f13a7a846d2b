"""The editor of one context: its words, the prompts and warnings that come of them, and what is decided."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from core.bank_builder.candidate import KINDS
from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption, rule
from gui.widgets.segmented import Segmented


class ContextCard(QFrame):
    """Fields, captions and buttons; whoever shows it connects them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.kind = Segmented([kind.capitalize() for kind in KINDS], "Kind")
        self.activity = named_line("Activity", "such as: checking a battery")
        self.location = named_line("Location", "such as: field")
        self.sentences, self.warnings = Caption("", "", wraps=True), Caption("", "warn", wraps=True)
        self.history = Caption("", "muted", wraps=True)
        self.add, self.change = Button("Add context"), Button("Change words")
        self.accept_it = Button("Accept", "primary")
        self.reject_it = Button("Reject")
        self._lay_out()

    def _lay_out(self) -> None:
        side = QVBoxLayout(self)
        side.setContentsMargins(px(16), px(14), px(16), px(14))
        side.setSpacing(px(8))
        side.addWidget(self.kind)
        for word, line in (("activity", self.activity), ("location, without its article", self.location)):
            side.addWidget(Caption(word, "muted"))
            side.addWidget(line)
        side.addWidget(_row(self.add, self.change))
        for widget in (rule(), Caption("Prompts that come of it", "muted"), self.sentences, self.warnings):
            side.addWidget(widget)
        side.addStretch(1)
        side.addWidget(self.history)
        side.addWidget(_row(self.accept_it, self.reject_it))


def named_line(name: str, placeholder: str) -> QLineEdit:
    """A line to type in, named for a screen reader."""
    line = QLineEdit()
    line.setAccessibleName(name)
    line.setPlaceholderText(placeholder)
    return line


def _row(*buttons: QWidget) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(px(8))
    for button in buttons:
        row.addWidget(button)
    row.addStretch(1)
    return holder
