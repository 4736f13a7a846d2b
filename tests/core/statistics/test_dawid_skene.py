"""Dawid–Skene beyond the published example: twins, recovery, and what it refuses."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from core.statistics.dawid_skene import dawid_skene, rating_counts


def simulated(seed: int, items: int = 600, accuracy: tuple[float, ...] = (0.95, 0.85, 0.6)) -> tuple:
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, size=items, p=[0.6, 0.3, 0.1])
    wrong = (truth[:, None] + rng.integers(1, 3, (items, len(accuracy)))) % 3
    right = rng.random((items, len(accuracy))) < np.array(accuracy)
    return truth, np.where(right, truth[:, None], wrong)


def slow_em(ratings: list[list[int]], categories: int, steps: int) -> list[list[float]]:
    """The same EM in loops over one item, rater and class at a time."""
    raters = len(ratings[0])
    posterior = []
    for row in ratings:
        given = [r for r in row if r >= 0]
        posterior.append([given.count(j) / len(given) for j in range(categories)])
    for _ in range(steps):
        prior = [sum(t[j] for t in posterior) / len(posterior) for j in range(categories)]
        table = [[[0.0] * categories for _ in range(categories)] for _ in range(raters)]
        for row, t in zip(ratings, posterior, strict=True):
            for rater, answer in enumerate(row):
                for j in range(categories):
                    if answer >= 0:
                        table[rater][j][answer] += t[j]
        for rater in range(raters):
            for j in range(categories):
                total = sum(table[rater][j])
                table[rater][j] = [cell / total if total else 0.0 for cell in table[rater][j]]
        posterior = []
        for row in ratings:
            joint = [
                prior[j]
                * math.prod(table[rater][j][answer] for rater, answer in enumerate(row) if answer >= 0)
                for j in range(categories)
            ]
            posterior.append([value / sum(joint) for value in joint])
    return posterior


def test_posterior_equals_em_in_loops() -> None:
    _, ratings = simulated(0, items=60)
    ratings[3, 1] = -1

    fit = dawid_skene(rating_counts(ratings, 3), max_iterations=7, tolerance=1e-30)

    assert fit.iterations == 7
    assert fit.posterior == pytest.approx(np.array(slow_em(ratings.tolist(), 3, 7)), abs=1e-9)
    assert "not converged" in fit.reason


def test_stated_error_rates_are_found_again() -> None:
    truth, ratings = simulated(1, items=3000)

    fit = dawid_skene(rating_counts(ratings, 3))

    right = [np.average(np.diagonal(fit.confusion[r]), weights=fit.prevalence) for r in range(3)]
    assert right == pytest.approx([0.95, 0.85, 0.6], abs=0.03)
    assert fit.prevalence == pytest.approx([0.6, 0.3, 0.1], abs=0.03)
    assert (fit.labels == truth).mean() > 0.94


def test_order_of_raters_and_items_changes_nothing() -> None:
    _, ratings = simulated(2, items=80)
    order, columns = np.random.default_rng(0).permutation(80), [2, 0, 1]

    fit = dawid_skene(rating_counts(ratings, 3))
    other = dawid_skene(rating_counts(ratings[order][:, columns], 3))

    assert other.labels.tolist() == fit.labels[order].tolist()
    assert other.confusion == pytest.approx(fit.confusion[columns], abs=1e-6)


def test_renaming_classes_renames_the_result() -> None:
    _, ratings = simulated(3, items=80)
    name = np.array([2, 0, 1])

    fit, other = dawid_skene(rating_counts(ratings, 3)), dawid_skene(rating_counts(name[ratings], 3))

    assert other.prevalence[name] == pytest.approx(fit.prevalence, abs=1e-6)


def test_likelihood_never_falls_with_more_steps() -> None:
    _, ratings = simulated(4, items=50)
    counts = rating_counts(ratings, 3)

    reached = [dawid_skene(counts, max_iterations=steps).log_likelihood for steps in range(1, 15)]

    assert all(later >= earlier - 1e-9 for earlier, later in pairwise(reached))


def test_an_item_without_an_answer_keeps_its_place_and_is_named() -> None:
    _, ratings = simulated(5, items=20)
    ratings[7] = -1

    fit = dawid_skene(rating_counts(ratings, 3))

    assert fit.labels[7] == -1
    assert np.isnan(fit.posterior[7]).all()
    assert "1 item without an answer" in fit.reason


def test_an_unused_category_changes_nothing_else() -> None:
    _, ratings = simulated(6, items=60)

    fit, wider = dawid_skene(rating_counts(ratings, 3)), dawid_skene(rating_counts(ratings, 5))

    assert wider.prevalence[:3] == pytest.approx(fit.prevalence)
    assert wider.labels.tolist() == fit.labels.tolist()


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([[0, 1], [1, 1]], "three are needed"),
        ([[1, 1, 1], [1, 1, 1]], "one category"),
        ([[-1, -1, -1]], "no answer"),
    ],
)
def test_what_cannot_be_told_apart_is_a_reason(ratings: list[list[int]], reason: str) -> None:
    fit = dawid_skene(rating_counts(ratings, 3))

    assert not fit.is_defined
    assert reason in fit.reason


def test_smoothing_keeps_every_answer_possible() -> None:
    _, ratings = simulated(7, items=20)

    assert (dawid_skene(rating_counts(ratings, 3), smoothing=0.1).confusion > 0).all()


def test_two_liars_against_one_make_classes_change_places_and_it_is_said() -> None:
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 2, 200)
    counts = np.zeros((200, 3, 2))
    counts[np.arange(200), 0, truth] = 30
    counts[np.arange(200), 1, 1 - truth] = 1
    counts[np.arange(200), 2, 1 - truth] = 1

    assert "changed places" in dawid_skene(counts).reason
