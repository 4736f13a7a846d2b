"""Draws belong to names, pairs stay pairs, and an interval that cannot be had says what stands for it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import bootstrap

from core.statistics.bca import bca_interval, bca_intervals, jackknife_intervals
from core.statistics.jackknife import jackknife_se, jackknife_ses, leave_one_out
from core.statistics.resampling import cluster_weights


@given(st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=12, unique=True), st.randoms())
def test_draws_belong_to_names_whatever_their_order(names, random):
    mixed = list(names)
    random.shuffle(mixed)

    one = cluster_weights(names, 5, rng=np.random.default_rng(1))
    other = cluster_weights(mixed, 5, rng=np.random.default_rng(1))

    assert (one[:, [names.index(name) for name in mixed]] == other).all()
    assert (one.sum(axis=1) == len(names)).all()


def test_each_cluster_is_drawn_as_often_as_any_other():
    weights = cluster_weights([f"role {i}" for i in range(8)], 20_000, rng=np.random.default_rng(0))

    assert weights.mean(axis=0) == pytest.approx(np.ones(8), abs=0.03)
    assert weights.var(axis=0) == pytest.approx(np.full(8, 7 / 8), abs=0.05)


def test_a_name_twice_is_refused():
    with pytest.raises(ValueError, match="repetition"):
        cluster_weights(["a", "a"], 3, rng=np.random.default_rng(0))


def test_paired_draws_of_two_equal_conditions_differ_by_nothing():
    rng = np.random.default_rng(5)
    by_role = rng.binomial(20, 0.4, size=10)
    weights = cluster_weights([f"role {i}" for i in range(10)], 100, rng=rng)

    assert (weights @ by_role - weights @ by_role == 0).all()


@pytest.mark.parametrize("seed", range(3))
def test_bca_is_close_to_scipys(seed):
    data = np.random.default_rng(seed).exponential(size=40)
    weights = cluster_weights([f"{i:02d}" for i in range(40)], 20_000, rng=np.random.default_rng(seed))
    without = (data.sum() - data) / 39

    ours = bca_interval(weights @ data / 40, data.mean(), without)
    scipys = bootstrap(
        (data,), np.mean, method="BCa", n_resamples=20_000, rng=np.random.default_rng(9)
    ).confidence_interval

    assert ours.method == "bca"
    assert (ours.low, ours.high) == pytest.approx(tuple(scipys), abs=0.02)


@given(st.lists(st.floats(-5, 5), min_size=30, max_size=60), st.randoms(use_true_random=False))
def test_the_order_of_draws_changes_nothing(draws, random):
    mixed = list(draws)
    random.shuffle(mixed)
    without = [0.1, 0.2, 0.4, 0.1, 0.3]

    assert bca_interval(mixed, 0.0, without) == bca_interval(draws, 0.0, without)


def test_many_at_once_equal_one_by_one():
    rng = np.random.default_rng(2)
    draws, without = rng.normal(size=(300, 4)), rng.normal(size=(7, 4))
    draws[:, 3], without[:, 3] = 1.0, 1.0
    draws[5:9, 1] = np.nan
    value = np.array([0.0, 0.1, 9.0, 1.0])

    many = bca_intervals(draws, value, without)

    for place in range(4):
        assert many.interval(place) == bca_interval(draws[:, place], value[place], without[:, place])
    assert many.method.tolist() == ["bca", "bca", "jackknife", "degenerate"]
    assert many.replicates[1] == 296


def test_equal_draws_give_a_point_and_say_so():
    interval = bca_interval([0.5] * 100, 0.5, [0.5] * 6)

    assert (interval.low, interval.high, interval.method) == (0.5, 0.5, "degenerate")
    assert interval.reason


def test_draws_on_one_side_give_a_jackknife_interval_around_the_value():
    interval = bca_interval(np.linspace(1, 2, 500), 0.9, [0.8, 0.9, 1.0, 0.9, 0.9, 0.9])

    assert interval.method == "jackknife"
    assert interval.low < 0.9 < interval.high


def test_equal_jackknife_values_give_a_percentile_interval_and_say_so():
    interval = bca_interval(np.linspace(0, 1, 500), 0.5, [0.5] * 6)

    assert (interval.low, interval.high) == pytest.approx((0.025, 0.975), abs=1e-3)
    assert "percentile" in interval.reason


def test_no_draw_gives_no_interval():
    interval = bca_interval([np.nan] * 10, 0.5, [0.5] * 6)

    assert (interval.low, interval.high) == (None, None)


@given(st.lists(st.floats(-10, 10), min_size=2, max_size=15))
def test_jackknife_of_a_mean_is_the_standard_error_of_the_mean(data):
    data = np.array(data)
    without = leave_one_out(len(data)) @ data / (len(data) - 1)

    expected = data.std(ddof=1) / np.sqrt(len(data))
    assert jackknife_se(without) == pytest.approx(expected, abs=1e-9)
    assert jackknife_ses(without[:, None])[0] == pytest.approx(expected, abs=1e-9)


def test_groups_add_up_and_a_group_of_one_adds_nothing():
    values = np.array([1.0, 2.0, 10.0, 12.0, 50.0])

    se = jackknife_se(values, [0, 0, 1, 1, 2])

    assert se == pytest.approx(np.hypot(jackknife_se([1.0, 2.0]), jackknife_se([10.0, 12.0])))
    assert jackknife_se([3.0]) is None


def test_jackknife_interval_is_the_t_interval_of_a_mean():
    data = np.array([1.0, 2.0, 4.0, 7.0, 3.0])
    without = (leave_one_out(5) @ data / 4)[:, None]

    found = jackknife_intervals(np.array([data.mean()]), without, reason="because")

    half = 2.7764451 * data.std(ddof=1) / np.sqrt(5)
    assert found.high[0] - found.low[0] == pytest.approx(2 * half, rel=1e-6)
    assert found.reason[0] == "because"
