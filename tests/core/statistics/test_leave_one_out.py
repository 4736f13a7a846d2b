"""Person and pipeline against the same rest."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from core.statistics.cohen_kappa import cohen_kappa_mean
from core.statistics.leave_one_out import leave_one_out
from core.statistics.raw_agreement import raw_agreement


def readings(seed: int, units: int = 200, accuracy: float = 0.8, pipeline: float = 0.8) -> tuple:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, units)

    def read(right: float) -> np.ndarray:
        return np.where(rng.random(units) < right, truth, (truth + rng.integers(1, 3, units)) % 3)

    return np.column_stack([read(accuracy) for _ in range(3)]), read(pipeline)


def test_mean_of_people_is_mean_pairwise_agreement_when_all_answered() -> None:
    ratings, pipeline = readings(0)

    found = leave_one_out(ratings, 3, pipeline)

    assert found.people.value == pytest.approx(raw_agreement(ratings, 3).value)
    assert found.people_kappa.value == pytest.approx(cohen_kappa_mean(ratings, 3).value)


def test_pipeline_with_the_rest_by_hand() -> None:
    ratings, pipeline = readings(1)

    one = leave_one_out(ratings, 3, pipeline).each[0]

    rest = [ratings[:, 1], ratings[:, 2]]
    assert one.pipeline.value == pytest.approx(np.mean([np.mean(pipeline == other) for other in rest]))
    assert one.person.value == pytest.approx(np.mean([np.mean(ratings[:, 0] == other) for other in rest]))
    assert one.pipeline_kappa.value == pytest.approx(
        np.mean([cohen_kappa_score(pipeline, other) for other in rest])
    )


def test_person_and_pipeline_are_compared_on_the_same_units() -> None:
    ratings, pipeline = readings(2)
    ratings[:40, 0] = -1
    pipeline[150:] = -1

    one = leave_one_out(ratings, 3, pipeline).each[0]

    both = slice(40, 150)
    assert one.person.n == one.pipeline.n == 110
    assert one.pipeline.value == pytest.approx(
        np.mean([np.mean(pipeline[both] == ratings[both, other]) for other in (1, 2)])
    )


def test_a_pipeline_as_good_as_a_person_reaches_the_ceiling_and_a_worse_one_does_not() -> None:
    ratings, equal = readings(3, units=4000)
    _, worse = readings(3, units=4000, pipeline=0.6)

    good, bad = leave_one_out(ratings, 3, equal), leave_one_out(ratings, 3, worse)

    assert good.pipeline.value == pytest.approx(good.people.value, abs=0.03)
    assert bad.pipeline.value < bad.people.value - 0.08


def test_agreement_with_a_majority_would_have_flattered_everybody() -> None:
    ratings, pipeline = readings(4, units=4000)
    votes = np.stack([(ratings == code).sum(axis=1) for code in range(3)], axis=1)
    decided = votes.max(axis=1) >= 2
    with_majority = np.mean(pipeline[decided] == votes[decided].argmax(axis=1))

    assert with_majority > leave_one_out(ratings, 3, pipeline).pipeline.value + 0.05


def test_shares_count_ties_on_both_sides() -> None:
    ratings, _ = readings(5)

    for one in leave_one_out(ratings, 3, ratings[:, 0]).each[:1]:
        assert one.at_least_as_good.value == 1.0
        assert one.at_most_as_good.value == 1.0


def test_without_a_pipeline_only_people_have_values() -> None:
    ratings, _ = readings(6)

    found = leave_one_out(ratings, 3)

    assert found.people.value is not None
    assert found.pipeline.value is None
    assert "no pipeline" in found.pipeline.reason


def test_order_of_people_and_units_changes_nothing() -> None:
    ratings, pipeline = readings(7)
    order = np.random.default_rng(0).permutation(len(ratings))

    found = leave_one_out(ratings, 3, pipeline)
    other = leave_one_out(ratings[order][:, [1, 2, 0]], 3, pipeline[order])

    assert other.people.value == pytest.approx(found.people.value)
    assert other.pipeline_kappa.value == pytest.approx(found.pipeline_kappa.value)


def test_one_category_and_one_person_are_reasons() -> None:
    same = np.zeros((10, 3), dtype=int)

    constant, alone = leave_one_out(same, 2, same[:, 0]), leave_one_out(same[:, :1], 2)

    assert constant.people.value == 1.0
    assert "one category" in constant.pipeline_kappa.reason
    assert alone.people.value is None


def test_people_and_pipeline_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="units"):
        leave_one_out(np.zeros((3, 2), dtype=int), 2, [0, 0])


def test_two_people_leave_a_rest_of_one() -> None:
    ratings, pipeline = readings(8)

    found = leave_one_out(ratings[:, :2], 3, pipeline)

    expected = [np.mean(ratings[:, a] == ratings[:, b]) for a, b in combinations(range(2), 2)]
    assert found.people.value == pytest.approx(expected[0])
