"""Step 4: what a lead notes while comparing people with the pipeline.

Notes are append-only: the newest one on a question of an image set stands, and an empty one takes it back.
"""

from __future__ import annotations

import sqlite3


def note_tables(connection: sqlite3.Connection) -> None:
    """Notes and tags on comparisons."""
    for statement in _TABLES.split(";\n\n"):
        if statement.strip():
            connection.execute(statement)


_TABLES = """
CREATE TABLE comparison_note (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    image_set_id INTEGER NOT NULL REFERENCES image_set (id),
    question TEXT NOT NULL,
    extractor TEXT NOT NULL,
    tag TEXT NOT NULL,
    note TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

CREATE INDEX comparison_note_by_question ON comparison_note (image_set_id, question, extractor, id);

CREATE TRIGGER comparison_note_stays BEFORE UPDATE ON comparison_note
BEGIN
    SELECT raise(ABORT, 'a note is never changed');
END;

CREATE TRIGGER comparison_note_is_kept BEFORE DELETE ON comparison_note
BEGIN
    SELECT raise(ABORT, 'a note is never deleted');
END
"""
