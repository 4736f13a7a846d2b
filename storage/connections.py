"""Connections to `study.sqlite`: the one that writes, and those that only read."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path, PurePath
from urllib.parse import quote

from core.errors import StoreError
from core.paths import STUDY_FILE
from storage.foreign import strange_parts
from storage.held_connection import connect_held
from storage.schema import APPLICATION_ID, STEPS, version_of
from storage.trouble import in_words, put_in_words

WAIT_SECONDS = 5.0
"""How long to wait for another process that holds the write lock."""


def study_file(folder: Path) -> Path:
    """`study.sqlite` of a study folder; a missing one raises StoreError."""
    path = folder / STUDY_FILE
    if not path.is_file():
        raise StoreError(
            f"There is no study in {folder}: it holds no {STUDY_FILE}.",
            "Make one with `main.py new`, or choose another folder.",
        )
    return path


def connect_writer(path: Path, wait_seconds: float = WAIT_SECONDS) -> sqlite3.Connection:
    """The read-write connection: autocommit, so that every transaction is begun by name.

    Commits are durable (`synchronous=FULL`); acts that can be done again lower it for their time.
    """
    # SQLite would open it for reading only, and the first act would find out.
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        raise in_words(PermissionError(errno.EACCES, "no right to write"), path) or AssertionError
    connection = _connect(path, "rw", wait_seconds)
    try:
        _must_be_study(connection, path)
        _must_hold_nothing_strange(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        force_fully(connection)
        connection.execute("PRAGMA foreign_keys = ON")
        # After a bulk write the log would otherwise keep its largest size for as long as it is open.
        connection.execute("PRAGMA journal_size_limit = 67108864")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_reader(path: Path, wait_seconds: float = WAIT_SECONDS) -> sqlite3.Connection:
    """A connection that cannot write; it sees what was committed when its statement began."""
    connection = _connect(path, "ro", wait_seconds)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        _must_be_study(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: Path, mode: str, wait_seconds: float) -> sqlite3.Connection:
    with put_in_words(path):
        # Threads: each connection is used by one, but `Store.close` closes them all from its own.
        return connect_held(path, address_of(path.absolute(), mode), wait_seconds)


def address_of(path: PurePath, mode: str) -> str:
    """An absolute path as SQLite wants it when it is told how to open the file.

    Examples
    --------
    >>> address_of(PurePath("/home/ada/a study/study.sqlite"), "ro")
    'file:/home/ada/a%20study/study.sqlite?mode=ro'

    On a Windows share the name of the server is part of the path, which takes two more slashes.
    """
    quoted = quote(path.as_posix())
    return f"file:{'//' if quoted.startswith('//') else ''}{quoted}?mode={mode}"


def force_fully(connection: sqlite3.Connection) -> None:
    """Have commits reach the disk itself also on macOS, where `fsync` stops short of it."""
    connection.execute("PRAGMA fullfsync = ON")
    connection.execute("PRAGMA checkpoint_fullfsync = ON")


def data_version(connection: sqlite3.Connection) -> int:
    """A number that changes when any other connection commits, and never by this one's own commits."""
    (version,) = connection.execute("PRAGMA data_version").fetchone()
    return int(version)


def _must_be_study(connection: sqlite3.Connection, path: Path) -> None:
    with put_in_words(path):
        (found,) = connection.execute("PRAGMA application_id").fetchone()
    if found != APPLICATION_ID:
        raise StoreError(
            f"{path} is an SQLite file, but not a study.",
            "Choose the folder that `main.py new` or the application made.",
        )


def _must_hold_nothing_strange(connection: sqlite3.Connection, path: Path) -> None:
    """A study folder may come from a stranger: what runs by itself in it must be ours."""
    connection.execute("PRAGMA trusted_schema = OFF")
    with put_in_words(path):
        version = version_of(connection)
        strange = strange_parts(connection, version) if version <= len(STEPS) else []
    if strange:
        named = ", ".join(strange[:3])
        raise StoreError(
            f"{path} holds what no release of this program made: {named}.",
            "It may do harm; take the study from a backup, or from whoever sent it, without these.",
        )
