"""The tables of `study.sqlite`, as numbered steps.

`PRAGMA user_version` is the number of steps applied. A released step is never edited; a change is a new
step. A new file runs the same steps from zero, so there is one schema and no second truth.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from core.errors import StoreTooNew
from storage.decision_tables import decision_tables
from storage.first_tables import first_tables
from storage.label_tables import label_tables
from storage.note_tables import note_tables
from storage.packet_tables import packet_tables

Step = Callable[[sqlite3.Connection], None]

APPLICATION_ID = 0x43425331
"""Written into the file header ("CBS1"), so that a study is told from any other SQLite file."""


STEPS: tuple[Step, ...] = (first_tables, packet_tables, label_tables, note_tables, decision_tables)
"""Append only."""


def version_of(connection: sqlite3.Connection) -> int:
    """Number of steps that the open file has been through."""
    number: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return number


def is_pending(connection: sqlite3.Connection, steps: Sequence[Step] = STEPS) -> bool:
    """Whether the file needs a step; a file from a newer release raises StoreTooNew."""
    have = version_of(connection)
    if have > len(steps):
        raise StoreTooNew(
            f"This study was written by a newer release (file version {have}, "
            f"this release knows {len(steps)}).",
            "Install the newer release to open it; nothing was changed.",
        )
    return have < len(steps)


def migrate(connection: sqlite3.Connection, steps: Sequence[Step] = STEPS) -> None:
    """Bring an open file to the newest schema, each step in one transaction.

    The connection must be in autocommit mode (`isolation_level=None`). A step that raises leaves
    version, schema and rows as they were; the caller then closes the connection, because foreign keys
    are still off on it. A step may use `sqlite_utils.Database(connection).table(…).transform(…)`; it
    imports that itself, since the package brings pandas along and opening a study must not.
    """
    if not is_pending(connection, steps):
        return
    # Off before BEGIN (inside, the pragma does nothing): rebuilding a table would drop what refers to it.
    connection.execute("PRAGMA foreign_keys = OFF")
    for number, step in enumerate(steps, start=1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Asked again under the lock: another process may have just taken the same step.
            if version_of(connection) < number:
                _take(connection, number, step)
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
    connection.execute("PRAGMA foreign_keys = ON")


def _take(connection: sqlite3.Connection, number: int, step: Step) -> None:
    step(connection)
    broken = connection.execute("PRAGMA foreign_key_check").fetchall()
    if broken:
        raise AssertionError(f"step {number} left {len(broken)} dangling references")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {number}")
