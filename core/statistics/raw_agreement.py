"""Raw agreement: how often two raters of a unit say the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Floats, Ints
from core.statistics.estimate import Estimate
from core.statistics.ratings import checked, counts_of, shared_units, why_undefined
from core.statistics.unit_sums import UnitSums, estimate_of


def raw_agreement(ratings: npt.ArrayLike, categories: int) -> Estimate:
    """Share of rater pairs who chose the same category, averaged over units.

    Parameters
    ----------
    ratings : array_like of int, shape (U, R)
        Category code of each unit by each rater; -1 is missing.
    categories : int
        Number of categories offered. It does not enter the value.

    Returns
    -------
    Estimate
        Between 0 and 1; `n` is the number of units that two raters or more answered. None when there is
        no such unit. The interval treats units as the sample.

    Notes
    -----
    For unit i with r_i answers, r_ik of them in category k, the agreement is
    ``sum_k r_ik (r_ik - 1) / (r_i (r_i - 1))`` [1]_; a unit with one answer has no pair and is left out.
    Every unit counts the same, however many raters it has. Chance is not removed.

    References
    ----------
    .. [1] Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological
       Bulletin 76(5), 378-382. doi:10.1037/h0031619

    Examples
    --------
    >>> round(raw_agreement([[0, 0, 1], [1, 1, 1], [0, -1, -1]], 2).value, 4)
    0.6667
    """
    matrix = checked(ratings, categories)
    sums = raw_agreement_sums(matrix, categories)
    reason = why_undefined(matrix, categories)
    found = estimate_of(sums, reason, n=shared_units(matrix), method="mean over units of agreeing pairs")
    return found if found.low is None else replace(found, low=max(found.low, 0.0))


def raw_agreement_sums(ratings: Ints, categories: int) -> UnitSums:
    """Raw agreement as sums over units, for resampling."""
    return UnitSums(agreement_terms(counts_of(ratings, categories)), lambda sums: sums[:, 0] / sums[:, 1])


def agreement_terms(counts: Floats, similarity: Floats | None = None) -> Floats:
    """Two columns: agreement of the pairs within each unit, and whether the unit has a pair.

    With `similarity`, shape (Q, Q), a pair that differs counts as much as its categories are alike.
    """
    answers = counts.sum(axis=1)
    alike = counts if similarity is None else counts @ similarity
    agreeing = (counts * (alike - 1.0)).sum(axis=1)  # [1] r_ik (r_ik - 1), summed over k
    has_pair = answers >= 2
    pairs = np.where(has_pair, answers * (answers - 1.0), 1.0)
    return np.column_stack([np.where(has_pair, agreeing / pairs, 0.0), has_pair])
