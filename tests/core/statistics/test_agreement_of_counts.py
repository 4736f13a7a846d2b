"""Sliders and counts: intraclass correlation, concordance, Bland–Altman, errors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.statistics.bland_altman import bland_altman
from core.statistics.concordance import concordance, concordance_mean, concordance_sums
from core.statistics.count_error import bias_sums, count_error, mean_absolute_error_sums
from core.statistics.intraclass import Intraclass, icc_2_1_sums, intraclass
from core.statistics.krippendorff_alpha import krippendorff_alpha

quick = settings(max_examples=40, deadline=None, derandomize=True)
FORMS = ("icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k")


@st.composite
def sliders(draw: st.DrawFn, missing: bool = True) -> np.ndarray:
    raters = draw(st.integers(2, 4))
    count = st.integers(0, 10).map(float)
    value = st.one_of(count, count, count, st.just(float("nan"))) if missing else count
    rows = draw(st.lists(st.lists(value, min_size=raters, max_size=raters), min_size=2, max_size=10))
    return np.array(rows)


def slow_icc(x: np.ndarray) -> tuple[float, float, float]:
    """The three single-rater forms from mean squares written out as loops."""
    n, k = x.shape
    grand = x.mean()
    between = k * sum((row.mean() - grand) ** 2 for row in x) / (n - 1)
    raters = n * sum((column.mean() - grand) ** 2 for column in x.T) / (k - 1)
    within = sum((value - row.mean()) ** 2 for row in x for value in row) / (n * (k - 1))
    rest = sum((x[i, j] - x[i].mean() - x[:, j].mean() + grand) ** 2 for i in range(n) for j in range(k)) / (
        (n - 1) * (k - 1)
    )
    return (
        (between - within) / (between + (k - 1) * within),
        (between - rest) / (between + (k - 1) * rest + k * (raters - rest) / n),
        (between - rest) / (between + (k - 1) * rest),
    )


def values_of(found: Intraclass) -> list[float | None]:
    return [getattr(found, form).value for form in FORMS]


@pytest.mark.parametrize("seed", range(6))
def test_single_forms_equal_mean_squares_written_out(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = np.clip(rng.integers(0, 11, (12, 1)) + rng.integers(-2, 3, (12, 3)), 0, 10).astype(float)

    found = intraclass(x)

    assert [found.icc_1_1.value, found.icc_2_1.value, found.icc_3_1.value] == pytest.approx(slow_icc(x))


@quick
@given(x=sliders(), seed=st.integers(0, 99))
def test_order_of_annotators_and_sets_changes_no_intraclass_correlation(x: np.ndarray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shuffled = rng.permutation(rng.permutation(x, axis=1), axis=0)

    before, after = values_of(intraclass(x)), values_of(intraclass(shuffled))

    for one, other in zip(before, after, strict=True):
        assert (one is None) == (other is None)
        assert one is None or one == pytest.approx(other, abs=1e-7)


@quick
@given(x=sliders())
def test_resampling_form_of_icc_equals_the_direct_one(x: np.ndarray) -> None:
    value, direct = icc_2_1_sums(x).value(), intraclass(x).icc_2_1.value

    assert (np.isnan(value) and direct is None) or value == pytest.approx(direct, abs=1e-7)


def test_a_set_with_an_untouched_slider_is_left_out_and_named() -> None:
    complete = [[9, 8, 9], [2, 3, 2], [5, 5, 6]]

    found = intraclass([*complete, [7, None, 7]]).icc_2_1

    assert found.value == pytest.approx(intraclass(complete).icc_2_1.value)
    assert "1 with a missing measurement" in found.reason


def test_zero_is_a_count_and_not_missing() -> None:
    found = count_error([0, 0, 10], [0, 1, 10])

    assert found.bias.n == 3
    assert found.bias.value == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("x", "reason"),
    [
        ([[5, 5], [5, 5]], "every measurement is the same"),
        ([[5, 6]], "fewer than two subjects"),
        ([[5], [6]], "fewer than two raters"),
        ([[None, 6], [5, None]], "fewer than two subjects"),
    ],
)
def test_no_variance_to_share_is_a_reason(x: list[list[float | None]], reason: str) -> None:
    found = intraclass(x)

    assert all(value is None for value in values_of(found))
    assert reason in found.icc_2_1.reason


def test_raters_who_differ_by_a_constant_on_equal_sets_have_no_reliability() -> None:
    found = intraclass([[3, 5], [3, 5], [3, 5]])

    assert found.icc_2_1.value == pytest.approx(0.0)
    assert found.icc_3_1.value is None


def test_little_variance_between_sets_gives_a_low_icc_although_errors_are_small() -> None:
    rng = np.random.default_rng(0)
    x = 9 + rng.integers(0, 2, (60, 2))

    assert abs(intraclass(x).icc_2_1.value or 0.0) < 0.3
    assert count_error(x[:, 0], x[:, 1]).mean_absolute_error.value < 0.7


def test_perfect_agreement_has_no_interval() -> None:
    found = intraclass([[1, 1], [5, 5], [9, 9]]).icc_2_1

    assert found.value == 1.0
    assert found.low is None
    assert "no interval" in found.reason


@pytest.mark.parametrize("seed", range(6))
def test_concordance_is_one_minus_squared_distance_over_that_of_independent_raters(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 11, 30).astype(float)
    y = np.clip(x + rng.integers(-3, 4, 30), 0, 10)
    together = np.mean((x - y) ** 2)
    independent = np.mean([(a - b) ** 2 for a in x for b in y])

    assert concordance(x, y).value == pytest.approx(1 - together / independent)


def test_concordance_of_equal_means_and_variances_is_the_correlation() -> None:
    x = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    y = np.array([2.0, 1.0, 4.0, 3.0, 6.0, 5.0])

    assert concordance(x, y).value == pytest.approx(stats.pearsonr(x, y).statistic)


def test_a_shift_lowers_concordance_but_not_correlation() -> None:
    x = np.arange(10.0)

    assert concordance(x, x + 2).value < 0.85
    assert concordance(x, x).value == pytest.approx(1.0)


def test_interval_of_concordance_covers_the_bootstrap() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=200)
    y = x + rng.normal(scale=0.5, size=200) + 0.2
    sums = concordance_sums(np.column_stack([x, y]))
    weights = rng.multinomial(200, np.full(200, 1 / 200), size=2000).astype(float)

    found = concordance(x, y)

    low, high = np.quantile(sums.under(weights), [0.025, 0.975])
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.02)


@quick
@given(x=sliders())
def test_resampling_form_of_concordance_equals_the_mean_over_pairs(x: np.ndarray) -> None:
    value, direct = concordance_sums(x).value(), concordance_mean(x).value

    assert (np.isnan(value) and direct is None) or value == pytest.approx(direct, abs=1e-7)


@quick
@given(x=sliders())
def test_swapping_raters_changes_the_sign_of_the_bias_alone(x: np.ndarray) -> None:
    one, other = count_error(x[:, 0], x[:, 1]), count_error(x[:, 1], x[:, 0])

    if one.bias.value is None:
        assert other.bias.value is None
    else:
        assert one.bias.value == pytest.approx(-(other.bias.value or 0.0))
        assert one.mean_absolute_error.value == pytest.approx(other.mean_absolute_error.value)
        assert one.root_mean_square.value == pytest.approx(other.root_mean_square.value)


@quick
@given(x=sliders())
def test_errors_from_sums_equal_the_direct_ones(x: np.ndarray) -> None:
    direct = count_error(x[:, 0], x[:, 1])

    absolute = mean_absolute_error_sums([(x[:, 0], x[:, 1])]).value()
    bias = bias_sums(x[:, 0], x[:, 1]).value()

    if direct.bias.value is None:
        assert np.isnan(absolute)
        assert np.isnan(bias)
    else:
        assert absolute == pytest.approx(direct.mean_absolute_error.value)
        assert bias == pytest.approx(direct.bias.value)


def test_bias_is_count_minus_reference_with_a_t_interval() -> None:
    reference, count = np.array([5.0, 6.0, 7.0, 8.0]), np.array([6.0, 6.0, 9.0, 8.0])

    found = count_error(reference, count).bias

    low, high = stats.t.interval(0.95, 3, loc=0.75, scale=stats.sem(count - reference))
    assert found.value == pytest.approx(0.75)
    assert (found.low, found.high) == pytest.approx((low, high))


def test_mean_absolute_error_never_reaches_below_zero() -> None:
    found = count_error([5, 6, 7], [5, 6, 9]).mean_absolute_error

    assert found.low == 0.0


def test_limits_hold_the_stated_share_of_normal_differences() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=4000)
    y = rng.normal(size=4000)

    found = bland_altman(x, y)

    inside = ((x - y) > found.lower.value) & ((x - y) < found.upper.value)
    assert inside.mean() == pytest.approx(0.95, abs=0.01)
    assert found.bias.low < 0 < found.bias.high


def test_a_growing_bias_shows_as_a_slope() -> None:
    x = np.arange(1.0, 30.0)

    found = bland_altman(1.5 * x, x + np.sin(x))

    assert found.slope.low > 0.2


def test_equal_differences_have_no_interval_and_one_pair_has_no_limits() -> None:
    assert "no interval" in bland_altman([3, 5, 7], [2, 4, 6]).bias.reason
    assert bland_altman([3], [2]).upper.value is None


def test_series_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="same length"):
        concordance([1, 2], [1, 2, 3])


def test_interval_alpha_of_sliders_takes_the_count_as_its_own_code() -> None:
    counts = np.array([[9, 8, 9], [2, 3, -1], [5, 5, 6], [0, 1, 0]])

    assert krippendorff_alpha(counts, 11, "interval").value == pytest.approx(
        krippendorff_alpha(counts, 11, "interval", values=range(11)).value
    )
