"""The table of comparisons, disagreements first; arrows step through it and the images follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from annotation.compare import Comparison
from gui.compare.facts import TAGS, CompareFacts, side_words
from gui.fonts import px, width_of
from gui.models.columns import GridColumn
from gui.models.coverage import in_words
from gui.models.rows import Index
from gui.widgets.wide_header import MARGIN, WideHeader
from gui.widgets.wide_table import WideDelegate, WideTable

COLUMNS = (
    GridColumn("set", "set", 95, is_number=True, tip="number of the image set"),
    GridColumn("question", "question", 90, tip="question"),
    GridColumn("people", "people", 100, stretches=True, tip="people's label and mean count"),
    GridColumn("pipeline", "pipeline", 99, stretches=True, tip="the pipeline's label and count"),
    GridColumn("direction", "difference", 80, tip="in which way the pipeline differs"),
    GridColumn("tag", "tag", 60, tip="tag and note"),
    GridColumn("role", "role", 50, tip="role"),
    GridColumn("condition", "condition", 40, tip="condition"),
    GridColumn("generator", "generator", 30, tip="generator"),
)
MOST_WIDE, FEW = 130, 8


class CompareModel(QAbstractTableModel):
    """Comparisons as rows of words."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[GridColumn, ...] = COLUMNS
        self.rows: tuple[Comparison, ...] = ()
        self.facts: CompareFacts | None = None
        self.notes: dict[tuple[str, str], tuple[str, str]] = {}
        self.longest: dict[str, list[str]] = {}
        """A few words of each column with the most letters, which say how wide it has to be."""

    def set_rows(self, facts: CompareFacts, rows: Sequence[Comparison]) -> None:
        """Show other comparisons."""
        self.beginResetModel()
        self.facts, self.rows = facts, tuple(rows)
        self.longest = {column.key: self._longest(column.key) for column in COLUMNS}
        self.endResetModel()

    def _longest(self, key: str) -> list[str]:
        if key == "tag":
            return list(TAGS)
        words = {self.words(row, key) for row in range(len(self.rows))}
        return sorted(words, key=len, reverse=True)[:FEW]

    def note(self, place: tuple[str, str], note: tuple[str, str]) -> None:
        """Show another tag and note on a comparison."""
        self.notes[place] = note
        at = next((number for number, one in enumerate(self.rows) if one.place == place), None)
        if at is not None:
            self.dataChanged.emit(self.index(at, 0), self.index(at, len(COLUMNS) - 1))

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of comparisons."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """Number of columns."""
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell says, in words."""
        if not index.isValid() or self.facts is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.words(index.row(), COLUMNS[index.column()].key)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.sentence(index.row())
        if role == Qt.ItemDataRole.TextAlignmentRole and COLUMNS[index.column()].is_number:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def words(self, row: int, key: str) -> str:
        """One cell."""
        one, facts = self.rows[row], self.facts
        assert facts is not None
        where = one.image_set
        match key:
            case "set":
                return str(facts.number(one))
            case "question":
                return facts.view.names.get(one.question.id, one.question.id)
            case "people" | "pipeline":
                return side_words(one, is_pipeline=key == "pipeline")
            case "direction":
                return str(one.direction)
            case "tag":
                tag, note = self.notes.get(one.place, ("", ""))
                return tag or ("note" if note else "")
            case "role":
                return in_words(where.role)
            case "condition":
                return str(where.condition or "–")
        return where.generator

    def sentence(self, row: int) -> str:
        """A row in full."""
        parts = [self.words(row, key) for key in ("role", "condition", "generator")]
        people, machine = self.words(row, "people"), self.words(row, "pipeline")
        said = f"Set {self.words(row, 'set')}, {', '.join(parts)}. {self.words(row, 'question')}: "
        return f"{said}people {people}, pipeline {machine}; {self.words(row, 'direction')}"


class CompareTable(WideTable):
    """One row a comparison; `tagged(number)` when the key of a tag was pressed, 0 for none."""

    tagged = Signal(int)

    def __init__(self, model: CompareModel) -> None:
        super().__init__(model, "People and pipeline: image sets by question", WideHeader())
        self._model = model
        self.setItemDelegate(WideDelegate(self))
        model.modelReset.connect(self.fit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A digit tags."""
        digit = event.text()
        if digit.isdecimal() and int(digit) <= len(TAGS) and self.currentIndex().isValid():
            self.tagged.emit(int(digit))
        else:
            super().keyPressEvent(event)

    def width_for(self, column: GridColumn) -> int:
        """The longest of its different words, up to a limit; they are shortened where they are longer."""
        words = self._model.longest.get(column.key, ())
        widest = max((width_of(word, 13) for word in words), default=px(40))
        least = width_of(column.title, 12, is_bold=True)
        return max(min(widest, px(MOST_WIDE)), least) + 2 * px(MARGIN) + 2
