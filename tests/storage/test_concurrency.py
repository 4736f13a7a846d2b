"""Several threads and several processes at once: everybody's acts are kept."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import StoreError
from core.paths import STUDY_FILE
from storage.frames import Frames
from storage.store import Store
from tests.storage import appender
from tests.storage.builders import add_image_set, make_event, make_image, make_record, new_store


@pytest.fixture
def ready(folder: Path) -> Path:
    with new_store(folder) as store:
        add_image_set(store)
        for name in ("Ada", "Ben", "Cleo"):
            store.add_annotator(name)
    return folder


def at_once(*works: Callable[[], None]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_threads_that_write_at_once_lose_nothing(ready: Path) -> None:
    with Store.open(ready) as store:

        def answer(annotator_id: int) -> None:
            for number in range(40):
                store.append_answer(make_event(annotator_id, 1, label=f"word {number}")).result()

        def draw(first: int) -> None:
            for number in range(first, first + 10):
                store.add_image(make_image(number))

        def read() -> None:
            for image_id in range(1, 6):
                store.add_records([make_record(image_id)])

        at_once(
            *(lambda: answer(1), lambda: answer(2), lambda: answer(3)),
            *(lambda: draw(100), lambda: draw(105), read, read),
        )

        for annotator_id in (1, 2, 3):
            words = [event.answer.label for event in store.answer_events(annotator_id)]
            assert words == [f"word {number}" for number in range(40)]
        assert {image.seed for image in store.images()} == {*range(10), *range(100, 115)}
        assert [len(store.records_of(image_id)) for image_id in range(1, 7)] == [1] * 5 + [0]


def test_processes_that_write_at_once_lose_nothing(ready: Path) -> None:
    programs = [
        subprocess.Popen(
            [sys.executable, appender.__file__, str(ready), str(annotator_id), "60"],
            stdout=subprocess.PIPE,
            text=True,
        )
        for annotator_id in (1, 2, 3)
    ]
    reported = [[int(line) for line in program.communicate()[0].split()] for program in programs]

    assert [program.returncode for program in programs] == [0, 0, 0]
    with Store.open(ready) as store:
        for annotator_id, ids in zip((1, 2, 3), reported, strict=True):
            events = store.answer_events(annotator_id)
            assert [event.event_id for event in events] == ids
            assert [event.answer.label for event in events] == [f"word {number}" for number in range(60)]


def test_two_stores_of_one_study_see_each_others_acts(ready: Path) -> None:
    with Store.open(ready) as one, Store.open(ready) as other:
        first, second = one.add_image(make_image(50)), other.add_image(make_image(51))
        again = other.add_image(make_image(50))

        assert again == first
        assert one.images() == other.images()
        assert {first, second} <= {image.image_id for image in one.images()}


HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("BEGIN IMMEDIATE")
connection.execute("UPDATE study SET name = 'renamed'")
print("held", flush=True)
sys.stdin.readline()
connection.commit()
connection.close()
"""


@pytest.mark.parametrize("seconds", [0.1, 1.0])
def test_a_write_waits_for_another_process_that_holds_the_lock(ready: Path, seconds: float) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(ready / STUDY_FILE)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with Store.open(ready, wait_seconds=60) as store, holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        future = store.append_answer(make_event(1, 1, label="calm"))
        time.sleep(seconds)
        assert not future.done()
        assert store.answer_events(1) == []  # reading does not wait

        holder.communicate("let go\n")

        kept = future.result()
        assert store.answer_events(1) == [kept]


def test_a_lock_that_is_never_let_go_is_said_and_the_next_write_succeeds(ready: Path) -> None:
    with Store.open(ready, wait_seconds=0.1) as store:
        with closing(sqlite3.connect(ready / STUDY_FILE)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="being written by another program"):
                store.append_answer(make_event(1, 1, label="calm")).result()
            with pytest.raises(StoreError, match="being written by another program"):
                store.add_roles([])

        assert store.append_answer(make_event(1, 1, label="calm")).result().event_id == 1


def test_a_study_that_another_program_holds_whole_is_said_when_it_is_opened(ready: Path) -> None:
    with closing(sqlite3.connect(ready / STUDY_FILE)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")

        with pytest.raises(StoreError, match="being written by another program"):
            Store.open(ready, wait_seconds=0.1)


def test_frames_are_read_while_somebody_writes(ready: Path) -> None:
    with Store.open(ready) as store:
        store.add_records([make_record(image_id) for image_id in range(1, 11)])
        stop = threading.Event()

        def write() -> None:
            number = 1000
            while not stop.is_set():
                number += 1
                image_id = store.add_image(make_image(number))
                store.add_records([make_record(image_id)])

        writer = threading.Thread(target=write)
        writer.start()
        for _ in range(5):
            frame = Frames(ready).labels("reader")
            sizes = frame.groupby("image").size()
            assert set(sizes) == {5}  # each image with all that was read off it, or not at all
        stop.set()
        writer.join()


def test_opening_and_closing_at_once_is_safe(ready: Path) -> None:
    def come_and_go() -> None:
        for _ in range(10):
            with Store.open(ready, wait_seconds=60) as store:
                store.append_answer(make_event(1, 1, label="calm")).result()

    at_once(*[come_and_go] * 4)

    with Store.open(ready) as store:
        assert len(store.answer_events(1)) == 40
