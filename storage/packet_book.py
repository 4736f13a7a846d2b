"""A packet in use: one connection that holds the file for itself, one thread that writes.

The file is locked for as long as it is open (`locking_mode=EXCLUSIVE`), so a second window is told so at
once, and the operating system lets go of the lock however the program ends. Between two acts nothing is
in a log beside the file (no WAL): the one file is the whole truth, and may be copied.

Every opening is a sitting with a random key. A copy that was made while the packet was open shows by its
last sitting: it has no end, and belongs to another place on a disk.

A file that is deleted or replaced while it is open goes on being written without a name. So the path is
looked at before and after each act; see `storage.packet_rescue` for what happens then.
"""

from __future__ import annotations

import contextlib
import json
import platform
import sqlite3
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from core import __version__
from core.errors import StoreError, StoreTooNew
from core.held_files import identity_of
from core.keys import key_of
from core.packets import KeyAnswer, PacketContent, PacketSet, Training, questions_from_data
from core.records import Answer, AnswerEvent
from storage.connections import address_of, force_fully
from storage.foreign import be_careful, holds_only
from storage.held_connection import connect_held
from storage.packet_rescue import keep_copy, lost
from storage.packet_schema import EVENT_COLUMNS, HAND_IN_ID, PACKET_ID, VERSION, link, statements
from storage.part import now
from storage.schema import APPLICATION_ID
from storage.trouble import kind_of, put_in_words

T = TypeVar("T")

ANNOTATOR = 1
"""A packet has one annotator."""

_INSERT = f"INSERT INTO event ({', '.join(EVENT_COLUMNS)}, chain) VALUES ({', '.join('?' * 21)})"


