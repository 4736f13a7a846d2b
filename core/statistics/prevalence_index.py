"""How one-sided the answers are: the number that explains a low kappa beside a high raw agreement."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Floats
from core.statistics.estimate import Estimate, undefined
from core.statistics.ratings import NO_ANSWER, NO_SHARED_UNIT, ONE_OFFERED, checked, counts_of, shares_of


def prevalence(ratings: npt.ArrayLike, categories: int) -> Floats:
    """Mean over answered units of the share of answers in each category, shape (Q,); zeros without answers.

    Examples
    --------
    >>> prevalence([[0, 0], [0, 1], [-1, -1]], 2)
    array([0.75, 0.25])
    """
    counts = counts_of(checked(ratings, categories), categories)
    answered = int((counts.sum(axis=1) > 0).sum())
    shares: Floats = shares_of(counts).sum(axis=0) / max(answered, 1)
    return shares


def prevalence_index(ratings: npt.ArrayLike, categories: int) -> Estimate:
    """How far the most frequent category exceeds an even spread.

    Parameters
    ----------
    ratings : array_like of int, shape (U, R)
        Category code of each unit by each rater; -1 is missing.
    categories : int
        Number of categories offered, Q; it enters the value.

    Returns
    -------
    Estimate
        0 when all categories are equally frequent, 1 when every answer is the same.

    Notes
    -----
    ``(Q max_k p_k - 1) / (Q - 1)``. For two raters and two categories this is ``|a - d| / n`` of [1]_;
    the form for more categories is ours.

    References
    ----------
    .. [1] Byrt, T., Bishop, J., & Carlin, J. B. (1993). Bias, prevalence and kappa. Journal of Clinical
       Epidemiology 46(5), 423-429. doi:10.1016/0895-4356(93)90018-V

    Examples
    --------
    >>> round(prevalence_index([[0, 0]] * 8 + [[1, 1], [0, 1]], 2).value, 2)
    0.7
    """
    matrix = checked(ratings, categories)
    n = int((matrix >= 0).any(axis=1).sum())
    space = f"{categories} categories offered"
    if categories == 1:
        return undefined(ONE_OFFERED, n=n, space=space)
    if n == 0:
        return undefined(NO_ANSWER, space=space)
    largest = float(prevalence(matrix, categories).max())
    value = (categories * largest - 1.0) / (categories - 1.0)
    return Estimate(value, n=n, method="prevalence index", space=space)


def bias_index(ratings: npt.ArrayLike, categories: int) -> Estimate:
    """How differently two raters use the categories.

    Parameters
    ----------
    ratings : array_like of int, shape (U, 2)
        Category code of each unit by each rater; -1 is missing; units both answered are used.
    categories : int
        Number of categories offered. A category nobody used does not change the value.

    Returns
    -------
    Estimate
        0 when both use every category equally often, 1 when they share none.

    Notes
    -----
    Half the sum over categories of the absolute difference of the two shares; for two categories
    ``|b - c| / n`` of Byrt, Bishop & Carlin (1993).

    Examples
    --------
    >>> bias_index([[0, 1], [0, 0], [0, 1], [1, 1]], 2).value
    0.5
    """
    matrix = checked(ratings, categories)
    if matrix.shape[1] != 2:
        raise ValueError(f"the bias index is for two raters; these are {matrix.shape[1]}")
    both = matrix[(matrix >= 0).all(axis=1)]
    if both.shape[0] == 0:
        return undefined(NO_SHARED_UNIT)
    used = [np.bincount(both[:, rater], minlength=categories) for rater in (0, 1)]
    value = float(np.abs(used[0] - used[1]).sum()) / (2.0 * both.shape[0])
    return Estimate(value, n=both.shape[0], method="bias index")
