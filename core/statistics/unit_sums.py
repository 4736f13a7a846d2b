"""A statistic as a function of sums over units, so that a resample is one matrix product.

Every measure of agreement can be computed from a few sums over units (answers that agree, answers
per category and rater …). Written that way, a bootstrap replicate is `weights @ terms`, a jackknife is
`total - terms`, and both cost next to nothing. Value, interval and standard error share one formula.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

from core.statistics.arrays import Floats, Ints
from core.statistics.estimate import Estimate, undefined

CERTAIN = 1e-12
"""Chance agreement this close to 1 is 1: all answers are in one category."""


def _as_they_are(sums: Floats) -> Floats:
    return sums


@dataclass(frozen=True, slots=True)
class UnitSums:
    """What each unit adds to a statistic, and how the statistic follows from the sums.

    Parameters
    ----------
    terms : ndarray, shape (U, P)
        P numbers for each of U units.
    formula : callable
        From features, shape (B, F), to values, shape (B,); nan where undefined.
    features : callable
        From sums of terms, shape (B, P), to features, shape (B, F); by default the sums themselves. They
        are chosen so that features of tables whose categories have nothing in common (different
        questions) can be added: the formula of the total is the statistic of the tables as one.

    Examples
    --------
    A mean of the units that have a value, the second of three having none:

    >>> mean = UnitSums(np.array([[2.0, 1.0], [0.0, 0.0], [4.0, 1.0]]), lambda s: s[:, 0] / s[:, 1])
    >>> mean.value()
    3.0
    >>> mean.under(np.array([[3.0, 0.0, 1.0]]))
    array([2.5])
    """

    terms: Floats
    formula: Callable[[Floats], Floats]
    features: Callable[[Floats], Floats] = _as_they_are

    def value(self) -> float:
        """The statistic of all units; nan when undefined."""
        return float(self.of(self.features_of_all())[0])

    def under(self, weights: Floats) -> Floats:
        """The statistic under each row of unit weights (B, U), for instance counts of a resample."""
        return self.of(self.features_under(weights))

    def without_each(self) -> Floats:
        """The statistic without each unit in turn, shape (U,)."""
        return self.of(self.features_without_each())

    def features_of_all(self) -> Floats:
        """Features of all units, shape (1, F)."""
        return self.features(self.terms.sum(axis=0, keepdims=True))

    def features_under(self, weights: Floats) -> Floats:
        """Features under each row of unit weights, shape (B, F)."""
        return self.features(weights @ self.terms)

    def features_without_each(self) -> Floats:
        """Features without each unit in turn, shape (U, F)."""
        return self.features(self.terms.sum(axis=0, keepdims=True) - self.terms)

    def of(self, features: Floats) -> Floats:
        """The statistic of each row of features; nan where undefined."""
        with np.errstate(divide="ignore", invalid="ignore"):
            values = self.formula(features)
        return np.where(np.isfinite(values), values, np.nan)

    def grouped(self, groups: Ints, n_groups: int) -> UnitSums:
        """The same statistic with units summed to groups: image sets, or clusters of them."""
        if np.array_equal(groups, np.arange(n_groups)):
            return self
        summed = np.zeros((n_groups, self.terms.shape[1]))
        if groups.size:
            order = np.argsort(groups, kind="stable")
            found, starts = np.unique(groups[order], return_index=True)
            summed[found] = np.add.reduceat(self.terms[order], starts, axis=0)
        return UnitSums(summed, self.formula, self.features)

    def standard_error(self) -> float:
        """Standard error by linearisation with units as the sampling unit; nan where undefined.

        The influence of a unit is the slope of the statistic in that unit's weight; the variance is
        n / (n - 1) times the sum of squared influences over the n units that add anything. It holds for
        formulas that do not change when all sums are multiplied by one number.
        """
        used = self.terms[np.any(self.terms != 0.0, axis=1)]
        n = used.shape[0]
        if n < 2:
            return float("nan")
        total, step = used.sum(axis=0, keepdims=True), 1e-4
        more, less = self.features(total + step * used), self.features(total - step * used)
        influence = (self.of(more) - self.of(less)) / (2.0 * step)
        return float(np.sqrt(n / (n - 1.0) * np.square(influence).sum()))


def chance_corrected(observed: Floats, expected: Floats) -> Floats:
    """(observed - expected) / (1 - expected); nan where chance alone makes everybody agree."""
    room = 1.0 - expected
    return np.where(room > CERTAIN, (observed - expected) / np.where(room > CERTAIN, room, 1.0), np.nan)


def mean_of_defined(values: Floats, axis: int = 0) -> Floats:
    """Mean over an axis of the values that are defined; nan where none is."""
    there = np.isfinite(values)
    count = there.sum(axis=axis)
    total = np.where(there, values, 0.0).sum(axis=axis)
    mean: Floats = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    return mean


def estimate_of(
    sums: UnitSums, reason: str, *, n: int, method: str, space: str = "", error: float | None = None
) -> Estimate:
    """The value with a 95 % t interval from its standard error, or the reason for none.

    The standard error is by linearisation unless one is given. The interval is cut at 1. Perfect
    agreement has a standard error of zero, which says nothing about the next unit: no interval then.
    """
    value = sums.value()
    if not np.isfinite(value):
        return undefined(reason, n=n, method=method, space=space)
    error = sums.standard_error() if error is None else error
    if not np.isfinite(error) or error < 1e-9:
        note = "no interval: the units do not vary"
        return Estimate(value, reason=note, n=n, method=method, space=space)
    units = int(np.any(sums.terms != 0.0, axis=1).sum())
    half = float(stats.t.ppf(0.975, units - 1)) * error
    return Estimate(
        value,
        low=value - half,
        high=min(value + half, 1.0),
        n=n,
        method=f"{method}; t interval, linearised variance",
        space=space,
    )
