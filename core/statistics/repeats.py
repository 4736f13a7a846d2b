"""How far one person agrees with themself: the same image sets shown to them a second time.

What a person does not repeat, no second person can be expected to match: agreement of a person with themself
is the ceiling of every agreement between people. Categories are compared as between two raters, the
first and the second answer being the two; counts only where both answers chose the same label.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Floats
from core.statistics.cohen_kappa import cohen_kappa
from core.statistics.count_error import count_error
from core.statistics.estimate import Estimate, undefined
from core.statistics.gwet_ac import gwet_ac1
from core.statistics.intraclass import intraclass
from core.statistics.measurements import pair_of
from core.statistics.proportion import wilson
from core.statistics.ratings import MISSING
from core.statistics.raw_agreement import raw_agreement
from core.statistics.unit_sums import UnitSums

NO_REPEAT = "no repeated answer"
NO_REPEATED_COUNT = "no repeated count of the same label"
NEAR = 1
"""Two counts of an image set that differ by so many images at most are near."""


@dataclass(frozen=True, slots=True)
class RepeatedLabels:
    """Category agreement of a person with themself; `n` is the number of repeated answers."""

    raw_agreement: Estimate
    kappa: Estimate
    ac1: Estimate


@dataclass(frozen=True, slots=True)
class RepeatedCounts:
    """Agreement of a person's counts with themselves; `n` is the number of pairs."""

    mean_absolute_error: Estimate
    within_one: Estimate
    icc: Estimate
    repeatability: Estimate


def repeated_labels(first: npt.ArrayLike, second: npt.ArrayLike, categories: int) -> RepeatedLabels:
    """Raw agreement, Cohen's kappa and AC1 of first and second answers.

    Parameters
    ----------
    first, second : array_like of int, shape (N,)
        Category code of each repeated image set, the first time and the second; -1 is missing. A pair
        that misses one is not used.
    categories : int
        Categories offered; AC1 depends on it.

    Returns
    -------
    RepeatedLabels
        Undefined with `NO_REPEAT` without a pair. Kappa is undefined when every answer is one category;
        raw agreement and AC1 are then 1. Intervals take image sets for the sample: they do not say how
        the person would do on another day.

    Raises
    ------
    ValueError
        Series of different length, or codes outside the categories.

    Notes
    -----
    Swapping the two times changes nothing.

    References
    ----------
    .. [1] Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed., ch. 1 (intra-rater
       reliability: the two trials stand for two raters).

    Examples
    --------
    >>> found = repeated_labels([0, 0, 1, 1, 2], [0, 0, 1, 2, -1], 3)
    >>> found.raw_agreement.value, found.raw_agreement.n, round(found.kappa.value, 3)
    (0.75, 4, 0.6)
    """
    one, other = np.asarray(first), np.asarray(second)
    if one.ndim != 1 or one.shape != other.shape:
        raise ValueError(f"two series of the same length are expected, not shapes {one.shape}, {other.shape}")
    ratings = np.column_stack([one, other])
    ratings = ratings[(ratings != MISSING).all(axis=1)]
    if len(ratings) == 0:
        nothing = undefined(NO_REPEAT)
        return RepeatedLabels(nothing, nothing, nothing)
    return RepeatedLabels(
        raw_agreement(ratings, categories), cohen_kappa(ratings, categories), gwet_ac1(ratings, categories)
    )


def repeated_counts(first: npt.ArrayLike, second: npt.ArrayLike) -> RepeatedCounts:
    """Mean absolute difference, share within one image, ICC and repeatability of repeated counts.

    Parameters
    ----------
    first, second : array_like of float, shape (N,)
        Counts (0–10 images) of the same label, the first time and the second; nan is missing, 0 is a
        count. A pair that misses one is left out, which the reasons say.

    Returns
    -------
    RepeatedCounts
        `mean_absolute_error` in images, with a t interval; `within_one`, the share of pairs that differ by
        one image at most, with Wilson's; `icc`, the ICC(2,1) for absolute agreement, the times being the
        raters [1]_; `repeatability`, the difference that 95 of 100 pairs keep within [2]_. Undefined with
        `NO_REPEATED_COUNT` without a pair.

    Raises
    ------
    ValueError
        Series of different length, or an infinite count.

    Notes
    -----
    Repeatability is ``1.96 sqrt(mean d**2)``, d the difference of a pair: 1.96 sqrt(2) times the standard
    deviation within a person. Swapping the two times changes nothing.

    References
    ----------
    .. [1] Koo, T. K., & Li, M. Y. (2016). A guideline of selecting and reporting intraclass correlation
       coefficients for reliability research. Journal of Chiropractic Medicine 15(2), 155-163.
       doi:10.1016/j.jcm.2016.02.012
    .. [2] Bland, J. M., & Altman, D. G. (1986). Statistical methods for assessing agreement between two
       methods of clinical measurement. Lancet 327, 307-310. doi:10.1016/S0140-6736(86)90837-8

    Examples
    --------
    >>> found = repeated_counts([3, 7, 10, 0], [4, 7, 8, None])
    >>> found.mean_absolute_error.value, round(found.within_one.value, 3), found.within_one.n
    (1.0, 0.667, 3)
    """
    pairs, note = pair_of(first, second)
    if len(pairs) == 0:
        nothing = undefined("; ".join(filter(None, [NO_REPEATED_COUNT, note])))
        return RepeatedCounts(nothing, nothing, nothing, nothing)
    gap = np.abs(pairs[:, 1] - pairs[:, 0])
    near = wilson(int(np.count_nonzero(gap <= NEAR)), len(gap))
    return RepeatedCounts(
        mean_absolute_error=count_error(*pairs.T).mean_absolute_error,
        within_one=Estimate(
            near.value, note, near.low, near.high, len(gap), "share within one image; wilson"
        ),
        icc=intraclass(pairs).icc_2_1,
        repeatability=Estimate(
            1.96 * math.sqrt(float(np.square(gap).mean())), note, n=len(gap), method="1.96 sqrt(mean d^2)"
        ),
    )


def within_one_sums(first: Floats, second: Floats) -> UnitSums:
    """Share of pairs that differ by one image at most, as sums over units; nan is missing.

    Examples
    --------
    >>> within_one_sums(np.array([3.0, 7.0, np.nan]), np.array([4.0, 5.0, 1.0])).value()
    0.5
    """
    both = np.isfinite(first) & np.isfinite(second)
    near = both & (np.abs(np.nan_to_num(first) - np.nan_to_num(second)) <= NEAR)
    terms = np.column_stack([both, near]).astype(np.float64)
    return UnitSums(terms, lambda sums: sums[:, 1] / sums[:, 0])
