"""Prevalence, range and CCS: exact arithmetic as a twin, and score limits that hold the score."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.estimate import Estimate, undefined
from core.statistics.persistence import (
    ccs,
    ccs_score_limits,
    invariant_paper,
    mean_ccs,
    range_pp,
    ranges_at_most,
    scores,
)
from core.statistics.prevalence import mean_prevalence, pooled_prevalence


@st.composite
def cells(draw, least=1):
    n = draw(st.lists(st.integers(least, 60), min_size=3, max_size=3))
    x = [draw(st.integers(0, size)) for size in n]
    return x, n


@given(cells())
def test_prevalence_range_and_ccs_equal_exact_arithmetic(cell):
    x, n = cell
    shares = [Fraction(100 * count, size) for count, size in zip(x, n, strict=True)]
    spread = max(shares) - min(shares)

    assert 100 * pooled_prevalence(x, n).value == pytest.approx(float(Fraction(100 * sum(x), sum(n))))
    assert 100 * mean_prevalence(x, n).value == pytest.approx(float(sum(shares) / 3))
    assert range_pp(x, n).value == pytest.approx(float(spread), abs=1e-9)
    score = ccs(x, n)
    if min(x) > 0 and sum(x) >= 5:
        assert score.value == pytest.approx(float(Fraction(100 * sum(x), sum(n)) / (1 + spread)))
    else:
        assert score.value is None
        assert score.reason


@given(cells(), st.integers(0, 20))
def test_the_threshold_is_compared_in_whole_numbers(cell, pp):
    x, n = cell
    shares = [Fraction(100 * count, size) for count, size in zip(x, n, strict=True)]

    within = ranges_at_most(np.array([x]), np.array([n]), pp)

    assert bool(within[0]) == (max(shares) - min(shares) <= pp)


@given(cells(least=0), st.randoms(use_true_random=False))
def test_the_order_of_conditions_changes_nothing(cell, random):
    pairs = list(zip(*cell, strict=True))
    random.shuffle(pairs)
    mixed = [list(side) for side in zip(*pairs, strict=True)]

    for measure in (pooled_prevalence, range_pp, ccs):
        one, other = measure(*cell), measure(*mixed)
        assert one.reason == other.reason
        assert (one.value is None) == (other.value is None)
        if one.value is not None:
            assert other.value == pytest.approx(one.value)


@given(cells())
def test_score_limits_hold_the_score(cell):
    x, n = np.array([cell[0]]), np.array([cell[1]])

    low, high = ccs_score_limits(x, n)

    assert low[0] - 1e-9 <= scores(x, n)[0] <= high[0] + 1e-9


@given(cells(), st.floats(1, 5))
def test_clustering_widens_score_limits(cell, effect):
    x, n = np.array([cell[0]]), np.array([cell[1]])

    plain, clustered = ccs_score_limits(x, n), ccs_score_limits(x, n, design_effect=effect)

    assert clustered[0][0] <= plain[0][0] + 1e-9
    assert clustered[1][0] >= plain[1][0] - 1e-9


def test_paper_rule_is_undefined_without_images_in_a_condition():
    assert invariant_paper([0, 5, 5], [0, 5, 5], p=1.0) is None


def test_paper_rule_needs_five_images_with_the_label():
    assert invariant_paper([1, 1, 1], [60, 60, 60], p=1.0) is False


def test_mean_over_generators_names_those_without_a_score():
    mean = mean_ccs([Estimate(80.0), undefined("label never seen")])

    assert (mean.value, mean.n, mean.reason) == (80.0, 1, "undefined for 1 of 2 generators")
    assert mean_ccs([undefined("label never seen")]).value is None
