"""Entropy at matched support: what the plug-in would be expected to give with fewer images.

Conditions with different numbers of images cannot be compared by plug-in entropy. Here each is brought
down to the same number m without drawing at random: the expectation over all samples of m without
replacement is a sum over the hypergeometric law, one label at a time.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, xlogy

from core.statistics.arrays import Floats, Ints, counts_array

EXACT_BELOW = 20.0
"""In `SupportTable`: expected counts below this are summed exactly, larger ones by moments."""

_BLOCK = 1_000_000


def matched_entropies(counts: npt.ArrayLike, m: npt.ArrayLike) -> Floats:
    """Expected plug-in entropy of m draws without replacement from each row of counts.

    Parameters
    ----------
    counts : array_like of int, shape (..., K)
        Images or mentions per label; a row sums to n.
    m : array_like of int, shape (...)
        Size to bring each row to, 1 <= m <= n. With m = n the result is the plug-in entropy.

    Returns
    -------
    ndarray, shape (...)
        Nats; nan in a row without any count.

    Raises
    ------
    ValueError
        A count that is not a whole number, or an m outside 1 … n.

    Notes
    -----
    With x of n images showing a label, Y of the m drawn ones do, Y hypergeometric(n, x, m), and the label
    contributes E[-(Y / m) log(Y / m)]; the labels add up [1]_. Deterministic, O(K m).

    References
    ----------
    .. [1] Chao, A., Wang, Y. T. & Jost, L. (2013). Entropy and the species accumulation curve. Methods in
       Ecology and Evolution 4, 1091-1100, eq. 3.

    Examples
    --------
    Two of four images show the label; of two drawn, both orders of (1, 1) give log 2, (2, 0) gives 0:

    >>> round(float(matched_entropies([2, 2], 2)), 6), round(4 / 6 * np.log(2), 6).item()
    (0.462098, 0.462098)
    """
    x = counts_array(counts)
    if np.any(x != np.rint(x)):
        raise ValueError("matched support needs whole counts")
    total = x.sum(axis=-1)
    size = np.broadcast_to(np.asarray(m, dtype=np.float64), total.shape)
    if np.any((total > 0) & ((size < 1) | (size > total))):
        raise ValueError("m must be within 1 … n")
    expected = _expected_xlogx(x, total[..., None], size[..., None]).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = np.log(size) - expected / size
    entropy = np.where(entropy < 1e-11, 0.0, entropy)  # a single label, but for rounding
    return np.asarray(np.where(total > 0, entropy, np.nan), dtype=np.float64)


def _expected_xlogx(x: Floats, n: Floats, m: Floats) -> Floats:
    """E[Y log Y] for Y hypergeometric(n, x, m), each distinct (x, n, m) once; arrays of one shape after
    broadcasting."""
    x, n, m = np.broadcast_arrays(x, n, m)
    result = np.zeros(x.shape)
    used = (x > 0) & (m > 1)
    width, top = float(n.max(initial=0)) + 1, float(x.max(initial=0)) + 1
    sizes, size = np.unique(n[used] * width + m[used], return_inverse=True)  # exact below 2**53
    kinds, back = np.unique(size.ravel() * top + x[used], return_inverse=True)
    place, shown = np.divmod(kinds, top)
    images, drawn = np.divmod(sizes[place.astype(np.int64)], width)
    result[used] = _sum_over_law(shown, images, drawn)[back.ravel()]
    return result


def _sum_over_law(x: Floats, n: Floats, m: Floats, far: float = np.inf) -> Floats:
    """E[Y log Y] of each whole (x, n, m), leaving out y above `far`; blocks of rows with alike ranges."""
    most = np.minimum(np.minimum(x, m), far).astype(np.int64)
    order = np.argsort(most, kind="stable")
    factorial = gammaln(np.arange(int(n.max(initial=0)) + 2, dtype=np.float64) + 1)
    total = np.empty(x.shape)
    start = 0
    while start < len(order):
        stop = start + max(1, _BLOCK // (int(most[order[start]]) + 64))
        rows = order[start:stop]
        y = np.arange(2, int(most[rows[-1]]) + 1)  # 1 log 1 = 0
        shown, images, drawn = (part[rows, None].astype(np.int64) for part in (x, n, m))
        # summed by numpy itself: a matrix product may round otherwise on another number of processors
        total[rows] = (_law(y, shown, images, drawn, factorial) * (y * np.log(y))).sum(axis=1)
        start = stop
    return total


def _law(y: Ints, x: Ints, n: Ints, m: Ints, factorial: Floats) -> Floats:
    """P(Y = y), Y hypergeometric: x of n show the label, m are drawn; `factorial` holds log k!."""
    possible = (y <= x) & (y <= m) & (m - y <= n - x)
    shown = np.where(possible, y, np.maximum(m - n + x, 0))
    log_p = (
        (factorial[x] + factorial[n - x] + factorial[m] + factorial[n - m] - factorial[n])
        - factorial[shown] - factorial[x - shown] - factorial[m - shown] - factorial[n - x - m + shown]
    )  # fmt: skip
    return np.asarray(np.where(possible, np.exp(log_p), 0.0), dtype=np.float64)


class SupportTable:
    """E[Y log Y] for every count that occurs in some draws, at a fixed share of the images: fast enough for
    a bootstrap.

    In a bootstrap the number of images n differs a little between draws while the share `m / n` that is
    drawn stays that of the data. For a count x the expectation is close to linear in 1 / n, so the table
    keeps the line through its values at the smallest n that can hold x and at the largest n.

    Parameters
    ----------
    share : float
        m / n, above 0 and at most 1.
    counts : ndarray of int, shape (R, K)
        Counts per draw and label; those that occur are the ones that can be looked up.

    Notes
    -----
    Expected counts below `EXACT_BELOW` are summed over the law; above, the expectation is a series in the
    central moments up to the fourth, with an error in entropy under 1e-6.

    Examples
    --------
    >>> counts = np.array([[2, 2]])
    >>> round(float(SupportTable(0.5, counts).entropies(counts)[0]), 6)
    0.462098
    """

    def __init__(self, share: float, counts: Ints) -> None:
        self._share = share
        total = counts.sum(axis=1)
        some = total[total > 0]
        occurs = np.flatnonzero(np.bincount(counts.ravel(), minlength=1))
        x = occurs.astype(np.float64)
        high_end = np.full(x.shape, float(some.max(initial=1)))
        low_end = np.maximum(float(some.min(initial=high_end[0])), x)
        low, high = _expectations(x, low_end, share), _expectations(x, high_end, share)
        apart = low_end < high_end
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = np.where(apart, (low - high) / (1 / low_end - 1 / high_end), 0.0)
        self._slope, self._level = np.zeros(occurs[-1] + 1), np.zeros(occurs[-1] + 1)
        self._slope[occurs], self._level[occurs] = slope, high - slope / high_end

    def entropies(self, counts: Ints) -> Floats:
        """Matched entropy of each row of whole counts, shape (R, K) to (R,); nan for an empty row."""
        total = counts.sum(axis=1).astype(np.float64)
        some = np.maximum(total, 1.0)
        size = self._share * some
        expected = self._level[counts].sum(axis=1)
        if self._slope.any():
            expected += self._slope[counts].sum(axis=1) / some
        entropy = np.maximum(np.log(size) - expected / size, 0.0)
        return np.asarray(np.where(total > 0, entropy, np.nan), dtype=np.float64)


def _expectations(x: Floats, n: Floats, share: float) -> Floats:
    if share >= 1:
        return np.asarray(xlogy(x, x), dtype=np.float64)
    split = int(np.searchsorted(x * share, EXACT_BELOW))
    few = _by_summing(x[:split], n[:split], share)
    return np.concatenate([few, _by_moments(x[split:], n[split:], share)])


def _by_summing(x: Floats, n: Floats, share: float) -> Floats:
    """Summed over the law; for an m that is not whole, between the two whole numbers beside it."""
    far = EXACT_BELOW + 14 * EXACT_BELOW**0.5  # fourteen standard deviations above
    below = np.floor(share * n)
    above = np.minimum(below + 1, n)
    part = share * n - below
    return (1 - part) * _sum_over_law(x, n, below, far) + part * _sum_over_law(x, n, above, far)


def _by_moments(x: Floats, n: Floats, share: float) -> Floats:
    """The series of E[Y log Y] around the mean, to the fourth central moment of the hypergeometric law."""
    p, m, mean = x / n, share * n, share * x
    variance = mean * (1 - p) * (n - m) / (n - 1)
    third = variance * (1 - 2 * p) * (n - 2 * m) / (n - 2)
    inner = n * (n + 1) - 6 * x * (n - x) - 6 * m * (n - m)
    fourth = 3 * variance**2 + (variance * inner + variance**2 * 6 * (5 * n - 6)) / ((n - 2) * (n - 3))
    series = variance / (2 * mean) - third / (6 * mean**2) + fourth / (12 * mean**3)
    return np.asarray(xlogy(mean, mean) + series, dtype=np.float64)
