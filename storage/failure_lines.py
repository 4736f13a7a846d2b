"""`main.py doctor`: what the last runs could not make, take in or read, by class."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.jobs import Failure
from storage.connections import connect_reader, study_file
from storage.part import from_json
from storage.trouble import put_in_words

MOST_ITEMS = 100
"""Of one class; a run may fail for thousands."""

_READ = """
    SELECT extractor.name, record.image_id, record.status, record.reason
    FROM (SELECT max(id) AS id FROM record GROUP BY extractor_id, image_id) AS newest
    JOIN record ON record.id = newest.id JOIN extractor ON extractor.id = record.extractor_id
    WHERE record.status NOT IN ('ok', 'unknown') ORDER BY extractor.id, record.image_id
"""


def failure_lines_of(folder: Path) -> list[str]:
    """Each class of failure with how many there are and what they are about; empty when nothing failed.

    Of generators and imports the last run counts, as it tried again what failed before; of extractors the
    newest record of every image.
    """
    path = study_file(folder)
    with put_in_words(path), contextlib.closing(connect_reader(path)) as connection:
        found = [*_of_jobs(connection), *_of_records(connection)]
    grouped: dict[tuple[str, str], list[Failure]] = defaultdict(list)
    for run, failure in found:
        grouped[run, failure.kind].append(failure)
    return [line for (run, kind), failures in grouped.items() for line in _lines(run, kind, failures)]


def _of_jobs(connection: Any) -> Iterator[tuple[str, Failure]]:
    last: dict[str, int] = {}
    for number, kind, settings in connection.execute(
        "SELECT id, kind, settings_json FROM job WHERE ended_at IS NOT NULL"
        " AND (kind LIKE 'generate%' OR kind LIKE 'import%') ORDER BY id"
    ):
        told = from_json(settings)
        last[" ".join([kind, str(told.get("generator") or told.get("folder") or "")]).strip()] = number
    for run, number in last.items():
        query = "SELECT item, kind, reason FROM failure WHERE job_id = ? ORDER BY id"
        for row in connection.execute(query, (number,)):
            yield run, Failure(*row)


def _of_records(connection: Any) -> Iterator[tuple[str, Failure]]:
    for extractor, image, status, reason in connection.execute(_READ):
        yield f"extract {extractor}", Failure(f"image {image}", status, reason)


def _lines(run: str, kind: str, failures: list[Failure]) -> Iterator[str]:
    yield f"Not done by the last `{run}`, {kind}: {len(failures)}."
    for failure in failures[:MOST_ITEMS]:
        yield f"  {failure.item}: {failure.reason}"
    if len(failures) > MOST_ITEMS:
        yield f"  … and {len(failures) - MOST_ITEMS} more."
