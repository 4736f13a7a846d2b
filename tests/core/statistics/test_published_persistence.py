"""Prevalence, range, homogeneity and CCS reproduce the worked examples within their stated tolerances."""

from __future__ import annotations

import numpy as np
import pytest

from core.statistics.clustering import rao_scott
from core.statistics.exact import exact_homogeneity, freeman_halton
from core.statistics.homogeneity import homogeneity
from core.statistics.multiplicity import benjamini_hochberg
from core.statistics.persistence import (
    ABSENT,
    LOW_SUPPORT,
    MISSING_CONDITION,
    ccs,
    invariant_paper,
    mean_ccs,
    range_pp,
    ranges_at_most,
)
from core.statistics.prevalence import NO_IMAGES, pooled_prevalence
from core.statistics.proportion import wilson

REASON_OF_STATUS = {
    "ok": "",
    "undefined_no_images": NO_IMAGES,
    "undefined_absent": ABSENT,
    "undefined_missing_condition": MISSING_CONDITION,
    "undefined_low_support": LOW_SUPPORT,
}


def test_party_and_gender(published):
    example = published("chisq_agresti_party_gender")
    table = np.array(example["input"]["table"])
    expected, tolerance = example["expected"], example["tolerance"]

    result = homogeneity(table[0], table.sum(axis=0))

    assert result.chi2 == pytest.approx(expected["chi2"], abs=tolerance["chi2"])
    assert result.df == expected["df"]
    assert result.p == pytest.approx(expected["p"], abs=tolerance["p"])


def test_smokers_in_four_groups(published):
    example = published("prop_homogeneity_fleiss_smokers")
    expected, tolerance = example["expected"], example["tolerance"]

    result = homogeneity(example["input"]["x"], example["input"]["n"])

    assert result.chi2 == pytest.approx(expected["chi2"], abs=tolerance["chi2"])
    assert result.df == expected["df"]
    assert result.p == pytest.approx(expected["p"], abs=tolerance["p"])


def test_job_satisfaction_exact(published):
    example = published("fisher_freeman_halton_job")

    p = freeman_halton(example["input"]["table"]).value

    assert p == pytest.approx(example["expected"]["p_exact"], abs=example["tolerance"]["p_exact"])


def test_small_expected_counts(published):
    example = published("homogeneity_small_expected")
    expected, tolerance = example["expected"], example["tolerance"]
    for position, case in enumerate(example["input"]["cases"]):
        result = homogeneity(case["x"], case["n"])

        assert result.chi2 == pytest.approx(expected["chi2"][position], abs=tolerance["chi2"])
        assert result.p == pytest.approx(expected["p_asymptotic"][position], abs=tolerance["p_asymptotic"])
        assert result.p_exact == pytest.approx(expected["p_exact"][position], abs=tolerance["p_exact"])
        assert result.status == expected["status"][position]


def test_one_deviating_image_cannot_go_below_its_smallest_p():
    assert exact_homogeneity([19, 50, 60], [20, 50, 60]).low == pytest.approx(20 / 130)


def test_ccs_where_it_is_and_is_not_defined(published):
    example = published("ccs_edge_cases")
    expected, tolerance = example["expected"], example["tolerance"]["all"]
    for position, case in enumerate(example["input"]["cases"]):
        x, n = np.array(case["x"]), np.array(case["n"])
        share, spread, score = pooled_prevalence(x, n), range_pp(x, n), ccs(x, n)

        for estimate, name, scale in (
            (share, "prevalence", 100),
            (spread, "range_pp", 1),
            (score, "ccs", 1),
        ):
            right = expected[name][position]
            if right is None:
                assert estimate.value is None
                assert estimate.reason
            else:
                assert estimate.value * scale == pytest.approx(right, abs=tolerance)
        assert score.reason == REASON_OF_STATUS[expected["status"][position]]
        if expected["range_at_most_5pp"][position] is not None:
            assert ranges_at_most(x[None], n[None])[0] == expected["range_at_most_5pp"][position]


def test_rows_of_the_paper(published):
    example = published("paper_table2_closed_labels")
    tolerance = example["tolerance"]
    for row, expected in zip(example["input"]["rows"], example["expected"]["rows"], strict=True):
        scores, invariant = [], 0
        for cell, right in zip(row["generators"], expected["generators"], strict=True):
            x, n = cell["x"], cell["n"]
            test, score = homogeneity(x, n), ccs(x, n)
            printed = right["published"]
            assert 100 * pooled_prevalence(x, n).value == pytest.approx(
                printed["prevalence"], abs=tolerance["prevalence"]
            )
            assert range_pp(x, n).value == pytest.approx(printed["range_pp"], abs=tolerance["range_pp"])
            assert test.chi2 == pytest.approx(printed["chi2"], abs=tolerance["chi2"])
            assert test.p == pytest.approx(printed["p"], abs=tolerance["p"])
            for value, name in (
                (100 * pooled_prevalence(x, n).value, "prevalence"),
                (range_pp(x, n).value, "range_pp"),
                (test.chi2, "chi2"),
                (test.p, "p"),
                (test.p_exact, "p_exact_ffh"),
            ):
                assert value == pytest.approx(right[name], abs=tolerance["exact_fields"])
            assert score.value == pytest.approx(right["ccs"], abs=tolerance["exact_fields"])
            scores.append(score)
            invariant += bool(invariant_paper(x, n, test.p))
        mean = mean_ccs(scores).value
        assert mean == pytest.approx(expected["mean_ccs"], abs=tolerance["exact_fields"])
        assert mean == pytest.approx(expected["published_ccs"], abs=tolerance["mean_ccs"])
        assert invariant == expected["invariant_models"]


def test_thrombolysis_trial(published):
    example = published("benjamini_hochberg_1995")
    p, expected = np.array(example["input"]["p"]), example["expected"]

    adjusted = benjamini_hochberg(p)

    assert adjusted == pytest.approx(expected["adjusted"], abs=example["tolerance"]["adjusted"])
    assert np.count_nonzero(adjusted <= example["input"]["q"]) == expected["n_rejected_bh"]
    assert np.count_nonzero(p * len(p) <= example["input"]["q"]) == expected["n_rejected_bonferroni"]


def test_rat_litters(published):
    example = published("rao_scott_1992_rats")
    rows, expected, tolerance = example["input"]["rows"], example["expected"], example["tolerance"]
    y, n = [row["y"] for row in rows], [row["n"] for row in rows]
    group = [int(row["group"] == "TREAT") for row in rows]

    adjusted, naive = rao_scott(y, n, group), rao_scott(y, n, group, design_effect=1.0)

    assert adjusted.shares == pytest.approx(expected["group_p"], abs=tolerance["group_p"])
    assert adjusted.design_effects == pytest.approx(expected["deff"], abs=tolerance["deff"])
    assert adjusted.chi2.value == pytest.approx(expected["X2_adjusted"], abs=tolerance["X2_adjusted"])
    assert adjusted.df == expected["df"]
    assert adjusted.p == pytest.approx(expected["p_adjusted"], abs=tolerance["p_adjusted"])
    assert naive.chi2.value == pytest.approx(expected["X2_naive"], abs=tolerance["X2_naive"])
    assert naive.p == pytest.approx(expected["p_naive"], abs=tolerance["p_naive"])


def test_newcombe_score_intervals(published):
    example = published("wilson_newcombe_1998")
    for position, (x, n) in enumerate(example["input"]["cases"]):
        share = wilson(x, n, level=example["input"]["level"])

        for end, name in ((share.low, "lower"), (share.high, "upper")):
            assert end == pytest.approx(example["expected"][name][position], abs=example["tolerance"][name])
