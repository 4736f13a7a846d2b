"""Families of tests: an outside program, a slow twin, and undefined tests that count nowhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from core.statistics.multiplicity import benjamini_hochberg, can_reach, tarone_bound

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(p_values)
def test_equals_scipys(p):
    assert benjamini_hochberg(p) == pytest.approx(false_discovery_control(p), abs=1e-12)


@given(p_values)
def test_equals_its_slow_twin(p):
    m = len(p)
    ranked = sorted(p)

    twin = [min(ranked[j] * m / (j + 1) for j in range(m) if ranked[j] >= one) for one in p]

    assert benjamini_hochberg(p) == pytest.approx(np.minimum(twin, 1), abs=1e-12)


@given(p_values, st.randoms(use_true_random=False))
def test_the_order_of_tests_changes_nothing(p, random):
    order = list(range(len(p)))
    random.shuffle(order)

    assert benjamini_hochberg([p[i] for i in order]) == pytest.approx(benjamini_hochberg(p)[order])


@given(p_values)
def test_an_undefined_test_is_not_counted(p):
    adjusted = benjamini_hochberg([float("nan"), *p])

    assert np.isnan(adjusted[0])
    assert adjusted[1:] == pytest.approx(benjamini_hochberg(p))


def test_a_family_of_undefined_tests_stays_undefined():
    assert np.isnan(benjamini_hochberg([float("nan")] * 2)).all()


def test_no_p_outside_0_and_1():
    with pytest.raises(ValueError, match="0 … 1"):
        benjamini_hochberg([1.2])


def test_only_tests_that_can_reach_the_level_are_kept():
    assert can_reach([0.05, 0.051, float("nan")]).tolist() == [True, False, False]


@given(st.lists(st.floats(0, 1), max_size=30))
def test_tarones_bound_is_the_smallest_that_holds(p_min):
    k = tarone_bound(p_min)

    def holds(one):
        return sum(p <= 0.05 / one for p in p_min) <= one

    assert holds(k)
    assert not any(holds(one) for one in range(1, k))
