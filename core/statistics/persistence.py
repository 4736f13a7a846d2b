"""Persistence: how much the prevalence of a label moves over the conditions, and the CCS made of it.

CCS = prevalence / (1 + range). The range of a label that does not change at all is not 0 but sampling
noise, so the CCS of a perfectly stable label at 95 % is about 17: never read it without its interval and
without `core.statistics.stability`, the value that a stable label would have with the same numbers of images.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Bools, Floats, Ints, condition_counts
from core.statistics.estimate import Estimate, undefined
from core.statistics.prevalence import NO_IMAGES, pooled_prevalence
from core.statistics.proportion import newcombe_limits, wilson_limits

MIN_SUPPORT = 5
"""Images with the label, over all conditions, below which a CCS is not given (the paper's constant)."""

PAPER_RANGE_PP = 5
PAPER_ALPHA = 0.05

ABSENT = "label never seen"
MISSING_CONDITION = "label not seen in every condition"
LOW_SUPPORT = f"fewer than {MIN_SUPPORT} images with the label"
REASONS = ("", NO_IMAGES, ABSENT, MISSING_CONDITION, LOW_SUPPORT)


def range_pp(x: npt.ArrayLike, n: npt.ArrayLike) -> Estimate:
    """Largest minus smallest prevalence over the conditions, in percentage points.

    Parameters
    ----------
    x, n : array_like of int, shape (C,)
        Images that show the label, and images with a usable record, per condition.

    Returns
    -------
    Estimate
        0..100; undefined when a condition has no usable image.

    Raises
    ------
    ValueError
        Counts that are not whole or not within 0 … n.

    Notes
    -----
    Kolli et al., ContextBias, eq. 3.

    Examples
    --------
    >>> range_pp([20, 50, 57], [20, 50, 60]).value
    5.0
    """
    shown, images = condition_counts(x, n)
    value = ranges_pp(shown[None, :], images[None, :])[0]
    total = int(images.sum())
    return undefined(NO_IMAGES, n=total) if np.isnan(value) else Estimate(float(value), n=total)


def ranges_pp(x: Ints, n: Ints) -> Floats:
    """`range_pp` of each row, shape (T, C) to (T,); nan where a condition has no image.

    Examples
    --------
    >>> ranges_pp(np.array([[1, 2]]), np.array([[2, 2]])).tolist()
    [50.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = 100.0 * x / n  # one division: 100 * 57 / 60 is 95 exactly, 57 / 60 is not
    if not shares.shape[1]:
        return np.full(len(shares), np.nan)
    return np.asarray(np.max(shares, axis=1) - np.min(shares, axis=1), dtype=np.float64)  # eq. 3


def ranges_at_most(x: Ints, n: Ints, pp: int = PAPER_RANGE_PP) -> Bools:
    """Whether the range of each row is at most `pp` points, in whole numbers: 57 of 60 against 60 of 60 is.

    Examples
    --------
    >>> ranges_at_most(np.array([[19, 50, 60], [20, 50, 56]]), np.array([[20, 50, 60]] * 2)).tolist()
    [True, False]
    """
    within = np.ones(len(x), dtype=bool)
    for one in range(x.shape[1]):
        for other in range(one):
            gap = 100 * np.abs(x[:, one] * n[:, other] - x[:, other] * n[:, one])
            within &= gap <= pp * n[:, one] * n[:, other]
    return within


def ccs(x: npt.ArrayLike, n: npt.ArrayLike, *, min_support: int = MIN_SUPPORT) -> Estimate:
    """Context Consistency Score of one label: prevalence in percent over (1 + range in points).

    Parameters
    ----------
    x, n : array_like of int, shape (C,)
        Images that show the label, and images with a usable record, per condition.
    min_support : int
        Images with the label below which no score is given.

    Returns
    -------
    Estimate
        0..100. Undefined when a condition has no usable image, when the label is absent from a condition,
        and below `min_support`. For the interval see `ccs_score_limits` and `core.statistics.resampling`.

    Raises
    ------
    ValueError
        Counts that are not whole or not within 0 … n.

    Notes
    -----
    Kolli et al., ContextBias, eq. 4: "defined only for labels observed in all three conditions with
    sufficient support".

    Examples
    --------
    >>> round(ccs([20, 48, 60], [20, 50, 60]).value, 1)
    19.7
    >>> ccs([0, 25, 30], [20, 50, 60]).reason
    'label not seen in every condition'
    """
    shown, images = condition_counts(x, n)
    code = int(ccs_reasons(shown[None, :], images[None, :], min_support)[0])
    total = int(images.sum())
    if code:
        reason = REASONS[code] if min_support == MIN_SUPPORT or code != 4 else _too_few(min_support)
        return undefined(reason, n=total)
    return Estimate(float(scores(shown[None, :], images[None, :])[0]), n=total)


def scores(x: Ints | Floats, n: Ints | Floats) -> Floats:
    """The CCS formula for conditions on the last axis, whether or not the score is defined there.

    Examples
    --------
    >>> scores(np.array([20, 50, 60]), np.array([20, 50, 60])).item()
    100.0
    """
    axis = range(x.shape[-1])
    return running_scores([x[..., one] for one in axis], [n[..., one] for one in axis])


def running_scores(x: Sequence[Ints | Floats], n: Sequence[Ints | Floats]) -> Floats:
    """`scores` with one array a condition: no copy of a large table of draws is made.

    Examples
    --------
    >>> running_scores([np.array([20]), np.array([25])], [np.array([20]), np.array([50])]).round(2).tolist()
    [1.26]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        top = bottom = 100.0 * x[0] / n[0]
        for shown, images in zip(x[1:], n[1:], strict=True):
            share = 100.0 * shown / images
            top, bottom = np.maximum(top, share), np.minimum(bottom, share)
        pooled = 100.0 * sum(x[1:], x[0]) / sum(n[1:], n[0])  # eq. 2
        return np.asarray(pooled / (1.0 + (top - bottom)), dtype=np.float64)  # eq. 3 and 4


def ccs_reasons(x: Ints, n: Ints, min_support: int = MIN_SUPPORT) -> Ints:
    """Per row, the position in `REASONS` of why its CCS is undefined; 0 where it is defined.

    Examples
    --------
    >>> ccs_reasons(np.array([[0, 0, 0], [9, 9, 9]]), np.array([[9, 9, 9]] * 2)).tolist()
    [2, 0]
    """
    total = x.sum(axis=1)
    tests = [(n == 0).any(axis=1), total == 0, (x == 0).any(axis=1), total < min_support]
    return np.asarray(np.select(tests, [1, 2, 3, 4], 0), dtype=np.int64)


def mean_ccs(values: Sequence[Estimate]) -> Estimate:
    """Mean of the CCS of several generators, unrounded, over those where it is defined.

    Parameters
    ----------
    values : sequence of Estimate
        One a generator.

    Returns
    -------
    Estimate
        `n` is the number of generators with a value; the reason names how many have none.

    Notes
    -----
    Kolli et al., ContextBias, eq. 5.

    Examples
    --------
    >>> mean_ccs([Estimate(100.0), Estimate(50.0)]).value
    75.0
    """
    defined = [one.value for one in values if one.value is not None]
    missing = len(values) - len(defined)
    reason = f"undefined for {missing} of {len(values)} generators" if missing else ""
    if not defined:
        return undefined(reason or "no generator", method="mean over generators")
    return Estimate(sum(defined) / len(defined), reason, n=len(defined), method="mean over generators")


def ccs_score_limits(
    x: Ints,
    n: Ints,
    *,
    level: float = 0.95,
    design_effect: npt.ArrayLike = 1.0,
    of_total: npt.ArrayLike | None = None,
) -> tuple[Floats, Floats]:
    """Limits of CCS from score intervals, where a bootstrap would collapse or has too few prompts.

    Parameters
    ----------
    x, n : ndarray of int, shape (T, C)
        Images that show the label, and images with a usable record; T labels, C conditions.
    level : float
        Confidence.
    design_effect : array_like, shape (T,) or ()
        Clustering of the images by prompt.
    of_total : array_like, shape (T,) or (), optional
        That of the prevalence over all conditions where it is another, as where prompts share seeds.

    Returns
    -------
    low, high : ndarray, shape (T,)
        Smallest prevalence over largest range, and largest over smallest: prevalence within its Wilson
        limits, range within the Newcombe limits of the pairwise differences. Both hold at the level by
        themselves, so together the interval is on the safe side. The smallest range asks all pairs at once
        (Bonferroni): a label that is the same everywhere must not look changed because there are three
        pairs. nan where a condition has no image.

    Examples
    --------
    Nothing but hits is still far from certain to be stable:

    >>> low, high = ccs_score_limits(np.array([[20, 50, 60]]), np.array([[20, 50, 60]]))
    >>> round(low.item()), high.item()
    (6, 100.0)
    """
    effect = np.broadcast_to(np.asarray(design_effect, dtype=np.float64), (len(x),))
    total, images = x.sum(axis=1), n.sum(axis=1)
    whole = effect if of_total is None else np.broadcast_to(np.asarray(of_total, np.float64), (len(x),))
    least, most = wilson_limits(total, images, level=level, design_effect=whole)
    narrow, wide = np.zeros(len(x)), np.zeros(len(x))
    pairs = list(combinations(range(x.shape[1]), 2))
    for one, other in pairs:
        pair = (x[:, one], n[:, one], x[:, other], n[:, other])
        low, high = newcombe_limits(*pair, level=level, design_effect=effect)
        wide = np.maximum(wide, np.maximum(np.abs(low), np.abs(high)))
        low, high = newcombe_limits(*pair, level=1 - (1 - level) / len(pairs), design_effect=effect)
        narrow = np.maximum(narrow, np.maximum(low, -high))
    return 100 * least / (1 + 100 * wide), 100 * most / (1 + 100 * narrow)


def invariant_paper(x: npt.ArrayLike, n: npt.ArrayLike, p: float) -> bool | None:
    """The paper's rule: enough images, p above .05 and a range of at most 5 points; None without images.

    Parameters
    ----------
    x, n : array_like of int, shape (C,)
        As in `ccs`.
    p : float
        Asymptotic p of the test of homogeneity.

    Notes
    -----
    Kept for comparison. At these numbers of images p <= .05 never occurs together with so small a range:
    the rule is the threshold alone, and a stable label at 95 % fails it half of the time. See
    `core.statistics.equivalence` for a verdict that knows when the data do not suffice.

    Examples
    --------
    >>> invariant_paper([19, 50, 60], [20, 50, 60], p=0.0626)
    True
    """
    shown, images = condition_counts(x, n)
    if not pooled_prevalence(shown, images).is_defined:
        return None
    enough = int(shown.sum()) >= MIN_SUPPORT
    return enough and p > PAPER_ALPHA and bool(ranges_at_most(shown[None, :], images[None, :])[0])


def _too_few(min_support: int) -> str:
    return f"fewer than {min_support} images with the label"
