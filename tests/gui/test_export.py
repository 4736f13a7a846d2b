"""Tables as CSV."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import UserError
from gui.export import with_simulated, write_csv


def test_rows_become_a_csv_file(tmp_path: Path):
    path = write_csv(tmp_path / "a.csv", [{"role": "bäcker", "images": 3}])

    assert path.read_text(encoding="utf-8") == "role,images\nbäcker,3\n"
    assert [one.name for one in tmp_path.iterdir()] == ["a.csv"]


def test_where_nothing_can_be_written_there_is_a_sentence(tmp_path: Path):
    with pytest.raises(UserError, match="could not be written"):
        write_csv(tmp_path / "missing" / "a.csv", [{"a": 1}])


def test_an_export_says_what_is_simulated():
    assert with_simulated([{"a": 1}], frozenset()) == [{"a": 1}]
    assert with_simulated([{"a": 1}], frozenset({"records", "answers"})) == [
        {"a": 1, "contains_simulated": "answers and records"}
    ]
