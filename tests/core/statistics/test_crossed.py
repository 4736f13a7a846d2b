"""How alike images of one seed are: equal to a loop over pairs, and to analysis of variance."""

from __future__ import annotations

import numpy as np
import pytest

from core.statistics.crossed import few_seeds_factor, seed_sums

C = 2


def sums_of(shows, usable, extra=None):
    """`seed_sums` of one label from images by prompt and seed; `extra` are images without a shared seed."""
    condition = np.arange(len(shows)) % C
    more = np.zeros((len(shows), 2)) if extra is None else extra
    n = usable.sum(axis=1) + more[:, 1]
    share = ((shows * usable).sum(axis=1) + more[:, 0]) / np.maximum(n, 1)
    by_seed = np.stack([(shows * usable)[condition == one].sum(axis=0) for one in range(C)])
    x = (shows * usable).sum(axis=1)
    return seed_sums(by_seed[..., None], x[:, None], share[:, None], n, usable, condition, C)


def by_pairs(shows, usable, extra):
    """The same, pair of images by pair of images."""
    condition = np.arange(len(shows)) % C
    n = usable.sum(axis=1) + extra[:, 1]
    share = ((shows * usable).sum(axis=1) + extra[:, 0]) / np.maximum(n, 1)
    products, expected, pairs = np.zeros((C, C)), np.zeros((C, C)), np.zeros((C, C))
    for p in range(len(shows)):
        for q in range(len(shows)):
            if p == q:
                continue
            place = condition[p], condition[q]
            together = np.flatnonzero(usable[p] * usable[q])
            for s in together:
                products[place] += (shows[p, s] - share[p]) * (shows[q, s] - share[q])
                pairs[place] += 1
            # what a variance of 1 between seeds gives: residuals e_s - mean e over the prompt's n images
            part = 1 - 1 / n[p] - 1 / n[q] + together.size / (n[p] * n[q])
            expected[place] += together.size * part
    return products, expected, pairs


@pytest.mark.parametrize("seed", range(4))
def test_sums_equal_a_loop_over_pairs_of_images(seed):
    rng = np.random.default_rng(seed)
    shows = (rng.random((7, 5)) < 0.4).astype(float)
    usable = (rng.random((7, 5)) < 0.8).astype(float)
    extra = np.column_stack([rng.integers(0, 2, 7), np.full(7, 2)]).astype(float) * (seed % 2)

    found = sums_of(shows, usable, extra)

    for mine, right in zip(
        (found.products[..., 0], found.expected, found.pairs), by_pairs(shows, usable, extra), strict=True
    ):
        assert mine == pytest.approx(right, abs=1e-9)


def test_every_prompt_with_every_seed_is_a_two_way_layout():
    """(MS between seeds - MS residual) / prompts, Searle et al. (1992), ch. 4."""
    shows = (np.random.default_rng(3).random((6, 5)) < 0.5).astype(float)[::2].repeat(2, axis=0)
    shows[0] = 1 - shows[0]
    one = shows[np.arange(6) % C == 0]
    size, seeds = one.shape
    residual = one - one.mean(axis=1, keepdims=True) - one.mean(axis=0) + one.mean()
    between = size * np.square(one.mean(axis=0) - one.mean()).sum() / (seeds - 1)
    within = np.square(residual).sum() / ((size - 1) * (seeds - 1))

    found = sums_of(shows, np.ones(shows.shape))

    assert found.products[0, 0, 0] / found.expected[0, 0] == pytest.approx((between - within) / size)


def test_seeds_that_no_two_prompts_share_add_nothing():
    usable = np.repeat(np.eye(4), 3, axis=1)

    found = sums_of((np.arange(48).reshape(4, 12) % 5 < 2).astype(float), usable)

    assert not found.pairs.any()
    assert not found.expected.any()
    assert found.products == pytest.approx(0.0, abs=1e-12)


def test_one_seed_says_nothing_of_others():
    assert sums_of(np.ones((4, 1)), np.ones((4, 1))).expected == pytest.approx(0.0, abs=1e-12)


def test_fewer_seeds_raise_the_variance_more():
    factor = few_seeds_factor(np.array([1.0, 3.0, 9.0, 1e6]))

    assert (np.diff(factor) < 0).all()
    assert factor[-1] == pytest.approx(1.0, abs=1e-4)
