"""A CSV map that says, file by file, what each picture is."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

from core.csv_rows import delimiter_in
from core.errors import BadInput
from core.importing.plan import Stated, plain_words, seed_stated, shortened
from core.near_names import check_columns
from core.records import condition_of
from core.regular_files import regular

FILE_COLUMNS = ("file", "path", "filename", "file_name", "relpath", "image")
COLUMNS = ("role", "condition", "generator", "prompt", "seed")
RELEASED = ("width", "height", "sha256", "sha256_of_original")
"""Columns of the table of a released folder that repeat what the pictures themselves say."""

PUBLISHED = {"occupation": "role", "context": "condition", "model": "generator", "prompt_used": "prompt"}


def read_map(path: Path) -> dict[str, Stated]:
    """Read a map: one row a picture, relative file name -> what it states.

    Columns: `file` (or `path`, `filename`, `relpath`, `image`) and any of `role`, `condition`,
    `generator`, `prompt`, `seed`; the published names (`occupation`, `context`, `model`) are
    understood. A row that cannot be read raises BadInput with its line number.
    """
    if path.exists() and not path.is_file():
        raise BadInput(f"The map {path} is not a file.", "Name a CSV file.")
    try:
        with open(path, newline="", encoding="utf-8-sig", opener=regular) as lines:
            rows = csv.DictReader(lines, delimiter=delimiter_in(lines))
            header = [
                PUBLISHED.get(name.strip().lower(), name.strip().lower()) for name in rows.fieldnames or []
            ]
            rows.fieldnames = header
            file_column = _file_column(header, path)
            return _rows(rows, file_column, path)
    except OSError as error:
        raise BadInput(f"The map {path} cannot be read: {error.strerror}.", "Check the path.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"The map {path} is not UTF-8 text.", "Save it as CSV in UTF-8.") from error
    except csv.Error as error:
        raise BadInput(f"The map {path} is not a CSV table: {error}.", "Save it as CSV in UTF-8.") from error


def columns_passed_over(path: Path) -> list[str]:
    """Columns of a map that can be read from which nothing is taken; BadInput for one that is misspelt."""
    with open(path, newline="", encoding="utf-8-sig", opener=regular) as lines:
        header = next(csv.reader(lines, delimiter=delimiter_in(lines)), [])
    names = [PUBLISHED.get(name.strip().lower(), name.strip().lower()) for name in header]
    known = [*COLUMNS, *(name for name in FILE_COLUMNS if name in names)]
    return check_columns([name for name in names if name not in RELEASED], known, (), f"The map {path.name}")


def _file_column(header: list[str], path: Path) -> str:
    for name in FILE_COLUMNS:
        if name in header:
            return name
    raise BadInput(
        f"The map {path.name} has no column `file`.", f"Its columns are: {', '.join(header) or 'none'}."
    )


def _rows(rows: csv.DictReader[str], file_column: str, path: Path) -> dict[str, Stated]:
    stated: dict[str, Stated] = {}
    for row in rows:
        name = (row.get(file_column) or "").strip().replace("\\", "/")
        if not name:
            continue
        if "\0" in name:
            raise BadInput(f"{path.name}, line {rows.line_num}: the file's name holds a NUL.", "Correct it.")
        if name in stated:
            raise BadInput(
                f"{path.name}, line {rows.line_num}: {name} is named twice.", "Keep one row a file."
            )
        stated[name] = stated_by(row, f"{path.name}, line {rows.line_num}")
    return stated


def stated_by(row: Mapping[str, object], where: str) -> Stated:
    """What one row of a map or manifest states; an unreadable condition or seed raises BadInput."""
    given = {name: row.get(name) for name in COLUMNS}
    values = {name: "" if value is None else str(value).strip() for name, value in given.items()}
    condition = condition_of(values["condition"]) if values["condition"] else None
    if values["condition"] and condition is None:
        stated = shortened(values["condition"])
        raise BadInput(
            f"{where}: condition {stated} is none of CF, CA-R, CA-U.", "Correct it or leave it empty."
        )
    role, generator, prompt = (plain_words(values[name], where) for name in ("role", "generator", "prompt"))
    return Stated(role, condition, generator, prompt, seed_stated(values["seed"], where))
