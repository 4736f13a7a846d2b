"""Paper mode reproduces what the published code writes, on 45,979 rows with every edge case."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.analysis import analyse
from core.jobs import run_here
from core.paper.concentration import published_score
from core.paper.counting import paper_cube, plain_word, plot_name
from core.paper.persistence import grid_of, three_conditions
from core.statistics.multiplicity import benjamini_hochberg
from core.tables import read_counts

FOLDER = Path(__file__).parents[2] / "reference" / "synthetic"
CONDITION = {
    "Context-free_CF": "CF",
    "Context-aware_Related_CA-R": "CA-R",
    "Context-aware_Unrelated_CA-U": "CA-U",
}
FAMILY = {"people": "People", "scene_appearance": "Scene", "camera": "Camera", "objects": "Objects"}
SHORT = {"CF": "cf", "CA-R": "car", "CA-U": "cau"}
SUFFIX = {"cf": "CF", "car": "CA_Rel", "cau": "CA_Unrel"}
PREFIX = "92_job_description_"
MODEL_KEY = {"XL": "SDXL", "M35": "3.5", "3.5": "3.5", "Flx": "Flux", "Flux": "Flux", "Qwen": "Qwen"}


@pytest.fixture(scope="module")
def counts():
    return read_counts(FOLDER / "input_frequencies_long.csv.gz")


@pytest.fixture(scope="module")
def tables(counts, schema):
    found = run_here(analyse(counts, schema, mode="paper", bootstrap=200, seed=0)).tables
    return {name: _plain(frame) for name, frame in found.items()}


def _plain(frame):
    words = [name for name in frame if isinstance(frame[name].dtype, pd.CategoricalDtype)]
    return frame.astype(dict.fromkeys(words, str))


def published(name):
    return pd.read_csv(FOLDER / name, keep_default_na=False, na_values=[""])


def close(one, other, atol=1e-9):
    assert len(one) > 0
    assert np.allclose(
        one.to_numpy(dtype=float), other.to_numpy(dtype=float), rtol=1e-9, atol=atol, equal_nan=True
    )


def aligned(ours, theirs, keys):
    both = theirs.merge(ours, on=keys, how="outer", suffixes=("", "_ours"), indicator=True)
    assert (both["_merge"] == "both").all()
    return both


def test_cells_have_the_published_counts_images_and_expected_counts(tables):
    theirs = published("overall_prop_all_loo_ALLTYPES.csv.gz")
    contrast = tables["role_contrast"].rename(columns={"generator": "Model", "role": "occupation"})
    for name, part in theirs.groupby("Context"):
        short = SHORT[CONDITION[name]]
        both = part.merge(contrast, on=["Model", "dimension", "occupation", "label"], how="left")

        close(both["count"], both[f"x_{short}"])
        close(both["n.with.coh.Cont.occ"], both[f"n_{short}"])
        close(both["exp_occ"].fillna(0), both[f"expected_{short}"])
    cells = contrast[["n_cf", "n_car", "n_cau"]].to_numpy()
    assert (cells > 0).sum() == len(theirs)


def test_tests_by_dimension_are_the_published_ones(counts, schema):
    cube = paper_cube(counts, schema)
    grid = grid_of(cube)
    statistic, df, p = three_conditions(grid.x, grid.n)
    ours = pd.DataFrame(
        {
            "Model": np.array(cube.generators, dtype=object)[grid.generator],
            "dimension": np.array([one.id for one in cube.dimensions])[cube.label_dimension[grid.label]],
            "occupation": np.array(cube.roles, dtype=object)[grid.role],
            "label": np.array(cube.labels, dtype=object)[grid.label],
            "chi2": statistic,
            "df": df,
            "p": p,
        }
    )
    theirs = published("occ_table_all_ALLTYPES.csv.gz").query("Model != 'ALL'")

    both = aligned(ours, theirs, ["Model", "dimension", "occupation", "label"])

    close(both["chisq_stat"], both["chi2"])
    close(both["p_value"], both["p"])
    assert (both["df"] == both["df_ours"]).all()
    for _, part in both.groupby("Model"):
        close(part["p_adj"], pd.Series(benjamini_hochberg(part["p"])))


def test_a_role_against_the_others_is_the_published_test(tables):
    theirs = published("bias_occ_loo.csv.gz").query("prompt_group == 'ALL_TYPES'")
    theirs = theirs.assign(condition=theirs["Context"].map(CONDITION), generator=theirs["Model"])
    ours = tables["role_bias"].rename(columns={"role": "occupation"})

    both = aligned(ours, theirs, ["generator", "dimension", "condition", "occupation"])

    close(both["chi.value"], both["chi2"])
    close(both["p_value"], both["p"])
    close(both["p_adj"], both["p_adjusted"])


def test_label_results_are_the_published_ones(tables):
    theirs = published("table3_base_long.csv.gz")
    theirs = theirs.assign(generator=PREFIX + theirs["Model_key"].map(MODEL_KEY))
    ours = tables["persistence"].rename(columns={"role": "occupation"})

    both = aligned(ours, theirs, ["generator", "occupation", "label"])

    for short, suffix in SUFFIX.items():
        close(both[f"x_{suffix}"], both[f"x_{short}"])
        close(both[f"n_{suffix}"], both[f"n_{short}"])
    close(both["pct_all"], 100 * both["prevalence"])
    close(both["pct_range"], both["range_pp"])
    close(both["chisq_stat"], both["chi2"])
    close(both["p_value"], both["p"])
    close(both["consistency_score"], both["ccs"])
    assert (both["consistent_between_contexts"] == both["invariant_paper"]).all()
    assert (both.loc[both["ccs"].isna(), "reason"] != "").all()


def test_a_word_in_two_dimensions_is_added_up_over_both_and_named(tables):
    everything = tables["persistence"]
    shared = everything[everything["dimension"].str.contains(" + ", regex=False)]

    assert len(shared) > 0
    assert (shared[["n_cf", "n_car", "n_cau"]].max(axis=1) > 80).any()


def test_model_summary_follows_from_the_label_results(tables):
    for one in published("table3_model_summary.csv").to_dict("records"):
        mine = tables["persistence"].query(f"generator == '{PREFIX}{MODEL_KEY[one['Model_key']]}'")

        assert len(mine) == one["n_labels_tested"]
        assert mine["invariant_paper"].sum() == one["n_consistent"]
        assert mine["range_pp"].mean() == pytest.approx(one["mean_pct_range"])
        assert mine["range_pp"].median() == pytest.approx(one["median_pct_range"])


def test_persistence_of_labels_is_the_contrast_added_up(tables):
    contrast = tables["role_contrast"]
    sums = contrast.groupby(["generator", "role", "label"])[["chi2", "df"]].sum()
    prevalence = tables["persistence"].set_index(["generator", "role", "label"])["prevalence"]
    names = {"XL": "SDXL", "3.5": "3.5", "Flx": "Flux", "Qwen": "Qwen"}
    theirs = published("table3_label_persistence.csv")
    for row in theirs.iloc[::17].to_dict("records"):
        for short, name in names.items():
            key = (PREFIX + name, row["Occupation"], row["Label"])

            assert sums.loc[key, "chi2"] == pytest.approx(row[f"{short}_chi2"], abs=0.00501)
            assert 100 * prevalence[key] == pytest.approx(row[f"{short}_%"], abs=0.501)


def test_summary_by_cohort_is_the_published_one(tables):
    ours = tables["role_contrast_summary"]
    free = published("table2_no_type_isolated_baseline_long.csv")
    aware = published("table2_other_type_robustness_long.csv")
    for row, other in zip(free.to_dict("records"), aware.to_dict("records"), strict=True):
        generator = "ALL" if row["Model"] == "Total" else PREFIX + MODEL_KEY[row["Model"]]
        cohort = row["dimension_family"].replace("All", "ALL")
        (mine,) = ours.query(f"generator == '{generator}' and cohort == '{cohort}'").to_dict("records")

        assert mine["labels_context_free"] == row["n_labels_tested"]
        assert (mine["mean_pct"], mine["median_pct"]) == pytest.approx((row["mean_pct"], row["median_pct"]))
        assert mine["labels_context_aware"] == other["n_labels_tested"]
        for name in ("pct_invariant", "mean_p", "median_p"):
            assert mine[name] == pytest.approx(other[name])


def test_bi_by_cohort_and_by_dimension_is_the_published_one(tables):
    bi = (
        tables["bi"]
        .assign(plot=tables["bi"]["generator"].map(plot_name))
        .set_index(["plot", "condition", "cohort", "dimension"])["value"]
    )
    for row in published("fig2_data.csv").to_dict("records"):
        key = (row["Model_plot"], row["Context_short"], row["dimension_family"], "ALL")
        assert bi[key] == pytest.approx(row["mean_intensity"], abs=1e-12)
    by_dimension = bi.xs("ALL", level="condition").droplevel("cohort")
    for row in published("fig3_dim_data.csv").to_dict("records"):
        assert by_dimension[row["Model_plot"], row["dimension"]] == pytest.approx(
            row["avg_intensity"], abs=1e-12
        )


@pytest.mark.parametrize(
    "name",
    ["table10_cluster_bootstrap_per_model", "table9_cluster_bootstrap", "headline_bi_cluster_bootstrap"],
)
def test_changes_of_cohorts_and_their_intervals_are_the_published_ones(tables, name):
    check_changes(tables, published(f"{name}.csv").rename(columns={"dimension_family": "cohort"}))


def test_changes_of_camera_dimensions_are_the_published_ones(tables):
    check_changes(tables, published("camera_dimension_cluster_bootstrap.csv"))


def check_changes(tables, theirs):
    change = tables["bi_change"]
    change = change.assign(Model_plot=change["generator"].map(plot_name))
    for row in theirs.to_dict("records"):
        wanted = {"Model_plot": "ALL", "dimension": "ALL"} | {
            name: row[name] for name in ("Model_plot", "cohort", "dimension", "comparison") if name in row
        }
        mine = change
        for column, value in wanted.items():
            mine = mine[mine[column] == value]
        (mine,) = mine.to_dict("records")

        assert mine["value"] == pytest.approx(row["point_estimate"], abs=1e-12)
        assert mine["bootstrap_mean"] == pytest.approx(row["bootstrap_mean"], abs=1e-12)
        assert (mine["low"], mine["high"]) == pytest.approx((row["ci_low"], row["ci_high"]), abs=1e-12)
        assert mine["replicates"] == row["n_replicates"]


def test_published_score_of_the_edge_cases(published_example):
    cases, right = published_example
    for case, expected in zip(cases, right, strict=True):
        observed = [count for count in case["counts"] if count] or [0.0]
        value = float(published_score(observed))

        assert np.isnan(value) if expected is None else value == pytest.approx(expected, abs=1e-6)


@pytest.fixture
def published_example():
    path = FOLDER.parent / "published" / "bi_edge_cases.json"
    example = json.loads(path.read_text(encoding="utf-8"))
    return example["input"]["cases"], example["expected"]["bi_reference_code"]


def test_every_table_says_that_it_is_paper_mode(tables):
    for frame in tables.values():
        assert frame.columns[0] == "mode"
        assert set(frame["mode"]) == {"paper"}


def test_rows_are_counted_by_reason(counts, schema):
    run = run_here(analyse(counts, schema, mode="paper", bootstrap=0)).run

    (stage,) = run["stages"]
    assert stage["in"] == len(counts) == stage["used"] + sum(stage["left_out"].values())
    assert stage["left_out"]["dimension role_hint"] == 33
    assert run["notes"] == ["47 counts above ten, taken as ten"]


@pytest.mark.parametrize(
    ("text", "word"), [(" Lab-Coat ", "lab_coat"), ("a  b", "a_b"), ("__x__", "x"), ("a--b", "a_b")]
)
def test_words_are_normalised_as_published(text, word):
    assert plain_word(text) == word


def test_labels_and_their_counts_give_the_same_tables(labels, schema):
    keys = ["generator", "role", "condition", "prompt", "cohort", "dimension"]
    usable = labels[labels["status"] == "ok"]
    sizes = usable.groupby([*keys, "label"], as_index=False).size().rename(columns={"size": "count"})

    one = run_here(analyse(labels, schema, mode="paper", bootstrap=50)).tables
    other = run_here(analyse(sizes, schema, mode="paper", bootstrap=50)).tables

    for name in set(one) - {"joined_labels"}:  # which tells how many rows of the table were joined
        pd.testing.assert_frame_equal(one[name], other[name])


def test_the_order_of_rows_changes_nothing(counts, schema):
    mixed = counts.sample(frac=1, random_state=1)

    one = run_here(analyse(counts, schema, mode="paper", bootstrap=20)).tables
    other = run_here(analyse(mixed, schema, mode="paper", bootstrap=20)).tables

    for name in one:
        pd.testing.assert_frame_equal(one[name], other[name])
