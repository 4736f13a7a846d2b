"""Calibration: studies drawn from measured pictures, analysed as any other, their intervals checked."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from core.errors import BadInput
from core.jobs import run_here
from core.phantom.calibrating import calibrate, draw_study, label_table, load_rows, save_rows
from core.phantom.truth import DIMENSIONS
from core.schema import load_schema


def rows(of_each: int = 40) -> list[dict[str, Any]]:
    chance, found = Random(1), []
    for number, role in enumerate(("baker", "doctor", "farmer", "nurse", "teacher", "mechanic")):
        for condition in ("CF", "CA-R", "CA-U"):
            for prompt in range(of_each):
                labels: dict[str, Any] = dict.fromkeys(DIMENSIONS, "unknown")
                is_female = chance.random() < 0.2 + 0.1 * number
                labels |= {"gender_presentation": "female" if is_female else "male"}
                labels |= {"clothing_garment": ["suit", "shirt"] if chance.random() < 0.5 else []}
                text = f"prompt {prompt % 6} of a {role}, {condition}"
                where = {"role": role, "condition": condition, "text": text}
                found.append({**where, "labels": labels, "stated": {}})
    return found


def test_rows_are_kept_without_prompts_that_state_something_and_read_back(tmp_path: Path) -> None:
    some = rows(2)
    stated = [some[0] | {"stated": {"eyewear_type": "none"}}, some[0] | {"condition": ""}]
    save_rows(tmp_path / "rows.gz", [*some, *stated])
    kept = [{key: row[key] for key in row if key != "stated"} for row in some]
    assert load_rows(tmp_path / "rows.gz") == kept
    save_rows(tmp_path / "again.gz", some)
    assert (tmp_path / "again.gz").read_bytes() == (tmp_path / "rows.gz").read_bytes()
    with pytest.raises(BadInput, match="phantom measure"):
        load_rows(tmp_path / "none.gz")


def test_a_drawn_study_has_as_many_pictures_of_each_cell_and_hangs_on_its_seed() -> None:
    first, again, other = (draw_study(rows(), 12, seed) for seed in (1, 1, 2))
    assert len(first) == 6 * 3 * 12
    assert first == again != other
    table = label_table(first)
    assert table["image"].nunique() == len(first)
    assert (table.loc[table["label"] == "unknown", "status"] == "unknown").all()
    shirts = sum(bool(row["labels"]["clothing_garment"]) for row in first)
    assert (table["label"] == "shirt").sum() == shirts


def test_intervals_of_prevalence_hold_the_rate_of_all_pictures_about_as_often_as_they_say() -> None:
    found = run_here(calibrate(rows(), load_schema(), 4, 18, 3, bootstrap=40))
    lines = {line["number"]: line for line in found}
    prevalence = lines["prevalence"]
    # 6 roles, 3 conditions, female and male, 4 studies; garments are in every picture that shows any
    assert prevalence["intervals"] == 6 * 3 * 2 * 4
    assert prevalence["hold the truth"] > 0.9
    assert lines["bi"]["studies"] == 4
