"""Notes on people and pipeline: kept once the round is locked, the newest standing, none ever lost."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import StoreError
from core.paths import STUDY_FILE
from tests.storage.builders import fill, new_store


def test_the_newest_note_stands_and_an_empty_one_clears_it(folder: Path) -> None:
    with new_store(folder) as store:
        fill(store)
        store.lock_round(1)
        reader = store.extractors()[0].name
        key = store.image_sets(1)[0].key

        store.note_comparison(1, "mood", reader, tag="look again", note="first").result()
        store.note_comparison(1, "mood", reader, tag="", note=" second ").result()
        store.note_comparison(1, "pose", reader, tag="pipeline wrong").result()
        store.note_comparison(1, "pose", reader).result()

        assert store.comparison_notes(1, reader) == {(key, "mood"): ("", "second")}
        assert store.comparison_notes(1, "another") == {}
        with closing(sqlite3.connect(folder / STUDY_FILE)) as connection:
            assert connection.execute("SELECT count(*) FROM comparison_note").fetchone() == (4,)
            with pytest.raises(sqlite3.IntegrityError, match="never changed"):
                connection.execute("UPDATE comparison_note SET note = ''")


def test_no_note_is_kept_while_the_round_is_open(folder: Path) -> None:
    with new_store(folder) as store:
        fill(store)

        with pytest.raises(StoreError, match="round is open"):
            store.note_comparison(1, "mood", "reader", note="too early").result()

        assert store.comparison_notes(1, "reader") == {}


def test_a_sample_study_has_nobody_to_lead(folder: Path) -> None:
    with new_store(folder, is_sample=True) as store:
        fill(store)

        store.note_comparison(1, "mood", "reader", note="early").result()

        assert list(store.comparison_notes(1, "reader").values()) == [("", "early")]
