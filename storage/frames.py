"""Read-only queries as pandas frames, for statistics and export.

Rows come in the order of the study (generator, role, condition, prompt, seed), whatever order they were
made in. Columns of words that repeat are categorical: a paper-sized study has 2.6 million labels. What a
frame leaves out is counted by reason in `frame.attrs["left_out"]`.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from core.errors import BadInput
from core.extraction.registry import dimensions_of
from core.schema import read_schema
from storage import frame_queries as queries
from storage.connections import connect_reader, study_file
from storage.label_frame import Numbers, Places, label_frame
from storage.trouble import put_in_words

NO_RECORD = "no record"
NOT_CONFIRMED = "not confirmed"
EXCLUDED = "excluded by the study lead"

NEWEST = 2**62
"""No record has so high a number."""

_WHERE_FROM = ["generator", "role", "condition", "prompt"]


class Frames:
    """Frames of the study in a folder. Every call reads one consistent state; nothing stays open."""

    def __init__(self, folder: Path | str) -> None:
        self._path = study_file(Path(folder))

    def labels(self, extractor: str) -> pd.DataFrame:
        """What an extractor read: one row per image × dimension × label.

        Columns generator, role, condition ('' where nobody stated one), prompt, image (its id in the
        store), seed (a word; missing where nobody stated it), cohort, dimension, label, status. A dimension
        that could not be seen has the label `unknown` and that status; one read as an empty list has the
        label '' and the status `ok`, so its image still counts; an image whose record failed has the label
        '' and the record's status once for every dimension of the schema. An image counts with its latest
        record.

        Left out: images without a record, and images whose status is not ok.
        """
        with self._reading() as connection:
            images = _frame(
                connection.execute(queries.IMAGES_AND_RECORDS, [_extractor_id(connection, extractor)]),
                [*_WHERE_FROM, "image", "seed", "image_status", "record", "record_status"],
            )
            left_out = _left_out(images)
            kept = images[(images["image_status"] == "ok") & images["record"].notna()]
            frame = _labels(connection, kept.drop(columns="image_status"))
        frame.attrs["left_out"] = left_out
        return frame

    def labels_of(
        self,
        extractor: str,
        generator: str,
        dimension: str,
        role: str | None = None,
        until: int = NEWEST,
        conditions: Sequence[str] | None = None,
    ) -> pd.DataFrame:
        """The rows of `labels` of one generator and dimension, of one role and some conditions or of all.

        `until` is the last record that counts (see `last_record`), so that what is behind a number stays
        what it was when the number was computed.
        """
        with self._reading() as connection:
            some = None if conditions is None else json.dumps(list(conditions))
            values = [_extractor_id(connection, extractor), until, generator, role, some, some]
            images = _frame(
                connection.execute(queries.IMAGES_OF_PART, values),
                [*_WHERE_FROM, "image", "seed", "image_status", "record", "record_status"],
            )
            kept = images[(images["image_status"] == "ok") & images["record"].notna()]
            frame = _labels(connection, kept.drop(columns="image_status"), dimension)
        return frame[frame["dimension"] == dimension]

    def last_record(self) -> int:
        """Number of the newest record of all."""
        with self._reading() as connection:
            return int(connection.execute("SELECT ifnull(max(id), 0) FROM record").fetchone()[0])

    def readings(self, round_id: int, extractor: str) -> pd.DataFrame:
        """What an extractor read of the images that people saw: image set × image × question × label.

        Columns image_set (its key), position (0–9 in the set's own order), image, question (the
        dimension that was read, also those that no question asks), label, status, as in `labels`.

        Left out: images without a record. `attrs["not_measured"]` has the dimensions that the extractor
        never reads, each with its name: it may have put `unknown` there, which is no answer.
        """
        with self._reading() as connection:
            images = _frame(
                connection.execute(queries.SET_IMAGES, [_extractor_id(connection, extractor), round_id]),
                ["image_set", "position", "image", "record", "record_status"],
            )
            has_record = images["record"].notna()
            frame = _labels(connection, images[has_record])
        frame = frame.drop(columns="cohort").rename(columns={"dimension": "question"})
        frame.attrs["left_out"] = _counted({NO_RECORD: int((~has_record).sum())})
        frame.attrs["not_measured"] = dict.fromkeys(_never_read(frame, extractor), extractor)
        return frame

    def answers(self, round_id: int) -> pd.DataFrame:
        """Confirmed answers of a round as they stand: one row per annotator × image set × question.

        Columns annotator, image_set (its key), question, label ('' when unknown), slider (missing when
        unset), status (`ok` or `unknown`), marks (a JSON list of positions, '' for none), is_simulated,
        is_flagged, comment, wall_seconds, active_seconds, answered_at.

        Left out: answers that were begun and not confirmed, and those that the study lead excluded.

        `attrs["decided"]` has what was adjudicated: (image_set, question) -> (label or None for unknown,
        count or None).
        """
        columns = [
            *("annotator", "image_set", "question", "label", "slider", "status", "marks", "is_simulated"),
            *("is_flagged", "comment", "wall_seconds", "active_seconds", "answered_at"),
        ]
        with self._reading() as connection:
            frame = _frame(connection.execute(queries.ANSWERS, [round_id]), columns)
            (begun,) = connection.execute(queries.UNCONFIRMED, [round_id]).fetchone()
            (excluded,) = connection.execute(queries.EXCLUDED, [round_id]).fetchone()
            decided = connection.execute(queries.DECIDED, [round_id]).fetchall()
        frame = frame.astype({"slider": "float64", "is_simulated": bool, "is_flagged": bool})
        frame.attrs["left_out"] = _counted({NOT_CONFIRMED: begun, EXCLUDED: excluded})
        frame.attrs["decided"] = {(key, question): tuple(rest) for key, question, *rest in decided}
        return frame

    def repeats(self, round_id: int) -> pd.DataFrame:
        """Confirmed answers to second showings: one row per annotator × image set × question.

        Columns annotator, image_set (the key of its first showing), question, label, slider, status,
        is_simulated, as in `answers`, which has none of these rows.
        """
        columns = ["annotator", "image_set", "question", "label", "slider", "status", "is_simulated"]
        with self._reading() as connection:
            frame = _frame(connection.execute(queries.REPEATS, [round_id]), columns)
        return frame.astype({"slider": "float64", "is_simulated": bool})

    def images(self) -> pd.DataFrame:
        """All images, whatever their status: where they come from, where they lie, what they are."""
        columns = [
            *(*_WHERE_FROM, "image", "seed", "status", "run_key", "sha256", "path", "thumbnail"),
            *("width", "height", "seconds", "source", "arrived_at"),
        ]
        with self._reading() as connection:
            return _frame(connection.execute(queries.IMAGES), columns)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with put_in_words(self._path), contextlib.closing(connect_reader(self._path)) as connection:
            # One transaction, so that all queries of a frame see the same state.
            connection.execute("BEGIN")
            yield connection


def _frame(rows: sqlite3.Cursor, columns: Sequence[str]) -> pd.DataFrame:
    frame = pd.DataFrame(rows.fetchall(), columns=list(columns))
    repeated = [name for name in (*_WHERE_FROM, "image_set") if name in frame]
    return frame.astype(dict.fromkeys(repeated, "category"))


def _extractor_id(connection: sqlite3.Connection, name: str) -> int:
    ids = dict(connection.execute("SELECT name, id FROM extractor"))
    if name not in ids:
        raise BadInput(
            f"This study has no extractor {name!r}.",
            f"It has {', '.join(ids)}." if ids else "Run one first: `main.py extract`.",
        )
    return int(ids[name])


def _never_read(readings: pd.DataFrame, extractor: str) -> list[str]:
    """Dimensions without one label that the extractor does not read, or of which no record says anything."""
    by_kind = readings.groupby(["question", "status"], observed=True).size()
    kinds: dict[str, set[str]] = {str(name): set() for name in readings["question"].cat.categories}
    for name, status in by_kind.index:
        kinds[str(name)].add(str(status))
    if not any("ok" in each for each in kinds.values()):
        return []  # nothing was read at all
    failed = set.intersection(*kinds.values())  # of whole records: every dimension has these
    declared = dimensions_of(extractor)
    return [
        name
        for name, each in kinds.items()
        if "ok" not in each and (each <= failed if declared is None else name not in declared)
    ]


def _left_out(images: pd.DataFrame) -> dict[str, int]:
    is_ok = images["image_status"] == "ok"
    reasons = "image " + images["image_status"][~is_ok]
    missing = int((is_ok & images["record"].isna()).sum())
    return _counted({**reasons.value_counts().sort_index().to_dict(), NO_RECORD: missing})


def _counted(reasons: dict[Any, int]) -> dict[str, int]:
    return {str(reason): int(number) for reason, number in reasons.items() if number}


def _labels(connection: sqlite3.Connection, images: pd.DataFrame, dimension: str = "") -> pd.DataFrame:
    """The rows of `images` (with `record` and `record_status`), once for each label read off them.

    A dimension leaves the readings of all others out, but not the rows of failed records.
    """
    values = pd.DataFrame(
        connection.execute(queries.VALUES).fetchall(), columns=["id", "dimension", "label", "status"]
    )
    (schema,) = connection.execute("SELECT schema_json FROM study").fetchone()
    records = images["record"].to_numpy(np.int64)
    image, value = _readings(connection, records, values["id"].to_numpy(np.int64), dimension)
    if "seed" in images:
        images = images.astype({"seed": "category"})
    return label_frame(images.drop(columns="record"), image, value, values, read_schema(schema))


def _readings(
    connection: sqlite3.Connection, records: Numbers, values: Numbers, dimension: str = ""
) -> tuple[Places, Places]:
    """For every label of these records, in order: the row of its record, and the place of its value.

    `values` are the ids of all values, ascending.
    """
    known, which = np.unique(records, return_inverse=True)
    wanted = json.dumps(known.tolist())
    if dimension:
        rows = connection.execute(queries.READINGS_OF_DIMENSION, [wanted, dimension])
    else:
        rows = connection.execute(queries.READINGS, [wanted])
    parts = list(_in_parts(rows, known, values))
    value = np.concatenate([part for _, part in parts] or [np.zeros(0, dtype=np.int32)])
    size = sum((part for part, _ in parts), np.zeros(known.size, dtype=np.int64))
    # An image may stand in several image sets, with the same record: its labels once for each.
    begins, each = (np.cumsum(size) - size)[which], size[which]
    row = np.repeat(np.arange(len(records), dtype=np.int32), each)
    if np.array_equal(which, np.arange(known.size)):
        return row, value
    shift = np.repeat(begins - (np.cumsum(each) - each), each)
    return row, value[shift + np.arange(row.size)]


def _in_parts(
    rows: sqlite3.Cursor, records: Numbers, values: Numbers, most: int = 1 << 19
) -> Iterator[tuple[Numbers, Places]]:
    """Of some rows at a time: how many labels each record has, and the place of each label's value.

    A study of ten times the paper's size has 26 million labels: they are never all there as Python numbers,
    and 32 bits are enough for a place.
    """
    while True:
        read = np.fromiter(chain.from_iterable(islice(rows, most)), np.int64)
        if not read.size:
            return
        record, value = read.reshape(-1, 2).T
        counts = np.bincount(np.searchsorted(records, record), minlength=records.size)
        yield counts, np.searchsorted(values, value).astype(np.int32)
