"""Hand-ins in the study: what standing acts there are, merging in one transaction, undoing, deciding."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.errors import BadInput, StoreError
from core.packets import NewEvent, NewHandIn
from core.records import AnswerEvent
from storage.answer_rows import EVENT_COLUMNS, INSERT_HANDED, event_of, event_row, refuse_locked_sets
from storage.part import Part, as_json, from_json, now


@dataclass(frozen=True, slots=True)
class MergedHandIn:
    """A hand-in that was merged."""

    hand_in_id: int
    packet_id: int
    annotator: str
    round_id: int
    file_name: str
    content_hash: str
    counts: Mapping[str, Any]
    training: Sequence[Mapping[str, Any]]
    merged_at: str
    undone_at: str | None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two answers of one annotator to one question, neither of which knew of the other."""

    conflict_id: int
    hand_in_id: int
    annotator: str
    image_set: str
    ours: AnswerEvent
    theirs: AnswerEvent
    decision: str | None
    decided_by: str
    reason: str


_OF_STANDING_MERGES = """
    annotator_id = ? AND (hand_in_id IS NULL
        OR hand_in_id NOT IN (SELECT id FROM hand_in WHERE undone_at IS NOT NULL))
"""


__all__ = ["Conflict", "MergeRows", "MergedHandIn", "NewEvent", "NewHandIn"]


class MergeRows(Part):
    """What came back from packets."""

    def standing_events(self, annotator_id: int) -> list[tuple[str | None, AnswerEvent]]:
        """All acts of an annotator that stand or wait for a decision, each with its origin, oldest first."""
        rows = self._readers.rows(
            f"SELECT {EVENT_COLUMNS}, id, origin FROM answer_event WHERE {_OF_STANDING_MERGES} ORDER BY id",
            [annotator_id],
        )
        return [(row[-1], event_of(row[:-1])) for row in rows]

    def held_events(self, annotator_id: int) -> set[int]:
        """Ids of acts that wait for, or lost, a decision."""
        rows = self._readers.rows(
            "SELECT id FROM answer_event WHERE annotator_id = ? AND is_held = 1", [annotator_id]
        )
        return {number for (number,) in rows}

    def merge(self, hand_in: NewHandIn) -> int:
        """Take a hand-in in, whole or not at all; returns its id.

        Raises StoreError when the annotator has answered since the preview, or the round is locked.
        """

        def act(connection: sqlite3.Connection) -> int:
            _refuse_changed(connection, hand_in)
            refuse_locked_sets(connection, [one.event for one in hand_in.events])
            added = connection.execute(
                "INSERT INTO hand_in (packet_id, file_name, content_hash, counts_json, training_json,"
                " application_version, merged_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    *(hand_in.packet_id, hand_in.file_name, hand_in.content_hash, as_json(hand_in.counts)),
                    *(as_json(list(hand_in.training)), hand_in.application_version, now()),
                ),
            )
            hand_in_id = int(added.lastrowid or 0)
            ids = _put_events(connection, hand_in_id, hand_in)
            connection.executemany(
                "INSERT INTO conflict (hand_in_id, ours_id, theirs_id) VALUES (?, ?, ?)",
                [(hand_in_id, ours, ids[theirs]) for ours, theirs in hand_in.conflicts],
            )
            return hand_in_id

        return self._writer.do(act, "answer", "hand_in")

    def undo_merge(self, hand_in_id: int) -> int:
        """Take a merge back, with what was decided about its conflicts; nothing is deleted.

        Returns how many answers had come with it. Merges of one annotator are taken back latest first:
        StoreError names the later one. StoreError too where the round is locked: nothing could be merged
        in its place.
        """

        def act(connection: sqlite3.Connection) -> int:
            found = connection.execute(
                "SELECT annotator_id, undone_at, round.name, locked_at FROM hand_in"
                " JOIN packet ON packet.id = packet_id JOIN round ON round.id = round_id"
                " WHERE hand_in.id = ?",
                (hand_in_id,),
            ).fetchone()
            if found is None or found[1] is not None:
                raise BadInput(f"There is no merge number {hand_in_id} that stands.", "List them: `--list`.")
            if found[3] is not None:
                raise StoreError(
                    f"{found[2]} is locked, so merge number {hand_in_id} stays: its answers could not be "
                    "merged again.",
                    "Leave an annotator out with an exclusion: `main.py quality STUDY --exclude NAME`.",
                )
            _refuse_later(connection, hand_in_id, found[0])
            connection.execute("UPDATE hand_in SET undone_at = ? WHERE id = ?", (now(), hand_in_id))
            (answers,) = connection.execute(
                "SELECT count(*) FROM (SELECT DISTINCT image_set_id, question FROM answer_event"
                " WHERE hand_in_id = ? AND is_confirmed = 1)",
                (hand_in_id,),
            ).fetchone()
            return int(answers)

        return self._writer.do(act, "answer", "hand_in")

    def decide_conflict(self, conflict_id: int, decision: str, decided_by: str, reason: str) -> None:
        """Say which of two answers counts, "ours" (there first) or "theirs"; both stay.

        Deciding for "theirs" appends the answer once more, so that it is the latest.
        """
        if decision not in ("ours", "theirs"):
            raise BadInput(f"A conflict is decided for ours or for theirs, not {decision!r}.")

        def act(connection: sqlite3.Connection) -> None:
            found = connection.execute(
                "SELECT hand_in_id, theirs_id FROM conflict JOIN hand_in ON hand_in.id = hand_in_id"
                " WHERE conflict.id = ? AND decision IS NULL AND undone_at IS NULL",
                (conflict_id,),
            ).fetchone()
            if found is None:
                raise BadInput(
                    f"There is no open conflict number {conflict_id}.", "List them: `--conflicts`."
                )
            connection.execute(
                "UPDATE conflict SET decision = ?, decided_by = ?, reason = ?, decided_at = ? WHERE id = ?",
                (decision, decided_by, reason, now(), conflict_id),
            )
            if decision == "theirs":
                _put_decided(connection, *found)

        self._writer.do(act, "answer")

    def hand_ins(self) -> list[MergedHandIn]:
        """All merges, oldest first, also those that were taken back."""
        rows = self._readers.rows(
            "SELECT hand_in.id, packet_id, annotator.name, round_id, file_name, hand_in.content_hash,"
            " counts_json, training_json, merged_at, undone_at FROM hand_in"
            " JOIN packet ON packet.id = packet_id JOIN annotator ON annotator.id = annotator_id"
            " ORDER BY hand_in.id"
        )
        return [MergedHandIn(*(*row[:6], from_json(row[6]), from_json(row[7]), *row[8:])) for row in rows]

    def conflicts(self) -> list[Conflict]:
        """Conflicts of merges that stand, decided ones too, oldest first."""
        rows = self._readers.rows(
            "SELECT conflict.id, conflict.hand_in_id, annotator.name, image_set.key, ours_id, theirs_id,"
            " decision, decided_by, reason FROM conflict JOIN hand_in ON hand_in.id = conflict.hand_in_id"
            " JOIN answer_event ON answer_event.id = theirs_id"
            " JOIN annotator ON annotator.id = annotator_id JOIN image_set ON image_set.id = image_set_id"
            " WHERE undone_at IS NULL ORDER BY conflict.id"
        )
        return [
            Conflict(number, merge, name, key, self._event(ours), self._event(theirs), *decided)
            for number, merge, name, key, ours, theirs, *decided in rows
        ]

    def _event(self, event_id: int) -> AnswerEvent:
        (row,) = self._readers.rows(f"SELECT {EVENT_COLUMNS}, id FROM answer_event WHERE id = ?", [event_id])
        return event_of(row)


