"""Entropy with equally many prompts equals its slow twin, and needs no correction for how many there are."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.statistics.entropy import entropies
from core.statistics.matched_prompts import MOST_CHOICES, matched_prompt_entropy, mean_entropies

tables = st.integers(1, 6).flatmap(
    lambda prompts: st.lists(
        st.lists(st.integers(0, 10), min_size=3, max_size=3), min_size=prompts, max_size=prompts
    )
)


@settings(max_examples=25)
@given(tables, st.data())
def test_it_is_the_mean_over_all_choices_of_prompts(counts, data):
    keep = data.draw(st.integers(1, len(counts)))
    x = np.array(counts)
    chosen = [x[list(rows)].sum(axis=0) for rows in combinations(range(len(x)), keep)]
    each = [float(entropies(one)) for one in chosen if one.sum()]

    found = matched_prompt_entropy(counts, keep)

    assert found == pytest.approx(np.mean(each) if each else np.nan, abs=1e-12, nan_ok=True)


@settings(max_examples=25)
@given(tables, st.randoms())
def test_order_of_prompts_and_unused_labels_change_nothing(counts, random):
    keep = (len(counts) + 1) // 2
    mixed = [[*row, 0] for row in counts]
    random.shuffle(mixed)

    right = matched_prompt_entropy(counts, keep)

    assert matched_prompt_entropy(mixed, keep) == pytest.approx(right, abs=1e-12, nan_ok=True)


def test_all_prompts_give_the_plugin_of_all_images():
    counts = [[4, 2, 0], [1, 0, 3]]

    assert matched_prompt_entropy(counts, 2) == pytest.approx(float(entropies(np.sum(counts, axis=0))))


def test_six_prompts_brought_to_two_agree_with_two_where_the_plugin_does_not():
    rng = np.random.default_rng(3)
    shares = rng.dirichlet([0.6, 0.3, 0.2, 0.1], size=(4000, 8))  # images of a prompt alike
    x = np.array([[rng.multinomial(10, one) for one in role] for role in shares], dtype=np.float64)
    two, six = x[:, :2], x[:, 2:]

    plain = entropies(six.sum(axis=1)) - entropies(two.sum(axis=1))
    matched = mean_entropies(six, 2)[0] - entropies(two.sum(axis=1))

    error = matched.std() / len(matched) ** 0.5
    assert abs(matched.mean()) < 3 * error
    assert plain.mean() > 20 * error


def test_too_many_choices_are_drawn_and_the_same_every_time():
    counts = np.random.default_rng(1).integers(0, 5, (30, 4))
    assert comb(30, 15) > MOST_CHOICES

    found = [matched_prompt_entropy(counts, 15) for _ in range(2)]

    assert found[0] == found[1]
    assert found[0] == pytest.approx(float(entropies(counts.sum(axis=0))), abs=0.05)


@pytest.mark.parametrize("keep", [0, 3])
def test_more_prompts_than_there_are_or_none_is_refused(keep):
    with pytest.raises(ValueError, match="within 1"):
        matched_prompt_entropy([[1, 2], [3, 4]], keep)
