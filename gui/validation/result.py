"""The scores of a validation in plain values: rows of tables, confusion matrices, numbers of the plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.records import UNKNOWN, StoredImage
from core.schema import Schema, read_schema
from core.validation.prompts import Side
from gui.models.contingency import Category, Contingency, contingency
from gui.models.coverage import in_words
from gui.models.number import Number, finite

if TYPE_CHECKING:
    from core.validation.scoring import Trial
    from storage.store import Store

ALL = "ALL"
NOBODY, SHEET = "", "a person's sheet"
Row = dict[str, Any]


@dataclass(frozen=True)
class PlotRow:
    """A dimension of the plot with its accuracy by side; `ALL` is all prompts of it."""

    name: str
    dimension: str
    numbers: Mapping[str, Number]


@dataclass(frozen=True)
class Result:
    """Everything that the dialog shows of one extractor, judge and study of prompts."""

    extractor: str
    judge: str
    tables: Mapping[str, Any]
    dimensions: tuple[Row, ...]
    generators: tuple[Row, ...]
    images: tuple[Row, ...]
    pictures: Mapping[int, StoredImage]
    confusions: Mapping[str, Contingency]
    plot: tuple[PlotRow, ...]
    names: Mapping[str, str] = field(default_factory=dict)


def compute(store: Store, extractor: str, judge: str, sheet: Path | None) -> Result:
    """Score what an extractor read of the images of the prompts.

    Parameters
    ----------
    judge : str
        A second extractor that says what was drawn; "" for none.
    sheet : Path, optional
        What a person saw; goes before the second extractor.

    Raises
    ------
    BadInput
        Nothing was read yet, or a sheet that cannot be used.
    """
    from core.validation.sheet import read_sheet
    from core.validation.tables import validation_tables
    from core.validation.work import stated_in, trials_in
    from gui.validation.facts import _opened

    with _opened(store) as validation:
        schema = read_schema(validation.study.schema_json)
        stated = stated_in(validation.study.settings)
        judged = read_sheet(sheet, schema) if sheet is not None else None
        trials = trials_in(validation, stated, extractor, judged, judge)
        pictures = {image.image_id: image for image in validation.images()}
    made_by = {number: image.generator for number, image in pictures.items()}
    tables = validation_tables(trials, made_by)
    names = {one.id: one.name for one in schema.dimensions}
    rows: dict[str, tuple[Row, ...]] = {
        name: tuple({str(key): value for key, value in row.items()} for row in table.to_dict("records"))
        for name, table in tables.items()
    }
    by_image = {trial.image: trial for trial in trials}
    images = tuple(row | {"text": by_image[row["image"]].stated.text} for row in rows["validation_images"])
    return Result(
        extractor,
        sheet.name if sheet is not None else judge,
        tables,
        rows["validation_dimensions"],
        rows["validation"],
        images,
        pictures,
        _confusions(trials, schema),
        _plot(rows, names),
        names,
    )


def exporting(result: Result, schema: Schema, folder: Path) -> Path:
    """Write all tables, their account and the paper's two tables as LaTeX into a folder."""
    from core.environment import versions
    from core.latex.checks import validation_latex
    from core.latex.writing import write_latex
    from core.tables import write_tables
    from core.validation.tables import validation_account

    account = {"versions": versions(), **validation_account(result.extractor, result.judge)}
    write_tables(dict(result.tables), folder, {"validate": account})
    write_latex(validation_latex(result.tables, schema), folder / "latex")
    return folder


def number_of(row: Row, name: str) -> Number:
    """A score of a row with its interval."""
    ends = {
        "accuracy": ("low", "high"),
        "accuracy_if_drawn": ("low_if_drawn", "high_if_drawn"),
    }
    low, high = ends.get(name, (f"{name}_low", f"{name}_high"))
    value = finite(row[name])
    reason = str(row["reason"]) if value is None or finite(row[low]) is None else ""
    return Number(value, finite(row[low]), finite(row[high]), int(row["images"]), reason=reason)


def _plot(rows: Mapping[str, Sequence[Row]], names: Mapping[str, str]) -> tuple[PlotRow, ...]:
    wholes = rows["validation"]
    whole = [row for row in wholes if row["generator"] == ALL] or wholes
    found = [PlotRow("all dimensions", ALL, {row["side"]: number_of(row, "accuracy") for row in whole})]
    by_dimension: dict[str, dict[str, Number]] = {}
    for row in rows["validation_dimensions"]:
        by_dimension.setdefault(row["dimension"], {})[row["side"]] = number_of(row, "accuracy")
    found += [PlotRow(names.get(name, name), name, numbers) for name, numbers in by_dimension.items()]
    return tuple(found)


def _confusions(trials: Sequence[Trial], schema: Schema) -> dict[str, Contingency]:
    found = {}
    for name in dict.fromkeys(trial.stated.dimension for trial in trials):
        own = [trial for trial in trials if trial.stated.dimension == name]
        said = {trial.stated.label for trial in own} | {label for one in own for label in one.said.labels}
        labels = [label for label in schema.dimension(name).labels if label.id in said]
        categories = [Category(one.id, str(at % 10), one.name) for at, one in enumerate(labels, start=1)]
        categories.append(Category(UNKNOWN, "U", UNKNOWN, is_state=True))
        pairs = [
            (str(trial.image), trial.stated.label, label)
            for trial in own
            for label in trial.said.labels or (trial.said.status.value,)
        ]
        found[name] = contingency("stated", "said", pairs, categories)
        found[name] = Contingency(
            "stated", "said", found[name].categories, found[name].sets, found[name].left_out, "image"
        )
    return found


def side_words(side: str) -> str:
    """A side as the tables say it."""
    return "all prompts" if side == ALL else in_words(side)


def side_order(side: str) -> int:
    """Place of a side in a table: all first."""
    return 0 if side == ALL else 1 + [each.value for each in Side].index(side)
