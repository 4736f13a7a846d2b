"""Labels of open dimensions as they were said, proposals for merging them, and what people decided."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BadInput, StoreError
from core.labels.label_map import LabelMap
from core.labels.proposal import Neighbour, Proposal
from core.labels.review import Act, LabelAct, map_of, to_redo, to_undo
from core.records import StoredImage
from storage.part import IMAGE_COLUMNS, IMAGE_TABLES, Part, as_json, from_json, now, stored_image


class LabelRows(Part):
    """Labels, proposals and the label map of a study."""

    def label_counts(self, dimensions: Sequence[str]) -> dict[tuple[str, str], int]:
        """(dimension, label) -> images whose newest record of some extractor says it, in these dimensions."""
        rows = self._readers.rows(_COUNTS, [as_json(list(dimensions))])
        return {(dimension, label): images for dimension, label, images in rows}

    def images_with_label(self, dimension: str, label: str, number: int) -> list[StoredImage]:
        """Some images that were read with a label, the first ones first."""
        rows = self._readers.rows(_IMAGES_WITH, [dimension, label, number])
        return [stored_image(row) for row in rows]

    def put_proposals(self, proposals: Sequence[Proposal], maker: Mapping[str, Any]) -> None:
        """Replace all proposals by these; `maker` says what made them."""
        at, made_by = now(), as_json(maker)
        rows = [
            (
                *(each.dimension, each.label, each.canonical, each.kind, each.likeness, each.name),
                *(as_json([[one.label, one.likeness] for one in each.neighbours]), made_by, at),
            )
            for each in proposals
        ]

        def act(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM label_proposal")
            connection.executemany("INSERT INTO label_proposal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

        self._writer.do(act, "label")

    def proposals(self) -> list[Proposal]:
        """The latest proposals, by dimension and label."""
        rows = self._readers.rows(
            "SELECT dimension, label, canonical, kind, likeness, name, neighbours_json FROM label_proposal"
            " ORDER BY dimension, label"
        )
        return [
            Proposal(*said, tuple(Neighbour(*pair) for pair in from_json(neighbours)))  # type: ignore[call-arg]
            for *said, neighbours in rows
        ]

    def proposals_maker(self) -> dict[str, Any]:
        """What made the latest proposals, and when; empty without any."""
        row = self._readers.row("SELECT maker_json, proposed_at FROM label_proposal LIMIT 1")
        return {} if row is None else {**from_json(row[0]), "proposed_at": row[1]}

    def label_acts(self) -> list[LabelAct]:
        """Every act on the label map, oldest first."""
        changes: dict[int, dict[tuple[str, str], str]] = {}
        for number, dimension, label, canonical in self._readers.rows(
            "SELECT act_id, dimension, label, canonical FROM label_act_row ORDER BY act_id, dimension, label"
        ):
            changes.setdefault(number, {})[(dimension, label)] = canonical
        rows = self._readers.rows("SELECT id, act, author, reason, undoes, at FROM label_act ORDER BY id")
        return [
            LabelAct(Act(act), author, changes.get(number, {}), reason, undoes, number, at)
            for number, act, author, reason, undoes, at in rows
        ]

    def label_map(self) -> LabelMap:
        """The label map as it stands."""
        return map_of(self.label_acts())

    def add_label_act(self, act: LabelAct) -> int:
        """Keep an act on the label map; returns its number, which is the map's version from then on."""

        def write(connection: sqlite3.Connection) -> int:
            return _put_act(connection, act)

        return self._writer.do(write, "label")

    def undo_label_act(self, author: str, seen: int | None = None) -> LabelAct | None:
        """Take the last standing act back; returns it, or None when there is none.

        `seen` is the number of the newest act that the person saw: StoreError where there is a newer one, of
        whose the message tells, as that is not what was meant.
        """
        undone = to_undo(self.label_acts())
        if undone is not None:
            self._take_back(LabelAct(Act.UNDO, author, undoes=undone.act_id), seen)
        return undone

    def redo_label_act(self, author: str, seen: int | None = None) -> LabelAct | None:
        """Take the last undo back, if nothing was done since; returns it, or None. `seen` as for undo."""
        undo = to_redo(self.label_acts())
        if undo is not None or seen is not None:
            again = None if undo is None else LabelAct(Act.REDO, author, undoes=undo.act_id)
            self._take_back(again, seen)
        return undo

    def _take_back(self, act: LabelAct | None, seen: int | None) -> None:
        def write(connection: sqlite3.Connection) -> None:
            last = connection.execute("SELECT id, author FROM label_act ORDER BY id DESC LIMIT 1").fetchone()
            if seen is not None and last is not None and last[0] > seen:
                raise StoreError(
                    f"{last[1]} decided something here meanwhile, so nothing was taken back.",
                    "It is shown now: Undo takes back the newest decision, whoever made it.",
                )
            if act is not None:
                _put_act(connection, act)

        self._writer.do(write, "label")


def _put_act(connection: sqlite3.Connection, act: LabelAct) -> int:
    if not act.author.strip():
        raise BadInput("An act on the label map needs to say whose it is.", "Give a name.")
    number = connection.execute(
        "INSERT INTO label_act (act, author, reason, undoes, at) VALUES (?, ?, ?, ?, ?)",
        (act.act.value, act.author, act.reason, act.undoes, act.at or now()),
    ).lastrowid
    assert number is not None
    connection.executemany(
        "INSERT INTO label_act_row (act_id, dimension, label, canonical) VALUES (?, ?, ?, ?)",
        [(number, dimension, label, to) for (dimension, label), to in act.changes.items()],
    )
    return number


_COUNTS = """
SELECT dimension, label, images FROM (
    SELECT value_id, count(DISTINCT image_id) AS images
    FROM (SELECT max(id) AS id, image_id FROM record GROUP BY extractor_id, image_id) AS newest
    JOIN reading ON reading.record_id = newest.id
    WHERE value_id IN (SELECT id FROM reading_value WHERE status = 'ok' AND label <> ''
        AND dimension IN (SELECT value FROM json_each(?)))
    GROUP BY value_id
) JOIN reading_value ON reading_value.id = value_id ORDER BY dimension, label
"""
"""Counted by the number of a value: words are looked up once for each, not for every reading."""

_IMAGES_WITH = f"""
SELECT {IMAGE_COLUMNS} FROM {IMAGE_TABLES} WHERE image.id IN (
    SELECT DISTINCT record.image_id FROM record JOIN reading ON reading.record_id = record.id
    JOIN reading_value ON reading_value.id = reading.value_id
    WHERE dimension = ? AND label = ? AND reading_value.status = 'ok'
    ORDER BY record.image_id LIMIT ?)
ORDER BY image.id
"""
