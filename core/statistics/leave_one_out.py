"""Leave one rater out: the pipeline with the rest beside each person with the same rest.

Agreement with a majority is not comparable with agreement between two people: three people who are each
right 80 % of the time have a majority that is right 90 % of the time. Here person and pipeline face the
same people, as many of them, on the same units.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Ints
from core.statistics.cohen_kappa import agreement_over_pairs, kappa_over_pairs
from core.statistics.estimate import Estimate, undefined
from core.statistics.ratings import MISSING, NO_SHARED_UNIT, ONE_CATEGORY, checked

Pairs = list[tuple[Ints, Ints]]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One person left out: that person and the pipeline, each with the rest, on the same units.

    `person` and `pipeline` are raw agreement, `person_kappa` and `pipeline_kappa` Cohen's kappa, each a
    mean over the rest. `at_least_as_good` is the share of units where the pipeline agrees with at least
    as many of the rest as the person does, and `at_most_as_good` the other way round (ties are in both).
    """

    rater: int
    person: Estimate
    pipeline: Estimate
    person_kappa: Estimate
    pipeline_kappa: Estimate
    at_least_as_good: Estimate
    at_most_as_good: Estimate


@dataclass(frozen=True, slots=True)
class LeaveOneOut:
    """Each person left out in turn, and the means over persons; the mean of persons is the ceiling."""

    each: tuple[LeftOut, ...]
    people: Estimate
    pipeline: Estimate
    people_kappa: Estimate
    pipeline_kappa: Estimate


def leave_one_out(
    ratings: npt.ArrayLike, categories: int, pipeline: npt.ArrayLike | None = None
) -> LeaveOneOut:
    """Agreement of every person, and of the pipeline, with the rest of the people.

    Parameters
    ----------
    ratings : array_like of int, shape (U, R)
        Category code of each unit by each person; -1 is missing.
    categories : int
        Number of categories offered.
    pipeline : array_like of int, shape (U,), optional
        Category code of each unit by the pipeline; -1 is missing. Without it only people are compared.

    Returns
    -------
    LeaveOneOut
        For person r, units are those that r, the pipeline (when given) and one other person answered.
        None where no such unit exists or a kappa is undefined. `n` is the number of units, of persons in
        the means. There are no intervals: resample units for one.

    Notes
    -----
    Agreement with the rest is the mean over each other person of pairwise agreement, not agreement with
    their majority: with three people the rest are two, whose majority exists only where they agree,
    which would keep the easy units alone. The shares of units follow the alternative annotator test [1]_.

    References
    ----------
    .. [1] Calderon, N., Reichart, R., & Dror, R. (2025). The alternative annotator test for
       LLM-as-a-judge. arXiv 2501.10970

    Examples
    --------
    >>> found = leave_one_out([[0, 0, 0], [1, 1, 0], [1, 1, 1], [0, 0, 1]], 2, pipeline=[0, 1, 1, 0])
    >>> round(found.people.value, 3), round(found.pipeline.value, 3)
    (0.667, 0.833)
    """
    matrix = checked(ratings, categories)
    machine = None if pipeline is None else _pipeline(pipeline, matrix, categories)
    each = tuple(_left_out(matrix, rater, categories, machine) for rater in range(matrix.shape[1]))
    return LeaveOneOut(
        each,
        _mean([one.person for one in each], "persons with the rest"),
        _mean([one.pipeline for one in each], "pipeline with the rest"),
        _mean([one.person_kappa for one in each], "persons with the rest, Cohen kappa"),
        _mean([one.pipeline_kappa for one in each], "pipeline with the rest, Cohen kappa"),
    )


def pairs_with_the_rest(ratings: Ints, rater: int, pipeline: Ints | None) -> tuple[Pairs, Pairs]:
    """Columns to compare when `rater` is left out: (person, other) and (pipeline, other), same units."""
    kept = ratings[:, rater] >= 0
    if pipeline is not None:
        kept = kept & (pipeline >= 0)
    others = [
        np.where(kept, ratings[:, other], MISSING) for other in range(ratings.shape[1]) if other != rater
    ]
    person = [(ratings[:, rater], other) for other in others]
    machine = [] if pipeline is None else [(pipeline, other) for other in others]
    return person, machine


def _pipeline(pipeline: npt.ArrayLike, matrix: Ints, categories: int) -> Ints:
    column = checked(np.asarray(pipeline).reshape(-1, 1), categories)[:, 0]
    if column.shape[0] != matrix.shape[0]:
        raise ValueError(f"{column.shape[0]} units by the pipeline, {matrix.shape[0]} by people")
    return column


def _left_out(matrix: Ints, rater: int, categories: int, machine: Ints | None) -> LeftOut:
    person, pipeline = pairs_with_the_rest(matrix, rater, machine)
    n = _units(person)
    better, worse = _shares(person, pipeline, n)
    no_pipeline = undefined("no pipeline to compare", n=n)
    return LeftOut(
        rater,
        _raw(person, categories, n),
        _raw(pipeline, categories, n) if pipeline else no_pipeline,
        _kappa(person, categories, n),
        _kappa(pipeline, categories, n) if pipeline else no_pipeline,
        better if pipeline else no_pipeline,
        worse if pipeline else no_pipeline,
    )


def _units(pairs: Pairs) -> int:
    if not pairs:
        return 0
    return int(np.any([(a >= 0) & (b >= 0) for a, b in pairs], axis=0).sum())


def _raw(pairs: Pairs, categories: int, n: int) -> Estimate:
    method = "raw agreement, mean over the rest"
    if n == 0:
        return undefined(NO_SHARED_UNIT, method=method)
    return Estimate(agreement_over_pairs(pairs, categories).value(), n=n, method=method)


def _kappa(pairs: Pairs, categories: int, n: int) -> Estimate:
    method = "Cohen kappa, mean over the rest"
    if n == 0:
        return undefined(NO_SHARED_UNIT, method=method)
    value = kappa_over_pairs(pairs, categories).value()
    if not math.isfinite(value):
        return undefined(ONE_CATEGORY, n=n, method=method)
    return Estimate(value, n=n, method=method)


def _shares(person: Pairs, pipeline: Pairs, n: int) -> tuple[Estimate, Estimate]:
    """Share of units where the pipeline agrees with at least, and at most, as many as the person."""
    if n == 0 or not pipeline:
        nothing = undefined(NO_SHARED_UNIT)
        return nothing, nothing
    human = np.sum([(a == b) & (b >= 0) for a, b in person], axis=0)
    machine = np.sum([(a == b) & (b >= 0) for a, b in pipeline], axis=0)
    compared = np.any([(a >= 0) & (b >= 0) for a, b in person], axis=0)
    at_least = float((machine >= human)[compared].mean())
    at_most = float((machine <= human)[compared].mean())
    method = "share of units"
    return Estimate(at_least, n=n, method=method), Estimate(at_most, n=n, method=method)


def _mean(parts: Sequence[Estimate], what: str) -> Estimate:
    values = [part.value for part in parts if part.value is not None]
    method = f"mean over {what}"
    if not values:
        reasons = sorted({part.reason for part in parts}) or ["nobody to leave out"]
        return undefined("; ".join(reasons), method=method)
    missing = len(parts) - len(values)
    reason = f"{missing} of {len(parts)} persons have no value and are left out" if missing else ""
    return Estimate(math.fsum(values) / len(values), reason=reason, n=len(values), method=method)
