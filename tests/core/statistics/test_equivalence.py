"""Verdicts: invariance has to be shown, and so has a change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.equivalence import CHANGED, INVARIANT, NOT_ENOUGH, WORDS, verdict, verdicts
from core.statistics.proportion import newcombe


@st.composite
def cells(draw):
    n = draw(st.lists(st.integers(1, 90), min_size=3, max_size=3))
    return [draw(st.integers(0, size)) for size in n], n


@given(cells(), st.floats(0.02, 0.5))
def test_equals_its_slow_twin(cell, margin):
    x, n = cell
    pairs = [(0, 1), (0, 2), (1, 2)]
    within = [newcombe(x[a], n[a], x[b], n[b], level=0.90) for a, b in pairs]
    apart = [newcombe(x[a], n[a], x[b], n[b], level=1 - 0.05 / 3) for a, b in pairs]

    if all(one.low > -margin and one.high < margin for one in within):
        right = INVARIANT
    elif any(one.low > 0 or one.high < 0 for one in apart):
        right = CHANGED
    else:
        right = NOT_ENOUGH

    assert verdict(x, n, margin=margin).word == right


@given(cells(), st.randoms(use_true_random=False))
def test_the_order_of_conditions_changes_nothing(cell, random):
    pairs = list(zip(*cell, strict=True))
    random.shuffle(pairs)

    assert verdict(*zip(*pairs, strict=True)).word == verdict(*cell).word


def test_nothing_can_be_shown_invariant_at_five_points_with_twenty_images():
    words = {verdict([20, a, b], [20, 400, 400], margin=0.05).word for a in (399, 400) for b in (399, 400)}

    assert words == {NOT_ENOUGH}


def test_the_default_margin_is_one_that_twenty_images_can_show():
    assert verdict([20, 20, 20], [20, 20, 20]).word == INVARIANT


def test_clustering_takes_invariance_away():
    assert verdict([20, 20, 20], [20, 20, 20], design_effect=2).word == NOT_ENOUGH


def test_a_small_change_shown_beyond_doubt_is_still_within_the_margin():
    assert verdict([9000, 9300, 9000], [10_000] * 3).word == INVARIANT


def test_a_change_is_changed_whether_or_not_its_size_is_known():
    assert verdict([60, 48, 60], [60, 60, 60]).word == CHANGED


def test_a_condition_without_images_is_not_enough_data_with_a_reason():
    result = verdict([0, 5, 5], [0, 5, 5])

    assert (result.word, result.low) == (NOT_ENOUGH, None)
    assert result.reason


def test_many_at_once_equal_one_by_one():
    rng = np.random.default_rng(4)
    n = rng.integers(0, 90, size=(50, 3))
    x = rng.binomial(n, 0.9)

    codes = verdicts(x, n, design_effect=np.full(50, 1.3))[0]

    assert [WORDS[code] for code in codes] == [
        verdict(a, b, design_effect=1.3).word for a, b in zip(x, n, strict=True)
    ]


def test_a_margin_of_nothing_is_refused():
    with pytest.raises(ValueError, match="margin"):
        verdict([1, 1], [2, 2], margin=0.0)
