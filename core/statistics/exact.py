"""Exact test of homogeneity (Fisher–Freeman–Halton), by enumeration: the same p on every call.

With the margins fixed, a table is as likely as its hypergeometric probability, and p is the share of all
tables that are no more likely than the one seen. For two rows and three conditions there are at most
(n1 + 1)(n2 + 1) tables, which depend only on (n, total): computed once for all labels with the same margins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from core.statistics.arrays import Floats, Ints, condition_counts, counts_array
from core.statistics.estimate import Estimate, undefined

LIMIT = 250_000
"""More tables than this are not enumerated."""

TIE = 1e-7
"""Tables this close in probability, relatively, count as equally likely."""

TOO_MANY = "too many tables to enumerate"
TOO_FEW = "fewer than two conditions with images"


@dataclass(frozen=True, slots=True)
class ExactLaw:
    """Probability of every table with margins n and total, in no particular order."""

    n: tuple[int, ...]
    total: int
    probability: Floats

    def p(self, x: Ints) -> tuple[Floats, float]:
        """Exact p of tables with these margins (counts in the order of n, shape (T, C)), and the least p."""
        log_p = -log_choices(sum(self.n))[self.total]
        for size, shown in zip(self.n, x.T, strict=True):
            log_p = log_p + log_choices(size)[shown]
        tails = self._tails(np.append(np.exp(log_p), self.probability.min()) * (1 + TIE))
        return tails[:-1], float(tails[-1])

    def _tails(self, bounds: Floats) -> Floats:
        """Total probability of the tables that are no more likely than each bound."""
        every = self.probability
        if len(bounds) < 6:  # adding up is quicker than sorting
            sums = np.array([every[every <= bound].sum() for bound in bounds], dtype=np.float64)
        else:
            ordered = np.sort(every)
            sums = np.append(0.0, np.cumsum(ordered))[np.searchsorted(ordered, bounds, side="right")]
        return np.asarray(np.minimum(sums / every.sum(), 1.0), dtype=np.float64)


def exact_homogeneity(x: npt.ArrayLike, n: npt.ArrayLike) -> Estimate:
    """Exact p of the table of images with and without a label, by condition.

    Parameters
    ----------
    x, n : array_like of int, shape (C,)
        Images that show the label, and images looked at, per condition. Conditions without images are
        left out.

    Returns
    -------
    Estimate
        p; undefined with fewer than two conditions, or with more than `LIMIT` tables.
        `low` is the smallest p that these margins allow.

    Raises
    ------
    ValueError
        Counts that are not whole or not within 0 … n.

    References
    ----------
    .. [1] Freeman, G. H. & Halton, J. H. (1951). Note on an exact treatment of contingency,
       goodness of fit and other problems of significance. Biometrika 38, 141-149.

    Examples
    --------
    One deviating image; no outcome with these margins has a smaller p:

    >>> result = exact_homogeneity([19, 50, 60], [20, 50, 60])
    >>> round(result.value, 4), round(result.low, 4)
    (0.1538, 0.1538)
    """
    shown, images = condition_counts(x, n)
    shown, images = shown[images > 0], images[images > 0]
    if images.size < 2:
        return undefined(TOO_FEW, method="freeman_halton")
    order = np.argsort(images, kind="stable")
    margin = tuple(int(size) for size in images[order])
    law = exact_law(margin, int(shown.sum()))
    if law is None:
        return undefined(TOO_MANY, n=int(images.sum()), method="freeman_halton")
    p, least = law.p(shown[order][None, :])
    return Estimate(float(p[0]), low=least, n=int(images.sum()), method="freeman_halton")


def exact_law(n: tuple[int, ...], total: int) -> ExactLaw | None:
    """Probabilities of all tables with these margins; None above `LIMIT` tables, or without a condition.

    Parameters
    ----------
    n : tuple of int
        Images per condition, ascending, so that the last and largest one is the determined one.
    total : int
        Images that show the label, over all conditions.

    Examples
    --------
    >>> round(exact_law((20, 50, 60), 129).p(np.array([[20, 50, 59]]))[1], 4)
    0.1538
    """
    ranges = [min(size, total) + 1 for size in n[:-1]]
    if not n or float(np.prod([float(size) for size in ranges])) > LIMIT:
        return None
    shown, log_p = _outcomes(n[:-1], total.bit_length())
    first, last = np.searchsorted(shown, [total - n[-1], total + 1])  # what the last condition can make up
    rest = log_choices(n[-1])[total - shown[first:last]]
    return ExactLaw(n, total, np.exp(log_p[first:last] + rest - log_choices(sum(n))[total]))


@lru_cache(maxsize=12)
def _outcomes(n: tuple[int, ...], digits: int) -> tuple[Ints, Floats]:
    """All counts of all conditions but the last: their sum, ascending, and log of the ways to get them.

    Counts of so many binary digits: labels with the same n and about the same total share them.
    """
    shown, log_ways = np.zeros(1, dtype=np.int64), np.zeros(1)
    for size in n:
        count = min(size, 2**digits - 1) + 1
        shown = np.add.outer(shown, np.arange(count)).ravel()
        log_ways = np.add.outer(log_ways, log_choices(size)[:count]).ravel()
    narrow = shown.astype(np.int16) if sum(n) < 2**15 else shown  # numpy sorts these by their digits
    order = np.argsort(narrow, kind="stable")
    return shown[order], log_ways[order]


@lru_cache(maxsize=2048)
def log_choices(n: int) -> Floats:
    """log of n over k, for k = 0 … n.

    Examples
    --------
    >>> np.exp(log_choices(3)).round().tolist()
    [1.0, 3.0, 3.0, 1.0]
    """
    k = np.arange(n + 1, dtype=np.float64)
    return np.asarray(gammaln(n + 1.0) - gammaln(k + 1) - gammaln(n - k + 1), dtype=np.float64)


def freeman_halton(table: npt.ArrayLike) -> Estimate:
    """Exact p of an r × c table of counts.

    Parameters
    ----------
    table : array_like of int, shape (R, C)
        Counts. Rows and columns that sum to 0 are left out.

    Returns
    -------
    Estimate
        p; undefined with fewer than two rows or columns, or when a half of the columns can be filled in more
        than `LIMIT` ways.

    Raises
    ------
    ValueError
        Counts that are negative or not whole.

    Notes
    -----
    The columns are cut into two halves. Every way to fill the left half leaves row sums for the right
    half; ways that leave the same row sums meet the same right halves, so probabilities are compared
    group by group instead of table by table.

    References
    ----------
    .. [1] Freeman, G. H. & Halton, J. H. (1951), as in `exact_homogeneity`.

    Examples
    --------
    Job satisfaction by income, Agresti (2002) p. 57:

    >>> jobs = [[1, 3, 10, 6], [2, 3, 10, 7], [1, 6, 14, 12], [0, 1, 9, 11]]
    >>> round(freeman_halton(jobs).value, 4)
    0.7827
    """
    counts = _whole_table(table)
    n = int(counts.sum())
    if min(counts.shape, default=0) < 2:
        return undefined("fewer than two rows or columns with counts", n=n, method="freeman_halton")
    if counts.shape[0] > counts.shape[1]:
        counts = counts.T
    counts = counts[:, np.argsort(counts.sum(axis=0), kind="stable")]
    rows, columns = counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist()
    half = len(columns) // 2
    return _meet(np.array(rows), columns[:half], columns[half:], float(np.sum(gammaln(counts + 1.0))))


def _meet(rows: Ints, left: list[int], right: list[int], observed: float) -> Estimate:
    """Add up the tables; a table's weight is 1 over the product of its factorials."""
    n = int(rows.sum())
    halves = _fillings(rows, left)
    if halves is None:
        return undefined(TOO_MANY, n=n, method="freeman_halton")
    likely, every = 0.0, 0.0
    used, group = np.unique(halves[0], axis=0, return_inverse=True)
    for number, taken in enumerate(used):
        others = _fillings(rows - taken, right)
        if others is None:
            return undefined(TOO_MANY, n=n, method="freeman_halton")
        logs = halves[1][group.ravel() == number]
        ends = np.sort(others[1])  # sums of log factorials, most likely first
        shares = np.exp(observed - ends)
        rarer = np.concatenate([np.cumsum(shares[::-1])[::-1], [0.0]])
        position = np.searchsorted(ends, observed - logs - TIE)  # rarer: sum at least the observed one
        likely += float(np.sum(np.exp(-logs) * rarer[position]))
        every += float(np.sum(np.exp(-logs)) * rarer[0])
    return Estimate(min(likely / every, 1.0), n=n, method="freeman_halton")


