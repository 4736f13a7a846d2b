"""Fleiss' kappa: agreement beyond chance among many raters, who need not be the same for every unit."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Floats, Ints
from core.statistics.estimate import Estimate, undefined
from core.statistics.ratings import checked, counts_of, shared_units, shares_of, why_undefined
from core.statistics.raw_agreement import agreement_terms
from core.statistics.unit_sums import UnitSums, chance_corrected, estimate_of

METHOD = "Fleiss kappa"


def fleiss_kappa(ratings: npt.ArrayLike, categories: int) -> Estimate:
    """Fleiss' kappa, generalised to units with unequal numbers of answers.

    Parameters
    ----------
    ratings : array_like of int, shape (U, R)
        Category code of each unit by each rater; -1 is missing.
    categories : int
        Number of categories offered. A category nobody used does not change the value.

    Returns
    -------
    Estimate
        At most 1; `n` is the number of units with two answers or more. None when every answer is in one
        category or no unit has two answers.

    Notes
    -----
    ``kappa = (P - Pe) / (1 - Pe)`` with P the raw agreement (units of two answers or more) and
    ``Pe = sum_k p_k**2``, p_k the mean over all answered units of the share of answers in category k.
    With as many answers for every unit this is the coefficient of [1]_, otherwise that of [2]_. The
    interval treats units as the sample ([2]_, chapter 5).

    References
    ----------
    .. [1] Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological
       Bulletin 76(5), 378-382. doi:10.1037/h0031619
    .. [2] Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th edition, chapter 2.

    Examples
    --------
    >>> round(fleiss_kappa([[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, -1]], 2).value, 4)
    0.6571
    """
    matrix = checked(ratings, categories)
    sums = fleiss_kappa_sums(matrix, categories)
    error = gwet_standard_error(sums, lambda shares: shares)
    reason = why_undefined(matrix, categories)
    return estimate_of(sums, reason, n=shared_units(matrix), method=METHOD, error=error)


def fleiss_kappa_sums(ratings: Ints, categories: int) -> UnitSums:
    """Fleiss' kappa as sums over units, for resampling."""
    return UnitSums(nominal_terms(counts_of(ratings, categories)), _kappa, nominal_features)


def nominal_terms(counts: Floats, similarity: Floats | None = None) -> Floats:
    """Columns: agreement within the unit, has a pair, has an answer, then the share of each category."""
    answered = counts.sum(axis=1) > 0
    return np.column_stack([agreement_terms(counts, similarity), answered, shares_of(counts)])


def nominal_features(sums: Floats) -> Floats:
    """Summed `nominal_terms` without the categories: of those, the sum of squares, and how many there are."""
    squares = np.square(sums[:, 3:]).sum(axis=1)
    return np.column_stack([sums[:, :3], squares, np.full(len(sums), sums.shape[1] - 3.0)])


def sum_of_squared_shares(features: Floats) -> Floats:
    """``sum_k p_k**2``, p_k the mean over answered units of the share of category k."""
    squares: Floats = features[:, 3] / np.square(features[:, 2])
    return squares


def gwet_standard_error(sums: UnitSums, weight_of: Callable[[Floats], Floats]) -> float:
    """Standard error of a coefficient made of `nominal_terms`; nan for fewer than two units.

    `weight_of` gives, from the mean share of each category, the factor of a unit's share in chance
    agreement: the share itself for Fleiss, (1 - share) / (Q - 1) for AC1. Gwet (2014), section 5.3:
    units with two answers are a fixed part of the n answered ones, the population is infinite.
    """
    terms = sums.terms[sums.terms[:, 2] > 0]
    n, kappa = terms.shape[0], sums.value()
    if n < 2 or not math.isfinite(kappa):
        return math.nan
    agreeing, has_pair, shares = terms[:, 0], terms[:, 1], terms[:, 3:]
    chance_of_unit = shares @ weight_of(shares.mean(axis=0))
    chance = float(chance_of_unit.mean())
    own = (agreeing - chance * has_pair) / (has_pair.mean() * (1.0 - chance))
    own = own - 2.0 * (1.0 - kappa) * (chance_of_unit - chance) / (1.0 - chance)
    return math.sqrt(float(np.square(own - kappa).sum()) / (n * (n - 1.0)))


