"""Rows in are rows used and rows left out, from the table that came to every table that goes out."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from core.analysis import analyse
from core.jobs import run_here
from core.table_account import MEASURED, table_accounts


def damaged(labels: pd.DataFrame) -> pd.DataFrame:
    """The small table with every kind of row that cannot be counted, and a role without one condition."""
    kept = labels[~((labels["role"] == "role_1") & (labels["condition"] == "CF"))]
    some = labels.iloc[:4]
    return pd.concat(
        [
            kept,
            some.assign(condition=None),
            some.assign(condition="elsewhere"),
            some.assign(dimension="no_such"),
            some.assign(role=None),
            some.assign(status="refused", label="", image="refused " + some["image"]),
            some.assign(label="outside", dimension="framing", image="outside " + some["image"]),
            kept.iloc[:3],
        ],
        ignore_index=True,
    )


@pytest.mark.parametrize("mode", ["audit", "paper"])
def test_every_row_and_every_table_is_accounted_for(labels, schema, mode: str) -> None:
    frame = damaged(labels)
    result = run_here(analyse(frame, schema, mode=mode, bootstrap=20))

    stages = result.run["stages"]
    assert stages[0]["in"] == len(frame)
    for stage in stages:
        assert stage["in"] == stage["used"] + sum(stage["left_out"].values())
    accounts = json.loads(json.dumps(result.run["tables"]))
    assert set(accounts) == set(result.tables)
    for name, account in accounts.items():
        assert account["rows"] == len(result.tables[name])
        if name in MEASURED:
            assert account["rows"] == account["with_value"] + sum(account["without"].values())
            assert account["with_value"] == int(result.tables[name][MEASURED[name]].notna().sum())


def test_what_the_tables_rest_on_is_what_was_counted(labels, schema) -> None:
    """Images of `bi` and `coverage`, and labels of `prevalence` and `persistence`, add up to the stages."""
    result = run_here(analyse(damaged(labels), schema, bootstrap=0))
    rows, pairs = result.run["stages"][:2]
    coverage, bi = result.tables["coverage"], result.tables["bi"]

    assert coverage["images"].sum() == pairs["in"]
    assert coverage["usable"].sum() == pairs["used"]
    assert (coverage["unknown"] + coverage["left_out"]).sum() == sum(pairs["left_out"].values())
    pooled = bi[(bi["aggregation"] == "pool") & (bi["estimator"] == "plugin")]
    whole = pooled[(pooled["dimension"] != "ALL") & (pooled["generator"] != "ALL")]
    assert whole["images"].sum() == pairs["used"]
    prevalence, persistence = result.tables["prevalence"], result.tables["persistence"]
    assert prevalence["x"].sum() == rows["used"]  # one row, one image that shows one label
    assert persistence[["x_cf", "x_car", "x_cau"]].to_numpy().sum() == rows["used"]
    assert len(prevalence) == 3 * len(persistence) == 3 * len(result.tables["robustness"])


def test_every_test_is_in_a_family_or_left_out_for_a_reason(labels, schema) -> None:
    result = run_here(analyse(damaged(labels), schema, bootstrap=0))
    tests = next(stage for stage in result.run["stages"] if stage["stage"] == "tests of homogeneity")
    families = result.tables["families"]

    assert tests["in"] == len(result.tables["persistence"]) == families["labels"].sum()
    assert (
        tests["used"] == families["tested"].sum() == result.tables["persistence"]["p_adjusted"].notna().sum()
    )
    parts = families[["undefined", "degenerate", "cannot_reach", "tested"]].sum(axis=1)
    assert parts.tolist() == families["labels"].tolist()


def test_every_label_of_a_mean_is_one_of_its_generators(labels, schema) -> None:
    result = run_here(analyse(damaged(labels), schema, bootstrap=0))
    mean, each = result.tables["ccs_mean"], result.tables["persistence"]

    assert mean["generators"].sum() == len(each)
    assert mean["generators_defined"].sum() == each["ccs"].notna().sum()


def test_a_silent_gap_is_a_fault_of_ours() -> None:
    table = pd.DataFrame({"value": [1.0, np.nan], "reason": ["", ""]})

    with pytest.raises(AssertionError, match="1 rows have neither a value nor a reason"):
        table_accounts({"bi": table})
