"""Small tables as CSV, without pandas: whole files only, and nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from core.errors import BadInput, UserError
from core.file_words import unreadable_table
from core.near_names import check_columns
from core.paths import STUDY_FILE
from core.regular_files import regular
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


def must_be_new(path: Path) -> None:
    """BadInput where a file is: a form that somebody filled in is not written over."""
    if path.exists():
        raise BadInput(f"There is already a file {path}.", "Choose another name.")


def read_rows(path: Path, known: Sequence[str] = (), needed: Collection[str] = ()) -> list[dict[str, str]]:
    """Rows of a small UTF-8 CSV as text, an apostrophe before a formula taken off.

    Commas, or the semicolons or tabs of a spreadsheet, part the cells; the names of columns are read without
    capitals and spaces around them.

    Parameters
    ----------
    path : Path
        The table, a file and no pipe.
    known : sequence of str
        Columns that something is read from.
    needed : collection of str
        Those of them without which nothing can be read.

    Raises
    ------
    BadInput
        It cannot be read or is no table, two columns have one name, or a needed one is missing or misspelt.
    """
    try:
        with open(path, encoding="utf-8-sig", newline="", opener=regular) as file:
            reader = csv.DictReader(file, delimiter=delimiter_in(file))
            names = reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or []]
            _check_names(names, known, needed, path)
            rows = [{name: (value or "").strip() for name, value in row.items() if name} for row in reader]
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 text.", "Save it as CSV (UTF-8).") from error
    except (OSError, csv.Error) as error:
        raise unreadable_table(path, error) from error
    if any("\0" in value for row in rows for value in row.values()):
        raise BadInput(f"{path} holds a NUL, which no text has.", "Save it as CSV (UTF-8).")
    return [{name: as_it_was(value) for name, value in row.items()} for row in rows]


def delimiter_in(lines: TextIO) -> str:
    """Comma, or the semicolon or tab of a header that has no comma; the file is at its start again."""
    header = lines.readline()
    lines.seek(0)
    return next((each for each in ",;\t" if each in header), ",")


def _check_names(names: Sequence[str], known: Sequence[str], needed: Collection[str], path: Path) -> None:
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"{path.name} has two columns called `{twice[:60]}`.", "Give each its own name.")
    if needed:
        check_columns(names, known, needed, f"The table {path.name}")


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
