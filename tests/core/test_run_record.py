from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from core.run_record import write_run

TABLE = pd.DataFrame({"a": [1]})


def tables(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("*.csv")}


def test_no_table_of_an_earlier_run_stands_beside_the_record_of_a_later_one(tmp_path: Path) -> None:
    write_run({"rows": TABLE, "agreement": TABLE, "agreement_raw": TABLE}, tmp_path, "agreement", {}, {})
    write_run({"rows": TABLE, "bi": TABLE}, tmp_path, "analyse", {}, {})
    (tmp_path / "mine_raw.csv").write_text("a\n1\n")

    write_run({"agreement": TABLE}, tmp_path, "agreement", {}, {})

    assert tables(tmp_path) == {"rows.csv", "agreement.csv", "bi.csv", "mine_raw.csv"}
    record = json.loads((tmp_path / "run.json").read_text())
    assert record["agreement"]["files"] == ["agreement.csv"]
    assert record["analyse"]["files"] == ["bi.csv", "rows.csv"]


def test_a_record_that_names_a_file_elsewhere_removes_nothing(tmp_path: Path) -> None:
    beside, folder = tmp_path / "kept.csv", tmp_path / "out"
    beside.write_text("a\n1\n")
    folder.mkdir()
    (folder / "run.json").write_text(json.dumps({"agreement": {"files": ["../kept.csv", str(beside), 4]}}))

    write_run({"agreement": TABLE}, folder, "agreement", {}, {})

    assert beside.exists()