class PacketBook:
    """An open packet. Close it, or use it as a context manager.

    Parameters
    ----------
    path : Path
        The packet.
    is_sitting : bool
        Whether somebody sits down to it; otherwise it is only read.

    Raises
    ------
    StoreError
        It is no packet, it is damaged, it is open elsewhere, or it cannot be written where it lies.
    StoreTooNew
        A newer release made it.
    """

    def __init__(self, path: Path, *, is_sitting: bool = True) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="packet-writer")
        self._identity = identity_of(path)
        self._kept: Path | None = None
        self._connection = _connect(path)
        self._sitting = 0
        self.note = ""
        """Something to tell the annotator at the start; empty when there is nothing."""
        try:
            with _in_words(path):
                self._take_hold()
                try:
                    self.content = _read_content(self._connection)
                except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                    raise _changed(path) from error
                if is_sitting:
                    self._sit_down()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> PacketBook:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Finish what is queued, end the sitting and let go of the file; again does nothing."""
        self._pool.shutdown(wait=True)
        with self._lock, contextlib.suppress(sqlite3.Error, StoreError):
            if self._sitting and identity_of(self.path) != self._identity and self._kept is None:
                self._kept = keep_copy(self._connection, self.path)
            if self._sitting and self._kept is None:  # else its file has no name
                self._connection.execute(
                    "UPDATE sitting SET ended_at = ? WHERE id = ?", (now(), self._sitting)
                )
                self._sitting = 0
        self._connection.close()

    # Reading

    def picture(self, number: int) -> bytes:
        """The bytes of a picture; any thread may ask."""
        row = self._row("SELECT data FROM picture WHERE id = ?", [number])
        if row is None:
            raise StoreError(f"Picture {number} is missing from the packet.", "Ask for a new packet.")
        data: bytes = row[0]
        return data

    def events(self, run: int) -> list[AnswerEvent]:
        """All acts of a run (0: the study, else the attempt at training), oldest first."""
        rows = self._rows(f"SELECT {', '.join(EVENT_COLUMNS)} FROM event WHERE run = ? ORDER BY id", [run])
        try:
            return [_event(row) for row in rows]
        except (ValueError, TypeError, RecursionError) as error:
            raise _changed(self.path) from error

    def newest_run(self) -> int:
        """Number of the latest attempt at training; 0 before the first."""
        row = self._row("SELECT ifnull(max(run), 0) FROM event", [])
        return int(row[0]) if row else 0

    @property
    def key_answers(self) -> dict[tuple[int, str], KeyAnswer]:
        """The study lead's answers to the training sets, by set and question."""
        return dict(self.content.keys)

    # Writing

    def append(self, run: int, event: AnswerEvent) -> Future[AnswerEvent]:
        """Append one act; the future resolves, with its id, once it is on the disk."""
        return self._pool.submit(lambda: self._write(run, [event])[0])

    def append_all(self, run: int, events: Sequence[AnswerEvent]) -> list[AnswerEvent]:
        """Append many acts in one transaction; returns them with their ids."""
        return self._pool.submit(lambda: self._write(run, events)).result()

    def _write(self, run: int, events: Sequence[AnswerEvent]) -> list[AnswerEvent]:
        with self._lock, _in_words(self.path):
            self._find_file()
            written = self._insert(run, events)
            if written and identity_of(self.path) != self._identity:
                # Not reported as saved, so not in the copy either: saving again would put it there twice.
                self._connection.execute("DELETE FROM event WHERE id >= ?", (written[0].event_id,))
                self._find_file()
                written = self._insert(run, events)  # it was put back at this moment
        return written

    def find_file(self) -> None:
        """StoreError when the packet is not where it was opened; what was saved is in a copy by then."""
        with self._lock:
            self._find_file()

    def _find_file(self) -> None:
        if identity_of(self.path) == self._identity:
            kept, self._kept = self._kept, None
            if kept is not None:  # it was put back, and is the one file again
                kept.unlink(missing_ok=True)
        elif self._kept is None:
            self._kept = keep_copy(self._connection, self.path)
            raise lost(self.path, self._kept)
        else:
            self._go_on_in(self._kept)

    def _go_on_in(self, kept: Path) -> None:
        """Change over to the copy of a packet that was lost; the person was told and saves again."""
        before = (self._connection, self.path, self._identity)
        self._kept = None  # whatever goes wrong, another copy is made next time
        connection = _connect(kept)
        self._connection, self.path, self._identity = connection, kept, identity_of(kept)
        try:
            self._take_hold()
            place = _place_of(kept, self.content.key)
            connection.execute("UPDATE sitting SET place = ? WHERE id = ?", (place, self._sitting))
        except BaseException:
            self._connection, self.path, self._identity = before
            connection.close()
            raise
        before[0].close()

    def _insert(self, run: int, events: Sequence[AnswerEvent]) -> list[AnswerEvent]:
        """Append acts in one transaction."""
        if not events:
            return []
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            newest = connection.execute("SELECT id, chain FROM event ORDER BY id DESC LIMIT 1").fetchone()
            number, chain = newest or (0, self.content.key)
            rows = []
            for event in events:
                number += 1
                row = _row_of(number, self._sitting, run, event)
                chain = link(chain, row)
                rows.append((*row, chain))
            connection.executemany(_INSERT, rows)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return [replace(event, event_id=row[0]) for event, row in zip(events, rows, strict=True)]

    # Opening

    def _take_hold(self) -> None:
        connection = self._connection
        be_careful(connection)
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        _must_be_packet(connection, self.path)
        if not holds_only(connection, statements(PACKET_ID)):
            raise _changed(self.path)
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = FULL")
        force_fully(connection)
        connection.execute("BEGIN EXCLUSIVE")  # held until the connection is closed
        connection.execute("COMMIT")

    def _sit_down(self) -> None:
        last = self._row("SELECT place, ended_at FROM sitting ORDER BY id DESC LIMIT 1", [])
        place = _place_of(self.path, self.content.key)
        if last is not None and last[1] is None:
            self._look_over()
            if last[0] != place:
                self.note = (
                    "This file is a copy that was made while the packet was open. It holds everything that "
                    "was saved until then. Go on in one of the two files only."
                )
        key = uuid.uuid4().hex
        added = self._connection.execute(
            "INSERT INTO sitting (key, place, application_version, began_at) VALUES (?, ?, ?, ?)",
            (key, place, __version__, now()),
        )
        self._sitting = int(added.lastrowid or 0)

    def _look_over(self) -> None:
        """After a sitting without an end: is the file whole?"""
        found = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != ("ok",):
            raise StoreError(
                f"{self.path} is damaged: it was copied or cut off in the middle of being written.",
                "Use the original file, or ask for a new packet.",
            )

    def _rows(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        with self._lock, _in_words(self.path):
            return self._connection.execute(sql, values).fetchall()

    def _row(self, sql: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
        found = self._rows(sql, values)
        return found[0] if found else None

    def backup_to(self, write: Callable[[sqlite3.Connection], T]) -> T:
        """Run something that reads many tables while nobody writes."""
        with self._lock, _in_words(self.path):
            return write(self._connection)


class RunBook:
    """The acts of one run of a packet, as a session's answer book."""

    def __init__(self, book: PacketBook, run: int) -> None:
        self._book, self.run = book, run

    def answer_events(self, annotator_id: int) -> list[AnswerEvent]:
        """Every act of this run, oldest first."""
        return self._book.events(self.run) if annotator_id == ANNOTATOR else []

    def append_answer(self, event: AnswerEvent) -> Future[AnswerEvent]:
        """Append one act; does not wait."""
        return self._book.append(self.run, event)

    def append_answers(self, events: Sequence[AnswerEvent]) -> None:
        """Append many acts in one transaction."""
        self._book.append_all(self.run, events)


def _changed(path: Path) -> StoreError:
    return StoreError(
        f"{path} is damaged or was changed: it does not hold what a packet holds.",
        "Ask the study lead for the packet again.",
    )


def _connect(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise StoreError(f"There is no file {path}.", "Check its name and place.")
    address = address_of(path.absolute(), "rw")
    with _in_words(path):
        return connect_held(path, address, 0.5)


def _must_be_packet(connection: sqlite3.Connection, path: Path) -> None:
    (found,) = connection.execute("PRAGMA application_id").fetchone()
    if found == HAND_IN_ID:
        raise StoreError(f"{path} is a hand-in, not a packet.", "Send it to the study lead as it is.")
    if found == APPLICATION_ID:
        raise StoreError(f"{path} is a study, not a packet.", "Open it with `main.py window`.")
    if found != PACKET_ID:
        raise StoreError(f"{path} is no packet.", "Ask the study lead for the packet again.")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise StoreTooNew(
            f"This packet was made by a newer release (version {version}, this release knows {VERSION}).",
            "Install the newer release to open it; nothing was changed.",
        )


def _read_content(connection: sqlite3.Connection) -> PacketContent:
    key, study_key, annotator, simulated = connection.execute(
        "SELECT key, study_key, annotator, is_simulated FROM packet"
    ).fetchone()
    questions, mode, is_reversed, shows_role, side, share, attempts = connection.execute(
        "SELECT questions_json, count_mode, is_reversed, shows_role, side, pass_share, attempts FROM content"
    ).fetchone()
    sets = connection.execute("SELECT number, key, part, pictures_json, role FROM shown ORDER BY number")
    keys = connection.execute("SELECT set_number, question, label, slider, marks FROM key_answer")
    return PacketContent(
        *(key, study_key, annotator, bool(simulated), questions_from_data(json.loads(questions))),
        *(mode, bool(is_reversed), bool(shows_role), side),
        tuple(
            PacketSet(number, one, part, tuple(json.loads(pictures)), role)
            for number, one, part, pictures, role in sets
        ),
        {
            (number, question): KeyAnswer(label, slider, frozenset(json.loads(marks)))
            for number, question, label, slider, marks in keys
        },
        Training(share, attempts),
    )


def _place_of(path: Path, key: str) -> str:
    """A mark of this file on this machine that tells nobody else anything."""
    found = path.stat()
    return key_of([key, platform.node(), uuid.getnode(), found.st_dev, found.st_ino])[:16]


def _row_of(number: int, sitting: int, run: int, event: AnswerEvent) -> tuple[Any, ...]:
    answer = event.answer
    return (
        *(number, sitting, run, event.image_set_id, event.question, event.act, answer.label),
        *(int(answer.is_unknown), answer.slider, answer.slider_source, json.dumps(sorted(answer.marks))),
        *(int(answer.is_confirmed), int(answer.is_flagged), answer.comment, event.at, event.undoes),
        *(float(event.wall_seconds), float(event.active_seconds)),
        *(None if event.first_act_seconds is None else float(event.first_act_seconds), event.theme),
    )


def _event(row: Sequence[Any]) -> AnswerEvent:
    number, _, _, set_number, question, act, *rest = row
    label, unknown, slider, source, marks, confirmed, flagged, comment, at, undoes, *last = rest
    wall, active, first_act, theme = last
    answer = Answer(
        *(label, bool(unknown), slider, source, frozenset(json.loads(marks))),
        *(bool(confirmed), bool(flagged), comment),
    )
    return AnswerEvent(
        ANNOTATOR, set_number, question, act, answer, at, undoes, wall, active, first_act, theme, number
    )


@contextlib.contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """The world's errors in an annotator's words."""
    try:
        with put_in_words(path):
            yield
    except StoreError as error:
        cause = error.__cause__
        kind = kind_of(cause) if isinstance(cause, sqlite3.Error) else ""
        if kind not in _WORDS:
            raise
        sentence, remedy = _WORDS[kind]
        raise type(error)(sentence.format(path=path), remedy) from cause


_WORDS = {
    "BUSY": ("This packet is open in another window.", "Go on there, or close that window first."),
    "READONLY": (
        "{path} cannot be written where it lies, so no answer could be saved.",
        "Copy it into a folder of your own, such as Documents, and open the copy.",
    ),
    "CANTOPEN": (
        "The folder of {path} cannot be written, so no answer could be saved.",
        "Copy the packet into a folder of your own, such as Documents, and open the copy.",
    ),
    "NOTADB": ("{path} is no packet.", "Ask the study lead for the packet again."),
    "CORRUPT": (
        "{path} is damaged, perhaps cut off while it was copied or sent.",
        "Use the original file, or ask the study lead for the packet again.",
    ),
}
