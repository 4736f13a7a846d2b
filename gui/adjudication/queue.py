"""The list of cases: number of the set, question, what people said, how the label came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.adjudication.facts import label_words
from gui.fonts import px
from gui.models.rows import ITEM_ROLE, Column, RowsModel
from gui.widgets.table import Table

if TYPE_CHECKING:
    from annotation.adjudication_cases import Case

SET_WIDTH, QUESTION_WIDTH, HOW_WIDTH = 46, 120, 104


class CaseTable(Table):
    """A row a case. It takes no keys of its own: all of them belong to the case that is looked at."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._names: Mapping[str, str] = {}
        columns = (
            Column("set", lambda one: str(one.number), lambda one: one.number, is_number=True),
            Column("question", lambda one: self._names.get(one.question.id, one.question.id)),
            Column("how", lambda one: one.how_now, tip=_tip),
            Column("label", _label, tip=_tip),
        )
        self.rows_model = RowsModel(columns)
        super().__init__(self.rows_model, "Questions of image sets", parent)
        self.rows_model.setParent(self)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSortingEnabled(False)
        self.horizontalHeader().setSectionsClickable(False)

    def show_cases(self, cases: Sequence[Case], names: Mapping[str, str]) -> None:
        """Show other cases."""
        self._names = names
        self.selectionModel().blockSignals(True)
        self.rows_model.set_rows(cases)
        self.selectionModel().blockSignals(False)
        self._fit()

    def select(self, case: Case | None) -> None:
        """Show which case is looked at, without asking for it."""
        model = self.selectionModel()
        model.blockSignals(True)
        places = [one.place for one in self.rows_model.rows]
        if case is not None and case.place in places:
            at = self.rows_model.index(places.index(case.place), 0)
            self.setCurrentIndex(at)
            self.scrollTo(at)
        else:
            self.clearSelection()
        model.blockSignals(False)
        self.viewport().update()

    def case_at(self, row: int) -> Case:
        """The case in a row."""
        case: Case = self.rows_model.index(row, 0).data(ITEM_ROLE)
        return case

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The label takes what is left."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.set_widths(SET_WIDTH, QUESTION_WIDTH, HOW_WIDTH)
        has_room = self.viewport().width() >= px(SET_WIDTH + QUESTION_WIDTH + HOW_WIDTH + 60)
        self.setColumnHidden(3, not has_room)


def _label(case: Case) -> str:
    return label_words(case.question, case.label_now) if case.label_now else "–"


def _tip(case: Case) -> str:
    said = [label_words(case.question, one.label) for one in case.said]
    return f"{case.how_now}: {', '.join(said)}"
