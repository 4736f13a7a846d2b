from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlite_utils

from core.errors import StoreTooNew
from core.paths import STUDY_FILE
from storage import schema, writer
from storage.schema import APPLICATION_ID, STEPS, is_pending, migrate, version_of
from storage.store import Store
from tests.storage.builders import fill, new_store


@pytest.fixture
def empty() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        yield connection


@pytest.fixture
def filled(folder: Path) -> Iterator[sqlite3.Connection]:
    with new_store(folder) as store:
        fill(store)
    with closing(sqlite3.connect(folder / STUDY_FILE, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        yield connection


def dump(connection: sqlite3.Connection) -> list[str]:
    return [
        *connection.iterdump(),
        *map(str, connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name")),
        f"version {version_of(connection)}",
    ]


def add_mood(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE role ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'")


def rename_theme(connection: sqlite3.Connection) -> None:
    """As a later step would: sqlite-utils rebuilds a table that others refer to."""
    sqlite_utils.Database(connection)["role"].transform(rename={"plural": "many"})  # type: ignore[union-attr]


def fail(connection: sqlite3.Connection) -> None:
    add_mood(connection)
    connection.execute("DELETE FROM role")
    raise RuntimeError("this step is wrong")


def dangle(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM role")


def test_a_new_file_runs_every_step_and_says_what_it_is(empty: sqlite3.Connection) -> None:
    migrate(empty)

    assert version_of(empty) == len(STEPS)
    assert not is_pending(empty)
    assert empty.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert empty.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_every_table_is_strict(empty: sqlite3.Connection) -> None:
    migrate(empty)

    rows = empty.execute(
        "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
    )

    assert [name for name, strict in rows if not strict and not name.startswith("sqlite_")] == []


def test_every_reference_can_be_followed_backwards_by_an_index(empty: sqlite3.Connection) -> None:
    """Deleting a row looks for those that refer to it; without an index that reads the whole table."""
    migrate(empty)
    few = {"prompt", "image_set", "failure", "reading.value_id", "image.prompt_id"}

    missing = set()
    for (table,) in empty.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        leading = {
            empty.execute(f"SELECT name FROM pragma_index_info('{index[1]}') ORDER BY seqno").fetchone()[0]
            for index in empty.execute(f"PRAGMA index_list({table})").fetchall()
        }
        primary = {row[1] for row in empty.execute(f"PRAGMA table_info({table})").fetchall() if row[5] == 1}
        for reference in empty.execute(f"PRAGMA foreign_key_list({table})").fetchall():
            if reference[3] not in leading | primary and not {table, f"{table}.{reference[3]}"} & few:
                missing.add(f"{table}.{reference[3]}")

    assert missing == set()


def test_step_by_step_gives_the_same_schema_as_all_at_once(empty: sqlite3.Connection) -> None:
    steps = (*STEPS, add_mood, rename_theme)
    migrate(empty, steps)

    with closing(sqlite3.connect(":memory:", isolation_level=None)) as slow:
        for number in range(1, len(steps) + 1):
            migrate(slow, steps[:number])

        assert dump(slow) == dump(empty)


def test_a_step_keeps_the_rows(filled: sqlite3.Connection) -> None:
    before = filled.execute("SELECT * FROM answer_event").fetchall()
    roles = filled.execute("SELECT name FROM role").fetchall()

    migrate(filled, (*STEPS, add_mood, rename_theme))

    assert filled.execute("SELECT * FROM answer_event").fetchall() == before
    assert filled.execute("SELECT name FROM role").fetchall() == roles
    assert filled.execute("SELECT DISTINCT mood FROM role").fetchall() == [("calm",)]
    assert filled.execute("SELECT many FROM role").fetchall() == [("nurses",), ("bus drivers",)]
    assert version_of(filled) == len(STEPS) + 2
    assert filled.execute("PRAGMA foreign_keys").fetchone() == (1,)


@pytest.mark.parametrize(("step", "error"), [(fail, RuntimeError), (dangle, AssertionError)])
def test_a_step_that_fails_leaves_version_schema_and_rows(
    filled: sqlite3.Connection, step: schema.Step, error: type[Exception]
) -> None:
    before = dump(filled)

    with pytest.raises(error):
        migrate(filled, (*STEPS, step))

    assert dump(filled) == before


def test_steps_before_the_one_that_fails_are_kept(filled: sqlite3.Connection) -> None:
    with pytest.raises(RuntimeError, match="this step is wrong"):
        migrate(filled, (*STEPS, rename_theme, fail))

    assert version_of(filled) == len(STEPS) + 1
    assert filled.execute("SELECT many FROM role").fetchall() == [("nurses",), ("bus drivers",)]


def test_a_step_that_another_process_took_meanwhile_is_not_taken_again(
    filled: sqlite3.Connection, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = (*STEPS, add_mood)

    def is_still_pending(connection: sqlite3.Connection, steps: object) -> bool:
        with closing(sqlite3.connect(folder / STUDY_FILE, isolation_level=None)) as other:
            migrate_really(other, (*STEPS, add_mood))
        return True

    def migrate_really(connection: sqlite3.Connection, steps: tuple[schema.Step, ...]) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(schema, "is_pending", is_pending)
            migrate(connection, steps)

    monkeypatch.setattr(schema, "is_pending", is_still_pending)

    migrate(filled, steps)

    assert version_of(filled) == len(steps)


def test_a_newer_file_is_refused(empty: sqlite3.Connection) -> None:
    migrate(empty, (*STEPS, add_mood))

    with pytest.raises(StoreTooNew, match="newer release"):
        migrate(empty)


def pretend_a_release(monkeypatch: pytest.MonkeyPatch, *more: schema.Step) -> None:
    """The same program, some steps later."""
    steps = (*STEPS, *more)
    monkeypatch.setattr(writer, "is_pending", lambda connection: is_pending(connection, steps))
    monkeypatch.setattr(writer, "migrate", lambda connection: migrate(connection, steps))


def test_opening_an_older_study_backs_it_up_and_moves_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_store(folder) as store:
        fill(store)
        images = store.images()
    with closing(sqlite3.connect(folder / STUDY_FILE)) as connection:
        before = dump(connection)
    pretend_a_release(monkeypatch, add_mood)

    with Store.open(folder) as store:
        assert store.images() == images

    with closing(sqlite3.connect(folder / f"study.v{len(STEPS)}.backup.sqlite")) as backup:
        assert sorted(dump(backup)) == sorted(before)
    with closing(sqlite3.connect(folder / STUDY_FILE)) as connection:
        assert version_of(connection) == len(STEPS) + 1


def test_a_backup_never_replaces_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new_store(folder).close()
    pretend_a_release(monkeypatch, fail)

    for _ in range(3):
        with pytest.raises(RuntimeError, match="this step is wrong"):
            Store.open(folder)

    assert sorted(path.name for path in folder.glob("*.backup*")) == [
        f"study.v{len(STEPS)}.backup-2.sqlite",
        f"study.v{len(STEPS)}.backup-3.sqlite",
        f"study.v{len(STEPS)}.backup.sqlite",
    ]


def test_opening_a_study_of_this_release_makes_no_backup(folder: Path) -> None:
    new_store(folder).close()
    Store.open(folder).close()

    assert list(folder.glob("*.backup*")) == []
