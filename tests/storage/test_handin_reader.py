"""Files from other machines: nothing in them is trusted, and nothing of them runs."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import BadInput, StoreTooNew
from storage import handin_reader
from storage.handin_reader import read_hand_in
from storage.packet_book import PacketBook
from tests import team


@pytest.fixture(scope="module")
def packet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reader")
    with team.new_study(folder / "study", roles=1, generators=("sdxl-turbo",), roomy=0) as store:
        team.open_round(store, training=0)
        team.packet_for(store, "Ana", folder / "ana.packet")
    with PacketBook(folder / "ana.packet") as book:
        team.answer(book, team.study_places(book)[:5])
    return folder / "ana.packet"


@pytest.fixture
def file(packet: Path, tmp_path: Path) -> Path:
    return team.hand_in(packet, tmp_path / "ana.handin")


def changed(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def test_a_hand_in_holds_the_acts_and_no_picture(file: Path, packet: Path) -> None:
    found = read_hand_in(file)

    assert (found.annotator, len(found.events), found.fault) == ("Ana", 5, "")
    assert file.stat().st_size < 100_000
    with closing(sqlite3.connect(file)) as connection:
        tables = {
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
    assert tables == {"packet", "sitting", "event", "seal"}
    assert read_hand_in(packet).events == found.events


def test_reading_changes_no_byte(file: Path) -> None:
    before = file.read_bytes()
    read_hand_in(file)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER evil AFTER INSERT ON event BEGIN DELETE FROM packet; END",
        "CREATE VIEW extra AS SELECT * FROM event",
        "CREATE TABLE extra (a)",
        "CREATE INDEX extra ON event (label)",
        "ALTER TABLE event ADD COLUMN extra TEXT",
        "DROP TABLE seal",
    ],
)
def test_tables_that_are_not_ours_are_refused(file: Path, statement: str) -> None:
    changed(file, statement)
    with pytest.raises(BadInput, match="its tables are not those of a hand-in"):
        read_hand_in(file)


def test_a_view_in_the_place_of_a_table_is_refused(file: Path) -> None:
    changed(file, "ALTER TABLE event RENAME TO hidden", "CREATE VIEW event AS SELECT * FROM hidden")
    with pytest.raises(BadInput, match="not those of a hand-in"):
        read_hand_in(file)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET slider = 11",
        "UPDATE event SET slider_source = NULL",
        "UPDATE event SET slider_source = 'guess'",
        "UPDATE event SET marks = '[10]'",
        "UPDATE event SET marks = 'nonsense'",
        "UPDATE event SET marks = '[\"a\"]'",
        "UPDATE event SET is_unknown = 1",
        "UPDATE event SET active_seconds = -1.0",
        "UPDATE event SET undoes = 77",
        "UPDATE event SET sitting_id = 99",
        "UPDATE event SET comment = hex(zeroblob(30000))",
    ],
)
def test_values_that_cannot_be_are_refused(file: Path, statement: str) -> None:
    changed(file, statement)
    with pytest.raises(BadInput, match="an act that cannot be"):
        read_hand_in(file)


def test_other_files_are_refused_with_a_sentence(file: Path, tmp_path: Path) -> None:
    text, cut, other = tmp_path / "text", tmp_path / "cut", tmp_path / "other.sqlite"
    text.write_bytes(b"not a database at all" * 100)
    cut.write_bytes(file.read_bytes()[:5000])
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE a (b)")
    for path in (text, other, tmp_path / "nowhere"):
        with pytest.raises(BadInput):
            read_hand_in(path)
    with pytest.raises(Exception, match="damaged"):
        read_hand_in(cut)


def test_a_newer_hand_in_is_refused(file: Path) -> None:
    changed(file, "PRAGMA user_version = 2")
    with pytest.raises(StoreTooNew, match="newer release"):
        read_hand_in(file)


def test_a_file_that_is_too_large_is_not_opened(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handin_reader, "MOST_BYTES", 1000)
    with pytest.raises(BadInput, match="larger than any hand-in"):
        read_hand_in(file)


def test_more_acts_than_anybody_can_do_are_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handin_reader, "MOST_EVENTS", 3)
    with pytest.raises(BadInput, match="holds 5 acts"):
        read_hand_in(file)
