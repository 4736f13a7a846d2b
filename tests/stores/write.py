"""Write the study of a release: `python tests/stores/write.py v1`. An existing folder is refused."""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.paths import STUDY_FILE
from storage import job_rows
from storage.export import export_tables
from tests.storage.builders import add_image_set, fill, make_event, new_store


def main(name: str) -> None:
    """Fill a study, and put its file and all its rows beside this one."""
    target = Path(__file__).resolve().parent / name
    target.mkdir()
    # What is kept for good says nothing of the machine that wrote it.
    job_rows.this_process = lambda: {"host": "lab", "pid": 1, "started": "", "token": ""}
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "study"
        with new_store(folder, study_key="0" * 32, settings={"threshold": 0.5}) as store:
            fill(store)
            robot = store.add_annotator("simulated A", is_simulated=True)
            image_set = add_image_set(store, "set 2", 20, 4)
            unknown = make_event(robot.annotator_id, image_set, "items", is_unknown=True, is_confirmed=True)
            store.append_answers([unknown])
            store.lock_round(1)
            store.adjudicate(1, "mood", DECISION)
            store.note_comparison(
                1, "mood", store.extractors()[0].name, tag="look again", note="two moods"
            ).result()
        with closing(sqlite3.connect(folder / STUDY_FILE)) as connection:
            connection.execute("VACUUM INTO ?", [str(target / STUDY_FILE)])
        rows = {name: rows for name, rows in export_tables(folder).items() if name not in VIEWS}
        (target / "rows.json").write_text(
            json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )
        shutil.copymode(folder / STUDY_FILE, target / STUDY_FILE)


VIEWS = ("current_answer", "reading_in_words", "standing_answer", "standing_event")
DECISION = {
    "label": "calm",
    "slider": 2,
    "cause": "slip",
    "reason": "a key next to it",
    "confidence": "high",
    "decided_by": "Eve",
}

if __name__ == "__main__":
    main(sys.argv[1])
