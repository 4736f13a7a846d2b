"""The left half of the Agreement page: what the signs mean, the grid, and the number in focus in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gui.agreement.closed_panel import ClosedPanel
from gui.agreement.figure import AxisFigure
from gui.agreement.reading import Situation, what_locking_needs
from gui.agreement.repeats import again_words
from gui.agreement.table import AgreementTable, first_question
from gui.agreement.view import ALL, AgreementView
from gui.agreement.words import legend_items, why_open
from gui.fonts import px
from gui.models.agreement_rows import (
    CATEGORY_COLUMNS,
    COUNT_COLUMNS,
    IMAGE_COLUMNS,
    KAPPA_TICKS,
    AgreementRow,
    Level,
    RowKind,
)
from gui.models.agreement_table import AgreementModel
from gui.widgets.axis import nice_ticks
from gui.widgets.button import Button
from gui.widgets.caption import Caption, rule
from gui.widgets.coverage_legend import Foot
from gui.widgets.sign_legend import SignLegend

if TYPE_CHECKING:
    from storage.study import Round

HINT = "Enter opens a number"
MEASURES = {
    Level.CATEGORY: "Cohen κ with the rest",
    Level.COUNT: "mean difference of counts with the rest, in images",
    Level.IMAGE: "Cohen κ of single images with the rest",
}
COLUMNS = {Level.CATEGORY: CATEGORY_COLUMNS, Level.COUNT: COUNT_COLUMNS, Level.IMAGE: IMAGE_COLUMNS}


class GridPanel(QWidget):
    """`opened(row, key)` for a number to be opened, `moved` when another one has the focus.

    `again_wanted` for the image sets that people answered twice.

    Parameters
    ----------
    choices : QWidget
        Stand at the right above the grid, such as the round.
    """

    opened = Signal(object, str)
    moved = Signal()
    again_wanted = Signal()
    lock_wanted = Signal()

    def __init__(self, *choices: QWidget) -> None:
        super().__init__()
        self.legend = SignLegend()
        self.model = AgreementModel(self)
        self.table = AgreementTable(self.model)
        self.closed = ClosedPanel(self.table)
        self.foot = Foot()
        self.again = Caption("", "muted", wraps=True)
        self.open_again = Button("Sets answered twice", "quiet", "right")
        self._again_row = QWidget()
        self._again_row.hide()
        self._about: tuple[Situation, Round] | None = None
        self._lay_out(choices)
        self.closed.asked_for_lock.connect(self.lock_wanted)
        self.table.moved.connect(self._on_moved)
        self.table.opened.connect(self._on_opened)
        self.open_again.clicked.connect(self.again_wanted)

    @property
    def current(self) -> tuple[AgreementRow, str] | None:
        """The number in focus: its row and its column's key."""
        index = self.table.currentIndex()
        if not index.isValid():
            return None
        return self.model.rows[index.row()], self.model.columns[index.column()].key

    def show_round(self, situation: Situation, which: Round, level: Level) -> None:
        """Say what the round is: its signs, and why the pipeline is open or closed."""
        self._about = (situation, which)
        is_open = situation.is_pipeline_open(which)
        self.legend.show_items(legend_items(situation, which, level))
        self.table.header.set_remark(why_open(situation, which))
        needs = what_locking_needs(which, situation)
        needs = needs if situation.extractors else f"There are no records yet. {needs}"
        self.closed.show_needs(not is_open, needs, which.name, not which.is_locked)

    def show_rows(self, view: AgreementView, level: Level) -> None:
        """Show a result at a level; the number in focus stays in focus."""
        rows, before = view.rows[level], self.current
        columns = COLUMNS[level]
        ends = [one.high for row in rows for one in (row.ceiling, row.pipeline) if one.high is not None]
        ticks = nice_ticks(0.0, max(ends, default=1.0)) if level is Level.COUNT else KAPPA_TICKS
        unit = "image" if level is Level.IMAGE else "image set"
        self.model.set_rows(rows, columns, view.is_pipeline_open, ticks, unit)
        self.again.setText(again_words(view, ALL, level))
        self._again_row.setVisible(bool(self.again.text()))
        index = first_question(self.model)
        if before is not None:
            keys = [column.key for column in columns]
            row, column = self.model.row_of(before[0].question), before[1]
            index = self.model.index(row, keys.index(column) if column in keys else 0) if row >= 0 else index
        self.table.setCurrentIndex(index)
        self.closed.place_it()
        if self._about is not None:
            self.legend.show_items(legend_items(*self._about, level))

    def go_to(self, question: str) -> None:
        """Put the focus on a question, in the column that has it."""
        row = self.model.row_of(question)
        if row >= 0:
            self.table.setCurrentIndex(self.model.index(row, max(self.table.currentIndex().column(), 0)))

    def figure(self, view: AgreementView, level: Level) -> AxisFigure:
        """The axis as a figure."""
        remark = "simulated answers" if any(one.is_simulated for one in view.people) else ""
        return AxisFigure(
            view.rows[level], self.model.ticks, "Agreement", view.is_pipeline_open, MEASURES[level], remark
        )

    def _lay_out(self, choices: tuple[QWidget, ...]) -> None:
        tools = QHBoxLayout()
        tools.setSpacing(px(12))
        tools.addWidget(self.legend, 1)
        for choice in choices:
            tools.addWidget(choice)
            choice.hide()
        card = QFrame()
        card.setProperty("kind", "card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(px(8), px(4), px(6), 0)
        inside.setSpacing(0)
        inside.addWidget(self.table, 1)
        inside.addWidget(rule())
        inside.addWidget(self.foot)
        again = QHBoxLayout(self._again_row)
        again.setContentsMargins(0, 0, 0, 0)
        again.setSpacing(px(12))
        again.addWidget(self.again, 1)
        again.addWidget(self.open_again, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        column.addLayout(tools)
        column.addWidget(self._again_row)
        column.addWidget(card, 1)

    def _on_moved(self, row: int, column: int) -> None:
        name, _, rest = self.model.sentence(row, column).partition(": ")
        self.foot.say(name, [rest] if rest else [], HINT)
        self.moved.emit()

    def _on_opened(self, row: int, column: int) -> None:
        if self.model.rows[row].kind is not RowKind.COHORT:
            self.opened.emit(self.model.rows[row], self.model.columns[column].key)