def _kappa(features: Floats) -> Floats:
    return chance_corrected(features[:, 0] / features[:, 1], sum_of_squared_shares(features))


def fleiss_kappa_by_category(ratings: npt.ArrayLike, categories: int) -> tuple[Estimate, ...]:
    """Kappa of each category against all others together, in the order of the codes.

    Parameters
    ----------
    ratings : array_like of int, shape (U, R)
        Category code of each unit by each rater; -1 is missing.
    categories : int
        Number of categories offered.

    Returns
    -------
    tuple of Estimate
        One a category; None for a category that nobody or everybody used.

    Notes
    -----
    Equal to Fleiss' kappa after merging all other categories into one: the category-wise coefficient of
    Fleiss (1971), eq. 15-17.

    Examples
    --------
    >>> [k.value for k in fleiss_kappa_by_category([[0, 0], [1, 1], [0, 0]], 3)]
    [1.0, 1.0, None]
    """
    matrix = checked(ratings, categories)
    found = []
    for code in range(categories):
        chosen = np.where(matrix < 0, matrix, (matrix == code).astype(np.int64))
        used = bool((chosen == 1).any())
        reason = "every answer is this category" if used else "nobody chose this category"
        if shared_units(matrix) == 0:
            reason = why_undefined(matrix, categories)
        sums = fleiss_kappa_sums(chosen, 2)
        method, n = f"{METHOD} of one category", shared_units(matrix)
        error = gwet_standard_error(sums, lambda shares: shares)
        found.append(estimate_of(sums, reason, n=n, method=method, error=error))
    return tuple(found)


def fleiss_z(ratings: npt.ArrayLike, categories: int) -> Estimate:
    """Kappa divided by its standard error under no agreement beyond chance.

    Parameters
    ----------
    ratings : array_like of int, shape (U, R)
        Category code of each unit by each rater; every unit with the same number of answers.
    categories : int
        Number of categories offered.

    Returns
    -------
    Estimate
        A standard normal deviate under independence. None when kappa is, or when units have unequal
        numbers of answers (the formula is for equal numbers).

    Notes
    -----
    ``se = sqrt(2 / (N m (m - 1))) * sqrt(S**2 - sum_k p_k q_k (q_k - p_k)) / S`` with
    ``S = sum_k p_k q_k``, N units and m answers each: eq. 13 of Fleiss, Nee & Landis (1979).

    References
    ----------
    .. [1] Fleiss, J. L., Nee, J. C. M., & Landis, J. R. (1979). Large sample variance of kappa in the case
       of different sets of raters. Psychological Bulletin 86(5), 974-977. doi:10.1037/0033-2909.86.5.974

    Examples
    --------
    >>> round(fleiss_z([[0, 0, 0], [0, 0, 1], [1, 1, 1]], 2).value, 3)
    1.65
    """
    matrix = checked(ratings, categories)
    counts = counts_of(matrix, categories)
    answers = counts.sum(axis=1)
    kappa = fleiss_kappa_sums(matrix, categories).value()
    n = shared_units(matrix)
    if not math.isfinite(kappa):
        return undefined(why_undefined(matrix, categories), n=n)
    if len(set(answers.tolist())) > 1:
        return undefined("units have unequal numbers of answers", n=n)
    p = counts.sum(axis=0) / counts.sum()
    q, m = 1.0 - p, float(answers[0])
    spread = float((p * q).sum())
    error = math.sqrt(2.0 / (len(answers) * m * (m - 1.0))) * (
        math.sqrt(spread**2 - float((p * q * (q - p)).sum())) / spread
    )
    return Estimate(kappa / error, n=n, method="kappa / standard error under independence")
