"""What a perfectly stable label would get: the sum over all outcomes as a twin, and a simulation."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from core.statistics.persistence import ccs, scores
from core.statistics.stability import ccs_if_stable, stable_scores


@pytest.mark.parametrize(("n", "total"), [((4, 5, 6), 9), ((6, 6, 7), 2), ((2, 3, 3), 7)])
def test_score_of_a_stable_label_equals_the_sum_over_all_outcomes(n, total):
    p, value, defined = total / sum(n), 0.0, 0.0
    for x in product(*(range(size + 1) for size in n)):
        if min(x) > 0 and sum(x) >= 5:
            weight = float(np.prod(binom.pmf(x, n, p)))
            value, defined = value + weight * ccs(x, n).value, defined + weight

    assert ccs_if_stable(total, n).value == pytest.approx(value / defined, rel=1e-3)


def test_score_of_a_stable_label_with_many_images_is_close_to_a_simulation():
    n = np.array([400, 900, 900])
    rng = np.random.default_rng(1)
    simulated = scores(rng.binomial(n, 0.6, size=(40_000, 3)), np.broadcast_to(n, (40_000, 3)))

    assert ccs_if_stable(1320, n).value == pytest.approx(simulated.mean(), rel=0.02)


def test_a_stable_label_that_is_always_there_has_100():
    assert ccs_if_stable(130, [20, 50, 60]).value == pytest.approx(100)


def test_stable_scores_of_many_equal_one_by_one():
    n = np.array([[20, 50, 60], [60, 20, 50], [0, 5, 5]])
    total = np.array([123, 40, 5])

    many = stable_scores(total, n)

    assert many[:2] == pytest.approx([ccs_if_stable(123, n[0]).value, ccs_if_stable(40, n[1]).value])
    assert np.isnan(many[2])
