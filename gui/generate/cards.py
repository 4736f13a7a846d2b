"""The cards in the middle of the Generate page: the checks before a run with the one act, and settings."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.card import Card, empty_layout
from gui.widgets.check_rows import Check, show_checks, summary_of


class ChecksCard(Card):
    """What was checked, and the button that makes the images; `asked_for` when it is pressed."""

    asked_for = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._summary = Caption("", "muted")
        self.add_to_title(self._summary)
        self._checks: tuple[Check, ...] = ()
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        self.make = Button("", "primary")
        self._said = Caption("", "muted", wraps=True)
        # The act stands above what was checked: with a model that is a long list, and the act would hide.
        act = QHBoxLayout()
        act.setContentsMargins(0, 0, 0, px(4))
        act.setSpacing(px(12))
        act.addWidget(self.make)
        act.addWidget(self._said, 1)
        act.addStretch()
        self.body.addLayout(act)
        self.body.addLayout(self._rows)
        self.make.clicked.connect(self.asked_for)

    @property
    def checks(self) -> tuple[Check, ...]:
        """What is shown."""
        return self._checks

    def show_checks(self, name: str, checks: Sequence[Check]) -> None:
        """Show the checks of a generator."""
        self.set_title(f"{name}, before the run")
        if tuple(checks) != self._checks:
            self._checks = tuple(checks)
            self._summary.setText(summary_of(checks))
            empty_layout(self._rows)
            show_checks(self._rows, checks)

    def show_act(self, caption: str, said: str = "", why_not: str = "") -> None:
        """Offer the act; "" offers none, `why_not` says why it cannot be pressed now."""
        self.make.setVisible(bool(caption))
        self.make.setText(caption)
        self.make.setAccessibleName(caption)
        self.make.setEnabled(not why_not)
        self.make.setToolTip(why_not)
        self._said.setText(said)
        self._said.setVisible(bool(said))
