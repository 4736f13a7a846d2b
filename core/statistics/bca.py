"""Bootstrap intervals (BCa), and what stands in where a BCa interval cannot be had.

BCa moves the percentiles of the draws by as much as the draws are biased. When that asks for a percentile
which so many draws cannot show (nearly all of them lie on one side of the value, as when resampling roles
loses rare labels), the interval is value ± t jackknife standard errors instead, and says so.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, stdtrit

from core.statistics.arrays import Bools, Floats, Ints
from core.statistics.jackknife import groups_of, jackknife_ses

TIE = 1e-12
"""Replicates this close to the value, relatively, are equal to it: sums in another order differ in the
last digit, and a tie must stay a tie."""

ALL_EQUAL = "all draws give the same value"
NO_ACCELERATION = "percentile interval: the acceleration is undefined"
TOO_FEW_DRAWS = "no interval: fewer than two draws had a value"
ONE_SIDED = "jackknife interval: too few draws on one side of the value"
ONE_SIDED_PERCENTILE = "percentile interval: too few draws on one side of the value"


@dataclass(frozen=True, slots=True)
class Interval:
    """Ends of an interval, how it was made ("bca", "percentile", "jackknife", "degenerate"), and why."""

    low: float | None
    high: float | None
    method: str
    reason: str = ""
    replicates: int = 0


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
        "degenerate", both ends at the value, when all replicates equal it; "jackknife" when a corrected
        percentile is beyond what B draws show (below 1 / B or above 1 - 1 / B); "percentile" when the
        acceleration is undefined (jackknife values all equal) or out of bounds.

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
    >>> bca_interval([1.0, 2.0, 3.0, 4.0] * 50, 0.5, [0.4, 0.5, 0.6]).method
    'jackknife'
    """
    table = np.asarray(replicates, dtype=np.float64)[:, None]
    left_out = np.asarray(jackknife, dtype=np.float64)[:, None]
    return bca_intervals(table, np.array([value]), left_out, level=level, strata=strata).interval(0)


