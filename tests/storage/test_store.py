from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from core.errors import StoreError, StoreTooNew
from core.paths import PROJECT, STUDY_FILE
from core.records import Condition
from storage.store import Store
from storage.study import NewStudy
from tests.storage.builders import (
    add_image_set,
    fill,
    make_event,
    make_image,
    make_prompt,
    make_study,
    new_store,
)


def test_a_study_comes_back_as_it_was_made(folder: Path) -> None:
    made = NewStudy(
        "validation",
        seed=2**31,
        design="paper",
        unrelated="everyday",
        images_per_prompt=4,
        count_mode="slider only",
        show_role=True,
        is_sample=True,
        schema_version="9",
        schema_json='{"version": "9"}',
        questions_json="[]",
        bank_hash="b",
        settings={"threshold": 0.5},
        study_key="k",
    )
    Store.create(folder, made).close()

    with Store.open(folder) as store:
        found = store.study

    assert {name: getattr(found, name) for name in made.__dataclass_fields__} == {
        name: getattr(made, name) for name in made.__dataclass_fields__
    }


def test_what_a_study_leaves_empty_is_frozen_as_released(folder: Path) -> None:
    with Store.create(folder, make_study(questions_json="")) as store:
        assert '"mood"' in store.study.schema_json
        assert '"mood"' in store.study.questions_json
        assert store.study.schema_version
        assert len(store.study.study_key) == 32


def test_a_folder_that_holds_a_study_is_left_as_it_is(store: Store) -> None:
    with pytest.raises(StoreError, match="already a study"):
        Store.create(store.folder, make_study("another"))

    assert store.study.name == "small"
    assert [path.name for path in store.folder.iterdir() if path.name.endswith(".part")] == []


def test_a_study_that_cannot_be_made_leaves_nothing_behind(folder: Path) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        Store.create(folder, make_study(design="no such design"))

    assert list(folder.iterdir()) == []


def test_closing_twice_is_closing_once_and_tidies_the_log_away(folder: Path) -> None:
    store = new_store(folder)
    store.roles()

    store.close()
    store.close()

    assert sorted(path.name for path in folder.iterdir()) == [STUDY_FILE]
    with pytest.raises(StoreError, match="closed"):
        store.roles()
    with pytest.raises(StoreError, match="closed"):
        store.add_roles([])


def test_closing_finishes_what_was_queued(folder: Path) -> None:
    store = new_store(folder)
    image_set, ada = add_image_set(store), store.add_annotator("Ada").annotator_id
    waiting = [store.append_answer(make_event(ada, image_set, label="calm")) for _ in range(50)]

    store.close()

    assert [future.result().event_id for future in waiting] == list(range(1, 51))


def test_closing_waits_for_the_readers_of_other_threads(folder: Path) -> None:
    store = new_store(folder)
    started, errors = threading.Event(), []

    def read() -> None:
        try:
            while True:
                store.coverage()
                started.set()
        except StoreError as error:
            errors.append(error.sentence)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    started.wait()
    store.close()
    for thread in threads:
        thread.join()

    assert errors == ["The study has been closed."] * 4


def test_a_thread_that_ends_takes_its_connection_with_it(store: Store) -> None:
    for _ in range(5):
        thread = threading.Thread(target=store.roles)
        thread.start()
        thread.join()

    assert len(store._readers._open) <= 1


def test_the_writer_is_the_thread_of_that_name(store: Store) -> None:
    assert [thread.name for thread in threading.enumerate()].count("store-writer") == 1


@pytest.mark.parametrize("name", ["a b", "50% #1 study", "étude", "研究", "x'y", "a+b&c=d;e"])
def test_a_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    with new_store(tmp_path / name) as store:
        store.add_image(make_image())

    with Store.open(str(tmp_path / name)) as store:
        assert len(store.images()) == 1
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_folder_may_be_named_from_where_one_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    new_store(folder).close()
    monkeypatch.chdir(tmp_path)

    with Store.open("study") as store:
        assert store.study.name == "small"


def test_a_missing_study_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no study in .*: it holds no study\.sqlite"):
        Store.open(tmp_path)


def test_a_file_that_is_no_database_is_said_and_left_as_it_is(folder: Path) -> None:
    folder.mkdir()
    (folder / STUDY_FILE).write_bytes(b"not a database at all, " * 100)

    with pytest.raises(StoreError, match="not an SQLite file"):
        Store.open(folder)

    assert (folder / STUDY_FILE).read_bytes() == b"not a database at all, " * 100


