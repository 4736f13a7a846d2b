"""Conger's kappa: Cohen's idea of chance for more than two raters, each with their own frequencies."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Floats, Ints
from core.statistics.estimate import Estimate, undefined
from core.statistics.ratings import checked, counts_of, one_hot, shared_units, why_undefined
from core.statistics.raw_agreement import agreement_terms
from core.statistics.unit_sums import UnitSums, chance_corrected, estimate_of


def conger_kappa(ratings: npt.ArrayLike, categories: int) -> Estimate:
    """Agreement of several fixed raters beyond what their own label frequencies would give.

    Parameters
    ----------
    ratings : array_like of int, shape (U, R)
        Category code of each unit by each rater; -1 is missing. Columns are persons.
    categories : int
        Number of categories offered. A category nobody used does not change the value.

    Returns
    -------
    Estimate
        At most 1; for two raters without missing answers it is Cohen's kappa. None when every answer is
        in one category, or no unit has two answers.

    Notes
    -----
    ``(P - Pe) / (1 - Pe)``, P the raw agreement, Pe the mean over ordered pairs of raters g, h of
    ``sum_k p_gk p_hk``, p_gk the share of category k among all answers of rater g [1]_, [2]_. It differs
    from Fleiss' kappa, whose chance lets raters be exchanged, and from the mean of pairwise kappas.

    References
    ----------
    .. [1] Conger, A. J. (1980). Integration and generalization of kappas for multiple raters.
       Psychological Bulletin 88(2), 322-328. doi:10.1037/0033-2909.88.2.322
    .. [2] Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th edition, chapter 2 (missing ratings).

    Examples
    --------
    >>> round(conger_kappa([[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 1]], 2).value, 4)
    0.6667
    """
    matrix = checked(ratings, categories)
    n, method = shared_units(matrix), "Conger kappa"
    if matrix.shape[1] < 2:
        return undefined("fewer than two raters", n=n, method=method)
    sums = conger_kappa_sums(matrix, categories)
    return estimate_of(sums, why_undefined(matrix, categories), n=n, method=method)


def conger_kappa_sums(ratings: Ints, categories: int) -> UnitSums:
    """Conger's kappa as sums over units, for resampling."""
    raters = ratings.shape[1]
    answers = [one_hot(ratings[:, rater], categories) for rater in range(raters)]
    terms = np.concatenate([agreement_terms(counts_of(ratings, categories)), *answers], axis=1)

    def features(sums: Floats) -> Floats:
        # Never -1: without a category, or without a resample, numpy cannot tell how many rows there are.
        given = sums[:, 2:].reshape(len(sums), raters, categories)
        products = np.einsum("bgk,bhk->bgh", given, given).reshape(len(sums), raters**2)
        return np.concatenate([sums[:, :2], given.sum(axis=2), products], axis=1)

    def coefficient(found: Floats) -> Floats:
        total = found[:, 2 : 2 + raters]
        is_active = total > CLOSE_TO_NONE
        share = np.divide(1.0, total, out=np.zeros_like(total), where=is_active)
        products = found[:, 2 + raters :].reshape(len(found), raters, raters)
        products = products * share[:, :, None] * share[:, None, :]
        active = is_active.sum(axis=1)
        of_pairs = products.sum(axis=(1, 2)) - np.trace(products, axis1=1, axis2=2)
        expected = of_pairs / (active * (active - 1.0))  # [1]: mean over ordered pairs of raters
        return chance_corrected(found[:, 0] / found[:, 1], expected)

    return UnitSums(terms, coefficient, features)


CLOSE_TO_NONE = 1e-9
"""A sum of answers below this is no answer: differences of sums leave rounding behind."""
