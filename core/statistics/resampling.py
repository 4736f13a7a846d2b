"""Cluster bootstrap: whole roles (or prompts) are drawn, the same ones in every condition and generator.

A draw is a row of weights, how often each cluster was drawn; weights times counts per cluster give the
replicate's counts, for all labels at once. Intervals are BCa, with the jackknife over clusters; where BCa
is undefined the interval says what it is instead, and why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from core.statistics.arrays import Bools, Floats, Ints

FEWEST_CLUSTERS = 5
"""Below this many clusters a bootstrap has too few distinct draws to say anything."""

TIE = 1e-12
"""Replicates this close to the value, relatively, are equal to it: sums in another order differ in the
last digit, and a tie must stay a tie."""

NO_BOOTSTRAP = "no interval: bootstrap switched off"
FEW_CLUSTERS = f"no interval: fewer than {FEWEST_CLUSTERS} clusters"
ALL_EQUAL = "all replicates are equal"
NO_ACCELERATION = "percentile interval: the acceleration is undefined"
ONE_SIDED = "jackknife interval: all replicates lie on one side of the value"
ONE_SIDED_PERCENTILE = "percentile interval: all replicates lie on one side of the value"


@dataclass(frozen=True, slots=True)
class Interval:
    """Ends of an interval, how it was made ("bca", "percentile", "jackknife", "degenerate"), and why."""

    low: float | None
    high: float | None
    method: str
    reason: str = ""
    replicates: int = 0


def cluster_weights(names: Sequence[str], replicates: int, *, rng: np.random.Generator) -> Ints:
    """How often each cluster is drawn, one row a replicate; each row sums to the number of clusters.

    Parameters
    ----------
    names : sequence of str, length C
        Names of the clusters, without repetition. The draws belong to the names, so their order here
        (which rows of a table set) changes nothing.
    replicates : int
        Number of draws B.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    ndarray of int, shape (B, C)

    Raises
    ------
    ValueError
        No cluster, or a name given twice.

    Examples
    --------
    >>> one = cluster_weights(["nurse", "baker"], 3, rng=np.random.default_rng(0))
    >>> other = cluster_weights(["baker", "nurse"], 3, rng=np.random.default_rng(0))
    >>> bool((one == other[:, ::-1]).all()), one.sum(axis=1).tolist()
    (True, [2, 2, 2])
    """
    size = len(names)
    if size == 0 or len(set(names)) != size:
        raise ValueError("clusters need names without repetition")
    drawn = rng.integers(0, size, size=(replicates, size))
    flat = drawn + size * np.arange(replicates)[:, None]
    by_rank = np.bincount(flat.ravel(), minlength=replicates * size).reshape(replicates, size)
    rank = np.empty(size, dtype=np.int64)
    rank[np.argsort(np.array(names, dtype=object), kind="stable")] = np.arange(size)
    return np.asarray(by_rank[:, rank], dtype=np.int64)


def leave_one_out(size: int) -> Ints:
    """Weights of the jackknife: row i has every cluster but i, shape (size, size).

    Examples
    --------
    >>> leave_one_out(2).tolist()
    [[0, 1], [1, 0]]
    """
    return 1 - np.eye(size, dtype=np.int64)


def jackknife_se(values: npt.ArrayLike, strata: npt.ArrayLike | None = None) -> float | None:
    """Standard error from the values with one cluster left out at a time.

    Parameters
    ----------
    values : array_like, shape (C,)
        The statistic without cluster i.
    strata : array_like of int, shape (C,), optional
        Group of each cluster when the design fixed their numbers (prompts by condition); the squared
        errors of the groups add up. A group of one says nothing and adds nothing.

    Returns
    -------
    float or None
        None when no group has two clusters.

    References
    ----------
    .. [1] Efron, B. & Tibshirani, R. J. (1993). An Introduction to the Bootstrap, eq. 11.5.

    Examples
    --------
    >>> round(jackknife_se([1.0, 2.0, 3.0]), 4)
    1.1547
    """
    array = np.asarray(values, dtype=np.float64)
    group = np.zeros(array.shape, dtype=np.int64) if strata is None else np.asarray(strata)
    squares = [
        (part.size - 1) / part.size * float(np.sum((part - part.mean()) ** 2))  # [1] eq. 11.5
        for part in (array[group == one] for one in np.unique(group))
        if part.size > 1
    ]
    return float(np.sqrt(sum(squares))) if squares else None


def bca_interval(
    replicates: npt.ArrayLike,
    value: float,
    jackknife: npt.ArrayLike,
    *,
    level: float = 0.95,
    strata: npt.ArrayLike | None = None,
) -> Interval:
    """Bias-corrected and accelerated interval, or what stands in for it and why.

    Parameters
    ----------
    replicates : array_like, shape (B,)
        The statistic on each draw; nan where it was undefined (left out and counted).
    value : float
        The statistic on the data.
    jackknife : array_like, shape (C,)
        The statistic without cluster i; nan where undefined.
    level : float
        Confidence.
    strata : array_like of int, shape (C,), optional
        Group of each cluster, where groups were resampled separately.

    Returns
    -------
    Interval
        "degenerate" with both ends at the value when all replicates equal it. When all lie on one side:
        the percentile interval if it holds the value, else value ± z jackknife standard errors. When the
        acceleration is 0 / 0 (jackknife values all equal) or out of bounds: percentile.

    Notes
    -----
    The limits are percentiles at Phi(z0 + (z0 + z) / (1 - a (z0 + z))), z0 the normal score of the share
    of replicates below the value (those equal to it count half), a the acceleration.

    References
    ----------
    .. [1] Efron, B. (1987). Better bootstrap confidence intervals. JASA 82, 171-185.
    .. [2] Efron, B. & Tibshirani, R. J. (1993). An Introduction to the Bootstrap, ch. 14.

    Examples
    --------
    >>> bca_interval([1.0] * 50, 1.0, [1.0] * 6).method
    'degenerate'
    """
    table = np.asarray(replicates, dtype=np.float64)[:, None]
    left_out = np.asarray(jackknife, dtype=np.float64)[:, None]
    return bca_intervals(table, np.array([value]), left_out, level=level, strata=strata).interval(0)


@dataclass(frozen=True, slots=True)
class Intervals:
    """The intervals of many statistics; nan ends where there is none."""

    low: Floats
    high: Floats
    method: npt.NDArray[np.object_]
    reason: npt.NDArray[np.object_]
    replicates: Ints

    def interval(self, position: int) -> Interval:
        """One of them."""
        ends = (float(self.low[position]), float(self.high[position]))
        low, high = (None if np.isnan(end) else end for end in ends)
        method, reason = str(self.method[position]), str(self.reason[position])
        return Interval(low, high, method, reason, int(self.replicates[position]))


def bca_intervals(
    replicates: Floats,
    value: Floats,
    jackknife: Floats,
    *,
    level: float = 0.95,
    strata: npt.ArrayLike | None = None,
) -> Intervals:
    """`bca_interval` of many statistics at once, without a loop over them.

    Parameters
    ----------
    replicates : ndarray, shape (B, T)
    value : ndarray, shape (T,)
    jackknife : ndarray, shape (C, T)
    level : float
    strata : array_like of int, shape (C,), optional

    Examples
    --------
    >>> table = np.tile(np.arange(100.0)[:, None], (1, 2))
    >>> found = bca_intervals(table, np.array([49.5, np.nan]), np.arange(6.0)[:, None] + np.zeros(2))
    >>> found.method.tolist()
    ['bca', '']
    """
    place = _Place.of(replicates, value)
    acceleration = _acceleration(jackknife, strata)
    z = ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = np.where(place.is_inside, place.z0, 0.0) + z
        # an acceleration so large that the percentile would turn back is no better than none
        flat = place.is_inside & ~np.all(acceleration * shift < 1, axis=0)
        corrected = ndtr(place.z0 + shift / (1 - acceleration * shift))  # [2] eq. 14.10
    position = np.where(place.is_inside & ~flat, corrected, ndtr(z))
    ordered = np.sort(replicates, axis=0)  # nan last
    low, high = (_quantile(ordered, row, place.count) for row in position)
    found = Intervals(low, high, _words(place.is_usable, "bca"), _words(flat, NO_ACCELERATION), place.count)
    found.method[flat] = "percentile"
    _stand_in(found, place, value, z[1, 0] * _standard_errors(jackknife, strata))
    return found


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the value lies among its replicates, per statistic; z0 is the normal score of that place."""

    count: Ints
    is_usable: Bools
    is_equal: Bools
    is_inside: Bools
    z0: Floats

    @staticmethod
    def of(replicates: Floats, value: Floats) -> _Place:
        count = np.count_nonzero(~np.isnan(replicates), axis=0)
        usable = ~np.isnan(value) & (count > 1)
        tolerance = TIE * np.maximum(np.abs(value), 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            below = np.count_nonzero(replicates < value - tolerance, axis=0)
            at_most = np.count_nonzero(replicates <= value + tolerance, axis=0)
            z0 = ndtri((below + at_most) / (2 * count))  # [2] eq. 14.14
        equal = usable & (at_most - below == count)
        inside = usable & ~equal & np.isfinite(z0)
        return _Place(count.astype(np.int64), usable, equal, inside, z0)


def _stand_in(found: Intervals, place: _Place, value: Floats, half: Floats) -> None:
    """Fill in what stands for BCa where all replicates are equal or on one side, and nan where unusable."""
    one_sided = place.is_usable & ~place.is_equal & ~place.is_inside
    with np.errstate(invalid="ignore"):
        holds = (found.low <= value) & (value <= found.high)
    symmetric = one_sided & ~holds & ~np.isnan(half)
    found.low[symmetric] = (value - half)[symmetric]
    found.high[symmetric] = (value + half)[symmetric]
    for ends in (found.low, found.high):
        ends[place.is_equal] = value[place.is_equal]
        ends[~place.is_usable] = np.nan
    for where, method, why in (
        (place.is_equal, "degenerate", ALL_EQUAL),
        (one_sided, "percentile", ONE_SIDED_PERCENTILE),
        (symmetric, "jackknife", ONE_SIDED),
    ):
        found.method[where], found.reason[where] = method, why


def _words(where: Bools, word: str) -> npt.NDArray[np.object_]:
    words = np.full(where.shape, "", dtype=object)
    words[where] = word
    return words


def _acceleration(jackknife: Floats, strata: npt.ArrayLike | None) -> Floats:
    """[2] eq. 14.15, summed over groups as for several samples; nan where the values are all equal."""
    cubes, squares = np.zeros(jackknife.shape[1]), np.zeros(jackknife.shape[1])
    for part, size in _groups(jackknife, strata):
        influence = (size - 1) * (np.nanmean(part, axis=0) - part)
        cubes += np.nansum(influence**3, axis=0) / size**3
        squares += np.nansum(influence**2, axis=0) / size**2
    scale = np.nanmax(np.abs(jackknife), axis=0, initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        acceleration = cubes / (6 * squares**1.5)
    return np.asarray(np.where(squares > (1e-12 * scale) ** 2, acceleration, np.nan), dtype=np.float64)


def _standard_errors(jackknife: Floats, strata: npt.ArrayLike | None) -> Floats:
    squares = np.zeros(jackknife.shape[1])
    some = np.zeros(jackknife.shape[1], dtype=bool)
    for part, size in _groups(jackknife, strata):
        squares += (size - 1) / size * np.nansum((part - np.nanmean(part, axis=0)) ** 2, axis=0)
        some |= size > 1
    return np.asarray(np.where(some, np.sqrt(squares), np.nan), dtype=np.float64)


def _groups(jackknife: Floats, strata: npt.ArrayLike | None) -> list[tuple[Floats, Floats]]:
    """Per group its values and how many are defined, columns without any kept harmless."""
    group = np.zeros(len(jackknife), dtype=np.int64) if strata is None else np.asarray(strata)
    parts = []
    for one in np.unique(group):
        part = jackknife[group == one]
        size = np.count_nonzero(~np.isnan(part), axis=0).astype(np.float64)
        empty = size == 0
        parts.append((np.where(empty, 0.0, part), np.maximum(size, 1.0)))
    return parts


def _quantile(ordered: Floats, position: Floats, count: Ints) -> Floats:
    """Linear quantile of each column of sorted values, nan beyond `count`."""
    last = np.maximum(count - 1, 0)
    index = np.clip(np.nan_to_num(position), 0.0, 1.0) * last
    lower = np.floor(index).astype(np.int64)
    upper = np.minimum(lower + 1, last)
    column = np.arange(ordered.shape[1])
    low, high = ordered[lower, column], ordered[upper, column]
    return np.asarray(low + (index - lower) * (high - low), dtype=np.float64)
