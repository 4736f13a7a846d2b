"""Bland–Altman: the mean difference of two ways to measure and the limits most differences lie in."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from core.statistics.arrays import Floats
from core.statistics.estimate import Estimate, undefined
from core.statistics.measurements import pair_of

Z_95 = 1.959963984540054
"""95 % of a normal distribution lie within so many standard deviations of its mean."""


@dataclass(frozen=True, slots=True)
class BlandAltman:
    """Differences are first minus second.

    `bias` is their mean, `sd` their standard deviation, `lower` and `upper` the limits of agreement, each
    with a 95 % interval; `slope` is the change of the difference per unit of the mean (not 0: the bias
    grows with what is measured, and the limits do not hold everywhere).
    """

    bias: Estimate
    sd: Estimate
    lower: Estimate
    upper: Estimate
    slope: Estimate


def bland_altman(first: npt.ArrayLike, second: npt.ArrayLike, multiplier: float = Z_95) -> BlandAltman:
    """Bias and limits of agreement of two series of measurements.

    Parameters
    ----------
    first, second : array_like of float, shape (N,)
        Measurements of the same N subjects in the same unit; nan is missing, and a pair that misses one
        is left out, which the reason says.
    multiplier : float
        Standard deviations from the bias to a limit: 1.96 (unrounded) here, 2 in the original paper.

    Returns
    -------
    BlandAltman
        In the unit of the measurements. None with fewer than two pairs; no interval when all differences
        are equal.

    Notes
    -----
    ``bias +- multiplier * sd``; the standard error of a limit is ``sd sqrt(1/n + multiplier**2 / (2 (n -
    1)))`` and intervals use t with n - 1 degrees of freedom. A slider is bounded, so the limits can pass
    its ends: plot the differences.

    References
    ----------
    .. [1] Bland, J. M., & Altman, D. G. (1986). Statistical methods for assessing agreement between two
       methods of clinical measurement. Lancet 327(8476), 307-310. doi:10.1016/S0140-6736(86)90837-8

    Examples
    --------
    >>> found = bland_altman([5, 7, 9, 3], [4, 7, 7, 4])
    >>> round(found.bias.value, 2), round(found.upper.value, 2)
    (0.5, 3.03)
    """
    if not multiplier > 0:
        raise ValueError("the multiplier of the standard deviation must be positive")
    pairs, note = pair_of(first, second)
    n = pairs.shape[0]
    if n < 2:
        nothing = undefined("; ".join(filter(None, ["fewer than two pairs", note])), n=n)
        return BlandAltman(nothing, nothing, nothing, nothing, nothing)
    difference = pairs[:, 0] - pairs[:, 1]
    bias, sd = float(difference.mean()), float(difference.std(ddof=1))
    error_of_limit = sd * math.sqrt(1.0 / n + multiplier**2 / (2.0 * (n - 1.0)))
    return BlandAltman(
        bias=_with_t(bias, sd / math.sqrt(n), n, "mean difference, first minus second", note),
        sd=Estimate(sd, reason=note, n=n, method="standard deviation of differences"),
        lower=_with_t(bias - multiplier * sd, error_of_limit, n, f"bias − {multiplier:g} sd", note),
        upper=_with_t(bias + multiplier * sd, error_of_limit, n, f"bias + {multiplier:g} sd", note),
        slope=_slope(pairs, difference, note),
    )


def _with_t(value: float, error: float, n: int, method: str, note: str) -> Estimate:
    if error == 0.0:
        note = "; ".join(filter(None, [note, "no interval: all differences are equal"]))
        return Estimate(value, reason=note, n=n, method=method)
    half = float(stats.t.ppf(0.975, n - 1)) * error
    method = f"{method}; t interval"
    return Estimate(value, reason=note, low=value - half, high=value + half, n=n, method=method)


def _slope(pairs: Floats, difference: Floats, note: str) -> Estimate:
    """Least-squares slope of the difference on the mean."""
    middle = pairs.mean(axis=1)
    n = len(middle)
    method = "slope of the difference on the mean"
    if n < 3 or np.ptp(middle) == 0:
        return undefined("a slope needs three pairs whose means differ", n=n, method=method)
    if np.ptp(difference) == 0:
        return Estimate(0.0, reason="no interval: all differences are equal", n=n, method=method)
    line = stats.linregress(middle, difference)
    half = float(stats.t.ppf(0.975, n - 2)) * float(line.stderr)
    slope = float(line.slope)
    return Estimate(
        slope, reason=note, low=slope - half, high=slope + half, n=n, method=f"{method}; t interval"
    )
