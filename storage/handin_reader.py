"""Read what came back, trusting nothing in it: a file from another machine is input like any other.

It is opened read-only with `trusted_schema` off, and only if its header, its version and the very text of
its tables are ours: no view, no trigger, no index of somebody else's can run. What it says is checked row
by row: a chain of hashes and a seal show whether it was changed on the way. A packet itself is taken too.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from core.errors import BadInput, StoreError, StoreTooNew
from core.packets import HandedEvent, HandIn
from core.records import Answer
from storage.connections import address_of
from storage.foreign import be_careful, holds_only, in_time
from storage.held_connection import connect_held
from storage.packet_schema import EVENT_COLUMNS, HAND_IN_ID, PACKET_ID, VERSION, link, statements
from storage.trouble import put_in_words

MOST_BYTES = 4 * 2**30
"""Of a file; a packet of 1,200 pictures has a tenth of that."""

MOST_EVENTS = 500_000
MOST_TEXT = 20_000
"""Length of any text; a comment is the longest there is."""


def read_hand_in(path: Path) -> HandIn:
    """What a hand-in, or a packet, holds.

    Raises
    ------
    BadInput
        It is neither, it is too large, its tables are not ours, or a value cannot be what it should be.
    StoreTooNew
        A newer release wrote it.
    StoreError
        It cannot be read at all.
    """
    if not path.is_file():
        raise BadInput(f"There is no file {path}.", "Check its name and place.")
    if path.stat().st_size > MOST_BYTES:
        raise BadInput(f"{path} is larger than any hand-in can be.", "Ask for the hand-in again.")
    with _opened(path) as connection:
        kind = _kind_of(connection, path)
        _must_have_our_tables(connection, path, kind)
        return _read(connection, path, kind)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    address = address_of(path.absolute(), "ro")
    try:
        with put_in_words(path), contextlib.closing(connect_held(path, address, 0.5)) as found:
            be_careful(found)
            found.execute("PRAGMA query_only = ON")
            with in_time(found, str(path)):
                yield found
    except StoreError as error:
        cause = error.__cause__
        if "NOTADB" in getattr(cause, "sqlite_errorname", ""):
            raise BadInput(f"{path} is no hand-in and no packet.", "Ask for the hand-in again.") from cause
        raise


def _kind_of(connection: sqlite3.Connection, path: Path) -> int:
    (kind,) = connection.execute("PRAGMA application_id").fetchone()
    if kind not in (HAND_IN_ID, PACKET_ID):
        raise BadInput(f"{path} is no hand-in and no packet.", "Ask for the hand-in again.")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise StoreTooNew(
            f"{path} was written by a newer release (version {version}, this release knows {VERSION}).",
            "Install the newer release to merge it.",
        )
    return int(kind)


def _must_have_our_tables(connection: sqlite3.Connection, path: Path, kind: int) -> None:
    (pages,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if pages != "ok" or not holds_only(connection, statements(kind)):
        raise BadInput(
            f"{path} is damaged or was changed: its tables are not those of a hand-in.",
            "Ask for the hand-in again.",
        )


def _read(connection: sqlite3.Connection, path: Path, kind: int) -> HandIn:
    heads = connection.execute("SELECT key, study_key, annotator, content_hash FROM packet").fetchall()
    (number,) = connection.execute("SELECT count(*) FROM event").fetchone()
    if len(heads) != 1 or number > MOST_EVENTS:
        raise BadInput(f"{path} holds {number} acts for {len(heads)} packets, which cannot be.")
    sittings = dict(connection.execute("SELECT id, key FROM sitting"))
    rows = connection.execute(f"SELECT {', '.join(EVENT_COLUMNS)}, chain FROM event ORDER BY id").fetchall()
    origins = {row[0]: f"{sittings.get(row[1])}:{row[0]}" for row in rows}
    key, study_key, annotator, content = heads[0]
    try:
        for one in (key, study_key, annotator, content):
            _text(one, "packet")
        events = tuple(_event(row, sittings, origins) for row in rows)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadInput(
            f"{path} holds an act that cannot be: {error}.", "Ask for the hand-in again."
        ) from error
    version = connection.execute(
        "SELECT application_version FROM " + ("seal" if kind == HAND_IN_ID else "sitting ORDER BY id DESC")
    ).fetchone()
    fault = _chain_fault(rows, heads[0][0]) or (_seal_fault(connection, rows) if kind == HAND_IN_ID else "")
    said = str(version[0])[:MOST_TEXT] if version else ""
    return HandIn(path.name, key, study_key, annotator, content, said, events, fault)


def _chain_fault(rows: Sequence[Sequence[Any]], key: str) -> str:
    chain = key
    for place, row in enumerate(rows, start=1):
        chain = link(chain, row[:-1])
        if chain != row[-1] or row[0] != place:
            of = f"act {place} of {len(rows)} does not fit the one before"
            return f"it was changed after it was written ({of})"
    return ""


def _seal_fault(connection: sqlite3.Connection, rows: Sequence[Sequence[Any]]) -> str:
    seal = connection.execute("SELECT events, newest_chain FROM seal").fetchall()
    if len(seal) != 1 or seal[0][0] != len(rows) or (rows and seal[0][1] != rows[-1][-1]):
        return f"it was changed after it was written (its seal does not fit its {len(rows)} acts)"
    return ""


def _event(row: Sequence[Any], sittings: dict[int, str], origins: dict[int, str]) -> HandedEvent:
    number, sitting, run, set_number, question, act, label, unknown, slider, source, *rest = row[:-1]
    marks, confirmed, flagged, comment, at, undoes, wall, active, first_act, theme = rest
    answer = Answer(
        None if label is None else _text(label, "label"),
        bool(unknown),
        None if slider is None else _count(slider),
        None if source is None else _text(source, "source"),
        _marks(_text(marks, "marks")),
        bool(confirmed),
        bool(flagged),
        _text(comment, "comment"),
    )
    _must_fit(answer)
    _text(sittings[sitting], "sitting")
    return HandedEvent(
        origins[number],
        *(int(run), int(set_number), _text(question, "question"), _text(act, "act"), answer),
        _text(at, "time"),
        None if undoes is None else origins[undoes],
        *(_seconds(wall), _seconds(active), None if first_act is None else _seconds(first_act)),
        _text(theme, "theme"),
    )


def _must_fit(answer: Answer) -> None:
    if answer.label is not None and answer.is_unknown:
        raise ValueError("an answer is a label and unknown at once")
    if (answer.slider is None) != (answer.slider_source is None):
        raise ValueError("a count does not say where it is from")
    if answer.slider_source not in (None, "marks", "slider", "key"):
        raise ValueError(f"a count comes from {answer.slider_source!r}")


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str) or len(value) > MOST_TEXT:
        raise ValueError(f"the {what} is no text of a usable length")
    return value


def _count(value: Any) -> int:
    if not isinstance(value, int) or not 0 <= value <= 10:
        raise ValueError(f"the count {value!r} is not 0 to 10")
    return value


def _marks(text: str) -> frozenset[int]:
    found = json.loads(text)
    if not isinstance(found, list) or not all(type(one) is int and 0 <= one < 10 for one in found):
        raise ValueError("marks are no positions from 0 to 9")
    return frozenset(found)


def _seconds(value: Any) -> float:
    if not isinstance(value, int | float) or not 0 <= value < 1e9:
        raise ValueError(f"{value!r} seconds")
    return float(value)
