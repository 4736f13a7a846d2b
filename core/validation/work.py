"""The steps of `validate`: mine prompts from a study, and score what was read of the images made for them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from core.csv_rows import write_rows
from core.errors import BadInput
from core.file_words import unreadable_table
from core.records import UNKNOWN, DimensionReading, NewRecord, Prompt, Status, StoredImage
from core.regular_files import regular
from core.schema import Schema
from core.validation.prompts import Stated, sayable, stated_from
from core.validation.scoring import Trial

if TYPE_CHECKING:
    import pandas as pd

FOLDER = "validation"
"""Folder inside a study's folder that holds the study of its validation."""

KEY = "validation"
"""Under which the stated attributes are in the settings of that study."""

Judged = Mapping[tuple[int, str], DimensionReading]


class ReadStudy(Protocol):
    """A study whose images were read."""

    def images(self) -> Sequence[StoredImage]:
        """All images."""

    def prompts(self) -> list[Prompt]:
        """All prompts."""

    def records_of(self, image_id: int) -> list[NewRecord]:
        """All records of an image, oldest first."""


def counts_in(labels: pd.DataFrame, schema: Schema) -> dict[tuple[str, str, str], int]:
    """(role, dimension, label) -> images, of the dimensions that can be stated in a prompt."""
    wanted = list(sayable(schema))
    said = labels[labels["dimension"].astype(str).isin(wanted) & (labels["status"].astype(str) == "ok")]
    plain = said[["role", "dimension", "label", "image"]].astype(
        {"role": str, "dimension": str, "label": str}
    )
    sizes = plain.drop_duplicates().groupby(["role", "dimension", "label"]).size()
    cells = cast("list[tuple[str, str, str]]", list(sizes.index))
    return {cell: int(size) for cell, size in zip(cells, sizes, strict=True)}


def stated_in(settings: Mapping[str, Any]) -> tuple[Stated, ...]:
    """The stated attributes of a validation study; BadInput for another study."""
    found = settings.get(KEY)
    if not isinstance(found, list):
        raise BadInput(
            "This study holds no prompts with a stated attribute.", "Run `main.py validate STUDY`."
        )
    return tuple(stated_from(item) for item in found)


def trials_in(
    study: ReadStudy, stated: Iterable[Stated], extractor: str, judged: Judged | None = None, judge: str = ""
) -> list[Trial]:
    """One trial for every image of a prompt with a stated attribute that the extractor has a record of.

    Parameters
    ----------
    judged : mapping of (image, dimension) to DimensionReading, optional
        What a person saw.
    judge : str
        Name of a second extractor; used where `judged` says nothing.
    """
    by_text = {(one.role, one.text): one for one in stated}
    trials = []
    for image in study.images():
        about = by_text.get((image.role, image.prompt))
        if about is None:
            continue
        records = study.records_of(image.image_id)
        own = _reading(records, extractor, about.dimension)
        if own is None:
            continue
        second = (judged or {}).get((image.image_id, about.dimension))
        if second is None and judge:
            second = _reading(records, judge, about.dimension)
        trials.append(Trial(about, image.image_id, own, second))
    if not trials:
        raise BadInput(
            f"{extractor} has read no image of a prompt with a stated attribute.",
            "Read them: `main.py extract STUDY/validation --extractor …`.",
        )
    return trials


SHEET_COLUMNS = ("image", "path", "dimension", "label", "one_of")

NOT_DRAWN = "not drawn"
"""In a sheet: the person looked, and the stated label is not what was drawn."""


def write_sheet(path: Path, study: ReadStudy, stated: Iterable[Stated], schema: Schema) -> int:
    """A sheet for a person who judges: image and dimension, not what was stated; returns its rows."""
    rows = sheet_rows(study, stated, schema)
    write_rows(path, rows, SHEET_COLUMNS)
    return len(rows)


def sheet_rows(study: ReadStudy, stated: Iterable[Stated], schema: Schema) -> list[dict[str, object]]:
    """The rows of such a sheet, one an image, nothing filled in."""
    by_text = {(one.role, one.text): one for one in stated}
    rows: list[dict[str, object]] = []
    for image in study.images():
        about = by_text.get((image.role, image.prompt))
        if about is not None:
            options = ", ".join((*schema.dimension(about.dimension).label_ids, UNKNOWN))
            rows.append(
                {
                    "image": image.image_id,
                    "path": image.path,
                    "dimension": about.dimension,
                    "label": "",
                    "one_of": options,
                }
            )
    return rows


def read_sheet(path: Path, schema: Schema) -> dict[tuple[int, str], DimensionReading]:
    """What a person saw, from a sheet; several labels are written with semicolons. Empty cells are left out.

    "not drawn" says that it is not the stated label, whatever else it is: a reading without a label.

    Raises
    ------
    BadInput
        The file cannot be read, lacks a column, or a label is not in the vocabulary; with the line.
    """
    found: dict[tuple[int, str], DimensionReading] = {}
    try:
        with open(path, encoding="utf-8-sig", newline="", opener=regular) as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise unreadable_table(path, error) from error
    for line, row in enumerate(rows, start=2):
        number, dimension = (row.get("image") or "").strip(), (row.get("dimension") or "").strip()
        said = (row.get("label") or "").strip()
        if not number.isdecimal() or not schema.has(dimension):
            raise BadInput(
                f"{path.name}, line {line}: no image or no dimension of the schema.",
                "Use the sheet that `--sheet` wrote.",
            )
        if said:
            found[(int(number), dimension)] = _from_person(
                said, dimension, schema, f"{path.name}, line {line}"
            )
    return found


def _from_person(said: str, dimension: str, schema: Schema, where: str) -> DimensionReading:
    if said == NOT_DRAWN:
        return DimensionReading()
    labels = [schema.canonical(dimension, part) for part in said.split(";") if part.strip()]
    if None in labels:
        raise BadInput(
            f"{where}: {said!r} is not in the vocabulary of {dimension}.", "Use one of those listed."
        )
    known = tuple(label for label in labels if label and label != UNKNOWN)
    return DimensionReading(known) if known else DimensionReading(status=Status.UNKNOWN)


def _reading(records: Sequence[NewRecord], extractor: str, dimension: str) -> DimensionReading | None:
    own = [record for record in records if record.extractor == extractor]
    if not own:
        return None
    if own[-1].status is not Status.OK:
        return DimensionReading(status=own[-1].status)
    return own[-1].readings.get(dimension, DimensionReading(status=Status.INVALID))
