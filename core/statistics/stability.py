"""The CCS of a label that does not change: what to hold an observed CCS against.

The range of counts is above 0 even where the prevalence is the same in all conditions, so the CCS of a
stable label is far below its prevalence, and the further the fewer images there are.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import xlog1py, xlogy

from core.statistics.arrays import Floats, Ints
from core.statistics.estimate import Estimate, undefined
from core.statistics.exact import log_choices
from core.statistics.persistence import MIN_SUPPORT
from core.statistics.prevalence import NO_IMAGES

_MOST_CELLS = 300_000


def ccs_if_stable(total: int, n: npt.ArrayLike, *, min_support: int = MIN_SUPPORT) -> Estimate:
    """CCS that a label is expected to get if its prevalence is the same in all conditions.

    Parameters
    ----------
    total : int
        Images with the label over all conditions; their share of all images is the prevalence.
    n : array_like of int, shape (C,)
        Images per condition.
    min_support : int
        As in `ccs`.

    Returns
    -------
    Estimate
        Mean of the score over independent binomial counts, given that it is defined. Undefined without
        images in a condition, and when no draw has a defined score.

    Notes
    -----
    Summed over all outcomes but the outermost 1e-4 of each binomial, to six digits; with more than 300,000
    outcomes each binomial is stood for by 64 equally likely quantiles.

    Examples
    --------
    A label that shows in 95 % of the images and never changes:

    >>> round(ccs_if_stable(123, [20, 50, 60]).value)
    17
    """
    images = np.asarray(n, dtype=np.int64)
    whole = int(images.sum())
    if whole == 0 or (images == 0).any():
        return undefined(NO_IMAGES, n=whole)
    if not 0 <= total <= whole:
        raise ValueError("total must be within 0 … sum n")
    value = _stable_score(tuple(sorted(int(size) for size in images)), total, min_support)
    if value is None:
        return undefined("a stable label of this prevalence has no defined score", n=whole)
    return Estimate(value, n=whole, method="binomial expectation")


def stable_scores(total: Ints, n: Ints) -> Floats:
    """`ccs_if_stable` of each row, (T,) and (T, C) to (T,); nan where there is none or total is negative.

    Examples
    --------
    >>> stable_scores(np.array([3, -1]), np.array([[1, 1, 1], [1, 1, 1]])).tolist()
    [nan, nan]
    """
    kinds, group = np.unique(np.column_stack([np.sort(n, axis=1), total]), axis=0, return_inverse=True)
    values = [
        None if shown < 0 or sizes[0] == 0 else _stable_score(tuple(sizes), shown, MIN_SUPPORT)
        for *sizes, shown in kinds.tolist()
    ]
    numbers = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return numbers[group.ravel()] if numbers.size else np.zeros(0)


@lru_cache(maxsize=100_000)
def _stable_score(n: tuple[int, ...], total: int, min_support: int) -> float | None:
    p, images = total / sum(n), sum(n)
    laws = [_binomial(size, p) for size in n]
    if float(np.prod([float(len(values)) for values, _ in laws])) > _MOST_CELLS:
        laws = [_quantiles(size, p) for size in n]
    # undefined where a condition has none: those counts are left out of the sums
    laws = [(values[values > 0], mass[values > 0]) for values, mass in laws]
    if any(values.size == 0 for values, _ in laws):
        return None
    shown, weight = laws[0]
    top = bottom = 100.0 * shown / n[0]
    for (values, masses), size in zip(laws[1:-1], n[1:-1], strict=True):
        share = 100.0 * values / size
        top, bottom = np.maximum.outer(top, share).ravel(), np.minimum.outer(bottom, share).ravel()
        shown, weight = np.add.outer(shown, values).ravel(), np.multiply.outer(weight, masses).ravel()
    last, mass = laws[-1]
    share = (100.0 * last / n[-1]).astype(np.float32)  # six digits of an expectation are enough
    factor = np.maximum.outer(top.astype(np.float32), share)
    factor -= np.minimum.outer(bottom.astype(np.float32), share)
    factor += 1.0
    np.reciprocal(factor, out=factor)  # 1 / (1 + range) of every outcome
    if float(sum(values[0] for values, _ in laws)) < min_support:
        enough = np.add.outer(shown, last) >= min_support
        defined = float((weight * np.einsum("ij,j->i", enough, mass)).sum())
        factor *= enough
    else:
        defined = float(weight.sum() * mass.sum())
    if defined < 1e-12:
        return None
    # prevalence is linear in the last count, so the last condition is summed by two products
    value = weight * shown * np.einsum("ij,j->i", factor, mass.astype(np.float32))
    value += weight * np.einsum("ij,j->i", factor, (mass * last).astype(np.float32))
    return float(100.0 / images * value.sum() / defined)


def _binomial(n: int, p: float) -> tuple[Floats, Floats]:
    """Counts worth a thought and their probabilities: all but the outermost 1e-4 on either side."""
    k = np.arange(n + 1, dtype=np.float64)
    mass = np.exp(log_choices(n) + xlogy(k, p) + xlog1py(n - k, -p))
    first, last = np.searchsorted(np.cumsum(mass), [1e-4, 1 - 1e-4])
    return k[first : last + 1], np.asarray(mass[first : last + 1], dtype=np.float64)


def _quantiles(n: int, p: float, size: int = 64) -> tuple[Floats, Floats]:
    middles = (np.arange(size) + 0.5) / size
    values, mass = _binomial(n, p)
    place = np.searchsorted(np.cumsum(mass) / mass.sum(), middles)
    return values[np.minimum(place, len(values) - 1)], np.full(size, 1 / size)
