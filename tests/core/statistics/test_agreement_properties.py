"""What must hold for every coefficient of agreement, whatever the answers are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.statistics.brennan_prediger import brennan_prediger, brennan_prediger_sums
from core.statistics.cohen_kappa import cohen_kappa_mean, cohen_kappa_sums
from core.statistics.conger_kappa import conger_kappa, conger_kappa_sums
from core.statistics.estimate import Estimate
from core.statistics.fleiss_kappa import fleiss_kappa, fleiss_kappa_sums
from core.statistics.gwet_ac import gwet_ac1, gwet_ac_sums
from core.statistics.krippendorff_alpha import krippendorff_alpha, nominal_alpha_sums
from core.statistics.prevalence_index import prevalence_index
from core.statistics.ratings import NO_SHARED_UNIT, ONE_CATEGORY
from core.statistics.raw_agreement import raw_agreement, raw_agreement_sums
from core.statistics.unit_sums import UnitSums

Coefficient = Callable[[np.ndarray, int], Estimate]
COEFFICIENTS: dict[str, Coefficient] = {
    "raw_agreement": raw_agreement,
    "cohen_kappa_mean": cohen_kappa_mean,
    "conger_kappa": conger_kappa,
    "fleiss_kappa": fleiss_kappa,
    "krippendorff_alpha": krippendorff_alpha,
    "gwet_ac1": gwet_ac1,
    "brennan_prediger": brennan_prediger,
}
SUMS: dict[str, Callable[[np.ndarray, int], UnitSums]] = {
    "raw_agreement": raw_agreement_sums,
    "cohen_kappa_mean": cohen_kappa_sums,
    "conger_kappa": conger_kappa_sums,
    "fleiss_kappa": fleiss_kappa_sums,
    "krippendorff_alpha": nominal_alpha_sums,
    "gwet_ac1": gwet_ac_sums,
    "brennan_prediger": brennan_prediger_sums,
}
CORRECTED_BY_USE = ("cohen_kappa_mean", "conger_kappa", "fleiss_kappa", "krippendorff_alpha")
CATEGORIES = 4
quick = settings(max_examples=25, deadline=None, derandomize=True)
every_coefficient = pytest.mark.parametrize("name", sorted(COEFFICIENTS))


@st.composite
def ratings(draw: st.DrawFn, raters: int | None = None) -> np.ndarray:
    columns = raters or draw(st.integers(2, 4))
    answer = st.one_of(st.integers(0, CATEGORIES - 1), st.integers(-1, 1))
    rows = draw(st.lists(st.lists(answer, min_size=columns, max_size=columns), min_size=1, max_size=12))
    return np.array(rows)


def same(one: Estimate, other: Estimate) -> None:
    assert (one.value is None) == (other.value is None)
    if one.value is not None:
        assert one.value == pytest.approx(other.value, abs=1e-9)
    else:
        assert one.reason == other.reason


@every_coefficient
@quick
@given(matrix=ratings(), order=st.permutations(range(CATEGORIES)))
def test_renaming_labels_changes_nothing(name: str, matrix: np.ndarray, order: list[int]) -> None:
    renamed = np.where(matrix < 0, -1, np.array(order)[matrix])

    same(COEFFICIENTS[name](matrix, CATEGORIES), COEFFICIENTS[name](renamed, CATEGORIES))


@every_coefficient
@quick
@given(matrix=ratings(), seed=st.integers(0, 99))
def test_order_of_annotators_and_units_changes_nothing(name: str, matrix: np.ndarray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shuffled = rng.permutation(rng.permutation(matrix, axis=1), axis=0)

    same(COEFFICIENTS[name](matrix, CATEGORIES), COEFFICIENTS[name](shuffled, CATEGORIES))


@every_coefficient
@quick
@given(matrix=ratings())
def test_a_unit_without_an_answer_changes_nothing(name: str, matrix: np.ndarray) -> None:
    longer = np.vstack([matrix, np.full((1, matrix.shape[1]), -1)])

    same(COEFFICIENTS[name](matrix, CATEGORIES), COEFFICIENTS[name](longer, CATEGORIES))


@every_coefficient
@quick
@given(matrix=ratings())
def test_an_unused_category_changes_only_coefficients_that_count_the_offered(
    name: str, matrix: np.ndarray
) -> None:
    fewer, more = COEFFICIENTS[name](matrix, CATEGORIES), COEFFICIENTS[name](matrix, CATEGORIES + 3)

    if name in ("gwet_ac1", "brennan_prediger"):
        assert str(CATEGORIES) in fewer.space
        assert str(CATEGORIES + 3) in more.space
    else:
        same(fewer, more)


@every_coefficient
@quick
@given(matrix=ratings())
def test_identical_answers_give_one_or_the_reason_why_not(name: str, matrix: np.ndarray) -> None:
    alike = np.repeat(matrix[:, :1], matrix.shape[1], axis=1)

    found = COEFFICIENTS[name](alike, CATEGORIES)

    if found.value is None:
        assert found.reason
    else:
        assert found.value == pytest.approx(1.0)


@every_coefficient
@quick
@given(matrix=ratings())
def test_a_value_is_at_most_one_and_undefined_only_with_a_reason(name: str, matrix: np.ndarray) -> None:
    found = COEFFICIENTS[name](matrix, CATEGORIES)

    if found.value is None:
        assert found.reason
    else:
        assert found.value <= 1.0 + 1e-9
        if found.low is not None and found.high is not None:
            assert found.low <= found.value + 1e-9
            assert found.value <= found.high + 1e-9


@every_coefficient
@quick
@given(matrix=ratings())
def test_sums_over_units_give_the_same_value(name: str, matrix: np.ndarray) -> None:
    value = SUMS[name](matrix, CATEGORIES).value()

    direct = COEFFICIENTS[name](matrix, CATEGORIES).value

    if direct is None:
        assert np.isnan(value)
    else:
        assert value == pytest.approx(direct, abs=1e-9)


@every_coefficient
@quick
@given(matrix=ratings(), seed=st.integers(0, 99))
def test_a_weighted_sum_equals_the_coefficient_of_repeated_units(
    name: str, matrix: np.ndarray, seed: int
) -> None:
    weights = np.random.default_rng(seed).integers(0, 4, size=matrix.shape[0])
    repeated = np.repeat(matrix, weights, axis=0)

    under = SUMS[name](matrix, CATEGORIES).under(weights[None, :].astype(float))[0]

    direct = COEFFICIENTS[name](repeated, CATEGORIES).value
    assert (np.isnan(under) and direct is None) or under == pytest.approx(direct, abs=1e-9)


@every_coefficient
@quick
@given(matrix=ratings())
def test_leaving_one_unit_out_equals_the_coefficient_without_it(name: str, matrix: np.ndarray) -> None:
    without = SUMS[name](matrix, CATEGORIES).without_each()

    for unit in range(matrix.shape[0]):
        direct = COEFFICIENTS[name](np.delete(matrix, unit, axis=0), CATEGORIES).value
        assert (np.isnan(without[unit]) and direct is None) or without[unit] == pytest.approx(
            direct, abs=1e-7
        )


@pytest.mark.parametrize("name", CORRECTED_BY_USE)
def test_one_category_is_undefined_and_says_that_raw_agreement_is_whole(name: str) -> None:
    female = np.ones((20, 3), dtype=int)

    found = COEFFICIENTS[name](female, CATEGORIES)

    assert found.value is None
    assert found.reason == ONE_CATEGORY
    assert raw_agreement(female, CATEGORIES).value == 1.0


@every_coefficient
def test_disjoint_units_are_refused_with_no_shared_unit(name: str) -> None:
    disjoint = np.array([[0, -1], [1, -1], [-1, 0], [-1, 1]])

    found = COEFFICIENTS[name](disjoint, CATEGORIES)

    assert found.value is None
    assert found.reason == NO_SHARED_UNIT


def test_a_blank_is_not_an_answer_that_agrees_with_a_blank() -> None:
    answered = np.array([[0, 0, 1], [1, 1, 1], [0, 1, 0]])
    with_blanks = np.vstack([answered, [[-1, -1, -1]] * 50, [[0, -1, -1]] * 5])

    found = raw_agreement(with_blanks, 2)

    assert found.value == raw_agreement(answered, 2).value
    assert found.n == 3


@pytest.mark.parametrize("table", [[[0.5, 1.0]], [[0, 4]], [[0, -2]]])
@every_coefficient
def test_what_is_not_a_category_code_is_refused(name: str, table: list[list[float]]) -> None:
    with pytest.raises(ValueError, match=r"whole numbers|outside"):
        COEFFICIENTS[name](np.array(table), CATEGORIES)


@quick
@given(matrix=ratings())
def test_prevalence_index_lies_between_even_and_one_sided(matrix: np.ndarray) -> None:
    found = prevalence_index(matrix, CATEGORIES)

    assert found.value is None or -1e-9 <= found.value <= 1.0 + 1e-9
