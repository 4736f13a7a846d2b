"""The sheet in which a person says what was drawn: a CSV with one row an image, written and read back."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from core.csv_rows import write_rows
from core.errors import BadInput
from core.file_words import unreadable_table
from core.records import UNKNOWN, DimensionReading, NewRecord, Prompt, Status, StoredImage
from core.regular_files import regular
from core.schema import Schema
from core.validation.prompts import Stated


class ReadStudy(Protocol):
    """A study whose images were read."""

    def images(self) -> Sequence[StoredImage]:
        """All images."""

    def prompts(self) -> list[Prompt]:
        """All prompts."""

    def records_of(self, image_id: int) -> list[NewRecord]:
        """All records of an image, oldest first."""


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
