"""Many tests at once: the Benjamini–Hochberg rate within a family, and Tarone's filter before it.

With few images a test may be unable to reach the level whatever the data say. Such a test costs power in
the family and can give nothing, so it is taken out first; it stays in the table without an adjusted p.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Bools, Floats


def benjamini_hochberg(p: npt.ArrayLike) -> Floats:
    """Adjusted p of one family of tests, in the order given.

    Parameters
    ----------
    p : array_like, shape (T,)
        p of each test; nan for a test that is undefined.

    Returns
    -------
    ndarray, shape (T,)
        The smallest rate of false discoveries at which a test is rejected. nan stays nan and is not
        counted among the tests.

    Raises
    ------
    ValueError
        A p outside 0 … 1.

    References
    ----------
    .. [1] Benjamini, Y. & Hochberg, Y. (1995). Controlling the false discovery rate. JRSS B 57, 289-300.

    Examples
    --------
    >>> benjamini_hochberg([0.01, float("nan"), 0.04, 0.03]).round(3).tolist()
    [0.03, nan, 0.04, 0.04]
    """
    given = np.asarray(p, dtype=np.float64)
    if given.ndim != 1 or np.any((given < 0) | (given > 1)):
        raise ValueError("p must be one row of numbers within 0 … 1")
    adjusted = np.full(given.shape, np.nan)
    defined = np.flatnonzero(~np.isnan(given))
    if defined.size == 0:
        return adjusted
    order = defined[np.argsort(-given[defined], kind="stable")]
    m = len(order)
    scaled = given[order] * m / np.arange(m, 0, -1)  # [1] eq. 1: p(i) m / i, from the largest down
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled), 1.0)
    return adjusted


def can_reach(p_min: npt.ArrayLike, *, alpha: float = 0.05) -> Bools:
    """Which tests of one family can contribute at all, by the smallest p that each can reach.

    Parameters
    ----------
    p_min : array_like, shape (T,)
        Smallest attainable p of each test given its margins; nan for an undefined test.
    alpha : float
        Level of the family.

    Returns
    -------
    ndarray of bool, shape (T,)
        Tests to keep, the same number whichever order they are given in.

    Notes
    -----
    The choice rests on the margins alone, so whatever is tested afterwards keeps its level [1]_ [2]_.
    Gilbert keeps the tests that reach alpha / k, with k of `tarone_bound`. Here only those go that could
    not reach alpha even if they stood alone: one rule per test, so that no test leaves the family
    because another one joined it.

    References
    ----------
    .. [1] Tarone, R. E. (1990). A modified Bonferroni method for discrete data. Biometrics 46, 515-522.
    .. [2] Gilbert, P. B. (2005). A modified false discovery rate multiple-comparisons procedure for
       discrete data. JRSS C 54, 143-158.

    Examples
    --------
    One deviating image among 20, 50 and 60 cannot give a p below .154:

    >>> can_reach([0.154, 0.0032]).tolist()
    [False, True]
    """
    smallest = np.asarray(p_min, dtype=np.float64)
    return np.asarray(np.nan_to_num(smallest, nan=np.inf) <= alpha, dtype=np.bool_)


def tarone_bound(p_min: npt.ArrayLike, *, alpha: float = 0.05) -> int:
    """Tarone's number of tests to correct for: the smallest k with at most k tests reaching alpha / k.

    Parameters
    ----------
    p_min : array_like, shape (T,)
        Smallest attainable p of each test; nan for an undefined test.
    alpha : float
        Familywise level.

    Returns
    -------
    int
        k, at least 1. A test is significant familywise at alpha when its p is at most alpha / k.

    References
    ----------
    .. [1] Tarone, R. E. (1990). A modified Bonferroni method for discrete data. Biometrics 46, 515-522.

    Examples
    --------
    >>> tarone_bound([0.2, 0.02, 0.02, 0.001])
    3
    """
    smallest = np.asarray(p_min, dtype=np.float64)
    smallest = smallest[~np.isnan(smallest)]
    k = 1
    while np.count_nonzero(smallest <= alpha / k) > k:  # [1] p. 517: m(k) <= k
        k += 1
    return k
