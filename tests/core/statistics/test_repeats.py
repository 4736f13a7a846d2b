"""Agreement of a person with themself: published figures, slow twins, and what may change nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from core.statistics.repeats import (
    NO_REPEAT,
    NO_REPEATED_COUNT,
    repeated_counts,
    repeated_labels,
    within_one_sums,
)

codes = st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), min_size=1, max_size=25)
counts = st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=1, max_size=25)

WRIGHT_FIRST = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
WRIGHT_SECOND = [490, 397, 512, 401, 470, 611, 415, 431, 638, 429, 420, 633, 275, 492, 165, 372, 421]


def test_repeatability_is_that_of_bland_and_altman_1986() -> None:
    """Their coefficient of repeatability of the Wright meter, 43.2 l/min, takes 2 for 1.96."""
    found = repeated_counts(WRIGHT_FIRST, WRIGHT_SECOND).repeatability

    assert found.value * 2 / 1.96 == pytest.approx(43.2, abs=0.1)
    assert found.n == 17


def test_gwets_two_abstractors_as_one_person_twice() -> None:
    """Gwet (2014), table 2.1 read as two trials: 100 pregnancies in three categories."""
    table = np.array([[13, 0, 0], [0, 20, 7], [0, 4, 56]])
    first, second = (np.repeat(side, table.ravel()) for side in np.indices(table.shape).reshape(2, -1))

    found = repeated_labels(first, second, 3)

    assert found.raw_agreement.value == pytest.approx(0.89)
    assert found.kappa.value == pytest.approx(0.7964, abs=5e-5)
    assert found.ac1.value == pytest.approx(0.8493, abs=5e-5)


@given(codes)
def test_labels_equal_the_slow_twin_and_the_outside_oracle(pairs: list[tuple[int, int]]) -> None:
    found = repeated_labels(*zip(*pairs, strict=True), 4)
    there = [(a, b) for a, b in pairs if a >= 0 and b >= 0]

    if not there:
        assert found.raw_agreement.reason == NO_REPEAT
        return
    same = sum(a == b for a, b in there) / len(there)
    chance = sum(
        p * (1 - p) for p in (sum((a == k) + (b == k) for a, b in there) / 2 / len(there) for k in range(4))
    )
    assert found.raw_agreement.value == pytest.approx(same)
    assert found.raw_agreement.n == len(there)
    assert found.ac1.value == pytest.approx((same - chance / 3) / (1 - chance / 3))
    if len({label for pair in there for label in pair}) > 1:
        assert found.kappa.value == pytest.approx(cohen_kappa_score(*zip(*there, strict=True)))
    else:
        assert found.kappa.value is None
        assert "one category" in found.kappa.reason


@given(counts)
def test_counts_equal_the_slow_twin(pairs: list[tuple[int, int]]) -> None:
    first, second = zip(*pairs, strict=True)
    found = repeated_counts(first, second)
    gaps = [abs(a - b) for a, b in pairs]

    assert found.mean_absolute_error.value == pytest.approx(sum(gaps) / len(gaps))
    assert found.within_one.value == pytest.approx(sum(gap <= 1 for gap in gaps) / len(gaps))
    assert found.repeatability.value == pytest.approx(1.96 * math.sqrt(sum(g * g for g in gaps) / len(gaps)))
    sums = within_one_sums(np.array(first, float), np.array(second, float))
    assert sums.value() == pytest.approx(found.within_one.value)
    if found.icc.value is not None:
        assert found.icc.value == pytest.approx(slow_icc(pairs), abs=1e-9)


def slow_icc(pairs: list[tuple[int, int]]) -> float:
    """ICC(2,1) from the analysis of variance, one sum after the other (Shrout & Fleiss 1979)."""
    n, whole = len(pairs), [value for pair in pairs for value in pair]
    mean = sum(whole) / (2 * n)
    times = [sum(pair[k] for pair in pairs) / n for k in (0, 1)]
    between = sum(2 * (sum(pair) / 2 - mean) ** 2 for pair in pairs) / (n - 1)
    raters = sum(n * (time - mean) ** 2 for time in times)
    rest = sum((pair[k] - sum(pair) / 2 - times[k] + mean) ** 2 for pair in pairs for k in (0, 1)) / (n - 1)
    return (between - rest) / (between + rest + 2 * (raters - rest) / n)


@given(codes, st.randoms(use_true_random=False))
def test_neither_the_order_of_sets_nor_that_of_the_times_changes_anything(pairs, random) -> None:
    mixed = [(b, a) for a, b in pairs]
    random.shuffle(mixed)

    one, other = (repeated_labels(*zip(*each, strict=True), 4) for each in (pairs, mixed))

    for name in ("raw_agreement", "kappa", "ac1"):
        assert getattr(one, name).value == pytest.approx(getattr(other, name).value)
        assert getattr(one, name).reason == getattr(other, name).reason


@given(counts)
def test_a_person_who_repeats_themself_exactly_is_perfect(pairs: list[tuple[int, int]]) -> None:
    first = [a for a, _ in pairs]
    found = repeated_counts(first, first)

    assert (found.mean_absolute_error.value, found.within_one.value) == (0.0, 1.0)
    assert found.icc.value is None or found.icc.value == pytest.approx(1.0)


def test_nothing_repeated_is_a_reason_and_no_number() -> None:
    labels, sliders = repeated_labels([0, -1], [-1, 1], 2), repeated_counts([3, None], [None, 4])

    assert {one.reason for one in (labels.raw_agreement, labels.kappa, labels.ac1)} == {NO_REPEAT}
    assert sliders.icc.value is None
    assert sliders.icc.reason.startswith(NO_REPEATED_COUNT)
    assert repeated_labels([], [], 2).kappa.reason == NO_REPEAT


def test_series_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="same length"):
        repeated_labels([0, 1], [0], 2)
    with pytest.raises(ValueError, match="same length"):
        repeated_counts([0, 1], [0])
