"""The whole job: its tables and their columns, what may change nothing, and what is refused."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pandas as pd
import pytest

from core.analysis import analyse
from core.coded_rows import TWICE
from core.errors import BadInput
from core.jobs import run_here
from core.schema import read_schema
from core.tables import write_tables

COLUMNS = {
    "bi": "generator condition cohort dimension aggregation estimator value low high images label_space k"
    " effective_labels reason",
    "bi_change": "generator comparison cohort dimension aggregation estimator value low high method"
    " replicates reason",
    "persistence": "generator role dimension label x_cf n_cf x_car n_car x_cau n_cau prevalence range_pp chi2"
    " df p p_exact p_min p_adjusted family ccs ccs_low ccs_high ccs_if_stable invariant_paper verdict reason",
    "robustness": "generator role dimension label value largest_move prompt se invariant reason",
    "prevalence": "generator role condition cohort dimension label x n prevalence low high method reason",
}


def run(labels, schema, **options):
    return run_here(analyse(labels, schema, **{"bootstrap": 200} | options))


def digests(analysis, folder):
    written = write_tables(analysis.tables, folder, analysis.run)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in written}


def test_tables_have_exactly_their_columns(labels, schema):
    tables = run(labels, schema).tables

    assert set(tables) == {*COLUMNS, "ccs_mean", "families", "coverage", "joined_labels"}
    for name, columns in COLUMNS.items():
        assert tables[name].columns.tolist() == columns.split()


@pytest.mark.parametrize(
    ("table", "numbers"),
    [
        ("bi", ["value"]),
        ("bi_change", ["value", "low", "high"]),
        (
            "persistence",
            ["prevalence", "range_pp", "chi2", "p", "p_adjusted", "ccs", "ccs_low", "ccs_if_stable"],
        ),
        ("prevalence", ["prevalence", "low", "high"]),
        ("ccs_mean", ["ccs", "ccs_low", "ccs_high"]),
        ("robustness", ["value", "largest_move", "se", "invariant"]),
    ],
)
def test_a_number_that_is_not_there_has_a_reason(labels, schema, table, numbers):
    lonely = labels[~((labels["role"] == "role_1") & (labels["condition"] == "CF"))]
    frame = run(lonely, schema).tables[table]
    gaps = frame[numbers].isna().any(axis=1)

    assert gaps.any() or table in ("bi", "bi_change", "robustness")
    assert (frame.loc[gaps, "reason"].astype(str) != "").all()


def test_rows_in_are_rows_used_and_rows_left_out(labels, schema):
    extra = labels.iloc[:5].assign(condition="")
    frame = pd.concat([labels, extra, labels.iloc[:3]], ignore_index=True)
    stage = run(frame, schema, bootstrap=0).run["stages"][0]

    unknown = int((labels["label"] == "unknown").sum())
    assert stage["in"] == len(frame) == stage["used"] + sum(stage["left_out"].values())
    again = int((frame.iloc[-3:]["label"] != "unknown").sum())
    assert stage["left_out"]["no condition stated"] == 5
    assert stage["left_out"][TWICE] == again
    assert stage["left_out"]["unknown"] == unknown + 3 - again


def test_every_stage_adds_up(labels, schema):
    for stage in run(labels, schema).run["stages"]:
        assert stage["in"] == stage["used"] + sum(stage["left_out"].values())


def test_rows_without_a_condition_change_no_table(labels, schema):
    extra = labels.assign(condition=None, image="other " + labels["image"])
    with_extra = pd.concat([labels, extra], ignore_index=True)

    one, other = run(labels, schema).tables, run(with_extra, schema).tables

    for name in one:
        pd.testing.assert_frame_equal(one[name], other[name])


def test_same_seed_same_bytes_whatever_the_order_of_rows(labels, schema, tmp_path):
    mixed = labels.sample(frac=1, random_state=3)

    first = digests(run(labels, schema, seed=7), tmp_path / "a")

    assert digests(run(labels, schema, seed=7), tmp_path / "b") == first
    assert digests(run(mixed, schema, seed=7), tmp_path / "c") == first


def test_another_seed_moves_intervals_and_nothing_else(labels, schema):
    one, other = (run(labels, schema, seed=seed).tables["bi_change"] for seed in (1, 2))

    assert one["value"].equals(other["value"])
    assert not one["low"].equals(other["low"])


def test_renaming_labels_of_an_open_dimension_changes_nothing(labels, schema):
    is_item = labels["dimension"] == "items"
    renamed = labels.assign(
        label=labels["label"].where(~is_item, labels["label"].map(lambda word: word[::-1]))
    )

    one, other = run(labels, schema).tables, run(renamed, schema).tables

    numbers = one["bi"].select_dtypes("float").columns
    pd.testing.assert_frame_equal(one["bi"][numbers], other["bi"][numbers], rtol=1e-9)
    keys = ["generator", "role", "dimension", "label"]
    named = other["persistence"].astype({"label": str, "dimension": str})
    named["label"] = named["label"].where(named["dimension"] != "items", named["label"].str[::-1])
    left = one["persistence"].astype(dict.fromkeys(keys, str)).sort_values(keys, ignore_index=True)
    right = named.astype(dict.fromkeys(keys, str)).sort_values(keys, ignore_index=True)
    pd.testing.assert_frame_equal(left, right, rtol=1e-9)


def test_an_unused_label_changes_only_what_names_its_label_space(labels, schema):
    data = schema.as_data()
    framing = next(one for one in data["dimensions"] if one["id"] == "framing")
    framing["labels"].append({"id": "fisheye", "name": "fisheye", "definition": "Bent like seen by a fish."})
    larger = read_schema(json.dumps(data))

    one, other = run(labels, schema), run(labels, larger)

    for name in ("persistence", "prevalence", "ccs_mean", "robustness", "families", "coverage"):
        pd.testing.assert_frame_equal(one.tables[name], other.tables[name])
    changed = one.tables["bi"]["value"] != other.tables["bi"]["value"]
    at = one.tables["bi"].loc[changed]
    assert set(at["dimension"]) == {"framing", "ALL"}
    assert set(other.tables["bi"].loc[other.tables["bi"]["dimension"] == "framing", "k"]) == {6}


def test_another_generator_changes_no_number_of_the_others(labels, schema):
    twin = labels[labels["generator"] == "gen-0"].assign(generator="gen-0b")
    more = pd.concat([labels, twin], ignore_index=True)

    one, other = run(labels, schema).tables, run(more, schema).tables

    for name in ("bi", "bi_change", "persistence", "prevalence", "robustness"):
        before = one[name][one[name]["generator"] != "ALL"].reset_index(drop=True)
        after = other[name][other[name]["generator"].isin(["gen-0", "gen-1"])].reset_index(drop=True)
        pd.testing.assert_frame_equal(before, after, check_categorical=False)


def test_a_condition_equal_to_another_differs_from_it_by_nothing(labels, schema):
    free = labels[labels["condition"] == "CF"]
    copy = free.assign(condition="CA-U", prompt=free["prompt"].str.replace("CF", "CA-U"))
    frame = pd.concat([labels[labels["condition"] != "CA-U"], copy], ignore_index=True)

    change = run(frame, schema).tables["bi_change"].query("comparison == 'CA-U - CF'")

    assert (change["value"].abs() < 1e-12).all()
    ends = change[["low", "high"]].dropna()
    assert (ends.abs() < 1e-6).all(axis=None)


def test_counts_give_the_same_label_tables_as_labels(labels, schema):
    keys = ["generator", "role", "condition", "prompt", "dimension"]
    usable = labels[labels["status"] == "ok"]
    sizes = usable.groupby([*keys, "label"], as_index=False).size().rename(columns={"size": "count"})
    images = usable.groupby(keys, as_index=False)["image"].nunique().rename(columns={"image": "images"})

    one, other = run(labels, schema).tables, run(sizes.merge(images, on=keys), schema).tables

    for name in ("bi", "bi_change", "persistence", "prevalence", "ccs_mean", "robustness"):
        pd.testing.assert_frame_equal(one[name], other[name])


def test_fewer_than_five_roles_give_no_interval_and_say_so(labels_of, schema):
    bi = run(labels_of(roles=4), schema).tables["bi"].query("dimension == 'framing'")

    assert bi["low"].isna().all()
    assert bi["reason"].str.contains("fewer than 5 clusters").all()


def test_no_bootstrap_leaves_values_and_says_why_there_is_no_interval(labels, schema):
    tables = run(labels, schema, bootstrap=0).tables

    assert tables["bi_change"]["low"].isna().all()
    assert tables["bi_change"]["reason"].str.contains("switched off").all()
    defined = tables["persistence"].dropna(subset="ccs")
    assert defined["ccs_low"].notna().all()


@pytest.mark.parametrize(
    "options", [{"mode": "other"}, {"bootstrap": -1}, {"margin_pp": 0}, {"margin_pp": 101}]
)
def test_an_option_that_is_none_is_refused(labels, schema, options):
    with pytest.raises(BadInput):
        run(labels, schema, **options)


def test_progress_never_goes_back_and_ends_at_its_total(labels, schema):
    said = []
    run_here(analyse(labels, schema, bootstrap=50), said.append)

    assert [one.done for one in said] == sorted(one.done for one in said)
    assert said[-1].done == said[-1].total == 100


def test_the_record_names_versions_options_spaces_and_input(labels, schema):
    labels.attrs["input"] = {"file": "labels.csv", "sha256": "0" * 64, "rows": len(labels)}
    record = run(labels, schema, margin_pp=10, seed=5).run

    assert record["options"]["margin_pp"] == 10
    assert (record["mode"], record["seed"]) == ("audit", 5)
    assert record["schema"] == {"version": schema.version, "hash": schema.hash}
    assert record["input"]["file"] == "labels.csv"
    assert record["label_space"]["items"]["k"] == 6
    assert record["label_space"]["framing"] == {"k": 5, "space": f"schema {schema.version}: 5 labels"}
    json.dumps(record)


def test_coverage_counts_what_could_not_be_used(labels, schema):
    coverage = run(labels, schema, bootstrap=0).tables["coverage"]

    unknown = labels[labels["label"] == "unknown"]
    assert coverage["unknown"].sum() == unknown[["image", "dimension"]].drop_duplicates().shape[0]
    assert (coverage["images"] == coverage["usable"] + coverage["unknown"] + coverage["left_out"]).all()
    share = coverage["unknown"] / coverage["images"]
    assert np.allclose(share, coverage["unknown_share"])