def test_another_programs_database_is_said_and_left_as_it_is(folder: Path) -> None:
    folder.mkdir()
    connection = sqlite3.connect(folder / STUDY_FILE)
    connection.execute("CREATE TABLE notes (text)")
    connection.close()
    before = (folder / STUDY_FILE).read_bytes()

    with pytest.raises(StoreError, match="not a study"):
        Store.open(folder)

    assert (folder / STUDY_FILE).read_bytes() == before


def test_a_newer_file_is_refused_and_left_as_it_is(folder: Path) -> None:
    new_store(folder).close()
    connection = sqlite3.connect(folder / STUDY_FILE)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = (folder / STUDY_FILE).read_bytes()

    with pytest.raises(StoreTooNew, match="newer release"):
        Store.open(folder)

    assert (folder / STUDY_FILE).read_bytes() == before


def test_a_damaged_file_is_said(folder: Path) -> None:
    new_store(folder).close()
    path = folder / STUDY_FILE
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\xff" * (len(whole) - 100))

    with pytest.raises(StoreError, match="damaged"):
        Store.open(folder)


@pytest.mark.skipif(os.name == "nt", reason="Windows folders have no write permission of this kind")
def test_a_write_protected_folder_is_said() -> None:
    # Not under tmp_path, whose parents belong to one user alone: root has to become somebody to be refused.
    parent = Path(tempfile.mkdtemp())
    folder = parent / "study"
    new_store(folder).close()
    parent.chmod(0o755)
    folder.chmod(0o555)
    (folder / STUDY_FILE).chmod(0o444)
    is_root = os.geteuid() == 0
    try:
        if is_root:
            os.seteuid(65534)
        with pytest.raises(StoreError, match=r"cannot be (written|opened)"):
            Store.open(folder)
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(parent)


def test_opening_and_answering_bring_in_neither_pandas_nor_sqlite_utils(folder: Path) -> None:
    with new_store(folder) as store:
        add_image_set(store)
        store.add_annotator("Ada")
    program = f"""
import sys
from storage.store import Store
from core.records import Answer, AnswerEvent
with Store.open({str(folder)!r}) as store:
    event = AnswerEvent(1, 1, "mood", "choose", Answer("calm"), "2026-03-01T09:00:00Z")
    store.append_answer(event).result()
    store.answer_events(1), store.image_sets(1), store.images()
print(sorted({{"pandas", "numpy", "sqlite_utils", "PIL", "PySide6"}} & set(sys.modules)))
"""

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=True
    )

    assert done.stdout == "[]\n"


def test_listeners_hear_of_an_act_before_it_returns(store: Store) -> None:
    heard: list[frozenset[str]] = []
    store.on_change(heard.append)

    store.add_prompts([make_prompt("nurse", Condition.CF, "new words")])
    store.add_image(make_image())
    store.add_image(make_image())

    assert heard == [{"prompt"}, {"image"}]


def test_a_listener_that_fails_does_not_undo_the_act(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    def fail(words: frozenset[str]) -> None:
        raise RuntimeError("a listener's own fault")

    store.on_change(fail)

    assert store.add_image(make_image()) == 1
    assert "a listener's own fault" in caplog.text


def test_a_listener_that_writes_is_told_so_instead_of_waiting_for_itself(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    store.on_change(lambda words: store.add_roles([]))

    store.add_image(make_image())

    assert "would wait for itself" in caplog.text


def test_removing_what_was_simulated_leaves_what_people_did(store: Store) -> None:
    fill(store)
    robot = store.add_annotator("simulated A", is_simulated=True)
    store.append_answers([make_event(robot.annotator_id, 1, label="tense") for _ in range(3)])
    kept = {
        "events": [store.answer_events(person.annotator_id) for person in store.annotators()[:2]],
        "records": [store.records_of(image.image_id) for image in store.images()],
    }
    assert store.has_simulated()

    gone = store.remove_simulated()

    assert gone == {"annotators": 1, "answers": 3, "extractors": 0, "records": 0}
    assert not store.has_simulated()
    assert kept == {
        "events": [store.answer_events(person.annotator_id) for person in store.annotators()],
        "records": [store.records_of(image.image_id) for image in store.images()],
    }