def _refuse_changed(connection: sqlite3.Connection, hand_in: NewHandIn) -> None:
    (newest,) = connection.execute(
        f"SELECT ifnull(max(id), 0) FROM answer_event WHERE {_OF_STANDING_MERGES}", (hand_in.annotator_id,)
    ).fetchone()
    if newest != hand_in.seen_until:
        raise StoreError(
            "Answers of this annotator came in meanwhile, so nothing was merged.", "Merge again."
        )


def _refuse_later(connection: sqlite3.Connection, hand_in_id: int, annotator_id: int) -> None:
    later = connection.execute(
        "SELECT hand_in.id FROM hand_in JOIN packet ON packet.id = packet_id"
        " WHERE annotator_id = ? AND hand_in.id > ? AND undone_at IS NULL ORDER BY hand_in.id DESC",
        (annotator_id, hand_in_id),
    ).fetchone()
    if later:
        raise StoreError(
            f"Merge number {later[0]} of the same annotator came later and rests on this one.",
            f"Undo number {later[0]} first; the file can be merged again.",
        )


def _put_events(connection: sqlite3.Connection, hand_in_id: int, hand_in: NewHandIn) -> dict[str, int]:
    """Insert the acts in their order; return row ids by origin."""
    ids = dict(
        connection.execute(
            "SELECT origin, id FROM answer_event WHERE annotator_id = ? AND origin IS NOT NULL"
            " AND hand_in_id NOT IN (SELECT id FROM hand_in WHERE undone_at IS NOT NULL) ORDER BY id",
            (hand_in.annotator_id,),
        )
    )
    for one in hand_in.events:
        event = replace(one.event, undoes=ids.get(one.undoes) if one.undoes else None)
        row = (*event_row(event), hand_in_id, one.origin, int(one.is_held))
        ids[one.origin] = int(connection.execute(INSERT_HANDED, row).lastrowid or 0)
    return ids


def _put_decided(connection: sqlite3.Connection, hand_in_id: int, theirs_id: int) -> None:
    row = connection.execute(
        f"SELECT {EVENT_COLUMNS}, id, origin FROM answer_event WHERE id = ?", (theirs_id,)
    ).fetchone()
    event = replace(event_of(row[:-1]), act="conflict decided", undoes=None)
    still = replace(event, wall_seconds=0.0, active_seconds=0.0, first_act_seconds=None)
    connection.execute(INSERT_HANDED, (*event_row(still), hand_in_id, row[-1], 0))
