"""Brennan–Prediger: chance is every category equally likely (Bennett's S; PABAK with two categories)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Floats, Ints
from core.statistics.category_weights import Weights, name_of, similarity
from core.statistics.estimate import Estimate, undefined
from core.statistics.ratings import checked, counts_of, shared_units, why_undefined
from core.statistics.raw_agreement import agreement_terms
from core.statistics.unit_sums import UnitSums, chance_corrected, estimate_of


def brennan_prediger(
    ratings: npt.ArrayLike,
    categories: int,
    weights: Weights = "none",
    order: Sequence[int] | None = None,
) -> Estimate:
    """Agreement beyond what equally likely categories would give.

    Parameters
    ----------
    ratings : array_like of int, shape (U, R)
        Category code of each unit by each rater; -1 is missing.
    categories : int
        Number of categories offered, Q; it enters the value.
    weights, order
        Cost of disagreement and order of the categories, as in `category_weights.disagreement`.

    Returns
    -------
    Estimate
        At most 1. Defined (and 1) when every answer is the same; None when one category is offered or no
        unit has two answers. `space` states Q.

    Notes
    -----
    ``(P - Pe) / (1 - Pe)`` with P the raw agreement and ``Pe = 1 / Q`` [1]_, with weights
    ``Pe = sum_kl w_kl / Q**2``. For two raters it is S [2]_, for two categories PABAK, ``2 P - 1`` [3]_.

    References
    ----------
    .. [1] Brennan, R. L., & Prediger, D. J. (1981). Coefficient kappa: some uses, misuses, and
       alternatives. Educational and Psychological Measurement 41(3), 687-699.
    .. [2] Bennett, E. M., Alpert, R., & Goldstein, A. C. (1954). Communications through limited-response
       questioning. Public Opinion Quarterly 18(3), 303-308.
    .. [3] Byrt, T., Bishop, J., & Carlin, J. B. (1993). Bias, prevalence and kappa. Journal of Clinical
       Epidemiology 46(5), 423-429. doi:10.1016/0895-4356(93)90018-V

    Examples
    --------
    >>> round(brennan_prediger([[0, 0], [0, 0], [0, 0], [0, 1]], 2).value, 4)
    0.5
    """
    matrix = checked(ratings, categories)
    n, space = shared_units(matrix), f"{categories} categories offered"
    method = f"Brennan–Prediger, {name_of(weights)}"
    if categories < 2:
        return undefined(why_undefined(matrix, categories), n=n, method=method, space=space)
    sums = brennan_prediger_sums(matrix, categories, similarity(weights, categories, order))
    return estimate_of(sums, why_undefined(matrix, categories), n=n, method=method, space=space)


def brennan_prediger_sums(ratings: Ints, categories: int, alike: Floats | None = None) -> UnitSums:
    """Brennan–Prediger as sums over units, for resampling."""

    def features(sums: Floats) -> Floats:
        return np.column_stack([sums, np.full(len(sums), float(categories))])

    def coefficient(found: Floats) -> Floats:
        # Without weights the number of categories is a feature, so that it adds up over tables.
        expected = 1.0 / found[:, 2] if alike is None else np.full(len(found), float(alike.mean()))
        return chance_corrected(found[:, 0] / found[:, 1], expected)

    return UnitSums(agreement_terms(counts_of(ratings, categories), alike), coefficient, features)
