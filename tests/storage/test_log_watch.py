"""A log that was taken away under an open study: nothing is told to be kept, and nothing is overwritten."""

import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from core import held_files
from core.errors import StoreError
from storage import log_watch
from storage.store import Store
from storage.study import NewStudy

WRITE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("UPDATE study SET name = 'by another'")
connection.commit()
connection.close()
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a file in use cannot be taken away")


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_watch, "_cut_off", set())


def test_an_act_after_the_locks_were_dropped_is_refused_and_what_others_wrote_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    store = Store.create(tmp_path / "s", NewStudy("mine", 1))
    file = tmp_path / "s" / "study.sqlite"
    store.add_generator("kept", "kept", {})
    with monkeypatch.context() as patch:
        patch.setattr(held_files, "_held", Counter())  # as who opens files past Python
        with file.open("rb"):
            pass  # drops the locks of this process
    subprocess.run([sys.executable, "-c", WRITE, str(file)], check=True)

    with pytest.raises(StoreError, match="taken away by another program"):
        store.add_generator("lost", "lost", {})
    with pytest.raises(StoreError, match="taken away"):
        store.add_generator("also lost", "also lost", {})
    store.close()
    with pytest.raises(StoreError, match="start it again"):
        Store.open(tmp_path / "s")

    ask = "SELECT name FROM study UNION SELECT name FROM generator"
    look = (
        "import sqlite3, sys; print(sorted(r[0] for r in sqlite3.connect(sys.argv[1]).execute(sys.argv[2])))"
    )
    said = subprocess.run(
        [sys.executable, "-c", look, str(file), ask], capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "['by another', 'kept']"


def test_a_log_that_stays_is_no_trouble(tmp_path: Path):
    with Store.create(tmp_path / "s", NewStudy("mine", 1)) as store:
        store.add_generator("one", "one", {})
        with sqlite3.connect(tmp_path / "s" / "study.sqlite") as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        store.add_generator("two", "two", {})
        assert [one.name for one in store.generators()] == ["one", "two"]
