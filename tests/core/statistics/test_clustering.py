"""Design effects: prompts that agree cost nothing, prompts that differ cost images."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.clustering import cluster_sums, design_effects, pooled_effects, rao_scott
from core.statistics.homogeneity import homogeneity


@st.composite
def prompts(draw):
    size = draw(st.integers(2, 8))
    n = draw(st.lists(st.integers(1, 10), min_size=size, max_size=size))
    x = [draw(st.integers(0, one)) for one in n]
    return x, n, draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))


def twin(x, n):
    """Rao & Scott's design effect of one group, word for word."""
    m, total, shown = len(n), sum(n), sum(x)
    p = shown / total
    variance = m / (m - 1) * sum((a - b * p) ** 2 for a, b in zip(x, n, strict=True)) / total**2
    return variance / (p * (1 - p) / total)


@given(prompts())
def test_design_effects_equal_their_slow_twin(case):
    x, n, group = case
    groups, _, effects = design_effects(x, n, group)

    for one, effect in zip(groups, effects, strict=True):
        mine = [i for i in range(len(group)) if group[i] == one]
        shown, images = sum(x[i] for i in mine), sum(n[i] for i in mine)
        if len(mine) > 1 and 0 < shown < images:
            assert effect == pytest.approx(twin([x[i] for i in mine], [n[i] for i in mine]))
        else:
            assert np.isnan(effect)


@given(prompts(), st.randoms(use_true_random=False))
def test_the_order_of_prompts_changes_nothing(case, random):
    order = list(range(len(case[0])))
    random.shuffle(order)
    mixed = [[side[i] for i in order] for side in case]

    one, other = rao_scott(*case, design_effect=1.5), rao_scott(*mixed, design_effect=1.5)

    assert (one.p is None) == (other.p is None)
    if one.p is not None:
        assert other.p == pytest.approx(one.p)


@given(prompts())
def test_without_clustering_it_is_pearsons_test(case):
    x, n, group = (np.array(side) for side in case)
    groups = np.unique(group)
    plain = homogeneity([x[group == g].sum() for g in groups], [n[group == g].sum() for g in groups])

    clustered = rao_scott(x, n, group, design_effect=1.0)

    assert (clustered.p is None) == (plain.p is None)
    if plain.p is not None:
        assert (clustered.chi2.value, clustered.p) == pytest.approx((plain.chi2, plain.p))


def test_one_prompt_a_group_is_undefined_with_a_reason():
    result = rao_scott([3, 5], [10, 10], [0, 1])

    assert result.chi2.value is None
    assert result.chi2.reason


def test_pooled_effect_of_independent_images_is_about_one():
    rng = np.random.default_rng(0)
    n = np.full((12, 400), 10)
    x = rng.binomial(n, rng.uniform(0.1, 0.9, size=400))

    assert cluster_sums(x, n, np.repeat([0, 1, 2], 4)).effect() == pytest.approx(1, abs=0.05)


def test_pooled_effect_of_clustered_images_is_that_of_their_correlation():
    rng = np.random.default_rng(1)
    n = np.full((12, 2000), 10)
    correlation = 0.2
    shares = rng.beta(0.5 * (1 / correlation - 1), 0.5 * (1 / correlation - 1), size=n.shape)

    effect = cluster_sums(rng.binomial(n, shares), n, np.repeat([0, 1, 2], 4)).effect()

    assert effect == pytest.approx(1 + 9 * correlation, rel=0.1)


def test_effects_never_promise_more_than_independent_images():
    assert pooled_effects([1.0], [4.0]).tolist() == [1.0]
