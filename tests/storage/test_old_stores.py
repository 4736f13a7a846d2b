"""Every study that a released program wrote still opens, with every row in it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.paths import STUDY_FILE
from storage.check import check_study
from storage.export import export_tables
from storage.schema import STEPS, migrate, version_of
from storage.store import Store
from tests.storage.builders import make_event, make_image, new_store

STORES = Path(__file__).resolve().parents[1] / "stores"
VERSIONS = sorted(path.parent.name for path in STORES.glob(f"*/{STUDY_FILE}"))


@pytest.fixture(params=VERSIONS)
def old(request: pytest.FixtureRequest, folder: Path) -> Path:
    """A copy of a released study."""
    folder.mkdir()
    shutil.copy(STORES / request.param / STUDY_FILE, folder)
    shutil.copy(STORES / request.param / "rows.json", folder)
    return folder


def schema_of(folder: Path) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(folder / STUDY_FILE)) as connection:
        return connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()


def test_there_is_a_store_of_every_released_version() -> None:
    assert [f"v{number}" for number in range(1, len(STEPS) + 1)] == VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_a_store_is_of_the_version_it_is_named_for(version: str) -> None:
    with closing(sqlite3.connect(f"file:{STORES / version / STUDY_FILE}?mode=ro", uri=True)) as connection:
        assert f"v{version_of(connection)}" == version


def test_an_old_store_opens_and_keeps_its_rows(old: Path) -> None:
    before = json.loads((old / "rows.json").read_text(encoding="utf-8"))

    Store.open(old).close()

    after = export_tables(old)
    for table, rows in before.items():
        assert len(after[table]) == len(rows) > 0
        for row, found in zip(rows, after[table], strict=True):
            assert {name: found[name] for name in row if name in found} == {
                name: value for name, value in row.items() if name in found
            }
    assert {finding.kind for finding in check_study(old)} <= {"missing image", "missing thumbnail"}


HALFWAY = [
    (number, reached) for number in range(1, len(STEPS)) for reached in range(number + 1, len(STEPS) + 1)
]


@pytest.mark.parametrize(("number", "reached"), HALFWAY)
def test_a_store_whose_move_was_killed_after_a_step_goes_on_from_there(
    number: int, reached: int, folder: Path
) -> None:
    folder.mkdir()
    shutil.copy(STORES / f"v{number}" / STUDY_FILE, folder)
    with closing(sqlite3.connect(folder / STUDY_FILE, isolation_level=None)) as connection:
        migrate(connection, STEPS[:reached])
    before = json.loads((STORES / f"v{number}" / "rows.json").read_text(encoding="utf-8"))

    with Store.open(folder) as store:
        assert bool(store.moved_sentence) == (reached < len(STEPS))

    after = export_tables(folder)
    assert {table: len(after[table]) for table in before} == {table: len(before[table]) for table in before}
    assert len(list(folder.glob("*.backup.sqlite"))) == int(reached < len(STEPS))


def test_an_old_store_gets_the_schema_of_a_new_one(old: Path, tmp_path: Path) -> None:
    new_store(tmp_path / "new").close()

    Store.open(old).close()

    assert schema_of(old) == schema_of(tmp_path / "new")


def test_an_old_store_takes_new_rows(old: Path) -> None:
    with Store.open(old) as store:
        number = store.add_image(make_image(77))
        round_id = store.add_round("after the move", 1, ["mood"])
        (image_set,) = store.add_image_sets(round_id, [("new", "nurse", None, "drawn-a", [number])])
        kept = store.append_answer(make_event(1, image_set, label="calm")).result()

        assert store.answer_events(1)[-1] == kept
