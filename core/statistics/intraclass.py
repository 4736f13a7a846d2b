"""Intraclass correlation: the six forms of Shrout & Fleiss, from one analysis of variance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from core.statistics.arrays import Bools, Floats
from core.statistics.estimate import Estimate, undefined
from core.statistics.measurements import checked_measurements, complete, left_out_note
from core.statistics.unit_sums import UnitSums

NO_DIFFERENCE = "subjects do not differ, so there is no reliability to speak of"
ROUNDING = 1e-10
"""Sums of squares below this share of the total are rounding, not variance."""


@dataclass(frozen=True, slots=True)
class Intraclass:
    """The six forms. The first number says how raters were chosen, the second how many are averaged.

    `icc_1_1`, `icc_1_k`: other raters for every subject (one-way). `icc_2_1`, `icc_2_k`: the same raters,
    a sample of raters, absolute agreement (two-way random). `icc_3_1`, `icc_3_k`: only these raters,
    consistency (two-way mixed).
    """

    icc_1_1: Estimate
    icc_2_1: Estimate
    icc_3_1: Estimate
    icc_1_k: Estimate
    icc_2_k: Estimate
    icc_3_k: Estimate


@dataclass(frozen=True, slots=True)
class _Anova:
    """Mean squares between subjects, within subjects, between raters, and of the remainder."""

    n: int
    k: int
    between: float
    within: float
    raters: float
    rest: float


def intraclass(values: npt.ArrayLike) -> Intraclass:
    """All six intraclass correlations with 95 % intervals.

    Parameters
    ----------
    values : array_like of float, shape (N, K)
        Measurement of N subjects by K raters (a slider count, 0–10); nan is missing, and a subject with
        a missing measurement is left out, which the reason says.

    Returns
    -------
    Intraclass
        Each value at most 1 and possibly negative; `n` is the number of complete subjects. None with
        fewer than two complete subjects or raters, or when all measurements are equal.

    Notes
    -----
    With mean squares of subjects (B), within (W), raters (J) and rest (E): ``ICC(1,1) = (B - W) / (B +
    (k - 1) W)``, ``ICC(2,1) = (B - E) / (B + (k - 1) E + k (J - E) / n)``, ``ICC(3,1) = (B - E) / (B +
    (k - 1) E)``; the forms for means of k raters ``(B - W) / B``, ``(B - E) / (B + (J - E) / n)``,
    ``(B - E) / B`` [1]_. Intervals: F, for the second form with Satterthwaite's degrees of freedom [2]_.
    When subjects hardly differ the value is near 0 although raters agree: show the mean absolute
    difference beside it.

    References
    ----------
    .. [1] Shrout, P. E., & Fleiss, J. L. (1979). Intraclass correlations: uses in assessing rater
       reliability. Psychological Bulletin 86(2), 420-428. doi:10.1037/0033-2909.86.2.420
    .. [2] McGraw, K. O., & Wong, S. P. (1996). Forming inferences about some intraclass correlation
       coefficients. Psychological Methods 1(1), 30-46. doi:10.1037/1082-989X.1.1.30

    Examples
    --------
    The example of Shrout & Fleiss, six subjects and four judges:

    >>> judged = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> round(intraclass(judged).icc_2_1.value, 2)
    0.29
    """
    matrix = checked_measurements(values)
    used, note = complete(matrix), left_out_note(matrix)
    reason = _why_undefined(used, matrix.shape[1])
    if reason:
        nothing = undefined("; ".join(filter(None, [reason, note])), n=used.shape[0], method="ICC")
        return Intraclass(*[nothing] * 6)
    a = _anova(used)
    one_way = _bounds(a.between, a.within, a.n - 1, a.n * (a.k - 1))
    mixed = _bounds(a.between, a.rest, a.n - 1, (a.n - 1) * (a.k - 1))
    return Intraclass(
        _single("ICC(1,1)", a.between, a.within, a, one_way, note),
        _random(a, note),
        _single("ICC(3,1)", a.between, a.rest, a, mixed, note),
        _average("ICC(1,k)", a.between, a.within, a, one_way, note),
        _random_average(a, note),
        _average("ICC(3,k)", a.between, a.rest, a, mixed, note),
    )


def icc_2_1_sums(values: Floats) -> UnitSums:
    """ICC(2,1) of the complete rows as sums over units, for resampling; other rows add zeros."""
    whole: Bools = np.asarray(np.isfinite(values).all(axis=1), dtype=np.bool_)
    rows = np.where(whole[:, None], np.nan_to_num(values), 0.0)
    k = values.shape[1]
    total = rows.sum(axis=1)
    terms = np.column_stack([whole, np.square(total), np.square(rows).sum(axis=1), rows])

    def coefficient(sums: Floats) -> Floats:
        n, square_of_totals, squares, columns = sums[:, 0], sums[:, 1], sums[:, 2], sums[:, 3:]
        correction = np.square(columns.sum(axis=1)) / (n * k)
        subjects = square_of_totals / k - correction
        raters = np.square(columns).sum(axis=1) / n - correction
        rest = squares - correction - subjects - raters
        between = subjects / (n - 1.0)
        error, judge = rest / ((n - 1.0) * (k - 1.0)), raters / (k - 1.0)
        room = between + (k - 1.0) * error + k * (judge - error) / n
        varies = (squares - correction) > ROUNDING * np.maximum(squares, 1.0)
        return np.where(varies & (n > 1.5), (between - error) / np.where(varies, room, 1.0), np.nan)

    return UnitSums(terms, coefficient)


def _why_undefined(used: Floats, raters: int) -> str:
    if raters < 2:
        return "fewer than two raters"
    if used.shape[0] < 2:
        return "fewer than two subjects measured by every rater"
    if np.ptp(used) == 0:
        return "every measurement is the same, so there is no variance to share"
    return ""


def _anova(x: Floats) -> _Anova:
    n, k = int(x.shape[0]), int(x.shape[1])
    centred = x - x.mean()
    total = float(np.square(centred).sum())
    subjects = _rounded(k * float(np.square(centred.mean(axis=1)).sum()), total)
    raters = _rounded(n * float(np.square(centred.mean(axis=0)).sum()), total)
    rest = _rounded(total - subjects - raters, total)
    return _Anova(
        n,
        k,
        between=subjects / (n - 1),
        within=_rounded(total - subjects, total) / (n * (k - 1)),
        raters=raters / (k - 1),
        rest=rest / ((n - 1) * (k - 1)),
    )


def _rounded(squares: float, total: float) -> float:
    return squares if squares > ROUNDING * total else 0.0


def _bounds(between: float, error: float, df1: int, df2: int) -> tuple[float, float] | None:
    """Ends of the F ratio; None when there is no error, hence no F."""
    if error <= 0.0:
        return None
    ratio = between / error
    low = ratio / float(stats.f.ppf(0.975, df1, df2))
    high = ratio * float(stats.f.ppf(0.975, df2, df1))
    return low, high


def _single(
    method: str, between: float, error: float, a: _Anova, ends: tuple[float, float] | None, note: str
) -> Estimate:
    room = between + (a.k - 1) * error
    if room <= 0.0:
        return undefined(NO_DIFFERENCE, n=a.n, method=method)
    value = (between - error) / room
    low_high = None if ends is None else tuple((f - 1) / (f + a.k - 1) for f in ends)
    return _estimate(method, value, low_high, a, note)


def _average(
    method: str, between: float, error: float, a: _Anova, ends: tuple[float, float] | None, note: str
) -> Estimate:
    if between <= 0.0:
        return undefined(NO_DIFFERENCE, n=a.n, method=method)
    low_high = None if ends is None else tuple(1.0 - 1.0 / f if f > 0 else None for f in ends)
    return _estimate(method, (between - error) / between, low_high, a, note)


def _random(a: _Anova, note: str) -> Estimate:
    room = a.between + (a.k - 1) * a.rest + a.k * (a.raters - a.rest) / a.n
    value = (a.between - a.rest) / room
    return _estimate("ICC(2,1)", value, _random_ends(a, value), a, note)


def _random_average(a: _Anova, note: str) -> Estimate:
    room = a.between + (a.raters - a.rest) / a.n
    if room <= 0.0:
        return undefined(NO_DIFFERENCE, n=a.n, method="ICC(2,k)")
    single = _random(a, note)
    ends = (single.low, single.high)
    low_high = tuple(None if e is None else a.k * e / (1 + (a.k - 1) * e) for e in ends)
    return _estimate("ICC(2,k)", (a.between - a.rest) / room, low_high, a, note)


def _random_ends(a: _Anova, icc: float) -> tuple[float, float] | None:
    """Interval of ICC(2,1) with Satterthwaite's degrees of freedom, [2] table 7."""
    if a.rest <= 0.0 or icc >= 1.0:
        return None
    slope = a.k * icc / (a.n * (1 - icc))
    base = 1 + a.k * icc * (a.n - 1) / (a.n * (1 - icc))
    mixture = slope * a.raters + base * a.rest
    spread = (slope * a.raters) ** 2 / (a.k - 1) + (base * a.rest) ** 2 / ((a.n - 1) * (a.k - 1))
    df = mixture**2 / spread
    if not df > 0:
        return None
    upper = float(stats.f.ppf(0.975, a.n - 1, df))
    lower = float(stats.f.ppf(0.975, df, a.n - 1))
    other = a.k * a.raters + (a.k * a.n - a.k - a.n) * a.rest
    low = a.n * (a.between - upper * a.rest) / (upper * other + a.n * a.between)
    high = a.n * (lower * a.between - a.rest) / (other + a.n * lower * a.between)
    return low, high


def _estimate(
    method: str, value: float, ends: tuple[float | None, ...] | None, a: _Anova, note: str
) -> Estimate:
    low, high = ends if ends is not None else (None, None)
    if ends is None:
        note = "; ".join(filter(None, [note, "no interval: raters do not differ"]))
    return Estimate(value, reason=note, low=low, high=high, n=a.n, method=f"{method}, F interval")
