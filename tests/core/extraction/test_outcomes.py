from __future__ import annotations

import pandas as pd
import pytest

from core.extraction.outcomes import CLASSES, bounds_table, outcome_table
from core.jobs import run_here
from core.labels.analysing import analyse_mapped
from core.labels.label_map import LabelMap
from core.schema import Schema

PLACE = ("gen", "nurse", "CF", "a photo of a nurse")


def table(*rows: tuple[str, str, str, str]) -> pd.DataFrame:
    columns = ["generator", "role", "condition", "prompt", "image", "dimension", "label", "status"]
    return pd.DataFrame([(*PLACE, *row) for row in rows], columns=columns)


SAID = table(
    ("1", "items", "cup", "ok"),
    ("1", "items", "pan", "ok"),
    ("1", "mood", "calm", "ok"),
    ("2", "items", "cup", "ok"),
    ("2", "mood", "unknown", "unknown"),
    ("3", "items", "", "ok"),
    ("3", "mood", "", "invalid"),
    ("4", "items", "", "refused"),
    ("4", "mood", "", "refused"),
    ("5", "items", "", "truncated"),
    ("5", "mood", "", "truncated"),
)


def test_every_image_has_one_class_and_a_refusal_is_never_unknown(schema: Schema) -> None:
    found = outcome_table(SAID, schema).set_index("dimension")

    assert found.loc["ALL", ["images", "ok", "refused", "truncated", "unknown"]].tolist() == [5, 3, 1, 1, 0]
    assert found.loc["mood", ["ok", "unknown", "invalid", "refused"]].tolist() == [1, 1, 1, 1]
    assert found.loc["items", ["ok", "invalid", "refused", "truncated"]].tolist() == [3, 0, 1, 1]
    assert (found[list(CLASSES)].sum(axis="columns") == found["images"]).all()


def test_bounds_are_the_share_if_none_or_all_of_the_failed_ones_show_it(schema: Schema) -> None:
    found = bounds_table(SAID, schema).set_index(["dimension", "label"])

    cup = found.loc[("items", "cup")]
    assert (cup["x"], cup["n"], cup["failed"]) == (2, 3, 2)
    assert cup[["prevalence", "low", "high"]].tolist() == pytest.approx([2 / 3, 2 / 5, 4 / 5])
    calm = found.loc[("mood", "calm")]
    assert calm[["prevalence", "low", "high"]].tolist() == pytest.approx([1, 1 / 4, 1])
    assert calm[["low_unknown", "high_unknown"]].tolist() == pytest.approx([1 / 5, 1])


def test_without_failures_both_bounds_are_the_prevalence(labels: pd.DataFrame, schema: Schema) -> None:
    found = bounds_table(labels, schema)

    assert (found["low"] == found["prevalence"]).all()
    assert (found["high"] == found["prevalence"]).all()
    assert (found.query("dimension == 'gender_presentation'")["unknown"] > 0).any()


def test_a_label_without_any_known_value_has_a_reason_and_no_number(schema: Schema) -> None:
    both = pd.concat(
        [SAID, SAID.query("status == 'refused'").assign(condition="CA-R", image="9")], ignore_index=True
    )

    found = bounds_table(both, schema).query("condition == 'CA-R' and label == 'cup'").iloc[0]

    assert found["reason"] == "no image with a known value"
    assert pd.isna(found["prevalence"])
    assert (found["low"], found["high"]) == (0, 1)


def test_the_tables_come_with_the_analysis_and_side_by_side_with_the_raw_labels(
    labels: pd.DataFrame, schema: Schema
) -> None:
    merge = LabelMap({("items", "phone"): "book"}, version=2)

    found = run_here(analyse_mapped(labels, schema, merge, mapping="both", bounds=True, bootstrap=0))

    assert {"outcomes", "prevalence_bounds", "bi", "bi_raw", "bi_by_map"} <= set(found.tables)
    assert found.run["label_map"]["version"] == 2
    assert found.run["raw"]["label_map"]["source"] == "raw"
    beside = found.tables["bi_by_map"].query("dimension == 'items' and estimator == 'plugin'")
    assert (beside["value_raw"] != beside["value_mapped"]).any()
    closed = found.tables["bi_by_map"].query("dimension == 'framing'")
    assert (closed["value_raw"] == closed["value_mapped"]).all()
