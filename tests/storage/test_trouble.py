from __future__ import annotations

import errno
import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import StoreError
from storage.store import Store
from storage.trouble import in_words, kind_of, put_in_words
from tests.storage.builders import make_image, new_store

PATH = Path("lab/study.sqlite")


def named(name: str) -> sqlite3.Error:
    error = sqlite3.OperationalError("as SQLite says it")
    error.sqlite_errorname = name
    return error


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("SQLITE_BUSY", "is being written by another program"),
        ("SQLITE_BUSY_RECOVERY", "is being written by another program"),
        ("SQLITE_READONLY_DIRECTORY", "cannot be written"),
        ("SQLITE_PERM", "may not be opened"),
        ("SQLITE_IOERR_FSYNC", "disk reported an error"),
        ("SQLITE_CORRUPT_INDEX", "is damaged"),
        ("SQLITE_FULL", "disk is full"),
        ("SQLITE_CANTOPEN_ISDIR", "cannot be opened"),
        ("SQLITE_NOTADB", "not a study"),
    ],
)
def test_the_worlds_errors_get_a_sentence_and_a_remedy(name: str, sentence: str) -> None:
    with pytest.raises(StoreError, match=sentence) as told, put_in_words(PATH):
        raise named(name)

    assert str(PATH) in told.value.sentence
    assert told.value.remedy.endswith(".")
    assert isinstance(told.value.__cause__, sqlite3.OperationalError)


@pytest.mark.parametrize("name", ["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_ERROR", "SQLITE_MISUSE", ""])
def test_our_own_faults_pass_through(name: str) -> None:
    with pytest.raises(sqlite3.OperationalError), put_in_words(PATH):
        raise named(name)


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EACCES, "cannot be written"),
        (errno.EROFS, "cannot be written"),
        (errno.EIO, "disk reported an error"),
    ],
)
def test_errors_of_files_get_the_same_sentences(number: int, sentence: str) -> None:
    told = in_words(OSError(number, "as the system says it"), PATH)

    assert told is not None
    assert sentence in told.sentence


def test_an_error_of_pythons_own_module_has_no_kind() -> None:
    assert kind_of(sqlite3.ProgrammingError("Cannot operate on a closed database.")) == ""


def test_a_text_that_is_no_json_is_a_fault_of_ours_and_no_damage() -> None:
    with pytest.raises(sqlite3.OperationalError) as raised:
        sqlite3.connect(":memory:").execute("SELECT json_extract('no json', '$.a')").fetchall()

    assert in_words(raised.value, PATH) is None


@pytest.fixture
def small(folder: Path) -> Iterator[Store]:
    """A store whose file may not grow any more, as on a full disk."""
    with new_store(folder) as store:
        store._writer.do(lambda connection: connection.execute("PRAGMA max_page_count = 1").fetchall())
        yield store


def add_images_for_ever(store: Store) -> None:
    for number in itertools.count():
        store.add_image(make_image(number % 256, run_key=str(number), provenance={"words": "x" * 2000}))


def test_a_full_disk_is_said_and_what_was_kept_stays(small: Store) -> None:
    before = small.prompts()

    with pytest.raises(StoreError, match="disk is full"):
        add_images_for_ever(small)

    assert small.prompts() == before
    kept = len(small.images())
    small._writer.do(lambda connection: connection.execute("PRAGMA max_page_count = 100000").fetchall())
    small.add_image(make_image(1, run_key="afterwards"))
    assert len(small.images()) == kept + 1


def test_a_reader_cannot_write(store: Store) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        store._readers.rows("DELETE FROM role")

    assert len(store.roles()) == 2


def test_wrong_sql_is_a_fault_of_ours(store: Store) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        store._readers.rows("SELECT * FROM nowhere")


def test_a_file_that_vanished_is_said(folder: Path) -> None:
    with new_store(folder) as store:
        path = folder / "study.sqlite"
        with closing(sqlite3.connect(path)) as aside:
            aside.execute("VACUUM INTO ?", [str(folder / "aside.sqlite")])
        store._readers.close()
    path.unlink()

    with pytest.raises(StoreError, match="no study in"):
        Store.open(folder)
