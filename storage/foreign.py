"""SQLite files that somebody else may have made: what they may hold, and for how long they may be read.

Such a file can bring code along: triggers and views run when a table is touched. So nothing of it is
touched before the text of everything in its schema was compared with ours, functions that a schema calls
must be harmless (`trusted_schema` off), and a reading that takes longer than any honest file is ended.
"""

from __future__ import annotations

import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache

from core.errors import BadInput

LONGEST_READING = 60.0
"""Seconds; the largest packet there is takes one."""

MOST_BYTES_A_VALUE = 64 * 2**20
"""A picture of a packet has a hundredth of that."""

_STEPS_BETWEEN_LOOKS = 100_000


def be_careful(connection: sqlite3.Connection) -> None:
    """Let nothing of the file run, and no value of it be larger than any of ours."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0")
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES_A_VALUE)
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_TRIGGER, False)


@contextmanager
def in_time(connection: sqlite3.Connection, name: str, seconds: float = LONGEST_READING) -> Iterator[None]:
    """End what the block asks of the file when it takes too long: BadInput."""
    ends = time.monotonic() + seconds
    connection.set_progress_handler(lambda: int(time.monotonic() > ends), _STEPS_BETWEEN_LOOKS)
    try:
        yield
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorname", "") != "SQLITE_INTERRUPT":
            raise
        raise BadInput(
            f"{name} takes too long to read, as no file of ours does.", "Ask for the file again."
        ) from error
    finally:
        connection.set_progress_handler(None, 0)


def schema_texts(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Type, name and text of everything in a schema but what SQLite makes by itself; spaces evened out."""
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return sorted(
        (kind, name, plain_statement(text)) for kind, name, text in rows if not name.startswith("sqlite_stat")
    )


def plain_statement(text: str) -> str:
    """A statement with its spaces evened out.

    >>> plain_statement("CREATE  TABLE a\\n (b);")
    'CREATE TABLE a (b)'
    """
    return " ".join(str(text).rstrip(";").split())


def strange_parts(connection: sqlite3.Connection, version: int) -> list[str]:
    """What a study's schema holds that no release made: triggers, views, and tables of ours that differ.

    Tables and indexes that somebody added do nothing by themselves and are left alone.
    """
    ours = {(kind, name): text for kind, name, text in _released(version)}
    found = []
    for kind, name, text in schema_texts(connection):
        known = ours.get((kind, name))
        is_known_name = any(name == one for _, one in ours)
        if known != text and (kind in ("trigger", "view") or is_known_name):
            found.append(f"{kind} {name}")
    return found


@cache
def _released(version: int) -> tuple[tuple[str, str, str], ...]:
    """The schema of a release, made in memory by its own steps."""
    from storage.schema import STEPS

    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for step in STEPS[:version]:
            step(connection)
        return tuple(schema_texts(connection))
    finally:
        connection.close()


def holds_only(connection: sqlite3.Connection, statements: Iterable[str]) -> bool:
    """Whether a file's schema is made of exactly these statements."""
    ours = sorted(plain_statement(one) for one in statements)
    return sorted(text for _, _, text in schema_texts(connection)) == ours
