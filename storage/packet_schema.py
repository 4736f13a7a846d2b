"""The tables of a packet and of a hand-in: what an annotator gets, and what comes back.

Both are SQLite files with marks of their own in the header, so that none is taken for a study or for the
other. A packet holds pictures and orders; a hand-in only who answered what. What is *not* here is the point:
no table and no column could hold a role (unless the round shows it), a condition, a prompt, a generator, a
seed, a path, a hash or a size of an original.

`event.chain` makes a packet's log hard to change by accident: each row carries the hash of the row before
it and of its own content, beginning with the packet's key.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from core.keys import key_of

PACKET_ID = 0x43425031
"""Header of a packet ("CBP1")."""

HAND_IN_ID = 0x43424831
"""Header of a hand-in ("CBH1")."""

VERSION = 1
"""Of both files (`PRAGMA user_version`)."""

_HEAD = """
CREATE TABLE packet (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    key TEXT NOT NULL,
    study_key TEXT NOT NULL,
    annotator TEXT NOT NULL,
    is_simulated INTEGER NOT NULL,
    content_hash TEXT NOT NULL
) STRICT;

CREATE TABLE sitting (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    place TEXT NOT NULL,
    application_version TEXT NOT NULL,
    began_at TEXT NOT NULL,
    ended_at TEXT
) STRICT;

CREATE TABLE event (
    id INTEGER PRIMARY KEY,
    sitting_id INTEGER NOT NULL REFERENCES sitting (id),
    run INTEGER NOT NULL,
    set_number INTEGER NOT NULL,
    question TEXT NOT NULL,
    act TEXT NOT NULL,
    label TEXT,
    is_unknown INTEGER NOT NULL,
    slider INTEGER,
    slider_source TEXT,
    marks TEXT NOT NULL,
    is_confirmed INTEGER NOT NULL,
    is_flagged INTEGER NOT NULL,
    comment TEXT NOT NULL,
    at TEXT NOT NULL,
    undoes INTEGER,
    wall_seconds REAL NOT NULL,
    active_seconds REAL NOT NULL,
    first_act_seconds REAL,
    theme TEXT NOT NULL,
    chain TEXT NOT NULL
) STRICT;
"""

_CONTENT = """
CREATE TABLE content (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    questions_json TEXT NOT NULL,
    count_mode TEXT NOT NULL,
    is_reversed INTEGER NOT NULL,
    shows_role INTEGER NOT NULL,
    side INTEGER NOT NULL,
    pass_share REAL NOT NULL,
    attempts INTEGER NOT NULL
) STRICT;

CREATE TABLE picture (
    id INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

CREATE TABLE shown (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    part TEXT NOT NULL,
    role TEXT NOT NULL,
    pictures_json TEXT NOT NULL
) STRICT;

CREATE TABLE key_answer (
    set_number INTEGER NOT NULL REFERENCES shown (number),
    question TEXT NOT NULL,
    label TEXT,
    slider INTEGER,
    marks TEXT NOT NULL,
    PRIMARY KEY (set_number, question)
) STRICT, WITHOUT ROWID;
"""

_SEAL = """
CREATE TABLE seal (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    events INTEGER NOT NULL,
    newest_chain TEXT NOT NULL,
    application_version TEXT NOT NULL,
    handed_at TEXT NOT NULL
) STRICT;
"""

EVENT_COLUMNS = (
    *("id", "sitting_id", "run", "set_number", "question", "act", "label", "is_unknown", "slider"),
    *("slider_source", "marks", "is_confirmed", "is_flagged", "comment", "at", "undoes", "wall_seconds"),
    *("active_seconds", "first_act_seconds", "theme"),
)
"""What a link of the chain is made of, in this order."""


def statements(application_id: int) -> list[str]:
    """The statements that make an empty packet or hand-in."""
    text = _HEAD + (_CONTENT if application_id == PACKET_ID else _SEAL)
    return [one.strip() for one in text.split(";\n") if one.strip()]


def make_tables(connection: sqlite3.Connection, application_id: int) -> None:
    """Make the tables of an empty packet or hand-in, and mark the file as such."""
    connection.execute(f"PRAGMA application_id = {application_id}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    for statement in statements(application_id):
        connection.execute(statement)


def link(before: str, row: Sequence[Any]) -> str:
    """The next link of a chain: of the link before it and a row of `EVENT_COLUMNS`."""
    return key_of([before, list(row)])
