"""Answers: events that are appended, kept for good, and read back as they were."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from core.errors import StoreError
from core.records import Answer, AnswerEvent
from storage.part import Part
from storage.round_rows import refuse_locked

EVENT_COLUMNS = """
    annotator_id, image_set_id, question, act, label, is_unknown, slider, slider_source, marks,
    is_confirmed, is_flagged, comment, at, undoes, wall_seconds, active_seconds, first_act_seconds, theme
"""

_INSERT = f"INSERT INTO answer_event ({EVENT_COLUMNS}) VALUES ({', '.join('?' * 18)})"
INSERT_HANDED = (
    f"INSERT INTO answer_event ({EVENT_COLUMNS}, hand_in_id, origin, is_held) VALUES ({', '.join('?' * 21)})"
)


class AnswerRows(Part):
    """Answer events of a study."""

    def append_answer(self, event: AnswerEvent) -> Future[AnswerEvent]:
        """Append one act of an annotator; does not wait.

        The future resolves once the event is on the disk, with the event's id in it; from then on it
        survives a crash of the program, of the machine and a power cut. A locked round gives StoreError.
        """

        def act(connection: sqlite3.Connection) -> AnswerEvent:
            refuse_locked_sets(connection, [event])
            added = connection.execute(_INSERT, event_row(event))
            return replace(event, event_id=added.lastrowid)

        return self._writer.start(act, "answer")

    def append_answers(self, events: Sequence[AnswerEvent]) -> None:
        """Append many events in their order, in one transaction; returns when they are on the disk."""

        def act(connection: sqlite3.Connection) -> None:
            refuse_locked_sets(connection, events)
            connection.executemany(_INSERT, map(event_row, events))

        self._writer.do(act, "answer")

    def has_answers(self, round_id: int) -> bool:
        """Whether anybody, or anybody simulated, has answered in a round."""
        sql = (
            "SELECT 1 FROM image_set WHERE round_id = ? AND EXISTS"
            " (SELECT 1 FROM standing_event WHERE image_set_id = image_set.id) LIMIT 1"
        )
        return bool(self._readers.rows(sql, [round_id]))

    def answer_events(self, annotator_id: int) -> list[AnswerEvent]:
        """All events of an annotator that stand, oldest first: none of an undone merge, none held."""
        rows = self._readers.rows(
            f"SELECT {EVENT_COLUMNS}, id FROM standing_event WHERE annotator_id = ? ORDER BY id",
            [annotator_id],
        )
        return [event_of(row) for row in rows]


def refuse_locked_sets(connection: sqlite3.Connection, events: Iterable[AnswerEvent]) -> None:
    """Raise StoreError when an event is about a set of a locked round, or of none."""
    for image_set_id in {event.image_set_id for event in events}:
        found = connection.execute("SELECT round_id FROM image_set WHERE id = ?", (image_set_id,)).fetchone()
        if found is None:
            raise StoreError(f"This study has no image set number {image_set_id}; the answer was not kept.")
        refuse_locked(connection, found[0])


def event_row(event: AnswerEvent) -> tuple[Any, ...]:
    """An event as the values of its columns."""
    answer = event.answer
    return (
        *(event.annotator_id, event.image_set_id, event.question, event.act),
        *(answer.label, int(answer.is_unknown), answer.slider, answer.slider_source),
        *(json.dumps(sorted(answer.marks)), int(answer.is_confirmed), int(answer.is_flagged)),
        *(answer.comment, event.at, event.undoes),
        *(event.wall_seconds, event.active_seconds, event.first_act_seconds, event.theme),
    )


def event_of(row: Sequence[Any]) -> AnswerEvent:
    """The event of a row of `EVENT_COLUMNS` with the id at its end."""
    annotator_id, image_set_id, question, act, *rest = row
    label, is_unknown, slider, source, marks, is_confirmed, is_flagged, comment, *timing = rest
    answer = Answer(
        *(label, bool(is_unknown), slider, source, frozenset(json.loads(marks))),
        *(bool(is_confirmed), bool(is_flagged), comment),
    )
    return AnswerEvent(annotator_id, image_set_id, question, act, answer, *timing)
