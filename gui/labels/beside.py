"""Results as said and as mapped, side by side: Bias Intensity of the open dimensions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from core.jobs import Job, Progress
from core.records import Condition
from core.schema import read_schema
from gui.export import ask_for_file, write_csv
from gui.fonts import px
from gui.models.coverage import in_words
from gui.models.number import NO_VALUE, finite
from gui.models.rows import Column, RowsModel
from gui.studio import Studio
from gui.tasks import Task
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.choice_box import ChoiceBox
from gui.widgets.table import Table
from gui.words import MINUS, counted

if TYPE_CHECKING:
    from storage.store import Store

Row = dict[str, Any]
SAID = "Bias Intensity (plug-in, roles pooled) of dimensions in own words, without and with the map."


@dataclass(frozen=True, slots=True)
class Beside:
    """Rows of `bi_by_map` for the open dimensions, and the map they were made with."""

    rows: tuple[Row, ...]
    label_map: dict[str, Any]


def comparing(store: Store, extractor: str) -> Job[Beside]:
    """Compute both; the same numbers as `main.py analyse --label-map both`."""
    yield Progress(0, 1, "reading the records")
    from core.labels.analysing import BOTH, analyse_mapped
    from core.labels.work import open_dimensions
    from storage.frames import Frames

    schema = read_schema(store.study.schema_json)
    labels = Frames(store.folder).labels(extractor)
    # Other dimensions are the same on both sides.
    labels = labels[labels["dimension"].astype(str).isin(open_dimensions(schema))]
    result = yield from analyse_mapped(labels, schema, store.label_map(), mapping=BOTH, bootstrap=0)
    table = result.tables["bi_by_map"]
    shown = table[(table["estimator"] == "plugin") & (table["aggregation"] == "pool")]
    shown = shown[shown["dimension"].isin(open_dimensions(schema))]
    rows = tuple({str(name): value for name, value in row.items()} for row in shown.to_dict("records"))
    order = {name: at for at, name in enumerate((*open_dimensions(schema), *Condition))}
    rows = tuple(
        sorted(rows, key=lambda row: (order[row["dimension"]], row["generator"], order[row["condition"]]))
    )
    return Beside(rows, dict(result.run["label_map"]))


def _value(row: Row, name: str) -> str:
    value = finite(row[name])
    return NO_VALUE if value is None else f"{value:.3f}"


def change_of(row: Row) -> float | None:
    """Mapped minus raw; None where either is undefined."""
    raw, mapped = finite(row["value_raw"]), finite(row["value_mapped"])
    return None if raw is None or mapped is None else mapped - raw


def _change(row: Row) -> str:
    change = change_of(row)
    if change is None:
        return NO_VALUE
    return f"{'+' if change > 0 else MINUS if change < 0 else ''}{abs(change):.3f}"


COLUMNS = (
    Column("dimension", lambda row: in_words(str(row["dimension"]))),
    Column(
        "generator",
        lambda row: "all" if row["generator"] == "ALL" else str(row["generator"]),
        marker=lambda row: None if row["generator"] == "ALL" else row["generator"],
    ),
    Column("condition", lambda row: str(row["condition"]), marker=lambda row: row["condition"]),
    Column("labels as said", lambda row: str(row["k_raw"]), lambda row: row["k_raw"], is_number=True),
    Column("as mapped", lambda row: str(row["k_mapped"]), lambda row: row["k_mapped"], is_number=True),
    Column(
        "BI as said",
        lambda row: _value(row, "value_raw"),
        lambda row: finite(row["value_raw"]) or 0.0,
        is_number=True,
    ),
    Column(
        "BI as mapped",
        lambda row: _value(row, "value_mapped"),
        lambda row: finite(row["value_mapped"]) or 0.0,
        is_number=True,
    ),
    Column("change", _change, lambda row: change_of(row) or 0.0, is_number=True),
    Column("note", lambda row: "" if finite(row["value_raw"]) is not None else str(row["reason_raw"])),
)


class BesideDialog(QDialog):
    """One extractor's table."""

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("As said and as mapped")
        self.resize(px(980), px(560))
        self._studio = studio
        self._task: Task | None = None
        self.found: Beside | None = None
        self.extractor = ChoiceBox([], "Extractor")
        self.model = RowsModel(COLUMNS, self)
        self.table = Table(self.model, "Bias Intensity as said and as mapped")
        self.table.set_widths(150, 120, 100, 108, 90, 90, 108, 76)
        self.said = Caption("Computing …", "muted", wraps=True)
        self.export = Button("Export", "quiet", "export")
        self.export.setEnabled(False)
        line = QHBoxLayout()
        line.addWidget(self.extractor)
        line.addStretch(1)
        line.addWidget(self.export)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(10))
        column.addWidget(Caption("Results as said and as mapped", "drawer_title"))
        column.addWidget(Caption(SAID, "muted", wraps=True))
        column.addLayout(line)
        column.addWidget(self.table, 1)
        column.addWidget(self.said)
        self.extractor.chosen.connect(self._compute)
        self.export.clicked.connect(self._on_export)
        store = studio.store
        if store is not None:
            studio.query(lambda: [one.name for one in store.extractors()], self._on_extractors)

    def _on_extractors(self, names: list[str]) -> None:
        usual = self._studio.extractor_of(names)  # the first is chosen
        self.extractor.set_captions(sorted(names, key=lambda name: name != usual))
        if not names:
            self.said.setText("No extractor has read anything yet.")

    def _compute(self, name: str) -> None:
        store = self._studio.store
        self._drop()
        if store is not None and name:
            self.said.setText("Computing …")
            job = comparing(store, name)
            self._task = self._studio.runner.run("Compare label maps", job, page="extract", noun="steps")
            self._task.finished.connect(self._on_found)
            self._task.failed.connect(self._on_failed)

    def _on_found(self, found: Beside) -> None:
        self._task, self.found = None, found
        self.model.set_rows(found.rows)
        self.export.setEnabled(bool(found.rows))
        moved = counted(int(found.label_map["labels_mapped"]), "label")
        changed = sum(bool(change_of(row)) for row in found.rows)
        version = found.label_map["version"]
        numbers = f"{changed} of {len(found.rows)} numbers change"
        self.said.setText(f"Map version {version}, {moved} mapped: {numbers}.")

    def _on_failed(self, error: Exception) -> None:
        self._task = None
        self.said.setText(str(error))

    def _on_export(self) -> None:
        folder = self._studio.folder
        path = ask_for_file(self, folder / "bi_by_map.csv") if folder is not None else None
        if path is not None:
            self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write the rows as CSV, with the version of the map."""
        found = self.found
        if found is not None:
            version = found.label_map["version"]
            rows = [
                {name: "" if value != value else value for name, value in row.items()}
                | {"map_version": version}
                for row in found.rows
            ]
            self._studio.query(lambda: write_csv(path, rows), self._on_written, self._on_failed)

    def _on_written(self, path: Path) -> None:
        self.said.setText(f"Exported to {path}")

    def done(self, result: int) -> None:
        """Want no numbers any more."""
        self._drop()
        super().done(result)

    def _drop(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.finished.disconnect(self._on_found)
            task.failed.disconnect(self._on_failed)
            task.cancel()
