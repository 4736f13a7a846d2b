from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import BadInput
from storage.export import export_tables, table_facts
from storage.store import Store
from tests.storage.builders import fill, new_store


@pytest.fixture
def ready(folder: Path) -> Path:
    with new_store(folder) as store:
        fill(store)
    return folder


def test_every_table_and_view_is_told_with_its_columns_and_rows(ready: Path) -> None:
    facts = {table.name: table for table in table_facts(ready)}

    assert {name: table.rows for name, table in facts.items()}.items() >= {
        "annotator": 2,
        "answer_event": 6,
        "conflict": 1,
        "current_answer": 3,
        "exclusion": 1,
        "extractor": 1,
        "failure": 1,
        "generator": 1,
        "hand_in": 1,
        "image": 11,
        "image_set": 2,
        "image_set_image": 14,
        "job": 1,
        "key_answer": 1,
        "packet": 1,
        "prompt": 6,
        "reading": 20,
        "reading_in_words": 20,
        "reading_value": 5,
        "record": 5,
        "role": 2,
        "round": 2,
        "standing_answer": 3,
        "standing_event": 5,
        "study": 1,
        "truth": 1,
    }.items()
    assert facts["truth"].columns == {"image_id": "INTEGER", "labels_json": "TEXT"}


def test_tables_come_out_as_rows(ready: Path) -> None:
    tables = export_tables(ready, ["annotator", "reading_in_words"])

    assert list(tables) == ["annotator", "reading_in_words"]
    assert [row["name"] for row in tables["annotator"]] == ["Ada", "Ben"]
    assert tables["reading_in_words"][0] == {
        "record_id": 1,
        "position": 0,
        "dimension": "mood",
        "label": "calm",
        "status": "ok",
    }


def test_all_tables_come_out_when_none_is_named(ready: Path) -> None:
    tables = export_tables(ready)

    assert {name: len(rows) for name, rows in tables.items()} == {
        table.name: table.rows for table in table_facts(ready)
    }


def test_an_unknown_table_is_bad_input(ready: Path) -> None:
    with pytest.raises(BadInput, match="no table 'nothing'"):
        export_tables(ready, ["role", "nothing"])


def test_tables_come_out_of_an_open_study(ready: Path) -> None:
    with Store.open(ready) as store:
        store.add_annotator("Cleo")
        assert len(export_tables(ready, ["annotator"])["annotator"]) == 3
