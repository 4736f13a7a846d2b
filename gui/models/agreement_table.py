"""The question × coefficient grid as a Qt table model; cohorts are rows without numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, Qt

from gui.models.agreement_rows import (
    AXIS,
    CATEGORY_COLUMNS,
    GAP,
    KAPPA_TICKS,
    QUESTION,
    SHORT_NAMES,
    TOP,
    AgreementRow,
    RowKind,
    with_cohorts,
)
from gui.models.columns import GridColumn
from gui.models.number import NO_VALUE, Number, decimals, interval, percent, signed
from gui.models.rows import Index
from gui.words import counted


class AgreementModel(QAbstractTableModel):
    """Rows of `AgreementRow`; `set_rows` replaces rows and columns."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[GridColumn, ...] = CATEGORY_COLUMNS
        self.rows: tuple[AgreementRow, ...] = ()
        self.is_pipeline_open = True
        self.ticks: tuple[float, ...] = KAPPA_TICKS
        self.unit = "image set"

    def set_rows(
        self,
        rows: Sequence[AgreementRow],
        columns: Sequence[GridColumn],
        is_pipeline_open: bool,
        ticks: Sequence[float] = KAPPA_TICKS,
        unit: str = "image set",
    ) -> None:
        """Show other rows under other columns; `unit` is what is compared."""
        self.beginResetModel()
        self.rows, self.columns = with_cohorts(rows), tuple(columns)
        self.is_pipeline_open = is_pipeline_open
        self.ticks = tuple(ticks)
        self.unit = unit
        self.endResetModel()

    def number_at(self, row: int, column: int) -> Number | None:
        """The number of a cell; the axis cell holds the pipeline's."""
        key = self.columns[column].key
        if self.rows[row].kind is RowKind.COHORT:
            return None
        if key in (AXIS, GAP) and not self.is_pipeline_open:
            return self.rows[row].ceiling if key == AXIS else None
        return self.rows[row].number("pipeline" if key == AXIS else key)

    def row_of(self, question: str) -> int:
        """Row of a question, −1 when it is not shown."""
        found = (n for n, row in enumerate(self.rows) if row.question == question and row.question)
        return next(found, -1)

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of rows, cohorts included."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """Number of columns."""
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """A cohort cannot be chosen, so that arrows step over it."""
        if index.isValid() and self.rows[index.row()].kind is RowKind.COHORT:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell says, in words."""
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(index.row(), index.column())
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.sentence(index.row(), index.column())
        return None

    def _text(self, row_number: int, column_number: int) -> str:
        row, key = self.rows[row_number], self.columns[column_number].key
        if key == QUESTION:
            return row.name
        if row.kind is RowKind.COHORT:
            return ""
        if key == TOP:
            return percent(row.top_share) if row.kind is RowKind.QUESTION else ""
        number = self.number_at(row_number, column_number)
        if number is None:
            return ""
        if key == GAP:
            return signed(number.value)
        return f"{decimals(number.value)} {interval(number)}".strip()

    def sentence(self, row_number: int, column_number: int) -> str:
        """A cell in full: for a number its interval and what it rests on, or why there is none."""
        row, column = self.rows[row_number], self.columns[column_number]
        if row.kind is RowKind.COHORT or column.key == QUESTION:
            return row.name
        if column.key == TOP:
            return _top_sentence(row)
        if column.key == AXIS:
            return self._axis_sentence(row)
        number = self.number_at(row_number, column_number)
        name = SHORT_NAMES.get(column.key, column.key)
        noun = self.unit if row.kind is RowKind.QUESTION else "unit"
        return f"{row.name}, {name}: {number_sentence(number, noun)}" if number is not None else ""

    def _axis_sentence(self, row: AgreementRow) -> str:
        said = f"{row.name}: human ceiling {number_sentence(row.ceiling)}"
        return f"{said}; pipeline {number_sentence(row.pipeline)}" if self.is_pipeline_open else said


def number_sentence(number: Number, noun: str = "image set") -> str:
    """A number in words: "0.78, 0.72–0.83, 120 image sets, none left out", or "– because …"."""
    if number.value is None:
        return f"{NO_VALUE} because: {number.reason or 'not computed'}"
    parts = [decimals(number.value), interval(number)]
    if number.units:
        parts.append(counted(number.units, noun))
        parts.append(f"{number.excluded} left out" if number.excluded else "none left out")
    parts.append(number.reason)
    return ", ".join(part for part in parts if part)


def _top_sentence(row: AgreementRow) -> str:
    if row.kind is not RowKind.QUESTION or row.top_share is None:
        return ""
    said = f"{row.name}: {percent(row.top_share)} of the answers are {row.top_label}"
    return f"{said}, so κ is fragile: one answer more or less moves it much" if row.is_dominated else said
