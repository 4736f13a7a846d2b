"""Step 5: packets that are withdrawn, and adjudications that are taken back; both stay on record."""

from __future__ import annotations

import sqlite3


def decision_tables(connection: sqlite3.Connection) -> None:
    """When, why and by whom a packet was withdrawn; when an adjudication was taken back."""
    for statement in _CHANGES:
        connection.execute(statement)


_CHANGES = (
    "ALTER TABLE packet ADD COLUMN withdrawn_at TEXT",
    "ALTER TABLE packet ADD COLUMN withdrawn_by TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE packet ADD COLUMN withdrawn_reason TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE adjudication ADD COLUMN taken_back_at TEXT",
)
