"""Lin's concordance correlation: how close two series of measurements lie to equality."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy import stats

from core.statistics.arrays import Floats
from core.statistics.estimate import Estimate, undefined
from core.statistics.measurements import checked_measurements, pair_of
from core.statistics.unit_sums import UnitSums, mean_of_defined

EQUAL = "every measurement is the same, so there is no variance to share"


def concordance(first: npt.ArrayLike, second: npt.ArrayLike) -> Estimate:
    """Concordance correlation coefficient of two series.

    Parameters
    ----------
    first, second : array_like of float, shape (N,)
        Measurements of the same N subjects by two raters; nan is missing, and a pair that misses one is
        left out, which the reason says.

    Returns
    -------
    Estimate
        Between -1 and 1, with a 95 % interval by Fisher's z; `n` is the number of pairs. None with fewer
        than two pairs or when all measurements of both are equal.

    Notes
    -----
    ``2 s_xy / (s_x**2 + s_y**2 + (m_x - m_y)**2)`` with moments divided by n [1]_. Unlike a correlation
    it is lowered by a constant difference and by a different scale. Interval: the variance of
    Lin's z with the correction of 2000, by n - 2.

    References
    ----------
    .. [1] Lin, L. I. (1989). A concordance correlation coefficient to evaluate reproducibility.
       Biometrics 45(1), 255-268. doi:10.2307/2532051

    Examples
    --------
    >>> round(concordance([1, 2, 3, 4], [2, 3, 4, 5]).value, 4)
    0.7143
    """
    pairs, note = pair_of(first, second)
    n, method = pairs.shape[0], "Lin concordance"
    if n < 2:
        return undefined("; ".join(filter(None, ["fewer than two pairs", note])), n=n, method=method)
    if np.ptp(pairs) == 0:
        return undefined("; ".join(filter(None, [EQUAL, note])), n=n, method=method)
    x, y = pairs[:, 0] - pairs[0, 0], pairs[:, 1] - pairs[0, 0]
    covariance = float(((x - x.mean()) * (y - y.mean())).mean())
    value = 2.0 * covariance / float(x.var() + y.var() + (x.mean() - y.mean()) ** 2)
    ends = _ends(x, y, value)
    if ends is None:
        note = "; ".join(filter(None, [note, "no interval: the measurements vary too little"]))
        return Estimate(value, reason=note, n=n, method=method)
    return Estimate(value, reason=note, low=ends[0], high=ends[1], n=n, method=f"{method}, Fisher z interval")


def concordance_sums(values: Floats) -> UnitSums:
    """Mean pairwise concordance of the columns as sums over units (two columns: concordance itself)."""
    pairs = list(combinations(range(values.shape[1]), 2))
    terms = np.concatenate([_pair_terms(values[:, a], values[:, b]) for a, b in pairs], axis=1)

    def mean(sums: Floats) -> Floats:
        return mean_of_defined(np.stack([_from_sums(sums[:, i : i + 6]) for i in range(0, sums.shape[1], 6)]))

    return UnitSums(terms, mean)


def concordance_mean(values: npt.ArrayLike) -> Estimate:
    """Mean concordance over pairs of raters that have one.

    Parameters
    ----------
    values : array_like of float, shape (N, K)
        Measurements of N subjects by K raters; nan is missing. Each pair uses the subjects both measured.

    Returns
    -------
    Estimate
        `n` is the number of pairs of raters averaged. None when no pair has a value.

    Examples
    --------
    >>> round(concordance_mean([[1, 2, 1], [2, 3, 2], [3, 4, 3], [4, 5, 4]]).value, 4)
    0.8095
    """
    matrix = checked_measurements(values)
    pairs = [concordance(matrix[:, a], matrix[:, b]) for a, b in combinations(range(matrix.shape[1]), 2)]
    defined = [pair.value for pair in pairs if pair.value is not None]
    method = "mean over pairs of raters, Lin concordance"
    if not defined:
        reasons = {pair.reason for pair in pairs} or {"fewer than two raters"}
        return undefined("; ".join(sorted(reasons)), method=method)
    missing = len(pairs) - len(defined)
    reason = f"{missing} of {len(pairs)} pairs have no value and are left out" if missing else ""
    return Estimate(math.fsum(defined) / len(defined), reason=reason, n=len(defined), method=method)


def _pair_terms(first: Floats, second: Floats) -> Floats:
    both = np.isfinite(first) & np.isfinite(second)
    x, y = np.where(both, first, 0.0), np.where(both, second, 0.0)
    return np.column_stack([both, x, y, x * x, y * y, x * y]).astype(np.float64)


def _from_sums(sums: Floats) -> Floats:
    n, x, y, xx, yy, xy = sums.T
    covariance = xy / n - x * y / n**2
    scatter = (xx + yy) / n - 2.0 * x * y / n**2  # s_x**2 + s_y**2 + (m_x - m_y)**2
    varies = scatter > 1e-10 * np.maximum((xx + yy) / n, 1.0)
    return np.where(varies & (n > 1.5), 2.0 * covariance / np.where(varies, scatter, 1.0), np.nan)


def _ends(x: Floats, y: Floats, value: float) -> tuple[float, float] | None:
    """Fisher z interval; None when a variance or the room to 1 is zero."""
    n, sx, sy = len(x), float(x.std()), float(y.std())
    if n < 3 or sx == 0.0 or sy == 0.0 or abs(value) >= 1.0 - 1e-12 or abs(value) < 1e-12:
        return None
    r = float(((x - x.mean()) * (y - y.mean())).mean()) / (sx * sy)
    shift = float(x.mean() - y.mean()) / math.sqrt(sx * sy)
    c2 = value**2
    variance = (
        (1 - r**2) * c2 / ((1 - c2) * r**2)
        + 2 * value**3 * (1 - value) * shift**2 / (r * (1 - c2) ** 2)
        - value**4 * shift**4 / (2 * r**2 * (1 - c2) ** 2)
    ) / (n - 2)
    if variance <= 0.0:
        return None
    half = float(stats.norm.ppf(0.975)) * math.sqrt(variance)
    return math.tanh(math.atanh(value) - half), math.tanh(math.atanh(value) + half)
