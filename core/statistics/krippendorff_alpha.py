"""Krippendorff's alpha: agreement with missing answers, for categories, ranks, intervals and ratios.

The value comes from the `krippendorff` package, behind checks for what it cannot take (a single value, no
unit with two answers). Resampling uses sums over units, whose formula the tests hold to the package's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import krippendorff
import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Floats, Ints
from core.statistics.estimate import Estimate, undefined
from core.statistics.ratings import NO_ANSWER, NO_SHARED_UNIT, ONE_CATEGORY, checked, counts_of, shared_units
from core.statistics.unit_sums import UnitSums

Level = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS = ("nominal", "ordinal", "interval", "ratio")


def krippendorff_alpha(
    ratings: npt.ArrayLike,
    categories: int,
    level: Level = "nominal",
    values: Sequence[float] | None = None,
) -> Estimate:
    """Krippendorff's alpha.

    Parameters
    ----------
    ratings : array_like of int, shape (U, R)
        Category code of each unit by each rater; -1 is missing. For other levels than nominal the codes
        stand in rising order.
    categories : int
        Number of categories offered. A category nobody used does not change the value.
    level : {"nominal", "ordinal", "interval", "ratio"}
        Level of measurement, which decides what a difference costs.
    values : sequence of float, optional
        The number each code stands for, rising; by default the code itself (a 0–10 count is its own code).

    Returns
    -------
    Estimate
        At most 1; `n` is the number of units with two answers or more; units with one answer do not enter.
        None when no unit has two answers or all pairable answers are equal. A single disagreement in an
        otherwise constant table gives about 0: correct, and worth explaining where it is shown.

    Notes
    -----
    ``alpha = 1 - Do / De`` over pairable values [1]_.

    References
    ----------
    .. [1] Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. University of Pennsylvania,
       repository.upenn.edu/asc_papers/43

    Examples
    --------
    >>> round(krippendorff_alpha([[0, 0, 0], [1, 1, 0], [1, 1, -1], [0, -1, -1]], 2).value, 4)
    0.5625
    """
    matrix = checked(ratings, categories)
    if level not in LEVELS:
        raise ValueError(f"level {level!r} is none of {', '.join(LEVELS)}")
    domain = _domain(values, categories)
    n, method = shared_units(matrix), f"Krippendorff alpha, {level}"
    counts = counts_of(matrix, categories)
    pairable = counts[counts.sum(axis=1) >= 2]
    if pairable.shape[0] == 0:
        reason = NO_SHARED_UNIT if counts.any() else NO_ANSWER
        return undefined(reason, n=n, method=method)
    if (pairable.sum(axis=0) > 0).sum() == 1:
        return undefined(ONE_CATEGORY, n=n, method=method)
    used = counts.sum(axis=0) > 0
    value = krippendorff.alpha(
        value_counts=pairable[:, used], value_domain=domain[used], level_of_measurement=level
    )
    return Estimate(float(value), n=n, method=method)


def nominal_alpha_sums(ratings: Ints, categories: int) -> UnitSums:
    """Alpha for categories as sums over units, for resampling.

    With n_c pairable answers in category c, n in all, and o the coincidences within units,
    ``alpha = 1 - (n - 1) (n - sum_c o_cc) / (n**2 - sum_c n_c**2)``.
    """
    counts = _pairable_counts(ratings, categories)
    answers = counts.sum(axis=1)
    matching = (counts * (counts - 1.0)).sum(axis=1) / np.maximum(answers - 1.0, 1.0)
    return UnitSums(np.column_stack([matching, counts]), _nominal, _nominal_features)


def interval_alpha_sums(values: Floats) -> UnitSums:
    """Alpha for intervals of measurements, shape (U, R) with nan missing, as sums over units.

    ``Do = sum_u sum_{i != j} (x_i - x_j)**2 / (m_u - 1) / n`` and
    ``De = 2 (sum x**2 - (sum x)**2 / n) / (n - 1)`` over pairable values.
    """
    there = np.isfinite(values)
    there = there & (there.sum(axis=1, keepdims=True) >= 2)
    x = np.where(there, values, 0.0)
    answers = there.sum(axis=1).astype(np.float64)
    total, squares = x.sum(axis=1), np.square(x).sum(axis=1)
    within = 2.0 * (answers * squares - np.square(total)) / np.maximum(answers - 1.0, 1.0)
    return UnitSums(np.column_stack([within, answers, total, squares]), _interval)


def _pairable_counts(ratings: Ints, categories: int) -> Floats:
    counts = counts_of(ratings, categories)
    return np.where(counts.sum(axis=1, keepdims=True) >= 2, counts, 0.0)


def _nominal_features(sums: Floats) -> Floats:
    per_category = sums[:, 1:]
    return np.column_stack([sums[:, 0], per_category.sum(axis=1), np.square(per_category).sum(axis=1)])


def _nominal(features: Floats) -> Floats:
    matching, n, squares = features.T
    different = np.square(n) - squares
    different = np.where(different > 1e-9 * np.square(n), different, np.nan)
    alpha: Floats = 1.0 - (n - 1.0) * (n - matching) / different
    return alpha


def _interval(sums: Floats) -> Floats:
    within, n, total, squares = sums[:, 0], sums[:, 1], sums[:, 2], sums[:, 3]
    spread = squares - np.square(total) / n
    spread = np.where(spread > 1e-9 * np.maximum(squares, 1.0), spread, np.nan)
    alpha: Floats = 1.0 - (within / n) * (n - 1.0) / (2.0 * spread)
    return alpha


def _domain(values: Sequence[float] | None, categories: int) -> Floats:
    domain = np.arange(categories) if values is None else np.asarray(values)
    if domain.shape != (categories,) or (np.diff(domain) <= 0).any():
        raise ValueError(f"values must be {categories} rising numbers, one a category")
    return domain.astype(np.float64)
