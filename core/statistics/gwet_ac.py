"""Gwet's AC1 and AC2: chance agreement that does not run away when nearly all answers are one category."""

from __future__ import annotations

from collections.abc import Sequence

import numpy.typing as npt

from core.statistics.arrays import Floats, Ints
from core.statistics.category_weights import Weights, name_of, similarity
from core.statistics.estimate import Estimate, undefined
from core.statistics.fleiss_kappa import (
    gwet_standard_error,
    nominal_features,
    nominal_terms,
    sum_of_squared_shares,
)
from core.statistics.ratings import checked, counts_of, shared_units, why_undefined
from core.statistics.unit_sums import UnitSums, chance_corrected, estimate_of


def gwet_ac1(ratings: npt.ArrayLike, categories: int) -> Estimate:
    """Gwet's first-order agreement coefficient.

    Parameters
    ----------
    ratings : array_like of int, shape (U, R)
        Category code of each unit by each rater; -1 is missing.
    categories : int
        Number of categories offered. It enters the value: a category that was offered and never used
        makes chance agreement smaller.

    Returns
    -------
    Estimate
        At most 1. Defined (and 1) when every answer is the same; None when one category is offered or no
        unit has two answers. `space` states the number of categories.

    Notes
    -----
    ``AC1 = (P - Pe) / (1 - Pe)``, P the raw agreement, ``Pe = sum_k p_k (1 - p_k) / (Q - 1)`` with p_k
    the mean share of category k over answered units. The interval is Gwet's for missing ratings.

    References
    ----------
    .. [1] Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high
       agreement. British Journal of Mathematical and Statistical Psychology 61(1), 29-48.
       doi:10.1348/000711006X126600

    Examples
    --------
    >>> round(gwet_ac1([[0, 0], [0, 0], [0, 0], [0, 1]], 2).value, 4)
    0.68
    """
    return gwet_ac2(ratings, categories, "none")


def gwet_ac2(
    ratings: npt.ArrayLike,
    categories: int,
    weights: Weights = "quadratic",
    order: Sequence[int] | None = None,
) -> Estimate:
    """Gwet's second-order coefficient: AC1 with partial credit for answers that are close.

    Parameters
    ----------
    ratings : array_like of int, shape (U, R)
        Category code of each unit by each rater; -1 is missing.
    categories : int
        Number of categories offered; it enters the value.
    weights, order
        Cost of disagreement and order of the categories, as in `category_weights.disagreement`.

    Returns
    -------
    Estimate
        As `gwet_ac1`, which is the case of weights "none".

    Notes
    -----
    With similarity weights w_kl, ``P = mean_i sum_k r_ik (sum_l w_kl r_il - 1) / (r_i (r_i - 1))`` and
    ``Pe = sum_kl w_kl / (Q (Q - 1)) * sum_k p_k (1 - p_k)``: Gwet (2014), chapter 4.

    Examples
    --------
    >>> round(gwet_ac2([[0, 0], [1, 2], [2, 2], [1, 1]], 3, "linear", order=[0, 1, 2]).value, 4)
    0.7241
    """
    matrix = checked(ratings, categories)
    method = "Gwet AC1" if isinstance(weights, str) and weights == "none" else f"Gwet AC2, {name_of(weights)}"
    space = f"{categories} categories offered"
    n, reason = shared_units(matrix), why_undefined(matrix, categories)
    if categories < 2:
        return undefined(reason, n=n, method=method, space=space)
    alike = similarity(weights, categories, order)
    sums = gwet_ac_sums(matrix, categories, alike)
    factor = _factor(alike, categories)
    error = gwet_standard_error(sums, lambda shares: factor * (1.0 - shares))
    return estimate_of(sums, reason, n=n, method=method, space=space, error=error)


def gwet_ac_sums(ratings: Ints, categories: int, alike: Floats | None = None) -> UnitSums:
    """AC1 (or AC2 with similarity weights, shape (Q, Q)) as sums over units, for resampling."""

    def coefficient(features: Floats) -> Floats:
        # Without weights the number of categories is read off the features, where it adds up over tables.
        factor = 1.0 / (features[:, 4] - 1.0) if alike is None else _factor(alike, categories)
        expected = factor * (1.0 - sum_of_squared_shares(features))
        return chance_corrected(features[:, 0] / features[:, 1], expected)

    terms = nominal_terms(counts_of(ratings, categories), alike)
    return UnitSums(terms, coefficient, nominal_features)


def _factor(alike: Floats, categories: int) -> float:
    """Sum of the similarity weights over Q (Q - 1): 1 / (Q - 1) without weights."""
    return float(alike.sum()) / (categories * (categories - 1.0))
