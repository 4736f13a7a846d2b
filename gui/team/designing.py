"""Designing a round in its dialog: what may be chosen, what would come of it, and opening it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gui.studio import Studio
from gui.tasks import Query
from gui.team.design_dialog import DesignDialog
from gui.team.packets import DesignChoices, open_planned, plan_of, read_choices


class RoundDesigning(QObject):
    """`opened` when a round is open; `begun(sentence)` when the dialog is there, or why it is not."""

    opened = Signal()
    begun = Signal(str)

    def __init__(self, studio: Studio, owner: QWidget) -> None:
        super().__init__(owner)
        self._studio, self._owner = studio, owner
        self._asked: Query | None = None
        self.dialog: DesignDialog | None = None

    def begin(self) -> None:
        """Read what may be chosen, and open the dialog."""
        store = self._studio.store
        if store is not None:
            self._studio.query(lambda: read_choices(store), self._on_choices, self._on_no_choices)

    def _on_choices(self, choices: DesignChoices) -> None:
        dialog = self.dialog = DesignDialog(choices, self._owner.window())
        dialog.asked.connect(self._on_asked)
        dialog.wanted.connect(self._on_wanted)
        dialog.open()
        self.begun.emit("")
        self._on_asked(dialog.changes())

    def _on_no_choices(self, error: Exception) -> None:
        self.begun.emit(str(error))

    def _on_asked(self, changes: dict[str, Any]) -> None:
        store = self._studio.store
        if store is not None:
            if self._asked is not None:
                self._asked.drop()
            self._asked = self._studio.query(lambda: plan_of(store, changes), self._on_plan, self._on_no_plan)

    def _on_plan(self, lines: list[str]) -> None:
        self._asked = None
        if self.dialog is not None:
            self.dialog.show_plan(lines)

    def _on_no_plan(self, error: Exception) -> None:
        self._asked = None
        if self.dialog is not None:
            self.dialog.show_trouble(str(error))

    def _on_wanted(self, changes: dict[str, Any]) -> None:
        store = self._studio.store
        if store is not None:
            self._studio.query(lambda: open_planned(store, changes), self._on_opened, self._on_no_plan)

    def _on_opened(self, _round_id: int) -> None:
        if self.dialog is not None:
            self.dialog.accept()
            self.dialog = None
        self.opened.emit()
