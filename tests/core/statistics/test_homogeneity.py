"""Tests of homogeneity: outside programs, exact twins, and what may change nothing."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, fisher_exact

from core.statistics.exact import exact_homogeneity, freeman_halton
from core.statistics.homogeneity import STATUSES, homogeneity, homogeneity_tests


@st.composite
def tables(draw):
    n = draw(st.lists(st.integers(1, 12), min_size=2, max_size=3))
    x = [draw(st.integers(0, size)) for size in n]
    return x, n


def exact_twin(x, n):
    """p and the smallest attainable p with whole numbers only, table by table."""
    total = sum(x)
    every = {}
    for other in product(*(range(size + 1) for size in n)):
        if sum(other) == total:
            weight = 1
            for count, size in zip(other, n, strict=True):
                weight *= comb(size, count)
            every[other] = weight
    whole = sum(every.values())

    def tail(weight):
        return Fraction(sum(one for one in every.values() if one <= weight), whole)

    return float(tail(every[tuple(x)])), float(tail(min(every.values())))


@given(tables())
def test_exact_p_and_its_smallest_value_equal_the_twin(table):
    x, n = table

    result = exact_homogeneity(x, n)

    assert (result.value, result.low) == pytest.approx(exact_twin(x, n), abs=1e-9)


@given(tables())
def test_r_by_c_and_two_rows_agree(table):
    x, n = np.array(table[0]), np.array(table[1])
    general = freeman_halton([x, n - x])

    if 0 < x.sum() < n.sum():
        assert general.value == pytest.approx(exact_homogeneity(x, n).value, abs=1e-9)
    else:
        assert general.value is None


@given(tables())
def test_chi2_equals_scipys(table):
    x, n = np.array(table[0]), np.array(table[1])
    result = homogeneity(x, n)

    if 0 < x.sum() < n.sum():
        scipys = chi2_contingency([x, n - x], correction=False)
        assert (result.chi2, result.p, result.df) == pytest.approx((scipys[0], scipys[1], scipys[2]))
    else:
        assert (result.chi2, result.p) == (0.0, 1.0)
        assert result.status.startswith("degenerate")


@given(st.integers(1, 15), st.integers(1, 15), st.data())
def test_two_conditions_equal_fishers_test(n1, n2, data):
    x = [data.draw(st.integers(0, n1)), data.draw(st.integers(0, n2))]
    scipys = fisher_exact([x, [n1 - x[0], n2 - x[1]]])[1]

    assert exact_homogeneity(x, [n1, n2]).value == pytest.approx(scipys, abs=1e-9)


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_conditions_changes_nothing(table, random):
    pairs = list(zip(*table, strict=True))
    random.shuffle(pairs)
    mixed = homogeneity(*zip(*pairs, strict=True))
    result = homogeneity(*table)

    assert (mixed.p, mixed.p_exact, mixed.p_min) == pytest.approx((result.p, result.p_exact, result.p_min))
    assert mixed.status == result.status


def test_a_condition_without_images_is_left_out_and_the_degrees_of_freedom_fall():
    with_empty, without = homogeneity([5, 0, 9], [10, 0, 10]), homogeneity([5, 9], [10, 10])

    assert with_empty.df == 1
    assert (with_empty.chi2, with_empty.p_exact) == pytest.approx((without.chi2, without.p_exact))


def test_one_condition_is_undefined_with_a_reason():
    result = homogeneity([5, 0, 0], [10, 0, 0])

    assert (result.chi2, result.p, result.p_exact, result.df) == (None, None, None, None)
    assert result.status == "undefined"
    assert result.reason


def test_many_at_once_equal_one_by_one():
    rng = np.random.default_rng(3)
    n = rng.integers(0, 25, size=(60, 3))
    x = rng.binomial(n, 0.7)

    many = homogeneity_tests(x, n)

    for row in range(60):
        one = homogeneity(x[row], n[row])
        assert STATUSES[many.status[row]] == one.status
        for name in ("chi2", "p", "p_exact", "p_min"):
            number = getattr(many, name)[row]
            assert (None if np.isnan(number) else number) == (
                None if getattr(one, name) is None else pytest.approx(getattr(one, name))
            )


def test_too_many_tables_leave_the_exact_p_undefined_with_a_reason():
    result = exact_homogeneity([400, 600, 700], [900, 900, 900])

    assert result.value is None
    assert "too many" in result.reason


def test_more_hits_than_images_are_refused():
    with pytest.raises(ValueError, match="exceed"):
        homogeneity([6], [5])
