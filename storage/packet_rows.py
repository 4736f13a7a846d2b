"""Packets that left, key answers, exclusions and adjudications of a study."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.errors import BadInput, StoreError
from core.packets import KeyAnswer, Packet, PacketPlan
from core.records import Annotator, ImageSet
from storage.part import Part, as_json, from_json, now
from storage.round_rows import KeyRow, put_annotator, put_keys, put_repeats

NewPacket = tuple[int, Annotator, PacketPlan, str]
"""Round, annotator, plan, and the hash of what the packet holds."""


class PacketRows(Part):
    """What a study knows of its packets."""

    def add_repeats(self, round_id: int, sets: Sequence[ImageSet], keys: Sequence[str]) -> list[ImageSet]:
        """A second showing of each image set, under a key of its own; one that is there is found again."""

        def act(connection: sqlite3.Connection) -> list[int]:
            return put_repeats(connection, round_id, sets, keys)

        numbers = self._writer.do(act, "image_set")
        return [
            ImageSet(number, key, one.role, one.condition, one.generator, one.images)
            for number, key, one in zip(numbers, keys, sets, strict=True)
        ]

    def add_packet(self, packet: NewPacket) -> int:
        """Note that a packet leaves; from now on its round's design stays as it is. Returns its id.

        An annotator with the number 0 is added with it, or neither is. Neither is, and 0 is returned, where
        the packet's slot is not its annotator's any more, because another packet left meanwhile.
        """
        round_id, person, plan, content_hash = packet

        def act(connection: sqlite3.Connection) -> int:
            if _is_taken(connection, round_id, person, plan.slot):
                return 0
            is_there = person.annotator_id > 0
            who = person if is_there else put_annotator(connection, person.name, person.is_simulated)
            added = connection.execute(
                "INSERT INTO packet (key, round_id, annotator_id, slot, plan_json, content_hash, made_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    plan.key,
                    round_id,
                    who.annotator_id,
                    plan.slot,
                    as_json(plan.as_data()),
                    content_hash,
                    now(),
                ),
            )
            return int(added.lastrowid or 0)

        return self._writer.do(act, "packet")

    def packets(self, round_id: int | None = None) -> list[Packet]:
        """Packets that left, oldest first; of one round where it is named."""
        rows = self._readers.rows(
            "SELECT packet.id, packet.key, round_id, annotator_id, annotator.name, is_simulated, plan_json,"
            " content_hash, made_at, withdrawn_at, withdrawn_by, withdrawn_reason"
            " FROM packet JOIN annotator ON annotator.id = annotator_id"
            " WHERE ifnull(round_id = ?, 1) ORDER BY packet.id",
            [round_id],
        )
        return [
            Packet(
                *(number, key, of_round, Annotator(person, name, bool(simulated))),
                *(PacketPlan.from_data(from_json(plan)), *rest),
            )
            for number, key, of_round, person, name, simulated, plan, *rest in rows
        ]

    def withdraw_packet(self, packet_id: int, reason: str, withdrawn_by: str) -> None:
        """Call a packet back: from now on nothing that comes back from it is taken; says who and why.

        What was merged from it stays, as long as nobody undoes the merge. The design stays locked.
        """
        if not any(one.packet_id == packet_id and not one.is_withdrawn for one in self.packets()):
            raise BadInput(f"There is no packet number {packet_id} that is out.", "List them: `--list`.")
        if not reason.strip() or not withdrawn_by.strip():
            raise BadInput("A packet is withdrawn by somebody, for a reason.", "Say who and why.")

        def act(connection: sqlite3.Connection) -> None:
            done = connection.execute(
                "UPDATE packet SET withdrawn_at = ?, withdrawn_by = ?, withdrawn_reason = ?"
                " WHERE id = ? AND withdrawn_at IS NULL",
                (now(), withdrawn_by.strip(), reason.strip(), packet_id),
            )
            if not done.rowcount:
                raise BadInput(f"There is no packet number {packet_id} that is out.", "List them: `--list`.")

        self._writer.do(act, "packet")

    def put_key_answers(self, rows: Iterable[KeyRow]) -> None:
        """Keep the study lead's answers; a later one to the same question takes the place of the first.

        Refused with StoreError once a packet of the round has left.
        """
        kept = list(rows)

        def act(connection: sqlite3.Connection) -> None:
            for number in {number for number, _, _ in kept}:
                _refuse_left(connection, number)
            put_keys(connection, kept)

        self._writer.do(act, "image_set")

    def key_answers(self, round_id: int) -> dict[tuple[int, str], KeyAnswer]:
        """The study lead's answers of a round, by image set and question."""
        rows = self._readers.rows(
            "SELECT image_set_id, question, label, slider, marks, source FROM key_answer"
            " JOIN image_set ON image_set.id = image_set_id WHERE round_id = ?"
            " ORDER BY image_set_id, question",
            [round_id],
        )
        return {
            (number, question): KeyAnswer(label, slider, frozenset(json.loads(marks)), source)
            for number, question, label, slider, marks, source in rows
        }

    def exclude(
        self, round_id: int, annotator_id: int, question: str | None, reason: str, decided_by: str
    ) -> int:
        """Leave an annotator out of a round's tables, as a whole or in one question; says who and why."""
        if not reason.strip():
            raise BadInput("An exclusion needs a reason.", "Say why; the reason stands in every table.")

        def act(connection: sqlite3.Connection) -> int:
            added = connection.execute(
                "INSERT INTO exclusion (round_id, annotator_id, question, reason, decided_by, decided_at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (round_id, annotator_id, question, reason.strip(), decided_by, now()),
            )
            return int(added.lastrowid or 0)

        return self._writer.do(act, "answer")

    def withdraw_exclusion(self, exclusion_id: int) -> None:
        """Take an exclusion back; that it was there stays on record."""

        def act(connection: sqlite3.Connection) -> None:
            done = connection.execute(
                "UPDATE exclusion SET withdrawn_at = ? WHERE id = ? AND withdrawn_at IS NULL",
                (now(), exclusion_id),
            )
            if not done.rowcount:
                raise BadInput(f"There is no exclusion number {exclusion_id} that stands.")

        self._writer.do(act, "answer")

    def exclusions(self, round_id: int) -> list[dict[str, Any]]:
        """Every exclusion of a round, also those taken back, oldest first."""
        columns = ("exclusion", "annotator", "question", "reason", "decided_by", "decided_at", "withdrawn_at")
        rows = self._readers.rows(
            "SELECT exclusion.id, annotator.name, ifnull(question, ''), reason, decided_by, decided_at,"
            " ifnull(withdrawn_at, '') FROM exclusion JOIN annotator ON annotator.id = annotator_id"
            " WHERE round_id = ? ORDER BY exclusion.id",
            [round_id],
        )
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def adjudicate(self, image_set_id: int, question: str, decision: Mapping[str, Any]) -> int:
        """Keep a person's decision on one question of one image set; the latest one counts.

        `decision` has label (None for unknown), slider, cause, reason, confidence and decided_by.
        Refused with StoreError while the round is open.
        """

        def act(connection: sqlite3.Connection) -> int:
            found = connection.execute(
                "SELECT locked_at FROM image_set JOIN round ON round.id = round_id WHERE image_set.id = ?",
                (image_set_id,),
            ).fetchone()
            if found is None or found[0] is None:
                raise StoreError(
                    "The round is open, so nothing can be adjudicated yet.",
                    "Lock it first: `main.py round STUDY --lock`, or on the Team page.",
                )
            added = connection.execute(
                "INSERT INTO adjudication (image_set_id, question, label, slider, cause, reason, confidence,"
                " decided_by, decided_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(image_set_id, question, decision["label"], decision["slider"]),
                    *(decision["cause"], decision["reason"], decision["confidence"]),
                    *(decision["decided_by"], now()),
                ),
            )
            return int(added.lastrowid or 0)

        return self._writer.do(act, "answer")

    def take_back_adjudication(
        self, image_set_id: int, question: str, seen: Mapping[str, Any] | None = None
    ) -> None:
        """Take the decision that counts for a question back; the one before it counts again, if any.

        It stays on record. BadInput when nothing is decided. `seen` is the decision that is meant, as for
        `adjudicate`: StoreError where another one counts by now.
        """

        def act(connection: sqlite3.Connection) -> None:
            now_said = connection.execute(
                "SELECT label, slider, cause, reason, confidence, decided_by FROM adjudication"
                " WHERE image_set_id = ? AND question = ? AND taken_back_at IS NULL ORDER BY id DESC LIMIT 1",
                (image_set_id, question),
            ).fetchone()
            names = ("label", "slider", "cause", "reason", "confidence", "decided_by")
            if seen is not None and now_said is not None and now_said != tuple(seen[one] for one in names):
                raise StoreError(
                    f"{now_said[5]} decided this question anew meanwhile, so nothing was taken back."
                )
            done = connection.execute(
                "UPDATE adjudication SET taken_back_at = ? WHERE id = (SELECT max(id) FROM adjudication"
                " WHERE image_set_id = ? AND question = ? AND taken_back_at IS NULL)",
                (now(), image_set_id, question),
            )
            if not done.rowcount:
                raise BadInput("Nothing is decided about this question, so nothing was taken back.")

        self._writer.do(act, "answer")

    def adjudications(self, round_id: int) -> list[dict[str, Any]]:
        """The decision that counts for each question of an image set that has one."""
        columns = (
            *("image_set", "question", "label", "slider", "cause", "reason", "confidence"),
            *("decided_by", "decided_at"),
        )
        rows = self._readers.rows(
            "SELECT image_set.key, question, label, slider, cause, reason, confidence, decided_by, decided_at"
            " FROM adjudication JOIN image_set ON image_set.id = image_set_id"
            " WHERE round_id = ? AND adjudication.id IN"
            "  (SELECT max(id) FROM adjudication WHERE taken_back_at IS NULL GROUP BY image_set_id, question)"
            " ORDER BY image_set.id, question",
            [round_id],
        )
        return [dict(zip(columns, row, strict=True)) for row in rows]


def _is_taken(connection: sqlite3.Connection, round_id: int, person: Annotator, slot: int) -> bool:
    """Whether packets that are out give this person another slot, or this slot to somebody else."""
    rows = connection.execute(
        "SELECT annotator.name, slot FROM packet JOIN annotator ON annotator.id = annotator_id"
        " WHERE round_id = ? AND is_simulated = ? AND withdrawn_at IS NULL ORDER BY packet.id",
        (round_id, int(person.is_simulated)),
    )
    slots = dict(rows.fetchall())
    return slots[person.name] != slot if person.name in slots else slot in slots.values()


def _refuse_left(connection: sqlite3.Connection, image_set_id: int) -> None:
    found = connection.execute(
        "SELECT round.name FROM packet JOIN round ON round.id = packet.round_id"
        " JOIN image_set ON image_set.round_id = round.id WHERE image_set.id = ? LIMIT 1",
        (image_set_id,),
    ).fetchone()
    if found:
        raise StoreError(
            f"A packet of {found[0]!r} has left, so its design stays as it is.", "Design a new round."
        )