def bca_intervals(
    replicates: Floats,
    value: Floats,
    jackknife: Floats,
    *,
    level: float = 0.95,
    strata: npt.ArrayLike | None = None,
    for_few: bool = False,
) -> Intervals:
    """`bca_interval` of many statistics at once, without a loop over them.

    Parameters
    ----------
    replicates : ndarray, shape (B, T)
    value : ndarray, shape (T,)
    jackknife : ndarray, shape (C, T)
    level : float
    strata : array_like of int, shape (C,), optional
    for_few : bool
        Widen the percentiles for few clusters: C draws from C clusters vary too little by (C - 1) / C,
        and their spread is itself uncertain, so z becomes t sqrt(C / (C - 1)) [3]_.

    References
    ----------
    .. [3] Hesterberg, T. (2015). What teachers should know about the bootstrap. The American
       Statistician 69(4), 371-386, section 5.3. doi:10.1080/00031305.2015.1089789

    Examples
    --------
    >>> table = np.tile(np.arange(100.0)[:, None], (1, 2))
    >>> found = bca_intervals(table, np.array([49.5, np.nan]), np.arange(6.0)[:, None] + np.zeros(2))
    >>> found.method.tolist()
    ['bca', '']
    """
    place = _Place.of(replicates, value)
    acceleration = _acceleration(jackknife, strata)
    z = np.array([[-1.0], [1.0]]) * _score(level, len(jackknife) if for_few else 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = np.where(place.is_inside, place.z0, 0.0) + z
        # an acceleration so large that the percentile would turn back is no better than none
        flat = place.is_inside & ~np.all(acceleration * shift < 1, axis=0)
        corrected = ndtr(place.z0 + shift / (1 - acceleration * shift))  # [2] eq. 14.10
        beyond = (corrected[0] < 1 / place.count) | (corrected[1] > 1 - 1 / place.count)
    proper = place.is_inside & ~flat & ~beyond
    ordered = np.sort(replicates.T, axis=1)  # nan last
    low, high = (_quantile(ordered, row, place.count) for row in np.where(proper, corrected, ndtr(z)))
    found = Intervals(low, high, _words(place.is_usable, "bca"), _words(flat, NO_ACCELERATION), place.count)
    found.method[flat] = "percentile"
    _stand_in(found, place, ~proper & ~flat, value, _half_widths(jackknife, strata, level))
    return found


def jackknife_intervals(value: Floats, jackknife: Floats, *, reason: str, level: float = 0.95) -> Intervals:
    """Value ± t jackknife standard errors, for statistics that a bootstrap would get wrong.

    Parameters
    ----------
    value : ndarray, shape (T,)
    jackknife : ndarray, shape (C, T)
        The statistics without cluster i.
    reason : str
        Why not a bootstrap; kept in the result.
    level : float

    Examples
    --------
    >>> found = jackknife_intervals(np.array([2.0]), np.array([[1.0], [2.0], [3.0]]), reason="")
    >>> round(float(found.high[0] - 2), 4)  # 4.3027 standard errors with two degrees of freedom
    4.9683
    """
    half = _half_widths(jackknife, None, level)
    usable = ~np.isnan(value) & ~np.isnan(half)
    none = np.zeros(value.shape, dtype=np.int64)
    return Intervals(value - half, value + half, _words(usable, "jackknife"), _words(usable, reason), none)


def _score(level: float, clusters: int) -> float:
    """Normal score of the upper end; with a number of clusters, the wider one for so few [3]."""
    if clusters < 2:
        return float(ndtri((1 + level) / 2))
    return float(stdtrit(clusters - 1, (1 + level) / 2) * np.sqrt(clusters / (clusters - 1)))


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


def _stand_in(found: Intervals, place: _Place, improper: Bools, value: Floats, half: Floats) -> None:
    """Fill in what stands for BCa where all draws are equal or too many on one side; nan where unusable."""
    one_sided = improper & place.is_usable & ~place.is_equal
    symmetric = one_sided & ~np.isnan(half)
    found.low[symmetric] = (value - half)[symmetric]
    found.high[symmetric] = (value + half)[symmetric]
    for ends in (found.low, found.high):
        ends[place.is_equal] = value[place.is_equal]
        ends[~place.is_usable] = np.nan
    unusable = ~place.is_usable & ~np.isnan(value)
    for where, method, why in (
        (unusable, "", TOO_FEW_DRAWS),
        (place.is_equal, "degenerate", ALL_EQUAL),
        (one_sided, "percentile", ONE_SIDED_PERCENTILE),
        (symmetric, "jackknife", ONE_SIDED),
    ):
        found.method[where], found.reason[where] = method, why


def _acceleration(jackknife: Floats, strata: npt.ArrayLike | None) -> Floats:
    """[2] eq. 14.15, summed over groups as for several samples; nan where the values are all equal."""
    cubes, squares = np.zeros(jackknife.shape[1]), np.zeros(jackknife.shape[1])
    for part, size in groups_of(jackknife, strata):
        influence = (size - 1) * (np.nansum(part, axis=0) / size - part)
        cubes += np.nansum(influence**3, axis=0) / size**3
        squares += np.nansum(influence**2, axis=0) / size**2
    scale = np.max(np.nan_to_num(np.abs(jackknife)), axis=0, initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        acceleration = cubes / (6 * squares**1.5)
    return np.asarray(np.where(squares > (1e-12 * scale) ** 2, acceleration, np.nan), dtype=np.float64)


def _half_widths(jackknife: Floats, strata: npt.ArrayLike | None, level: float) -> Floats:
    """t times the jackknife standard error; degrees of freedom: clusters less groups."""
    freedom = sum((size - 1 for _, size in groups_of(jackknife, strata)), np.zeros(jackknife.shape[1]))
    return np.asarray(
        stdtrit(np.maximum(freedom, 1.0), (1 + level) / 2) * jackknife_ses(jackknife, strata),
        dtype=np.float64,
    )


def _words(where: Bools, word: str) -> npt.NDArray[np.object_]:
    words = np.full(where.shape, "", dtype=object)
    words[where] = word
    return words


def _quantile(ordered: Floats, position: Floats, count: Ints) -> Floats:
    """Linear quantile of each row of sorted values, nan beyond `count`."""
    last = np.maximum(count - 1, 0)
    index = np.clip(np.nan_to_num(position), 0.0, 1.0) * last
    lower = np.floor(index).astype(np.int64)
    upper = np.minimum(lower + 1, last)
    row = np.arange(len(ordered))
    low, high = ordered[row, lower], ordered[row, upper]
    return np.asarray(low + (index - lower) * (high - low), dtype=np.float64)
