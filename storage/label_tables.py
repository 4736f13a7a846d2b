"""Step 3: what people decided about labels, and about contexts for new roles.

Acts are append-only, as answers are: the label map is what the acts come to, and taking one back is an act of
its own. A proposal is a suggestion by a machine; the next run replaces it, and it maps nothing.
"""

from __future__ import annotations

import sqlite3


def label_tables(connection: sqlite3.Connection) -> None:
    """Proposals and acts of the label map, acts of the bank builder."""
    for statement in _TABLES.split(";\n\n"):
        if statement.strip():
            connection.execute(statement)


_TABLES = """
CREATE TABLE label_proposal (
    dimension TEXT NOT NULL,
    label TEXT NOT NULL,
    canonical TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('spelling', 'alias', 'meaning', 'modifier', 'none')),
    likeness REAL,
    name TEXT NOT NULL,
    neighbours_json TEXT NOT NULL,
    maker_json TEXT NOT NULL,
    proposed_at TEXT NOT NULL,
    PRIMARY KEY (dimension, label)
) STRICT, WITHOUT ROWID;

CREATE TABLE label_act (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    act TEXT NOT NULL CHECK (act IN ('accept', 'reject', 'split', 'rename', 'import', 'undo', 'redo')),
    author TEXT NOT NULL,
    reason TEXT NOT NULL,
    undoes INTEGER REFERENCES label_act (id),
    at TEXT NOT NULL,
    CHECK ((undoes IS NOT NULL) = (act IN ('undo', 'redo')))
) STRICT;

CREATE INDEX label_act_undone ON label_act (undoes) WHERE undoes IS NOT NULL;

CREATE TABLE label_act_row (
    act_id INTEGER NOT NULL REFERENCES label_act (id),
    dimension TEXT NOT NULL,
    label TEXT NOT NULL,
    canonical TEXT NOT NULL,
    PRIMARY KEY (act_id, dimension, label)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER label_act_stays BEFORE UPDATE ON label_act
BEGIN
    SELECT raise(ABORT, 'an act on the label map is never changed');
END;

CREATE TRIGGER label_act_is_kept BEFORE DELETE ON label_act
BEGIN
    SELECT raise(ABORT, 'an act on the label map is never deleted');
END;

CREATE TABLE bank_act (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    candidate TEXT NOT NULL,
    act TEXT NOT NULL CHECK (act IN ('propose', 'judge', 'accept', 'edit', 'reject', 'reopen', 'import')),
    role TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('related', 'unrelated')),
    content_json TEXT NOT NULL,
    author TEXT NOT NULL,
    reason TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

CREATE INDEX bank_act_by_candidate ON bank_act (candidate, id);

CREATE TRIGGER bank_act_stays BEFORE UPDATE ON bank_act
BEGIN
    SELECT raise(ABORT, 'a decision about the bank is never changed');
END;

CREATE TRIGGER bank_act_is_kept BEFORE DELETE ON bank_act
BEGIN
    SELECT raise(ABORT, 'a decision about the bank is never deleted');
END
"""
