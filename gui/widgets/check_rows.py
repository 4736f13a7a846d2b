"""Rows of checks: a sign, what was looked at, what was found; and rows of settings, name and value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption, rule
from gui.widgets.card import Card
from gui.widgets.icon_box import IconBox

PASSED, NOTE, OPEN, FAILED = "passed", "note", "open", "failed"
_SIGNS = {
    PASSED: ("check", "text"),
    NOTE: ("warn", "warn"),
    OPEN: ("clock", "muted"),
    FAILED: ("warn", "danger"),
}

MOST_ITEMS = 40
"""Details that are listed in a row of checks."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: `state` is passed, note, open (not known yet) or failed.

    `items` are details, shown when they are asked for.
    """

    name: str
    said: str
    state: str = PASSED
    items: tuple[str, ...] = ()


class CheckRow(QWidget):
    """One check."""

    def __init__(self, check: Check) -> None:
        super().__init__()
        self.setAccessibleName(f"{check.name}, {check.state}: {check.said}")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, px(5), 0, px(5))
        row.setSpacing(px(12))
        row.addWidget(IconBox(*_SIGNS[check.state]), 0, Qt.AlignmentFlag.AlignVCenter)
        words = QVBoxLayout()
        words.setSpacing(px(1))
        words.addWidget(Caption(check.name))
        words.addWidget(Caption(check.said, "danger" if check.state == FAILED else "muted", wraps=True))
        row.addLayout(words, 1)
        if check.items:
            self._offer_items(row, words, check.items)

    def _offer_items(self, row: QHBoxLayout, words: QVBoxLayout, items: Sequence[str]) -> None:
        self.items = Caption("\n".join(items[:MOST_ITEMS]), "muted", wraps=True)
        self.items.hide()
        words.addWidget(self.items)
        self.show_items = Button(f"Show {len(items)}", "link")
        self.show_items.clicked.connect(self._on_show)
        row.addWidget(self.show_items, 0, Qt.AlignmentFlag.AlignTop)

    def _on_show(self) -> None:
        is_shown = self.items.isHidden()
        self.items.setVisible(is_shown)
        self.show_items.setText("Hide" if is_shown else f"Show {len(self.items.text().splitlines())}")


def summary_of(checks: Sequence[Check]) -> str:
    """How many passed, are notes, are not known yet and failed.

    >>> summary_of([Check("a", ""), Check("b", "", NOTE), Check("c", "", OPEN)])
    '1 passed, 1 note, 1 open'
    """
    counts = {state: sum(check.state == state for check in checks) for state in _SIGNS}
    words = {
        PASSED: "passed",
        NOTE: "note" if counts[NOTE] == 1 else "notes",
        OPEN: "open",
        FAILED: "failed",
    }
    return ", ".join(f"{number} {words[state]}" for state, number in counts.items() if number)


def show_checks(layout: QVBoxLayout, checks: Sequence[Check]) -> None:
    """Put the rows into an empty layout, a line between each two."""
    for number, check in enumerate(checks):
        if number:
            layout.addWidget(rule())
        layout.addWidget(CheckRow(check))


class FactsCard(Card):
    """A card of names and values."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.facts: tuple[tuple[str, str], ...] = ()

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show one line a fact; the values are as long as they are."""
        if tuple(facts) == self.facts:
            return
        self.facts = tuple(facts)
        self.empty()
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(16))
        grid.setVerticalSpacing(px(7))
        grid.setColumnStretch(1, 1)
        for row, (name, value) in enumerate(facts):
            grid.addWidget(Caption(name, "muted"), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(Caption(value, "small", wraps=True), row, 1)
        self.body.addWidget(holder)
