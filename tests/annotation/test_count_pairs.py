"""Pairs of counts: of the same label only, consensus first; their mean difference is the table's bias."""

from __future__ import annotations

import pandas as pd
import pytest

from annotation.agreement import agreement
from core.jobs import run_here
from core.questions import load_questions

POSE = tuple(question for question in load_questions() if question.id == "pose")


def answers() -> pd.DataFrame:
    rows = [
        *(("Ada", "one", "standing", 6), ("Ben", "one", "standing", 8), ("Ada", "two", "sitting", 5)),
        *(("Ben", "two", "standing", 4), ("Ada", "three", "sitting", 3), ("Ben", "three", "sitting", None)),
        *(("Ada", "four", "sitting", 7), ("Ben", "four", "sitting", 9)),
    ]
    table = pd.DataFrame(rows, columns=["annotator", "image_set", "label", "slider"])
    return table.assign(question="pose", status="ok").astype({"slider": "float64"})


def pipeline() -> pd.DataFrame:
    rows = [
        ("one", "standing", 5.0),
        ("two", "sitting", 5.0),
        ("three", "sitting", 4.0),
        ("four", "sitting", 9.0),
    ]
    table = pd.DataFrame(rows, columns=["image_set", "label", "slider"])
    return table.assign(question="pose", how="mode")


def test_only_counts_of_the_same_label_are_pairs():
    counts = run_here(agreement(answers(), None, POSE, bootstrap=0)).tables["counts"]

    assert counts["scope"].unique().tolist() == ["Ada and Ben"]
    pairs = counts.set_index("image_set")[["first", "second"]].to_dict("index")
    assert pairs == {"one": {"first": 6.0, "second": 8.0}, "four": {"first": 7.0, "second": 9.0}}


def test_the_mean_difference_of_the_pairs_is_the_bias_of_the_table():
    result = run_here(agreement(answers(), pipeline(), POSE, bootstrap=0))
    counts = result.tables["counts"]

    for scope in ("Ada and Ben", "pipeline"):
        mine = counts[counts["scope"] == scope]
        row = result.row("pose", scope, "bias", "interval")
        assert row is not None
        assert (mine["second"] - mine["first"]).mean() == pytest.approx(row["value"])
        assert len(mine) == row["units"]
