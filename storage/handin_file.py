"""Write a hand-in: who answered what in a packet, sealed, without pictures and orders."""

from __future__ import annotations

import contextlib
import sqlite3
import uuid
from dataclasses import dataclass
from pathlib import Path

from core import __version__
from core.errors import BadInput
from core.whole_files import put_in_place, sync_file, sync_folder
from storage.packet_book import PacketBook
from storage.packet_schema import EVENT_COLUMNS, HAND_IN_ID, make_tables
from storage.part import now
from storage.trouble import put_in_words


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What was written: where, how many acts, and how many answers are confirmed of those assigned."""

    path: Path
    events: int
    answers: int
    assigned: int


def write_hand_in(book: PacketBook, path: Path) -> HandedIn:
    """Write everything that was done in a packet so far to a new file.

    It may be written any number of times; each holds everything from the start. The packet stays as it is.
    An existing file is not replaced: BadInput.
    """
    if path.exists():
        raise BadInput(f"There is already a file {path}.", "Choose another name.")
    unfinished = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
    try:
        with put_in_words(path):
            with contextlib.closing(sqlite3.connect(unfinished, isolation_level=None)) as target:
                make_tables(target, HAND_IN_ID)
                counts = book.backup_to(lambda source: _copy(source, target))
            sync_file(unfinished)
            put_in_place(unfinished, path)
            sync_folder(path.parent)
    finally:
        for ending in ("", "-journal"):
            unfinished.with_name(unfinished.name + ending).unlink(missing_ok=True)
    return HandedIn(path, *counts)


def _copy(source: sqlite3.Connection, target: sqlite3.Connection) -> tuple[int, int, int]:
    target.execute("BEGIN")
    for table, columns in _TABLES.items():
        rows = source.execute(f"SELECT {columns} FROM {table} ORDER BY id").fetchall()
        target.executemany(
            f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * (columns.count(',') + 1))})", rows
        )
    # The sitting that writes this is still under way; in the copy it ends here.
    target.execute("UPDATE sitting SET ended_at = ? WHERE ended_at IS NULL", (now(),))
    (events,) = target.execute("SELECT count(*) FROM event").fetchone()
    (chain,) = target.execute(
        "SELECT ifnull((SELECT chain FROM event ORDER BY id DESC LIMIT 1), (SELECT key FROM packet))"
    ).fetchone()
    target.execute(
        "INSERT INTO seal (id, events, newest_chain, application_version, handed_at) VALUES (1, ?, ?, ?, ?)",
        (events, chain, __version__, now()),
    )
    target.execute("COMMIT")
    (answers,) = target.execute(
        "SELECT count(*) FROM event WHERE is_confirmed = 1 AND id IN"
        " (SELECT max(id) FROM event WHERE run = 0 GROUP BY set_number, question)"
    ).fetchone()
    (assigned,) = source.execute(
        "SELECT (SELECT count(*) FROM shown WHERE part = 'study')"
        " * (SELECT json_array_length(questions_json) FROM content)"
    ).fetchone()
    return int(events), int(answers), int(assigned)


_TABLES = {
    "packet": "id, key, study_key, annotator, is_simulated, content_hash",
    "sitting": "id, key, place, application_version, began_at, ended_at",
    "event": f"{', '.join(EVENT_COLUMNS)}, chain",
}
