"""Each coefficient against a slow, obvious computation, and against other people's programs."""

from __future__ import annotations

from itertools import combinations, permutations

import krippendorff
import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from core.statistics.brennan_prediger import brennan_prediger
from core.statistics.cohen_kappa import (
    cohen_kappa,
    cohen_kappa_mean,
    cohen_kappa_pairs,
    kappa_of_table,
    kappa_standard_error,
    pair_table,
)
from core.statistics.conger_kappa import conger_kappa
from core.statistics.fleiss_kappa import fleiss_kappa, fleiss_kappa_by_category
from core.statistics.gwet_ac import gwet_ac1, gwet_ac2, gwet_ac_sums
from core.statistics.krippendorff_alpha import interval_alpha_sums, krippendorff_alpha
from core.statistics.prevalence_index import bias_index, prevalence_index
from core.statistics.ratings import counts_of
from core.statistics.raw_agreement import raw_agreement, raw_agreement_sums

CATEGORIES = 4
SEEDS = range(6)


def answers(seed: int, units: int = 40, raters: int = 3, missing: float = 0.15) -> np.ndarray:
    """Answers that agree more often than chance, some of them missing."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(CATEGORIES, size=units, p=[0.55, 0.25, 0.15, 0.05])
    guess = rng.integers(0, CATEGORIES, size=(units, raters))
    given = np.where(rng.random((units, raters)) < 0.7, truth[:, None], guess)
    return np.where(rng.random((units, raters)) < missing, -1, given)


def present(row: np.ndarray) -> list[int]:
    return [int(value) for value in row if value >= 0]


def slow_raw_agreement(matrix: np.ndarray) -> float:
    per_unit = []
    for row in matrix:
        pairs = list(combinations(present(row), 2))
        if pairs:
            per_unit.append(sum(a == b for a, b in pairs) / len(pairs))
    return sum(per_unit) / len(per_unit)


def slow_shares(matrix: np.ndarray) -> list[float]:
    rows = [present(row) for row in matrix if present(row)]
    return [sum(row.count(code) / len(row) for row in rows) / len(rows) for code in range(CATEGORIES)]


@pytest.mark.parametrize("seed", SEEDS)
def test_raw_agreement_counts_pairs(seed: int) -> None:
    matrix = answers(seed)

    assert raw_agreement(matrix, CATEGORIES).value == pytest.approx(slow_raw_agreement(matrix))


@pytest.mark.parametrize("seed", SEEDS)
def test_fleiss_gwet_and_brennan_prediger_differ_only_in_chance(seed: int) -> None:
    matrix = answers(seed)
    observed, shares = slow_raw_agreement(matrix), slow_shares(matrix)
    chances = {
        fleiss_kappa: sum(p * p for p in shares),
        gwet_ac1: sum(p * (1 - p) for p in shares) / (CATEGORIES - 1),
        brennan_prediger: 1 / CATEGORIES,
    }

    for measure, chance in chances.items():
        assert measure(matrix, CATEGORIES).value == pytest.approx((observed - chance) / (1 - chance))


@pytest.mark.parametrize("seed", SEEDS)
def test_conger_averages_chance_over_ordered_pairs_of_raters(seed: int) -> None:
    matrix = answers(seed)
    columns = [present(column) for column in matrix.T]
    share = [[column.count(code) / len(column) for code in range(CATEGORIES)] for column in columns]
    pairs = [
        sum(a * b for a, b in zip(share[g], share[h], strict=True)) for g, h in permutations(range(3), 2)
    ]
    observed, chance = slow_raw_agreement(matrix), sum(pairs) / len(pairs)

    assert conger_kappa(matrix, CATEGORIES).value == pytest.approx((observed - chance) / (1 - chance))


@pytest.mark.parametrize("seed", SEEDS)
def test_conger_of_two_raters_is_cohen(seed: int) -> None:
    matrix = answers(seed, raters=2, missing=0.0)

    assert conger_kappa(matrix, CATEGORIES).value == pytest.approx(cohen_kappa(matrix, CATEGORIES).value)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_cohen_agrees_with_scikit_learn_and_statsmodels(seed: int, weights: str) -> None:
    matrix = answers(seed, raters=2, missing=0.0)
    order = list(range(CATEGORIES))
    table = pair_table(matrix, CATEGORIES)
    theirs = cohen_kappa_score(
        matrix[:, 0], matrix[:, 1], labels=order, weights=None if weights == "none" else weights
    )
    scores = {"none": None, "linear": "linear", "quadratic": "fc"}[weights]
    reference = inter_rater.cohens_kappa(table, wt=scores)

    ours = cohen_kappa(matrix, CATEGORIES, weights, order)  # type: ignore[arg-type]

    assert ours.value == pytest.approx(theirs)
    assert ours.value == pytest.approx(reference.kappa)
    assert kappa_standard_error(table, weights, order) == pytest.approx(  # type: ignore[arg-type]
        reference.std_kappa
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_mean_kappa_is_the_mean_over_pairs_of_the_units_both_answered(seed: int) -> None:
    matrix = answers(seed)
    each = []
    for a, b in combinations(range(3), 2):
        both = matrix[(matrix[:, a] >= 0) & (matrix[:, b] >= 0)]
        each.append(cohen_kappa_score(both[:, a], both[:, b]))

    assert [k.value for k in cohen_kappa_pairs(matrix, CATEGORIES).values()] == pytest.approx(each)
    assert cohen_kappa_mean(matrix, CATEGORIES).value == pytest.approx(sum(each) / 3)


@pytest.mark.parametrize("seed", SEEDS)
def test_fleiss_agrees_with_statsmodels_on_complete_answers(seed: int) -> None:
    matrix = answers(seed, missing=0.0)
    table = counts_of(matrix, CATEGORIES)

    assert fleiss_kappa(matrix, CATEGORIES).value == pytest.approx(inter_rater.fleiss_kappa(table))
    assert brennan_prediger(matrix, CATEGORIES).value == pytest.approx(
        inter_rater.fleiss_kappa(table, method="randolph")
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_kappa_of_a_category_is_fleiss_after_merging_the_others(seed: int) -> None:
    matrix = answers(seed)

    each = fleiss_kappa_by_category(matrix, CATEGORIES)

    for code, kappa in enumerate(each):
        merged = np.where(matrix < 0, -1, np.where(matrix == code, 0, 1))
        assert kappa.value == pytest.approx(fleiss_kappa(merged, 2).value)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_agrees_with_pairs_of_values(seed: int, level: str) -> None:
    matrix = answers(seed)
    rows = [present(row) for row in matrix if len(present(row)) >= 2]
    values = [value for row in rows for value in row]
    n_c = [values.count(code) for code in range(CATEGORIES)]

    def cost(a: int, b: int) -> float:
        low, high = min(a, b), max(a, b)
        between = sum(n_c[low : high + 1]) - (n_c[low] + n_c[high]) / 2
        ratio = ((a - b) / (a + b)) ** 2 if a + b else 0.0
        return {
            "nominal": float(a != b),
            "ordinal": between**2 if a != b else 0.0,
            "interval": float((a - b) ** 2),
            "ratio": ratio,
        }[level]

    within = sum(sum(cost(a, b) for a, b in permutations(row, 2)) / (len(row) - 1) for row in rows)
    across = sum(cost(a, b) for a, b in permutations(values, 2)) / (len(values) - 1)

    found = krippendorff_alpha(matrix, CATEGORIES, level)  # type: ignore[arg-type]

    assert found.value == pytest.approx(1 - within / across)


@pytest.mark.parametrize("seed", SEEDS)
def test_interval_alpha_for_resampling_equals_the_package(seed: int) -> None:
    matrix = answers(seed)
    data = np.where(matrix < 0, np.nan, matrix.astype(float)).T

    ours = interval_alpha_sums(data.T).value()

    assert ours == pytest.approx(krippendorff.alpha(data, level_of_measurement="interval"))


def test_what_the_alpha_package_refuses_is_a_reason_here() -> None:
    with pytest.raises(ValueError, match="more than one value"):
        krippendorff.alpha([[1, 1], [1, 1]], level_of_measurement="nominal")

    assert "one category" in krippendorff_alpha([[1, 1], [1, 1], [-1, -1]], 3).reason
    assert "no unit shared" in krippendorff_alpha([[1, -1], [-1, 1]], 3).reason
    assert "no answer" in krippendorff_alpha([[-1, -1]], 3).reason


def test_alpha_is_undefined_when_only_answers_without_a_partner_differ() -> None:
    found = krippendorff_alpha([[1, 1], [1, 1], [0, -1]], 3)

    assert found.value is None


def test_one_disagreement_in_a_constant_table_gives_about_zero() -> None:
    table = np.zeros((50, 3), dtype=int)
    table[0, 0] = 1

    assert krippendorff_alpha(table, 2).value == pytest.approx(0.0, abs=0.01)
    assert raw_agreement(table, 2).value > 0.98


def test_one_constant_rater_gives_kappa_zero_whatever_the_raw_agreement() -> None:
    table = np.zeros((50, 2), dtype=int)
    table[:5, 1] = 1

    assert cohen_kappa(table, 2).value == pytest.approx(0.0)
    assert raw_agreement(table, 2).value == pytest.approx(0.9)


@pytest.mark.parametrize("seed", SEEDS)
def test_weighted_ac2_by_hand(seed: int) -> None:
    matrix = answers(seed)
    alike = 1 - np.abs(np.subtract.outer(range(CATEGORIES), range(CATEGORIES))) / (CATEGORIES - 1)
    per_unit = [
        np.mean([alike[a, b] for a, b in permutations(present(row), 2)])
        for row in matrix
        if len(present(row)) >= 2
    ]
    shares = slow_shares(matrix)
    chance = alike.sum() / (CATEGORIES * (CATEGORIES - 1)) * sum(p * (1 - p) for p in shares)

    found = gwet_ac2(matrix, CATEGORIES, "linear", range(CATEGORIES))

    assert found.value == pytest.approx((np.mean(per_unit) - chance) / (1 - chance))


def test_own_costs_of_zero_and_one_are_unweighted_kappa() -> None:
    table = [[20, 5, 1], [10, 15, 2], [0, 3, 9]]

    own = kappa_of_table(table, 1 - np.eye(3))

    assert own.value == pytest.approx(kappa_of_table(table).value)


@pytest.mark.parametrize("costs", [[[0, 1], [1, 1]], [[0, -1], [1, 0]], [[0, 1, 2], [1, 0, 1]]])
def test_similarities_given_as_costs_are_refused(costs: list[list[float]]) -> None:
    with pytest.raises(ValueError, match=r"costs|shape"):
        kappa_of_table([[3, 1], [1, 3]], costs)


def test_prevalence_and_bias_index_of_byrt() -> None:
    a, b, c, d = 40, 9, 6, 45
    ratings = np.array([[0, 0]] * a + [[0, 1]] * b + [[1, 0]] * c + [[1, 1]] * d)

    assert prevalence_index(ratings, 2).value == pytest.approx(abs(a - d) / 100)
    assert bias_index(ratings, 2).value == pytest.approx(abs(b - c) / 100)


@pytest.mark.parametrize("seed", SEEDS)
def test_standard_error_of_a_mean_is_the_textbook_one(seed: int) -> None:
    matrix = answers(seed, raters=2, missing=0.0)
    agrees = matrix[:, 0] == matrix[:, 1]

    error = raw_agreement_sums(matrix, CATEGORIES).standard_error()

    assert error == pytest.approx(stats.sem(agrees), rel=1e-5)


def test_linearised_standard_error_is_close_to_the_bootstrap() -> None:
    matrix = answers(1, units=300)
    sums = gwet_ac_sums(matrix, CATEGORIES)
    weights = np.random.default_rng(0).multinomial(300, np.full(300, 1 / 300), size=4000)

    assert sums.standard_error() == pytest.approx(sums.under(weights.astype(float)).std(), rel=0.05)
