"""The list at the left of adjudication: which cases are listed, the cases, and the way to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gui.adjudication.queue import CaseTable
from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.choice_box import ChoiceBox
from gui.words import thousands

if TYPE_CHECKING:
    from annotation.adjudication_desk import AdjudicationDesk


class CaseList(QFrame):
    """`listed(str)`: which cases are to be listed."""

    listed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.listing = ChoiceBox([], "Which cases are listed")
        self.next = Button("Next unresolved", key="X")
        self.table = CaseTable()
        row = QHBoxLayout()
        row.addWidget(self.listing, 1)
        row.addWidget(self.next)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(px(8), px(8), px(4), px(8))
        inside.addLayout(row)
        inside.addWidget(self.table, 1)
        self.listing.chosen.connect(self._on_listing)

    def show_counts(self, desk: AdjudicationDesk) -> None:
        """Say how many cases there are of each kind."""
        from annotation.adjudication_desk import FILTERS

        self.listing.blockSignals(True)
        self.listing.set_captions([f"{one}: {thousands(desk.counted(one))}" for one in FILTERS])
        self.listing.setCurrentIndex(FILTERS.index(desk.listing))
        self.listing.blockSignals(False)

    def _on_listing(self, caption: str) -> None:
        self.listed.emit(caption.rpartition(":")[0])
