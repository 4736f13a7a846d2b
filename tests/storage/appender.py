"""A program for tests: opens a study, appends answers one by one and prints each id once it is kept.

`python appender.py FOLDER ANNOTATOR COUNT`; `0` appends until it is killed.
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.records import Answer, AnswerEvent
from storage.store import Store


def main(folder: str, annotator_id: int, count: int) -> None:
    """Append and report."""
    with Store.open(folder, wait_seconds=60) as store:
        for number in range(count) if count else itertools.count():
            answer = Answer(f"word {number}", marks=frozenset({number % 10}))
            event = AnswerEvent(annotator_id, 1, "items", "describe", answer, "2026-03-01T09:00:00Z")
            print(store.append_answer(event).result().event_id, flush=True)  # noqa: T201 (its report)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
