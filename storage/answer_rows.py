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

_COLUMNS = """
    annotator_id, image_set_id, question, act, label, is_unknown, slider, slider_source, marks,
    is_confirmed, is_flagged, comment, at, undoes, wall_seconds, active_seconds, first_act_seconds, theme
"""

_INSERT = f"INSERT INTO answer_event ({_COLUMNS}) VALUES ({', '.join('?' * 18)})"


class AnswerRows(Part):
    """Answer events of a study."""

    def append_answer(self, event: AnswerEvent) -> Future[AnswerEvent]:
        """Append one act of an annotator; does not wait.

        The future resolves once the event is on the disk, with the event's id in it; from then on it
        survives a crash of the program, of the machine and a power cut. A locked round gives StoreError.
        """

        def act(connection: sqlite3.Connection) -> AnswerEvent:
            _refuse_locked_sets(connection, [event])
            added = connection.execute(_INSERT, _row(event))
            return replace(event, event_id=added.lastrowid)

        return self._writer.start(act, "answer")

    def append_answers(self, events: Sequence[AnswerEvent]) -> None:
        """Append many events in their order, in one transaction; returns when they are on the disk."""

        def act(connection: sqlite3.Connection) -> None:
            _refuse_locked_sets(connection, events)
            connection.executemany(_INSERT, map(_row, events))

        self._writer.do(act, "answer")

    def answer_events(self, annotator_id: int) -> list[AnswerEvent]:
        """All events of an annotator, oldest first."""
        rows = self._readers.rows(
            f"SELECT {_COLUMNS}, id FROM answer_event WHERE annotator_id = ? ORDER BY id", [annotator_id]
        )
        return [_event(row) for row in rows]


def _refuse_locked_sets(connection: sqlite3.Connection, events: Iterable[AnswerEvent]) -> None:
    for image_set_id in {event.image_set_id for event in events}:
        found = connection.execute("SELECT round_id FROM image_set WHERE id = ?", (image_set_id,)).fetchone()
        if found is None:
            raise StoreError(f"This study has no image set number {image_set_id}; the answer was not kept.")
        refuse_locked(connection, found[0])


def _row(event: AnswerEvent) -> tuple[Any, ...]:
    answer = event.answer
    return (
        *(event.annotator_id, event.image_set_id, event.question, event.act),
        *(answer.label, int(answer.is_unknown), answer.slider, answer.slider_source),
        *(json.dumps(sorted(answer.marks)), int(answer.is_confirmed), int(answer.is_flagged)),
        *(answer.comment, event.at, event.undoes),
        *(event.wall_seconds, event.active_seconds, event.first_act_seconds, event.theme),
    )


def _event(row: Sequence[Any]) -> AnswerEvent:
    annotator_id, image_set_id, question, act, *rest = row
    label, is_unknown, slider, source, marks, is_confirmed, is_flagged, comment, *timing = rest
    answer = Answer(
        *(label, bool(is_unknown), slider, source, frozenset(json.loads(marks))),
        *(bool(is_confirmed), bool(is_flagged), comment),
    )
    return AnswerEvent(annotator_id, image_set_id, question, act, answer, *timing)
