"""Write a packet: one SQLite file with neutral keys, plain pictures, and nothing that was ever deleted.

The file is put together in an order that tells nothing (pictures are numbered as they are shown), rows are
only ever added, and it is copied once with `VACUUM INTO` before it gets its name, so that no free page and
no unused byte holds anything else.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

from core.errors import BadInput, StoreError
from core.keys import content_hash, key_of
from core.packets import PacketContent, questions_as_data
from core.whole_files import put_in_place, sync_file, sync_folder
from storage.packet_schema import PACKET_ID, make_tables
from storage.trouble import put_in_words

Picture = Callable[[int], bytes]
"""The encoded picture with a number in the packet."""

Note = Callable[[str], object]


class PacketWriter:
    """Writes one packet, set by set; `finish` gives it its name.

    Parameters
    ----------
    path : Path
        Where the packet will be. A file that is there already is never replaced.
    content : PacketContent
        What it holds beside the pictures.
    """

    def __init__(self, path: Path, content: PacketContent) -> None:
        if path.exists():
            raise BadInput(f"There is already a file {path}.", "Choose another name.")
        self._path, self._content = path, content
        self._unfinished = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
        self._hash = ""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"{path.parent} cannot be made: {error.strerror}.", "Choose another place."
            ) from error

    def write(self, picture: Picture, note: Note) -> Iterator[int]:
        """Write everything, one yield a set with its number; on any error nothing is left.

        `note` is called with the hash of the content when the packet is whole and on the disk, before it
        gets its name: whatever happens, a packet that is there is one that its study knows.
        """
        hashes: list[str] = []
        try:
            with put_in_words(self._path), contextlib.closing(_new(self._unfinished)) as connection:
                connection.execute("BEGIN")
                for one in self._content.sets:
                    for number in one.pictures:
                        data = picture(number)
                        hashes.append(content_hash(data))
                        connection.execute("INSERT INTO picture (id, data) VALUES (?, ?)", (number, data))
                    yield one.number
                self._hash = key_of([content_key(self._content), hashes])
                _put_content(connection, self._content, self._hash)
                connection.execute("COMMIT")
                self._finish(connection, note)
        finally:
            for ending in ("", "-journal"):
                self._unfinished.with_name(self._unfinished.name + ending).unlink(missing_ok=True)

    @property
    def content_hash(self) -> str:
        """Hash of what the packet holds; empty before it was written."""
        return self._hash

    def _finish(self, connection: sqlite3.Connection, note: Note) -> None:
        whole = self._unfinished.with_suffix(".whole")
        try:
            connection.execute("VACUUM INTO ?", (str(whole),))
            sync_file(whole)
            note(self._hash)
            put_in_place(whole, self._path)
            sync_folder(self._path.parent)
        finally:
            whole.unlink(missing_ok=True)


def content_key(content: PacketContent) -> str:
    """Content key of everything in a packet but the pixels."""
    sets = [[one.number, one.key, one.part, list(one.pictures), one.role] for one in content.sets]
    keys = [
        [number, question, key.label, key.slider, sorted(key.marks)]
        for (number, question), key in sorted(content.keys.items())
    ]
    return key_of(
        [
            *(content.key, content.study_key, content.annotator, content.is_simulated, content.count_mode),
            *(content.is_reversed, content.shows_role, content.side, sets, keys),
            *(questions_as_data(content.questions), content.training.pass_share, content.training.attempts),
        ]
    )


def _new(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA page_size = 8192")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA synchronous = OFF")  # a crash leaves no packet, and nothing is lost by that
    connection.execute("PRAGMA journal_mode = MEMORY")
    make_tables(connection, PACKET_ID)
    return connection


def _put_content(connection: sqlite3.Connection, content: PacketContent, content_hash: str) -> None:
    connection.execute(
        "INSERT INTO packet (id, key, study_key, annotator, is_simulated, content_hash)"
        " VALUES (1, ?, ?, ?, ?, ?)",
        (content.key, content.study_key, content.annotator, int(content.is_simulated), content_hash),
    )
    connection.execute(
        "INSERT INTO content (id, questions_json, count_mode, is_reversed, shows_role, side, pass_share,"
        " attempts) VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
        (
            json.dumps(questions_as_data(content.questions), ensure_ascii=False),
            *(content.count_mode, int(content.is_reversed), int(content.shows_role), content.side),
            *(content.training.pass_share, content.training.attempts),
        ),
    )
    connection.executemany(
        "INSERT INTO shown (number, key, part, role, pictures_json) VALUES (?, ?, ?, ?, ?)",
        [(one.number, one.key, one.part, one.role, json.dumps(one.pictures)) for one in content.sets],
    )
    connection.executemany(
        "INSERT INTO key_answer (set_number, question, label, slider, marks) VALUES (?, ?, ?, ?, ?)",
        [
            (number, question, key.label, key.slider, json.dumps(sorted(key.marks)))
            for (number, question), key in sorted(content.keys.items())
        ],
    )
