"""Tables as they are, for whoever wants rows instead of a study; and what tables there are.

Uses sqlite-utils, which knows a file's tables, columns and rows by itself, so that a table of a later
schema needs nothing new here. The package brings pandas along when that is installed: hence the imports
inside the functions.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from core.errors import BadInput
from storage.connections import connect_reader, study_file
from storage.trouble import put_in_words

if TYPE_CHECKING:
    from sqlite_utils import Database

Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TableFacts:
    """A table or view of the study file: its columns with their types, and how many rows it has."""

    name: str
    columns: dict[str, str]
    rows: int


def table_facts(folder: Path | str) -> list[TableFacts]:
    """Every table and view of the study in a folder, by name."""
    with _database(Path(folder)) as database:
        return [
            TableFacts(
                name,
                {column.name: column.type for column in database[name].columns},
                database[name].count,
            )
            for name in _names(database)
        ]


def export_tables(folder: Path | str, names: Sequence[str] | None = None) -> dict[str, list[Row]]:
    """Rows of the tables and views named, or of all: name -> rows, one consistent state.

    A name that the study has not raises BadInput. All rows are in memory; name the tables when the
    study is large, as `reading` holds one row for every label read.
    """
    with _database(Path(folder)) as database:
        known = _names(database)
        unknown = [name for name in names or () if name not in known]
        if unknown:
            raise BadInput(f"The study has no table {unknown[0]!r}.", f"It has {', '.join(known)}.")
        return {name: list(database[name].rows) for name in names or known}


@contextlib.contextmanager
def _database(folder: Path) -> Iterator[Database]:
    from sqlite_utils import Database

    path = study_file(folder)
    with put_in_words(path), contextlib.closing(connect_reader(path)) as connection:
        database = Database(connection, execute_plugins=False)
        connection.execute("BEGIN")
        yield database


def _names(database: Database) -> list[str]:
    own = [name for name in database.table_names() if not name.startswith("sqlite_")]
    return sorted([*own, *database.view_names()])