def _fillings(rows: Ints, columns: Sequence[int]) -> tuple[Ints, Floats] | None:
    """Every way to fill columns within row sums: (row sums used, sum of log factorials); None: too many."""
    used, logs = np.zeros((1, rows.size), dtype=np.int64), np.zeros(1)
    for column in columns:
        rest = rows - used
        if int(rest[0].sum()) == column:  # the last column of the table is what is left
            return np.broadcast_to(rows, rest.shape), logs + gammaln(rest + 1.0).sum(axis=1)
        spreads = _spreads(rows, column)
        if spreads is None or len(spreads) * len(used) > 100 * LIMIT:
            return None
        fits = np.all(spreads[None, :, :] <= rest[:, None, :], axis=2)
        way, spread = np.nonzero(fits)
        if way.size > LIMIT:
            return None
        used = used[way] + spreads[spread]
        logs = logs[way] + gammaln(spreads + 1.0).sum(axis=1)[spread]
    return used, logs


def _spreads(room: Ints, column: int) -> Ints | None:
    """Every way to put a column's count into rows with this much room, one a row; None: too many."""
    sizes = np.minimum(room[:-1], column) + 1
    if float(np.prod(sizes.astype(np.float64))) > LIMIT:
        return None
    heads = np.indices(tuple(sizes)).reshape(len(sizes), -1).T
    tails = column - heads.sum(axis=1)
    possible = (tails >= 0) & (tails <= room[-1])
    return np.asarray(np.column_stack([heads, tails])[possible], dtype=np.int64)


def _whole_table(table: npt.ArrayLike) -> Ints:
    counts = counts_array(table)
    if counts.ndim != 2 or np.any(counts != np.rint(counts)):
        raise ValueError("an exact test needs a two-dimensional table of whole counts")
    return np.asarray(counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0], dtype=np.int64)
