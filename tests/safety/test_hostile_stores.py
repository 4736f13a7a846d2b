"""Studies, packets and hand-ins from strangers: nothing in them runs, nothing leads out, nothing hangs."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadInput, StoreError, UserError
from core.jobs import run_here
from core.paths import STUDY_FILE
from core.records import Answer, AnswerEvent
from storage import foreign
from storage.check import check_study, damaged_contents
from storage.handin_reader import read_hand_in
from storage.packet_book import PacketBook, RunBook
from storage.repair import renew_thumbnails, repair
from storage.store import Store
from tests import team
from tests.storage.builders import fill, new_store


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study, a packet and a hand-in, all honest."""
    folder = tmp_path_factory.mktemp("honest")
    with team.new_study(folder / "team", roles=1, generators=("sdxl-turbo",), roomy=0) as store:
        team.open_round(store, training=0)
        team.packet_for(store, "Ana", folder / "ana.packet")
    with PacketBook(folder / "ana.packet") as book:
        team.answer(book, team.study_places(book)[:5])
    team.hand_in(folder / "ana.packet", folder / "ana.handin")
    with new_store(folder / "study") as store:
        fill(store)
    return folder


@pytest.fixture
def file(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made / "ana.handin", tmp_path))


@pytest.fixture
def packet(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made / "ana.packet", tmp_path))


@pytest.fixture
def study(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made / "study", tmp_path / "study"))


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


EVENTS_RUN = "CREATE TRIGGER evil AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END"
IN_A_PACKET = [
    EVENTS_RUN.format(table="event"),
    EVENTS_RUN.format(table="sitting"),
    "CREATE TRIGGER evil INSTEAD OF INSERT ON seen BEGIN SELECT 1; END",
    "CREATE TABLE extra (a)",
    "CREATE INDEX extra ON event (label)",
    "CREATE UNIQUE INDEX extra ON event (abs(id))",
    "ALTER TABLE event ADD COLUMN extra TEXT",
    "DROP TABLE picture",
    "DELETE FROM content",
    "DELETE FROM packet",
    "UPDATE content SET questions_json = 'null'",
    "UPDATE content SET questions_json = '[[]]'",
    "UPDATE content SET questions_json = '" + "[" * 20_000 + "'",
    "UPDATE shown SET pictures_json = '7'",
    "UPDATE key_answer SET marks = '{'",
    "PRAGMA user_version = 9",
    "PRAGMA application_id = 7",
]


@pytest.mark.parametrize("statement", IN_A_PACKET)
def test_a_packet_that_is_not_ours_is_refused_or_harmless(packet: Path, statement: str) -> None:
    if "ON seen" in statement:
        change(packet, "CREATE VIEW seen AS SELECT * FROM event")
    change(packet, statement)
    try:
        with PacketBook(packet) as book:
            RunBook(book, 0).append_answers([AnswerEvent(1, 1, "mood", "choose", Answer("calm"), team.AT)])
            assert len(book.events(0)) == 6  # it opened: then it does what an honest one does
        assert statement.startswith("UPDATE key_answer")
    except UserError as error:
        assert str(packet) in error.sentence or "newer release" in error.sentence  # noqa: PT017


IN_A_HAND_IN = [
    "UPDATE event SET marks = '" + "[" * 19_000 + "'",
    "UPDATE event SET marks = '[true]'",
    "UPDATE event SET wall_seconds = 9e999",
    "UPDATE event SET label = CAST(x'ff41fe' AS TEXT)",
    "UPDATE packet SET annotator = hex(zeroblob(40000))",
    "UPDATE sitting SET key = hex(zeroblob(40000))",
    "DELETE FROM packet",
    "DELETE FROM seal",
    "UPDATE seal SET events = 0",
    "UPDATE event SET chain = 'x'",
]


@pytest.mark.parametrize("statement", IN_A_HAND_IN)
def test_a_hand_in_that_is_not_ours_is_refused_or_quarantined(file: Path, statement: str) -> None:
    change(file, statement)
    try:
        found = read_hand_in(file)
    except UserError as error:
        assert str(file) in error.sentence  # noqa: PT017
    else:
        assert found.fault.startswith("it was changed after it was written") or not found.events


def test_a_reading_that_never_ends_is_ended(file: Path) -> None:
    endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    began = time.monotonic()
    with (
        closing(sqlite3.connect(file)) as connection,
        pytest.raises(BadInput, match="takes too long"),
        foreign.in_time(connection, "it", 0.05),
    ):
        connection.execute(endless).fetchone()
    assert time.monotonic() - began < 5


