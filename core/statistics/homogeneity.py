"""Does a label's prevalence differ between conditions? Pearson's test on the 2 × C table, and the exact one.

Images with and without the label, by condition. A label in every image or in none cannot show a
difference: statistic 0, p 1, status "degenerate_…", kept in the table and out of the family of tests.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from core.statistics.arrays import Floats, Ints, condition_counts
from core.statistics.exact import TOO_FEW, exact_law

STATUSES = ("ok", "sparse", "degenerate_all", "degenerate_none", "undefined")
OK, SPARSE, DEGENERATE_ALL, DEGENERATE_NONE, UNDEFINED = range(5)


@dataclass(frozen=True, slots=True)
class Homogeneity:
    """Result of the test for one label.

    `status` is "ok", "sparse" (small expected counts: read `p_exact`), "degenerate_all", "degenerate_none"
    or "undefined". `p_min` is the smallest exact p that these margins allow. Undefined numbers are None;
    `reason` says why.
    """

    chi2: float | None
    df: int | None
    p: float | None
    p_exact: float | None
    p_min: float | None
    status: str
    reason: str
    n: int


def homogeneity(x: npt.ArrayLike, n: npt.ArrayLike) -> Homogeneity:
    """Test whether the conditions share one prevalence.

    Parameters
    ----------
    x, n : array_like of int, shape (C,)
        Images that show the label, and images with a usable record, per condition. A condition without
        images is left out and the degrees of freedom fall.

    Returns
    -------
    Homogeneity
        Without continuity correction.

    Raises
    ------
    ValueError
        Counts that are not whole or not within 0 … n.

    References
    ----------
    .. [1] Pearson, K. (1900). On the criterion that a given system of deviations … Philosophical Magazine
       50, 157-175; Agresti (2007), An Introduction to Categorical Data Analysis, sec. 2.4.
    .. [2] Cochran, W. G. (1954). Some methods for strengthening the common chi-squared tests. Biometrics
       10, 417-451 (expected counts).

    Examples
    --------
    >>> result = homogeneity([19, 50, 60], [20, 50, 60])
    >>> round(result.chi2, 4), round(result.p, 4), round(result.p_exact, 4), result.status
    (5.5426, 0.0626, 0.1538, 'sparse')
    """
    shown, images = condition_counts(x, n)
    tests = homogeneity_tests(shown[None, :], images[None, :])
    status = int(tests.status[0])
    total = int(images.sum())
    if status == UNDEFINED:
        return Homogeneity(None, None, None, None, None, STATUSES[status], TOO_FEW, total)
    exact, least = (None if np.isnan(value[0]) else float(value[0]) for value in (tests.p_exact, tests.p_min))
    reason = "" if exact is not None else "too many tables for the exact test"
    p, statistic = float(tests.p[0]), float(tests.chi2[0])
    return Homogeneity(statistic, int(tests.df[0]), p, exact, least, STATUSES[status], reason, total)


@dataclass(frozen=True, slots=True)
class HomogeneityTests:
    """The tests of many labels; `status` holds positions in `STATUSES`, undefined numbers are nan (df 0)."""

    chi2: Floats
    df: Ints
    p: Floats
    p_exact: Floats
    p_min: Floats
    status: Ints


def homogeneity_tests(x: Ints, n: Ints) -> HomogeneityTests:
    """`homogeneity` of each row of x and n, shape (T, C): margins that repeat are enumerated once.

    Examples
    --------
    >>> tests = homogeneity_tests(np.array([[20, 50, 60]]), np.array([[20, 50, 60]]))
    >>> tests.chi2.item(), tests.p.item(), STATUSES[tests.status.item()]
    (0.0, 1.0, 'degenerate_all')
    """
    total, images = x.sum(axis=1), n.sum(axis=1)
    df = np.count_nonzero(n, axis=1) - 1
    undefined = df < 1
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (total / images)[:, None]
        gap = (x - n * share) ** 2 / (n * share * (1 - share))  # [1], both rows of a column together
    degenerate = (total == 0) | (total == images)
    statistic = np.where(degenerate, 0.0, np.nansum(gap, axis=1))
    p = np.where(degenerate, 1.0, chdtrc(np.maximum(df, 1), statistic))
    p_exact, p_min = _exact(x, n)
    status = np.select(
        [undefined, total == 0, total == images, _is_sparse(n, share)],
        [UNDEFINED, DEGENERATE_NONE, DEGENERATE_ALL, SPARSE],
        OK,
    )
    for numbers in (statistic, p, p_exact, p_min):
        numbers[undefined] = np.nan
    return HomogeneityTests(statistic, np.maximum(df, 0), p, p_exact, p_min, status.astype(np.int64))


def _is_sparse(n: Ints, share: Floats) -> npt.NDArray[np.bool_]:
    """[2]: an expected count below 1, or more than a fifth of them below 5."""
    expected = np.concatenate([n * share, n * (1 - share)], axis=1)
    counted = np.concatenate([n, n], axis=1) > 0
    with np.errstate(invalid="ignore"):
        low = counted & (expected < 1)
        small = np.count_nonzero(counted & (expected < 5), axis=1)
    return np.asarray(low.any(axis=1) | (5 * small > np.count_nonzero(counted, axis=1)), dtype=np.bool_)


def _exact(x: Ints, n: Ints) -> tuple[Floats, Floats]:
    """Exact p and the least attainable p; nan where there are too many tables."""
    order = np.argsort(n, axis=1, kind="stable")
    x, n = np.take_along_axis(x, order, axis=1), np.take_along_axis(n, order, axis=1)
    margins = np.column_stack([n, x.sum(axis=1)])
    kinds, group = np.unique(margins, axis=0, return_inverse=True)
    members = np.argsort(group.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(group.ravel(), minlength=len(kinds)))
    p, least = np.full(len(x), np.nan), np.full(len(x), np.nan)
    for number, kind in enumerate(kinds):
        rows = members[ends[number - 1] if number else 0 : ends[number]]
        law = exact_law(tuple(int(size) for size in kind[:-1]), int(kind[-1]))
        if law is not None:
            p[rows], least[rows] = law.p(x[rows])
    return p, least
