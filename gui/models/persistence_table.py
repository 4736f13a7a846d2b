"""The persistence table as a Qt model: rows are numbers into arrays, so sorting and filtering are instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, Qt

from core import explained
from gui.models.columns import GridColumn
from gui.models.number import NO_VALUE, Number, decimals, finite, interval, p_value, percent
from gui.models.persistence_data import (
    PUBLISHED,
    VERDICTS,
    Filter,
    PersistenceData,
    in_order,
    rows_that_pass,
    verdict_counts,
)
from gui.models.rows import Index
from gui.words import counted

PREVALENCE, VERDICT = "prevalence", "verdict"

COLUMNS = (
    GridColumn("generator", "generator", 99, tip="generator"),
    GridColumn("role", "role", 90, tip="role"),
    GridColumn("dimension", "dimension", 95, tip="dimension"),
    GridColumn("label", "label", 100, tip="label"),
    GridColumn(
        PREVALENCE,
        "",
        97,
        stretches=True,
        tip="prevalence in each condition, with 95 % intervals",
        meaning=explained.PREVALENCE.in_a_line,
    ),
    GridColumn(
        "range_pp",
        "range pp",
        65,
        is_number=True,
        tip="range of the prevalence, in percentage points",
        meaning=explained.RANGE.in_a_line,
    ),
    GridColumn(
        "p_adjusted",
        "p adjusted",
        40,
        is_number=True,
        tip="test of equal prevalence, adjusted for the labels of the dimension",
        meaning=explained.P_ADJUSTED.in_a_line,
    ),
    GridColumn(
        "ccs",
        "CCS",
        80,
        is_number=True,
        tip="Context Consistency Score, 0 to 100",
        meaning=explained.CCS.in_a_line,
    ),
    GridColumn(
        "ccs_interval",
        "95 % interval",
        45,
        is_number=True,
        tip="95 % interval of the CCS",
        meaning=explained.INTERVAL.in_a_line,
    ),
    GridColumn(
        "ccs_if_stable",
        "if stable",
        70,
        is_number=True,
        tip="CCS expected of a label that does not change",
        meaning=explained.IF_STABLE.in_a_line,
    ),
    GridColumn(
        VERDICT,
        "verdict",
        88,
        tip="invariant, changed, or not enough data to say",
        meaning=f"{explained.VERDICT.in_a_line} {explained.MARGIN.in_a_line}",
    ),
    GridColumn(
        "published",
        "published",
        30,
        tip="the published rule",
        meaning=explained.PUBLISHED.in_a_line,
    ),
)

SORT_KEYS = {"ccs_interval": "ccs_low"}
DOWN_FIRST = frozenset({"range_pp", "ccs", "ccs_interval", "ccs_if_stable", PREVALENCE})


@dataclass(frozen=True, slots=True)
class PersistenceRow:
    """One row in plain values: what the drawer is opened with."""

    at: int
    generator: str
    role: str
    dimension: str
    label: str
    role_name: str
    dimension_name: str
    label_name: str
    prevalences: tuple[Number, Number, Number]
    shown: tuple[int, int, int]
    images: tuple[int, int, int]
    prevalence: float | None
    range_pp: float | None
    p_adjusted: float | None
    ccs: Number
    ccs_if_stable: float | None
    verdict: str
    move: float | None
    prompt: str
    reason: str


class PersistenceModel(QAbstractTableModel):
    """Shows the rows that pass the filter in the order asked for; `data_row` tells which row it is."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[GridColumn, ...] = COLUMNS
        self.table: PersistenceData | None = None
        self.filter = Filter()
        self.sort_key, self.is_down = "range_pp", True
        self.order: Any = ()
        self.counts: dict[str, int] = dict.fromkeys(VERDICTS, 0)

    def set_table(self, table: PersistenceData | None) -> None:
        """Show another table."""
        self.table = table
        self.set_filter(self.filter)

    def set_filter(self, wanted: Filter) -> None:
        """Show only the rows that pass."""
        self.beginResetModel()
        self.filter = wanted
        if self.table is None:
            self.order = ()
            self.counts = dict.fromkeys(VERDICTS, 0)
        else:
            rows = rows_that_pass(self.table, wanted)
            everything = rows
            if wanted.verdicts:
                everything = rows_that_pass(self.table, wanted.without_verdicts())
            self.counts = verdict_counts(self.table, everything)
            self.order = in_order(self.table, rows, self.sort_key, self.is_down)
        self.endResetModel()

    def sort_by(self, key: str, is_down: bool) -> None:
        """Sort by a column."""
        self.sort_key, self.is_down = SORT_KEYS.get(key, key), is_down
        if self.table is not None:
            self.layoutAboutToBeChanged.emit()
            rows = rows_that_pass(self.table, self.filter)
            self.order = in_order(self.table, rows, self.sort_key, is_down)
            self.layoutChanged.emit()

    def data_row(self, row: int) -> int:
        """Row of the table that stands in a row of the screen."""
        return int(self.order[row])

    def row_of(self, data_row: int) -> int:
        """Row of the screen where a row of the table stands, −1 when it is filtered out."""
        if self.table is None or data_row < 0:
            return -1
        found = (self.order == data_row).nonzero()[0]
        return int(found[0]) if len(found) else -1

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of rows that pass."""
        return 0 if parent is not None and parent.isValid() else len(self.order)

    def columnCount(self, parent: Index | None = None) -> int:
        """Number of columns."""
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell says."""
        if not index.isValid() or self.table is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(self.data_row(index.row()), self.columns[index.column()].key)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.sentence(self.data_row(index.row()), self.columns[index.column()].key)
        return None

    def text(self, at: int, key: str) -> str:
        """A cell of a row of the table as text."""
        table = self.table
        assert table is not None
        if key in ("generator", "role", "dimension", "label"):
            return str(getattr(table, key).name_at(at))
        match key:
            case "range_pp":
                return decimals(finite(table.range_pp[at]), 0)
            case "p_adjusted":
                return p_value(finite(table.p_adjusted[at]))
            case "ccs":
                return decimals(finite(table.ccs[at]), 1)
            case "ccs_interval":
                return (
                    interval(Number(0.0, finite(table.ccs_low[at]), finite(table.ccs_high[at])), 1)
                    or NO_VALUE
                )
            case "ccs_if_stable":
                return decimals(finite(table.ccs_if_stable[at]), 1)
            case "verdict":
                return VERDICTS[table.verdict[at]]
            case "published":
                return PUBLISHED[table.published[at]]
            case _:
                return ", ".join(percent(one.value) for one in self.prevalences(at))

    def sentence(self, at: int, key: str) -> str:
        """A cell in full, with the reason where there is no number."""
        table = self.table
        assert table is not None
        text = self.text(at, key)
        column = next(column for column in self.columns if column.key == key)
        if key == PREVALENCE:
            parts = [
                f"{name} {table.x[at, c]} of {table.n[at, c]}, {percent(one.value)} {_percents(one)}".strip()
                for c, (name, one) in enumerate(
                    zip(("CF", "CA-R", "CA-U"), self.prevalences(at), strict=True)
                )
            ]
            return "; ".join(parts)
        if text == NO_VALUE:
            reason = table.reason.name_at(at) if table.reason.codes[at] >= 0 else ""
            return f"{column.tip}: {NO_VALUE} because: {reason or 'undefined for these numbers'}"
        return f"{column.tip}: {text}"

    def prevalences(self, at: int) -> tuple[Number, Number, Number]:
        """Share of images with the label in each condition."""
        table = self.table
        assert table is not None
        one, two, three = (self._prevalence(table, at, condition) for condition in range(3))
        return one, two, three

    def row(self, row: int) -> PersistenceRow:
        """A row of the screen in plain values."""
        return self.row_at(self.data_row(row))

    def row_at(self, at: int) -> PersistenceRow:
        """A row of the table in plain values."""
        table = self.table
        assert table is not None
        shown, images = (tuple(int(one) for one in each[at]) for each in (table.x, table.n))
        return PersistenceRow(
            at,
            table.generator.id_at(at),
            table.role.id_at(at),
            table.dimension.id_at(at),
            table.label.id_at(at),
            table.role.name_at(at),
            table.dimension.name_at(at),
            table.label.name_at(at),
            self.prevalences(at),
            (shown[0], shown[1], shown[2]),
            (images[0], images[1], images[2]),
            finite(table.prevalence[at]),
            finite(table.range_pp[at]),
            finite(table.p_adjusted[at]),
            Number(finite(table.ccs[at]), finite(table.ccs_low[at]), finite(table.ccs_high[at])),
            finite(table.ccs_if_stable[at]),
            VERDICTS[table.verdict[at]],
            finite(table.move[at]),
            table.prompt.id_at(at) if table.prompt.codes[at] >= 0 else "",
            table.reason.name_at(at) if table.reason.codes[at] >= 0 else "",
        )

    def _prevalence(self, table: PersistenceData, at: int, condition: int) -> Number:
        images = int(table.n[at, condition])
        if not images:
            return Number(reason="no usable image")
        share = float(table.x[at, condition]) / images
        low, high = finite(table.low[at, condition]), finite(table.high[at, condition])
        return Number(share, low, high, units=images)


def _percents(number: Number) -> str:
    if number.low is None or number.high is None:
        return ""
    return f"({100 * number.low:.0f}–{100 * number.high:.0f} %)"


def rows_words(shown: int, of: int) -> str:
    """How many rows pass the filter."""
    return counted(of, "row") if shown == of else f"{counted(shown, 'row')} of {of}"
