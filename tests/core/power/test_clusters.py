"""Counts of clustered images, against the moments that a beta-binomial has and scipy's own law."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.power.clusters import draw_counts, prompt_law

shares = st.floats(0.0, 1.0)


@given(images=st.integers(1, 30), prevalence=shares, correlation=shares)
def test_a_law_has_the_mean_and_the_variance_of_its_design_effect(
    images: int, prevalence: float, correlation: float
) -> None:
    law = prompt_law(images, prevalence, correlation)

    k = np.arange(images + 1)
    mean = float(law @ k)
    variance = float(law @ (k - mean) ** 2)
    effect = 1 + (images - 1) * correlation
    assert law.sum() == pytest.approx(1.0)
    assert mean == pytest.approx(images * prevalence, abs=1e-6)
    assert variance == pytest.approx(images * prevalence * (1 - prevalence) * effect, abs=1e-5)


@pytest.mark.parametrize("correlation", [0.02, 0.1, 0.5])
def test_the_law_is_that_of_scipy(correlation: float) -> None:
    size = (1 - correlation) / correlation

    theirs = stats.betabinom(10, 0.9 * size, 0.1 * size).pmf(np.arange(11))

    assert prompt_law(10, 0.9, correlation) == pytest.approx(theirs, abs=1e-10)


def test_counts_of_many_prompts_are_drawn_as_prompt_by_prompt() -> None:
    """The slow twin draws a share for every prompt and then its images."""
    rng = np.random.default_rng(5)
    share = rng.beta(0.7 * 4, 0.3 * 4, size=(20_000, 6))
    slow = rng.binomial(10, share).sum(axis=1)

    fast = draw_counts(np.random.default_rng(6), prompt_law(10, 0.7, 0.2), 6, 20_000)

    assert fast.mean() == pytest.approx(slow.mean(), abs=0.3)
    assert fast.std() == pytest.approx(slow.std(), rel=0.03)
    assert stats.ks_2samp(fast, slow).pvalue > 0.001
