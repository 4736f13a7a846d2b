"""Every hand-in that was merged, with what it brought, and undoing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.models.rows import Column, RowsModel
from gui.team.merge_dialog import VERDICTS
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.table import Table
from gui.words import counted, day, thousands

if TYPE_CHECKING:
    from storage.merge_rows import MergedHandIn

WIDTHS = (40, 130, 100, 66, 56, 56, 60, 86, 90)
NOTHING = "Nothing was merged yet. Drop hand-ins anywhere on this page, or choose them."


def _count(verdict: str) -> Callable[[Any], str]:
    return lambda one: thousands(int(one.counts.get(verdict, 0)))


COLUMNS = (
    Column("no.", lambda one: str(one.hand_in_id), lambda one: one.hand_in_id, is_number=True),
    Column("file", lambda one: one.file_name, tip=lambda one: one.file_name),
    Column("annotator", lambda one: one.annotator),
    Column("merged", lambda one: day(one.merged_at), lambda one: one.merged_at),
    *(Column(one, _count(one), lambda row, one=one: row.counts.get(one, 0), True) for one in VERDICTS),
    Column("state", lambda one: f"undone {day(one.undone_at)}" if one.undone_at else "stands"),
)


class HandInsList(QWidget):
    """A row a merge; `undo(MergedHandIn)`, `merge` and `decide` ask for acts."""

    undo = Signal(object)
    merge = Signal()
    decide = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = RowsModel(COLUMNS)
        self.table = Table(self.model, "Hand-ins", self)
        self.table.set_widths(*WIDTHS)
        self.said = Caption(NOTHING, "muted", wraps=True)
        self.choose = Button("Merge hand-ins", icon="plus")
        self.conflicts = Button("")
        self.back = Button("Undo")
        self.row: MergedHandIn | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(px(8), 0, px(8), 0)
        foot.setSpacing(px(8))
        foot.addWidget(self.said, 1)
        for button in (self.conflicts, self.back, self.choose):
            foot.addWidget(button)
        column.addLayout(foot)
        self.table.moved.connect(self._on_moved)
        self.back.clicked.connect(self._on_back)
        self.choose.clicked.connect(self.merge)
        self.conflicts.clicked.connect(self.decide)
        self.show_rows((), 0)

    def show_rows(
        self,
        rows: Sequence[MergedHandIn],
        conflicts: int,
        why_stays: Callable[[MergedHandIn], str] = lambda _: "",
    ) -> None:
        """Show merges, how many answers wait for a person, and why a merge cannot be undone."""
        self._why_stays = why_stays
        self.model.set_rows(rows)
        standing = sum(one.undone_at is None for one in rows)
        undone = f", {thousands(len(rows) - standing)} undone" if standing < len(rows) else ""
        self.said.setText(f"{counted(len(rows), 'merge')}{undone}." if rows else NOTHING)
        self.conflicts.setVisible(conflicts > 0)
        self.conflicts.setText(f"Decide {counted(conflicts, 'contradiction')}")
        self.conflicts.setAccessibleName(self.conflicts.text())
        if rows:
            self.table.setCurrentIndex(self.model.index(len(rows) - 1, 0))
        else:
            self._on_moved(None)

    def _on_moved(self, row: MergedHandIn | None) -> None:
        self.row = row
        why = "Choose a merge in the list first." if row is None else ""
        if row is not None:
            why = self._why_stays(row)
        self.back.setText(f"Undo merge {row.hand_in_id}" if row else "Undo")
        self.back.setAccessibleName(self.back.text())
        self.back.setEnabled(not why)
        self.back.setToolTip(why)

    def _on_back(self) -> None:
        if self.row is not None:
            self.undo.emit(self.row)
