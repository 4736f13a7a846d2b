"""Coefficients of agreement against worked examples that nobody here computed (tests/reference/published)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.statistics.bland_altman import bland_altman
from core.statistics.brennan_prediger import brennan_prediger
from core.statistics.cohen_kappa import cohen_kappa, kappa_of_table, kappa_standard_error
from core.statistics.conger_kappa import conger_kappa
from core.statistics.dawid_skene import dawid_skene
from core.statistics.fleiss_kappa import (
    fleiss_kappa,
    fleiss_kappa_by_category,
    fleiss_kappa_sums,
    fleiss_z,
    gwet_standard_error,
)
from core.statistics.gwet_ac import gwet_ac1, gwet_ac2, gwet_ac_sums
from core.statistics.intraclass import intraclass
from core.statistics.krippendorff_alpha import krippendorff_alpha
from core.statistics.prevalence_index import prevalence
from core.statistics.ratings import ratings_of_counts, ratings_of_table
from core.statistics.raw_agreement import raw_agreement

PUBLISHED = Path(__file__).parents[2] / "reference" / "published"


def published(name: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    example = json.loads((PUBLISHED / f"{name}.json").read_text(encoding="utf-8"))
    return example["input"], example["expected"], example["tolerance"]


def coded(rows: list[list[int | None]], lowest: int = 1) -> np.ndarray:
    return np.array([[-1 if value is None else value - lowest for value in row] for row in rows])


def ac1_standard_error(ratings: np.ndarray, categories: int) -> float:
    sums = gwet_ac_sums(ratings, categories)
    return gwet_standard_error(sums, lambda share: (1.0 - share) / (categories - 1.0))


def test_cohen_kappa_of_three_tables_with_the_same_layout() -> None:
    given, expected, tolerance = published("cohen_kappa_2x2_same_agreement")

    kappas = [kappa_of_table(table) for table in given["tables"]]
    observed = [raw_agreement(ratings_of_table(table), 2) for table in given["tables"]]

    assert [k.value for k in kappas] == pytest.approx(expected["kappa"], abs=tolerance["kappa"])
    assert [p.value for p in observed] == pytest.approx(expected["po"], abs=tolerance["po"])


def test_weighted_kappa_of_cohen_1968_with_his_own_costs() -> None:
    given, expected, tolerance = published("cohen1968_weighted")
    table = np.rint(np.array(given["proportions"]) * given["n_obs"])

    plain = kappa_of_table(table)
    weighted = kappa_of_table(table, given["disagreement_weights"])

    assert plain.value == pytest.approx(expected["kappa"], abs=tolerance["kappa"])
    assert weighted.value == pytest.approx(expected["weighted_kappa"], abs=tolerance["weighted_kappa"])
    assert kappa_standard_error(table) ** 2 == pytest.approx(
        expected["var_kappa"], abs=tolerance["var_kappa"]
    )


@pytest.mark.parametrize(
    ("name", "interval", "weighted_interval"),
    [("landis_koch_ms_winnipeg", "ci", "ci_weighted"), ("agresti_sexual_fun_weighted", None, "ci_weighted")],
)
def test_linear_weighted_kappa_with_its_standard_error(
    name: str, interval: str | None, weighted_interval: str
) -> None:
    given, expected, tolerance = published(name)
    table, order = given["table"], list(range(len(given["order"])))

    plain, linear = kappa_of_table(table), kappa_of_table(table, "linear", order)

    assert plain.value == pytest.approx(expected["kappa"], abs=tolerance["kappa"])
    assert linear.value == pytest.approx(expected["linear_weighted"], abs=tolerance["linear_weighted"])
    assert kappa_standard_error(table) == pytest.approx(expected["se"], abs=tolerance["se"])
    assert kappa_standard_error(table, "linear", order) == pytest.approx(
        expected["linear_se"], abs=tolerance["linear_se"]
    )
    assert (linear.low, linear.high) == pytest.approx(
        expected[weighted_interval], abs=tolerance[weighted_interval]
    )
    if interval:
        assert (plain.low, plain.high) == pytest.approx(expected[interval], abs=tolerance[interval])


def test_the_order_of_categories_changes_weighted_kappa_so_it_must_be_given() -> None:
    given, expected, _ = published("agresti_sexual_fun_weighted")
    alphabetical = sorted(range(4), key=lambda code: given["order"][code])

    sorted_by_name = kappa_of_table(given["table"], "linear", alphabetical)

    assert sorted_by_name.value != pytest.approx(expected["linear_weighted"], abs=0.01)
    with pytest.raises(ValueError, match="order"):
        kappa_of_table(given["table"], "linear")


def test_fleiss_1971_kappa_z_categories_and_conger() -> None:
    given, expected, tolerance = published("fleiss1971_psychiatric")
    ratings = ratings_of_counts(given["counts_per_subject"])
    names = sorted({name for row in given["raw_ratings"] for name in row})
    persons = np.array([[names.index(name) for name in row] for row in given["raw_ratings"]])

    kappa = fleiss_kappa(ratings, 5)
    each = [k.value for k in fleiss_kappa_by_category(ratings, 5)]

    assert kappa.value == pytest.approx(expected["fleiss_kappa"], abs=tolerance["fleiss_kappa"])
    assert fleiss_z(ratings, 5).value == pytest.approx(expected["z"], abs=tolerance["z"])
    assert each == pytest.approx(expected["category_kappa"], abs=tolerance["category_kappa"])
    assert raw_agreement(ratings, 5).value == pytest.approx(expected["mean_P"], abs=tolerance["mean_P"])
    chance = np.square(prevalence(ratings, 5)).sum()
    assert chance == pytest.approx(expected["Pe"], abs=tolerance["Pe"])
    assert conger_kappa(persons, 5).value == pytest.approx(
        expected["conger_exact_kappa"], abs=tolerance["conger_exact_kappa"]
    )


def test_fleiss_kappa_of_fourteen_raters() -> None:
    given, expected, tolerance = published("fleiss_wikipedia")
    ratings = ratings_of_counts(given["counts_per_subject"])

    assert fleiss_kappa(ratings, 5).value == pytest.approx(
        expected["fleiss_kappa"], abs=tolerance["fleiss_kappa"]
    )
    assert raw_agreement(ratings, 5).value == pytest.approx(expected["mean_P"], abs=tolerance["mean_P"])
    assert brennan_prediger(ratings, 5).value == pytest.approx(
        expected["randolph_free_marginal"], abs=tolerance["randolph_free_marginal"]
    )


@pytest.mark.parametrize("name", ["krippendorff2011_missing_4_levels", "krippendorff_wikipedia"])
@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_krippendorff_alpha_with_missing_answers(name: str, level: str) -> None:
    given, expected, tolerance = published(name)
    ratings = coded(given["coders_by_units"]).T

    alpha = krippendorff_alpha(ratings, 5, level, values=[1, 2, 3, 4, 5])  # type: ignore[arg-type]

    assert alpha.value == pytest.approx(expected[level], abs=tolerance[level])
    if level == "nominal" and "nominal_exact" in expected:
        assert alpha.value == pytest.approx(expected["nominal_exact"], abs=tolerance["nominal_exact"])


def test_gwet_two_abstractors() -> None:
    given, expected, tolerance = published("gwet_abstractors_3x3")
    ratings = ratings_of_table(given["table"])

    kappa, ac1 = cohen_kappa(ratings, 3), gwet_ac1(ratings, 3)

    assert kappa.value == pytest.approx(expected["cohen_kappa"], abs=tolerance["cohen_kappa"])
    assert ac1.value == pytest.approx(expected["ac1"], abs=tolerance["ac1"])
    assert kappa_standard_error(given["table"]) == pytest.approx(
        expected["cohen_se"], abs=tolerance["cohen_se"]
    )
    # The source divides by n in its function for tables, by n - 1 in the one for ratings, which is ours.
    divided_by_n = ac1_standard_error(ratings, 3) * np.sqrt(99 / 100)
    assert divided_by_n == pytest.approx(expected["ac1_se"], abs=tolerance["ac1_se"])
    assert (ac1.low, ac1.high) == pytest.approx(expected["ac1_ci"], abs=tolerance["ac1_ci"])
    assert (kappa.low, kappa.high) == pytest.approx(expected["cohen_ci"], abs=0.002)
    assert fleiss_kappa(ratings, 3).value == pytest.approx(expected["scott_pi"], abs=tolerance["scott_pi"])
    assert brennan_prediger(ratings, 3).value == pytest.approx(
        expected["brennan_prediger"], abs=tolerance["brennan_prediger"]
    )
    assert krippendorff_alpha(ratings, 3).value == pytest.approx(
        expected["krippendorff_alpha"], abs=tolerance["krippendorff_alpha"]
    )
    assert raw_agreement(ratings, 3).value == pytest.approx(
        expected["percent_agreement"], abs=tolerance["percent_agreement"]
    )


def test_gwet_four_raters_with_missing_answers() -> None:
    given, expected, tolerance = published("gwet_raw_4raters_missing")
    ratings = coded(given["subjects_by_raters"])
    found = {
        "percent_agreement": raw_agreement(ratings, 5).value,
        "ac1": gwet_ac1(ratings, 5).value,
        "ac1_se": ac1_standard_error(ratings, 5),
        "fleiss": fleiss_kappa(ratings, 5).value,
        "fleiss_se": gwet_standard_error(fleiss_kappa_sums(ratings, 5), lambda share: share),
        "krippendorff_alpha": krippendorff_alpha(ratings, 5).value,
        "conger": conger_kappa(ratings, 5).value,
        "brennan_prediger": brennan_prediger(ratings, 5).value,
        "ac2_quadratic": gwet_ac2(ratings, 5, "quadratic", range(5)).value,
        "ac2_linear": gwet_ac2(ratings, 5, "linear", range(5)).value,
        "total_ratings": int((ratings >= 0).sum()),
    }

    for name, value in found.items():
        assert value == pytest.approx(expected[name], abs=max(tolerance[name], 1e-12)), name
    ac1 = gwet_ac1(ratings, 5)
    assert (ac1.low, ac1.high) == pytest.approx(expected["ac1_ci"], abs=tolerance["ac1_ci"])


def test_kappa_halves_with_prevalence_while_raw_agreement_stays() -> None:
    given, expected, tolerance = published("kappa_paradox_feinstein_cicchetti")

    for index, table in enumerate(given["tables"]):
        ratings = ratings_of_table(table)

        assert raw_agreement(ratings, 2).value == pytest.approx(expected["po"][index], abs=tolerance["po"])
        assert cohen_kappa(ratings, 2).value == pytest.approx(
            expected["kappa"][index], abs=tolerance["kappa"]
        )
        assert brennan_prediger(ratings, 2).value == pytest.approx(
            expected["pabak"][index], abs=tolerance["pabak"]
        )
        assert gwet_ac1(ratings, 2).value == pytest.approx(expected["ac1"][index], abs=tolerance["ac1"])


def test_s_pi_and_kappa_of_artstein_and_poesio() -> None:
    given, expected, tolerance = published("artstein_poesio_2008")
    ratings = ratings_of_table(given["table"])

    assert raw_agreement(ratings, 2).value == pytest.approx(expected["po"], abs=tolerance["po"])
    assert brennan_prediger(ratings, 2).value == pytest.approx(expected["S"], abs=tolerance["S"])
    assert fleiss_kappa(ratings, 2).value == pytest.approx(expected["pi"], abs=tolerance["pi"])
    assert cohen_kappa(ratings, 2).value == pytest.approx(expected["kappa"], abs=tolerance["kappa"])


def test_six_intraclass_correlations_of_shrout_and_fleiss() -> None:
    given, expected, tolerance = published("shrout_fleiss_icc_six_forms")

    forms = intraclass(given["subjects_by_judges"])

    found = {
        "icc11": forms.icc_1_1,
        "icc21": forms.icc_2_1,
        "icc31": forms.icc_3_1,
        "icc1k": forms.icc_1_k,
        "icc2k": forms.icc_2_k,
        "icc3k": forms.icc_3_k,
    }
    for name, form in found.items():
        assert form.value == pytest.approx(expected["exact"][name], abs=tolerance["exact"]), name
        assert form.value == pytest.approx(expected[name], abs=tolerance[name]), name
    for name, ends in expected["ci"].items():
        assert (found[name].low, found[name].high) == pytest.approx(ends, abs=tolerance["ci"]), name


def test_dawid_and_skene_anaesthetists() -> None:
    given, expected, tolerance = published("dawid_skene_1979_anaesthetists")
    counts = np.array(given["counts_item_rater_category"])

    fit = dawid_skene(counts)

    assert fit.is_converged
    assert fit.prevalence == pytest.approx(expected["prevalence"], abs=tolerance["prevalence"])
    assert fit.prevalence == pytest.approx(expected["prevalence_exact"], abs=tolerance["prevalence_exact"])
    assert fit.log_likelihood == pytest.approx(expected["observed_loglik"], abs=tolerance["observed_loglik"])
    assert (fit.labels + 1).tolist() == expected["item_class_1based"]
    assert fit.confusion[0] == pytest.approx(
        np.array(expected["rater1_confusion"]), abs=tolerance["rater1_confusion"]
    )
    majority = counts.sum(axis=1).argmax(axis=1)
    differ = np.flatnonzero(fit.labels != majority) + 1
    # The file counts these three from 2: its item 13 would be one that all seven answers put in class 1.
    assert (differ + 1).tolist() == expected["items_where_majority_vote_differs_1based"]


def test_bland_and_altman_peak_flow() -> None:
    given, expected, tolerance = published("bland_altman_1986_pefr")

    usual = bland_altman(given["method_a"], given["method_b"])
    paper = bland_altman(given["method_a"], given["method_b"], multiplier=2.0)

    assert usual.bias.value == pytest.approx(expected["mean_difference"], abs=tolerance["mean_difference"])
    assert usual.sd.value == pytest.approx(expected["sd_difference"], abs=tolerance["sd_difference"])
    assert (usual.lower.value, usual.upper.value) == pytest.approx(
        expected["limits_196sd"], abs=tolerance["limits_196sd"]
    )
    assert (paper.lower.value, paper.upper.value) == pytest.approx(
        expected["limits_2sd"], abs=tolerance["limits_2sd"]
    )
