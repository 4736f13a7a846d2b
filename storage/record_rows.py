"""Records: what extractors read off images, and the removal of what was simulated."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from core.records import DimensionReading, NewRecord, Status
from storage.part import Part, now
from storage.plan_rows import id_of

Value: TypeAlias = tuple[str, str, str]
"""Dimension, label and status, as in `reading_value`."""


class RecordRows(Part):
    """Records of a study."""

    def add_records(self, records: Sequence[NewRecord]) -> None:
        """Store records in one transaction; one whose key is there is left as it is.

        Records with the status `error` are attempts: each is kept, and the key stays free.
        A label said twice for one dimension counts once.
        """

        def act(connection: sqlite3.Connection) -> None:
            extractors = dict(connection.execute("SELECT name, id FROM extractor"))
            values = _Values(connection)
            for record in records:
                _put_record(connection, record, id_of(extractors, record.extractor, "extractor"), values)

        self._writer.do(act, "record")

    def record_keys(self, extractor: str) -> set[str]:
        """Keys of an extractor's records that need not be asked again: all but those of an error."""
        rows = self._readers.rows(
            "SELECT record_key FROM record JOIN extractor ON extractor.id = extractor_id"
            " WHERE extractor.name = ? AND status <> 'error'",
            [extractor],
        )
        return {key for (key,) in rows}

    def records_of(self, image_id: int) -> list[NewRecord]:
        """All records of an image, oldest first."""
        rows = self._readers.rows(
            "SELECT record.id, extractor.name, record_key, status, n_persons, reason, raw, seconds"
            " FROM record JOIN extractor ON extractor.id = extractor_id"
            " WHERE image_id = ? ORDER BY record.id",
            [image_id],
        )
        return [
            NewRecord(image_id, name, key, Status(status), self._readings(number), *rest)
            for number, name, key, status, *rest in rows
        ]

    def _readings(self, record_id: int) -> dict[str, DimensionReading]:
        rows = self._readers.rows(
            "SELECT dimension, label, status FROM reading_in_words WHERE record_id = ? ORDER BY position",
            [record_id],
        )
        labels: dict[str, list[str]] = {}
        status: dict[str, Status] = {}
        for dimension, label, state in rows:
            status[dimension] = Status(state)
            labels.setdefault(dimension, []).extend([label] if label else [])
        return {name: DimensionReading(tuple(found), status[name]) for name, found in labels.items()}

    def has_simulated(self) -> bool:
        """Whether the study holds answers or records that no person and no real reader gave."""
        return bool(self.simulated_parts())

    def simulated_parts(self) -> frozenset[str]:
        """What of the study is simulated: "answers", "records", both or nothing.

        Who is only known by name has answered nothing; a reader that could read no image has read nothing.
        """
        return frozenset(name for (name,) in self._readers.rows(_WHAT_IS_SIMULATED))

    def remove_simulated(self) -> dict[str, int]:
        """Delete simulated annotators with their answers and simulated extractors with their records.

        The only deletion there is, in one transaction; a person's answers cannot be touched (a trigger
        refuses). Returns how many of each went: annotators, answers, extractors, records.
        """
        return self._writer.do(_remove_simulated, "answer", "annotator", "record", "extractor")


# Nested, so that the few names are looked at first and each stops at its first row.
_WHAT_IS_SIMULATED = """
SELECT 'answers' WHERE EXISTS (SELECT 1 FROM annotator WHERE is_simulated = 1 AND EXISTS (
    SELECT 1 FROM answer_event WHERE annotator_id = annotator.id))
UNION ALL
SELECT 'records' WHERE EXISTS (SELECT 1 FROM extractor WHERE is_simulated = 1 AND EXISTS (
    SELECT 1 FROM record WHERE extractor_id = extractor.id AND status = 'ok'))
"""


class _Values:
    """Rows of `reading_value` by what they say; a value that was never read before gets a row."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._ids: dict[Value, int] = {}

    def id_of(self, value: Value) -> int:
        """Row of a value."""
        found = self._ids.get(value)
        if found is None:
            self._connection.execute(
                "INSERT INTO reading_value (dimension, label, status) VALUES (?, ?, ?)"
                " ON CONFLICT (dimension, label, status) DO NOTHING",
                value,
            )
            (found,) = self._connection.execute(
                "SELECT id FROM reading_value WHERE dimension = ? AND label = ? AND status = ?", value
            ).fetchone()
            self._ids[value] = found
        return found


def _put_record(
    connection: sqlite3.Connection, record: NewRecord, extractor_id: int, values: _Values
) -> None:
    added = connection.execute(
        "INSERT INTO record (image_id, extractor_id, record_key, status, reason, raw, n_persons, seconds,"
        " recorded_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (record_key) WHERE status <> 'error' DO NOTHING",
        (
            *(record.image_id, extractor_id, record.record_key, record.status.value),
            *(record.reason, record.raw, record.n_persons, record.seconds, now()),
        ),
    )
    if added.rowcount:
        connection.executemany(
            "INSERT INTO reading (record_id, position, value_id) VALUES (?, ?, ?)",
            [
                (added.lastrowid, position, values.id_of(value))
                for position, value in enumerate(_values_of(record.readings))
            ],
        )


def _values_of(readings: Mapping[str, DimensionReading]) -> Iterator[Value]:
    for dimension, reading in readings.items():
        # A dimension without a label still says something: that it was read and nothing was found.
        for label in dict.fromkeys(reading.labels) or ("",):
            yield dimension, label, reading.status.value


_SIMULATED = """
DELETE FROM conflict WHERE theirs_id IN (SELECT answer_event.id FROM answer_event
    JOIN annotator ON annotator.id = annotator_id WHERE is_simulated = 1);
DELETE FROM exclusion WHERE annotator_id IN (SELECT id FROM annotator WHERE is_simulated = 1);
DELETE FROM answer_event WHERE annotator_id IN (SELECT id FROM annotator WHERE is_simulated = 1);
DELETE FROM hand_in WHERE packet_id IN (SELECT packet.id FROM packet
    JOIN annotator ON annotator.id = annotator_id WHERE is_simulated = 1);
DELETE FROM packet WHERE annotator_id IN (SELECT id FROM annotator WHERE is_simulated = 1);
DELETE FROM annotator WHERE is_simulated = 1;
DELETE FROM reading WHERE record_id IN (
    SELECT record.id FROM record JOIN extractor ON extractor.id = extractor_id WHERE is_simulated = 1);
DELETE FROM record WHERE extractor_id IN (SELECT id FROM extractor WHERE is_simulated = 1);
DELETE FROM extractor WHERE is_simulated = 1
"""


def _remove_simulated(connection: sqlite3.Connection) -> dict[str, int]:
    gone = [connection.execute(statement).rowcount for statement in _SIMULATED.split(";")]
    _, _, answers, _, _, annotators, _, records, extractors = gone
    return {"annotators": annotators, "answers": answers, "extractors": extractors, "records": records}
