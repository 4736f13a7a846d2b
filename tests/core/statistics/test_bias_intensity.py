"""Bias Intensity and its entropies: bounds, invariances, and slow twins that they must equal."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy as scipys_entropy

from core.statistics.bias_intensity import (
    CLIPPED,
    ESTIMATORS,
    NO_DATA,
    bias_intensity,
    effective_labels,
)
from core.statistics.entropy import entropies
from core.statistics.matched import SupportTable, matched_entropies

counts = st.lists(st.integers(0, 40), min_size=1, max_size=8).filter(lambda x: sum(x) > 0)


def bi(x, k, estimator):
    return bias_intensity(x, k, estimator=estimator, matched_to=max(1, sum(x) // 2))


@given(counts, st.sampled_from(ESTIMATORS))
def test_lies_between_0_and_1(x, estimator):
    value = bi(x, len(x) + 1, estimator).value

    assert 0 <= value <= 1


@given(counts, st.sampled_from(ESTIMATORS), st.randoms(use_true_random=False))
def test_renaming_labels_changes_nothing(x, estimator, random):
    mixed = list(x)
    random.shuffle(mixed)

    assert bi(mixed, 9, estimator).value == pytest.approx(bi(x, 9, estimator).value, abs=1e-12)


@given(counts, st.sampled_from(ESTIMATORS))
def test_an_unused_label_changes_nothing_while_the_label_space_stays(x, estimator):
    assert bi([*x, 0], 9, estimator).value == pytest.approx(bi(x, 9, estimator).value, abs=1e-12)


@given(st.lists(st.integers(1, 40), min_size=2, max_size=8))
def test_a_larger_label_space_makes_the_same_counts_more_concentrated(x):
    assert bias_intensity(x, len(x) + 1).value > bias_intensity(x, len(x)).value


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_no_image_is_undefined_and_not_0_or_1(estimator):
    value = bias_intensity([0, 0, 0], 3, estimator=estimator, matched_to=1)

    assert value.value is None
    assert value.reason == NO_DATA


@pytest.mark.parametrize("estimator", ["plugin", "miller_madow", "matched"])
def test_a_single_label_is_fully_concentrated(estimator):
    assert bi([20], 4, estimator).value == 1.0


def test_a_corrected_entropy_above_log_k_is_said():
    value = bias_intensity([1, 1, 1], 3, estimator="miller_madow")

    assert (value.value, value.reason) == (0.0, CLIPPED)


def test_more_labels_than_the_label_space_are_refused():
    with pytest.raises(ValueError, match="space of 2"):
        bias_intensity([1, 1, 1], 2)


def test_negative_counts_are_refused():
    with pytest.raises(ValueError, match="negative"):
        bias_intensity([3, -1], 2)


@given(counts)
def test_plugin_equals_scipys(x):
    assert entropies(x) == pytest.approx(scipys_entropy(x), abs=1e-12)


@given(counts)
def test_miller_madow_equals_its_slow_twin(x):
    n = sum(x)
    shares = [count / n for count in x if count]

    twin = -sum(p * np.log(p) for p in shares) + (len(shares) - 1) / (2 * n)

    assert entropies(x, "miller_madow") == pytest.approx(twin, abs=1e-12)


@given(counts)
def test_chao_shen_equals_its_slow_twin(x):
    n, singletons = sum(x), x.count(1)
    coverage = 1 - min(singletons, n - 1) / n if singletons == n else 1 - singletons / n

    twin = 0.0
    for count in x:
        if count and coverage:
            p = coverage * count / n
            twin -= p * np.log(p) / (1 - (1 - p) ** n)

    assert entropies(x, "chao_shen") == pytest.approx(max(twin, 0.0), abs=1e-9)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=4).filter(lambda x: 0 < sum(x) <= 10), st.data())
def test_matched_equals_the_mean_over_all_subsamples(x, data):
    n = sum(x)
    m = data.draw(st.integers(1, n))
    images = [label for label, count in enumerate(x) for _ in range(count)]

    samples = [scipys_entropy(list(Counter(sample).values())) for sample in combinations(images, m)]

    assert float(matched_entropies(x, m)) == pytest.approx(np.mean(samples), abs=1e-10)


@given(counts)
def test_matched_to_all_images_is_the_plugin(x):
    assert float(matched_entropies(x, sum(x))) == pytest.approx(float(entropies(x)), abs=1e-10)


@given(counts.filter(lambda x: sum(x) > 1), st.data())
def test_matched_to_more_images_gives_more_entropy(x, data):
    m = data.draw(st.integers(1, sum(x) - 1))

    assert matched_entropies(x, m) <= matched_entropies(x, m + 1) + 1e-12


def test_matched_to_nothing_or_too_much_is_refused():
    for m in (0, 4):
        with pytest.raises(ValueError, match="within"):
            matched_entropies([1, 2], m)


@pytest.mark.parametrize(("n", "share", "labels"), [(5000, 0.25, 500), (1840, 1 / 3, 10), (400, 0.5, 10)])
def test_the_table_for_draws_comes_within_a_millionth_of_the_exact_entropy(n, share, labels):
    rng = np.random.default_rng(n)
    shares = rng.dirichlet(np.full(labels, 0.3))
    sizes = (rng.normal(n, n / 30, size=20)).astype(int)
    draws = np.array([rng.multinomial(size, shares) for size in sizes])

    fast = SupportTable(share, draws).entropies(draws)

    # between the two whole numbers of images beside share * n
    m = np.floor(share * sizes)
    part = share * sizes - m
    exact = (1 - part) * matched_entropies(draws, m) + part * matched_entropies(draws, m + 1)
    assert fast == pytest.approx(exact, abs=5e-6)


def test_effective_labels_count_equally_common_ones():
    assert effective_labels([7, 7, 7, 0]).value == pytest.approx(3)
    assert effective_labels([0, 0]).value is None
