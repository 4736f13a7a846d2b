"""What an extractor could not read, by class; a row lists its images."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gui.models.failures import FailureClass
from gui.widgets.card import Card
from gui.widgets.study_cards import FailureRow
from gui.words import counted


class FailedCard(Card):
    """`chosen(failure class)` when a row is pressed; hidden while nothing failed."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.failures: tuple[FailureClass, ...] = ()
        self.hide()

    def show_failures(self, failures: Sequence[FailureClass]) -> None:
        """Show one row a class, the largest first."""
        if tuple(failures) == self.failures:
            return
        self.failures = tuple(failures)
        self.empty()
        total = sum(one.count for one in failures)
        self.set_title(f"What failed, {counted(total, 'image')}")
        for one in failures:
            row = FailureRow(one, True)
            row.clicked.connect(self._on_row)
            self.body.addWidget(row)
        self.setVisible(bool(failures))

    def _on_row(self) -> None:
        row = self.sender()
        if isinstance(row, FailureRow):
            self.chosen.emit(row.failure)
