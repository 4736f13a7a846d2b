"""What survives when a program is killed, and that nothing else is left behind."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from core.paths import STUDY_FILE
from storage.check import check_study
from storage.store import Store
from tests.storage import appender
from tests.storage.builders import add_image_set, new_store

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kill -9 is not for this system")


@pytest.fixture
def ready(folder: Path) -> Path:
    with new_store(folder) as store:
        add_image_set(store)
        store.add_annotator("Ada")
    return folder


def kill_after(folder: Path, seconds: float) -> list[int]:
    """Run the appending program, kill it some time after its first answer; ids it said were kept."""
    program = subprocess.Popen(
        [sys.executable, appender.__file__, str(folder), "1", "0"], stdout=subprocess.PIPE, text=True
    )
    with program:
        assert program.stdout is not None
        first = program.stdout.readline()
        time.sleep(seconds)
        program.send_signal(signal.SIGKILL)
        lines = [first, *program.stdout.readlines()]
    assert program.returncode == -signal.SIGKILL
    return [int(line) for line in lines if line.endswith("\n")]


def test_an_answer_that_was_reported_kept_survives_the_kill(ready: Path) -> None:
    moments = random.Random(20260301)
    acknowledged: list[int] = []

    for _ in range(6):
        acknowledged += kill_after(ready, moments.uniform(0, 0.25))
        with closing(sqlite3.connect(ready / STUDY_FILE)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        with Store.open(ready) as store:
            events = store.answer_events(1)

        kept = [event.event_id for event in events]
        assert set(acknowledged) <= set(kept)
        assert kept == list(range(1, len(kept) + 1))
        # At most one act a run was on the disk without having been reported.
        assert len(kept) - len(acknowledged) <= _ + 1
    assert check_study(ready) == []


IMAGES = """
import sys
from storage.store import Store
from tests.storage.builders import make_image
with Store.open(sys.argv[1]) as store:
    for number in range(100, 100_000, 5):
        store.add_images([make_image(number + extra) for extra in range(5)])
        print(number, flush=True)
"""


def test_a_kill_while_images_arrive_leaves_orphans_at_most(ready: Path) -> None:
    for seconds in (0.0, 0.05, 0.13):
        program = subprocess.Popen(
            [sys.executable, "-c", IMAGES, str(ready)],
            cwd=Path(__file__).resolve().parents[2],
            stdout=subprocess.PIPE,
            text=True,
        )
        with program:
            assert program.stdout is not None
            program.stdout.readline()
            time.sleep(seconds)
            program.send_signal(signal.SIGKILL)
            program.stdout.read()
        assert {finding.kind for finding in check_study(ready)} <= {"orphan file", "unfinished file"}

    with Store.open(ready) as store:
        assert len(store.images()) % 5 == 0
        assert all(store.image_bytes(image) and store.thumbnail_bytes(image) for image in store.images())


JOB = """
import os, sys
from storage.store import Store
store = Store.open(sys.argv[1])
store.begin_job("generate", 10, {})
os._exit(1)
"""


def test_a_job_of_a_killed_program_is_interrupted_at_the_next_opening(ready: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-c", JOB, str(ready)], cwd=root, check=False)

    with Store.open(ready) as store:
        (job,) = store.jobs()

    assert (job.state, job.asked, job.done) == ("interrupted", 10, 0)
    assert job.ended_at
