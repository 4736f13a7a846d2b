"""Small tables as CSV, without pandas: whole files only, and nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.errors import BadInput, UserError
from core.paths import STUDY_FILE
from core.whole_files import write_whole

Rows = Sequence[Mapping[str, object]]

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""A text that begins so is run as a formula by spreadsheets; it gets an apostrophe in front."""


def write_rows(path: Path, rows: Rows, columns: Sequence[str] | None = None) -> Path:
    """Write rows as UTF-8 CSV under another name first, so that a full disk leaves no half file.

    `columns` default to those of the first row. A place that cannot be written raises UserError.
    """
    if not path.name or path.name == STUDY_FILE:
        raise UserError(f"{str(path)!r} cannot be the name of a table.", "Name a CSV file.")
    names = list(columns if columns is not None else rows[0] if rows else ())
    try:
        write_whole(path, lambda place: _write(place, rows, names))
    except OSError as error:
        raise UserError(f"{path} could not be written: {error.strerror}.", "Choose another place.") from error
    return path


def _write(place: Path, rows: Rows, names: Sequence[str]) -> None:
    with place.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows({name: harmless(row.get(name)) for name in names} for row in rows)


def read_rows(path: Path) -> list[dict[str, str]]:
    """Rows of a small UTF-8 CSV as text, an apostrophe before a formula taken off; else BadInput."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [
                {name: (value or "").strip() for name, value in row.items() if name}
                for row in csv.DictReader(file)
            ]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadInput(f"{path} cannot be read as a table: {error}.", "Save it as CSV (UTF-8).") from error
    return [{name: as_it_was(value) for name, value in row.items()} for row in rows]


def as_it_was(value: str) -> str:
    """A cell as it was before `harmless`.

    >>> as_it_was("'=1+1"), as_it_was("''=1+1"), as_it_was("'tis")
    ('=1+1', "'=1+1", "'tis")
    """
    is_escaped = value.startswith("'") and value.lstrip("'").startswith(FORMULA_STARTS)
    return value[1:] if is_escaped else value


def harmless(value: object) -> object:
    """A cell as it is written: texts that begin like a formula get an apostrophe in front.

    >>> harmless("=1+1"), harmless(-1), harmless("baker")
    ("'=1+1", -1, 'baker')
    """
    if isinstance(value, str) and value.lstrip("'").startswith(FORMULA_STARTS):
        return f"'{value}"
    return value
