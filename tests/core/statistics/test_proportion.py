"""Score intervals: an outside program, and the test that they invert."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from core.statistics.proportion import miettinen_nurminen, newcombe, wilson, wilson_limits

Z = 1.959963984540054


@st.composite
def share(draw):
    n = draw(st.integers(1, 80))
    return draw(st.integers(0, n)), n


@given(share())
def test_wilson_equals_statsmodels(one):
    interval = wilson(*one)

    assert (interval.low, interval.high) == pytest.approx(proportion_confint(*one, method="wilson"), abs=1e-9)


@given(share())
def test_wilson_ends_are_where_the_score_test_stops_rejecting(one):
    x, n = one
    interval = wilson(x, n)

    for end in (interval.low, interval.high):
        if 0 < end < 1:
            assert abs(x / n - end) / np.sqrt(end * (1 - end) / n) == pytest.approx(Z, abs=1e-6)


@given(share())
def test_all_and_none_keep_their_width(one):
    n = one[1]

    assert wilson(0, n).low == 0
    assert wilson(0, n).high > 0
    assert wilson(n, n).high == 1
    assert wilson(n, n).low < 1


@given(share(), share())
def test_newcombe_equals_statsmodels(one, other):
    interval = newcombe(*one, *other)
    right = confint_proportions_2indep(*one, *other, method="newcomb", compare="diff")

    assert (interval.low, interval.high) == pytest.approx(right, abs=1e-9)


@given(share(), share())
def test_exchanging_two_shares_mirrors_the_interval(one, other):
    for interval_of in (newcombe, miettinen_nurminen):
        ahead, back = interval_of(*one, *other), interval_of(*other, *one)

        assert (ahead.low, ahead.high) == pytest.approx((-back.high, -back.low), abs=1e-6)


@given(share(), share())
def test_intervals_hold_the_difference(one, other):
    for interval in (newcombe(*one, *other), miettinen_nurminen(*one, *other)):
        assert interval.low - 1e-9 <= interval.value <= interval.high + 1e-9


NEWCOMBE_TABLE_II = [
    # counts, then limits of Miettinen–Nurminen (method 6) and of the hybrid score (method 10)
    ((56, 70, 48, 80), (0.0528, 0.3382), (0.0524, 0.3339)),
    ((9, 10, 3, 10), (0.1700, 0.8406), (0.1705, 0.8090)),
    ((5, 56, 0, 29), (-0.0326, 0.1933), (-0.0381, 0.1926)),
    ((0, 10, 0, 20), (-0.1658, 0.2844), (-0.1611, 0.2775)),
    ((0, 10, 0, 10), (-0.2879, 0.2879), (-0.2775, 0.2775)),
    ((10, 10, 0, 20), (0.7156, 1.0000), (0.6791, 1.0000)),
    ((10, 10, 0, 10), (0.6636, 1.0000), (0.6075, 1.0000)),
]
"""Newcombe (1998), Statistics in Medicine 17, 873-890, Table II."""


@pytest.mark.parametrize(("case", "by_miettinen", "by_newcombe"), NEWCOMBE_TABLE_II)
def test_differences_equal_those_newcombe_printed(case, by_miettinen, by_newcombe):
    score, hybrid = miettinen_nurminen(*case), newcombe(*case)

    assert (score.low, score.high) == pytest.approx(by_miettinen, abs=5.1e-5)
    assert (hybrid.low, hybrid.high) == pytest.approx(by_newcombe, abs=5.1e-5)


def test_a_design_effect_is_fewer_images():
    assert wilson(40, 60, design_effect=2).low == pytest.approx(wilson(20, 30).low)
    assert newcombe(40, 60, 20, 60, design_effect=2).high == pytest.approx(newcombe(20, 30, 10, 30).high)


def test_no_image_is_undefined_with_a_reason():
    for estimate in (wilson(0, 0), newcombe(0, 0, 1, 2), miettinen_nurminen(1, 2, 0, 0)):
        assert estimate.value is None
        assert estimate.reason
    assert np.isnan(wilson_limits([0], [0])[0]).all()


@pytest.mark.parametrize("case", [(3, 2), (-1, 2)])
def test_impossible_counts_are_refused(case):
    with pytest.raises(ValueError, match="within"):
        wilson(*case)


def test_a_design_effect_below_one_is_refused():
    with pytest.raises(ValueError, match="below 1"):
        wilson(1, 2, design_effect=0.5)