def test_a_value_larger_than_any_of_ours_is_not_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change(file, "UPDATE event SET comment = hex(zeroblob(600000)) WHERE id = 1")
    monkeypatch.setattr(foreign, "MOST_BYTES_A_VALUE", 1_000_000)
    with pytest.raises(UserError):
        read_hand_in(file)


IN_A_STUDY = [
    "CREATE TRIGGER evil AFTER INSERT ON answer_event BEGIN DELETE FROM answer_event; END",
    "CREATE VIEW extra AS SELECT * FROM image",
    "CREATE TRIGGER evil AFTER UPDATE ON job BEGIN SELECT load_extension('evil.so'); END",
]


@pytest.mark.parametrize("statement", IN_A_STUDY)
def test_a_study_with_something_that_runs_by_itself_is_refused(study: Path, statement: str) -> None:
    change(study / STUDY_FILE, statement)

    with pytest.raises(StoreError, match="holds what no release of this program made"):
        Store.open(study)


def test_a_view_of_ours_with_another_meaning_is_refused(study: Path) -> None:
    change(study / STUDY_FILE, "DROP VIEW current_answer", "CREATE VIEW current_answer AS SELECT 1")

    with pytest.raises(StoreError, match="view current_answer"):
        Store.open(study)


def test_a_table_and_an_index_that_an_analyst_added_are_left_alone(study: Path) -> None:
    change(
        study / STUDY_FILE, "CREATE TABLE notes_of_mine (a)", "CREATE INDEX mine ON image (seed)", "ANALYZE"
    )

    Store.open(study).close()


OUTSIDE = ["../../../etc/passwd", "/etc/passwd", "images/../study.sqlite", "images/a/x.png", "C:\\a.png", ""]


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_row_that_names_a_file_outside_is_refused(study: Path, path: str) -> None:
    with closing(sqlite3.connect(study / STUDY_FILE)) as connection:
        connection.execute("UPDATE image SET path = ? WHERE id = 1", [path])
        connection.commit()

    with Store.open(study) as store, pytest.raises(StoreError, match="names a file outside its images"):
        store.images()
    findings = check_study(study)  # says what it finds, and reads nothing of it
    with pytest.raises(StoreError, match="outside its images"):
        run_here(damaged_contents(study))
    with pytest.raises(StoreError, match="outside its images"):
        repair(study, findings)


def test_no_thumbnail_is_written_outside(study: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(study / STUDY_FILE)) as connection:
        connection.execute("UPDATE image SET thumbnail = '../victim.jpg'")
        connection.commit()

    with pytest.raises(StoreError, match="outside its images"):
        renew_thumbnails(study)

    assert not (tmp_path / "victim.jpg").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_stands_only_for_the_image_it_is_named_after(study: Path, tmp_path: Path) -> None:
    with Store.open(study) as store:
        one, other = store.images()[:2]
        secret = tmp_path / "secret"
        secret.write_text("nobody's business")
        (study / one.path).unlink()
        (study / one.path).symlink_to(secret)
        shutil.move(study / other.path, tmp_path / "kept-elsewhere.png")
        (study / other.path).symlink_to(tmp_path / "kept-elsewhere.png")

        with pytest.raises(StoreError, match="link to something that is not this image"):
            store.image_bytes(one)
        assert store.image_bytes(other)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000), count=st.integers(1, 30))
def test_bytes_changed_anywhere_are_a_sentence_or_change_nothing(
    made: Path, tmp_path_factory: pytest.TempPathFactory, seed: int, count: int
) -> None:
    import random

    rng, folder = random.Random(seed), tmp_path_factory.mktemp("fuzz")
    for name in ("ana.handin", "ana.packet", "study.sqlite"):
        source = made / name if name != "study.sqlite" else made / "study" / name
        data = bytearray(source.read_bytes())
        for _ in range(count):
            place = rng.randrange(len(data)) if rng.random() < 0.5 else rng.randrange(200)
            data[place] = rng.randrange(256)
        path = folder / name
        path.write_bytes(data[: rng.choice([len(data), rng.randrange(len(data))])])
        try:
            if name == "study.sqlite":
                with Store.open(folder) as store:
                    store.images(), store.jobs(), store.rounds()
            else:
                read_hand_in(path)
            if name == "ana.packet":
                with PacketBook(path) as book:
                    book.events(0)
        except UserError as error:
            assert error.sentence  # noqa: PT017
    assert os.listdir(folder)
