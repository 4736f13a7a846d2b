"""What became of every image, by generator, role and condition, and prevalence within its bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from core.file_names import plain_name
from gui.export import ask_for_file
from gui.fonts import px
from gui.models.coverage import in_words
from gui.models.rows import Column, RowsModel
from gui.studio import Studio
from gui.tasks import Query
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.choice_box import ChoiceBox
from gui.widgets.segmented import Segmented
from gui.widgets.table import Table
from gui.words import counted, thousands

if TYPE_CHECKING:
    from storage.store import Store

Row = dict[str, Any]
SAID = "A refusal is not unknown. Bounds: none or all of the images without a record have the label."
MOST_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Both tables as rows, and the dimensions there are."""

    classes: tuple[Row, ...]
    bounds: tuple[Row, ...]
    dimensions: tuple[str, ...]


def read_outcomes(store: Store, extractor: str) -> Outcomes:
    """Compute both tables; takes seconds in a large study."""
    from core.extraction.outcomes import RECORD, bounds_table, outcome_table
    from core.schema import read_schema
    from storage.frames import Frames

    schema = read_schema(store.study.schema_json)
    labels = store.label_map().apply(Frames(store.folder).labels(extractor))
    found = outcome_table(labels, schema)
    classes = found[found["dimension"] == RECORD].to_dict("records")
    bounds = bounds_table(labels, schema).to_dict("records")
    there = tuple(name for name in schema.dimension_ids if any(row["dimension"] == name for row in bounds))
    return Outcomes(tuple(classes), tuple(bounds), there)


def _number(name: str, title: str = "") -> Column:
    return Column(
        title or in_words(name), lambda row: thousands(row[name]), lambda row: row[name], is_number=True
    )


def _percent(row: Row, name: str) -> str:
    value = row[name]
    return "–" if value != value else f"{100 * value:.1f} %"


WHERE = (
    Column("generator", lambda row: str(row["generator"]), marker=lambda row: row["generator"]),
    Column("role", lambda row: in_words(str(row["role"]))),
    Column(
        "condition", lambda row: str(row["condition"]) or "none", marker=lambda row: row["condition"] or None
    ),
)
CLASSES = (
    *WHERE,
    *(
        _number(name)
        for name in ("images", "ok", "refused", "truncated", "invalid", "flagged", "missing_image")
    ),
    _number("error"),
)
BOUNDS = (
    *WHERE,
    Column("label", lambda row: str(row["label"])),
    _number("n", "of"),
    _number("failed"),
    Column(
        "prevalence", lambda row: _percent(row, "prevalence"), lambda row: row["prevalence"], is_number=True
    ),
    Column("least", lambda row: _percent(row, "low"), lambda row: row["low"], is_number=True),
    Column("most", lambda row: _percent(row, "high"), lambda row: row["high"], is_number=True),
)


class OutcomesDialog(QDialog):
    """Two tables of one extractor, and their export."""

    def __init__(self, studio: Studio, extractor: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Outcomes")
        self.resize(px(980), px(620))
        self._studio, self._extractor = studio, extractor
        self.found: Outcomes | None = None
        self.which = Segmented(["What became of images", "Prevalence bounds"], "Show")
        self.dimension = ChoiceBox([], "Dimension")
        self.classes, self.bounds = RowsModel(CLASSES, self), RowsModel(BOUNDS, self)
        self.tables = QStackedWidget()
        self.tables.addWidget(Table(self.classes, "What became of images"))
        self.tables.addWidget(Table(self.bounds, "Prevalence bounds"))
        self.said = Caption("Counting …", "muted", wraps=True)
        self.export = Button("Export", "quiet", "export")
        self._lay_out()
        self.which.chosen.connect(self._on_which)
        self.dimension.chosen.connect(self._show_bounds)
        self.export.clicked.connect(self._on_export)
        store = studio.store
        self._query: Query | None = None
        if store is not None:
            self._query = studio.query(
                lambda: read_outcomes(store, extractor), self._on_found, self._on_failed
            )

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(px(8))
        line.addWidget(self.which)
        line.addWidget(self.dimension)
        line.addStretch(1)
        line.addWidget(self.export)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(12))
        column.addWidget(Caption(f"Outcomes of {self._extractor}", "drawer_title"))
        column.addWidget(Caption(SAID, "muted", wraps=True))
        column.addLayout(line)
        column.addWidget(self.tables, 1)
        column.addWidget(self.said)
        self.dimension.hide()
        self.export.setEnabled(False)

    def _on_found(self, found: Outcomes) -> None:
        self._query, self.found = None, found
        self.classes.set_rows(found.classes)
        self.dimension.set_captions(found.dimensions)
        self._show_bounds("")
        self.export.setEnabled(True)
        failed = sum(row["images"] - row["ok"] for row in found.classes)
        images = sum(row["images"] for row in found.classes)
        self.said.setText(
            f"{counted(images, 'image')} with a record, {thousands(failed)} of them without labels."
        )

    def _on_failed(self, error: Exception) -> None:
        self._query = None
        self.said.setText(str(error))

    def _on_which(self, index: int) -> None:
        self.tables.setCurrentIndex(index)
        self.dimension.setVisible(index == 1)

    def _show_bounds(self, _name: str) -> None:
        if self.found is not None:
            wanted = self.dimension.currentText()
            rows = [row for row in self.found.bounds if row["dimension"] == wanted]
            self.bounds.set_rows(rows[:MOST_ROWS])

    def _on_export(self) -> None:
        folder = self._studio.folder
        if folder is not None:
            name = ("outcomes", "prevalence_bounds")[self.which.index]
            path = ask_for_file(self, folder / f"{name}_{plain_name(self._extractor)}.csv")
            if path is not None:
                self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write the table that is shown."""
        if self.found is not None:
            rows: Sequence[Row] = self.found.classes if self.which.index == 0 else self.found.bounds
            plain = [{name: "" if value != value else value for name, value in row.items()} for row in rows]
            self._studio.query(lambda: _write(path, plain), self._on_written, self._on_failed)

    def _on_written(self, path: Path) -> None:
        self.said.setText(f"Exported to {path}")

    def done(self, result: int) -> None:
        """Want no table any more."""
        if self._query is not None:
            self._query.drop()
            self._query = None
        super().done(result)


def _write(path: Path, rows: Sequence[Row]) -> Path:
    from core.csv_rows import write_rows

    return write_rows(path, rows)
