"""Notes and tags on comparisons of people with an extractor."""

from __future__ import annotations

import sqlite3
from concurrent.futures import Future
from typing import TypeAlias

from core.errors import StoreError
from storage.part import Part, now

Place: TypeAlias = tuple[str, str]
"""Key of an image set, and question."""


class NoteRows(Part):
    """What a lead noted while comparing people with the pipeline."""

    def note_comparison(
        self, image_set_id: int, question: str, extractor: str, *, tag: str = "", note: str = ""
    ) -> Future[int]:
        """Keep a tag and a note on one question of one image set; the newest stands, an empty one clears.

        Does not wait: notes are kept in the order of the calls, and the future resolves to the row's id.
        Refused with StoreError while the round is open, unless the study is a sample: until then nobody
        may see what the pipeline said.
        """

        def act(connection: sqlite3.Connection) -> int:
            _refuse_open(connection, image_set_id)
            added = connection.execute(
                "INSERT INTO comparison_note (image_set_id, question, extractor, tag, note, at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (image_set_id, question, extractor, tag.strip(), note.strip(), now()),
            )
            return int(added.lastrowid or 0)

        return self._writer.start(act, "note")

    def comparison_notes(self, round_id: int, extractor: str) -> dict[Place, tuple[str, str]]:
        """Tag and note of every question of an image set that has either, as they stand."""
        rows = self._readers.rows(
            "SELECT image_set.key, question, tag, note FROM comparison_note"
            " JOIN image_set ON image_set.id = image_set_id"
            " WHERE round_id = ? AND extractor = ? AND comparison_note.id IN"
            "  (SELECT max(id) FROM comparison_note GROUP BY image_set_id, question, extractor)"
            " AND (tag <> '' OR note <> '') ORDER BY image_set.id, question",
            [round_id, extractor],
        )
        return {(key, question): (tag, note) for key, question, tag, note in rows}


def _refuse_open(connection: sqlite3.Connection, image_set_id: int) -> None:
    found = connection.execute(
        "SELECT round.locked_at IS NOT NULL OR (SELECT is_sample FROM study)"
        " FROM image_set JOIN round ON round.id = round_id WHERE image_set.id = ?",
        (image_set_id,),
    ).fetchone()
    if found is None or not found[0]:
        raise StoreError(
            "The round is open, so people are not compared with the pipeline yet.",
            "Lock it first: `main.py round STUDY --lock`, or on the Team page.",
        )
