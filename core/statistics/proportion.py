"""Score intervals for a share, and for the difference of two shares.

They keep their width at 0 of n and n of n, where a Wald or bootstrap interval collapses to a point.
Images of one prompt are not independent: dividing x and n by the design effect
(`core.statistics.clustering`) allows for that, so neither needs to be whole here.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from core.statistics.arrays import Floats
from core.statistics.estimate import Estimate, undefined

NO_IMAGES = "no usable image"


def wilson(x: float, n: float, *, level: float = 0.95, design_effect: float = 1.0) -> Estimate:
    """A share with its Wilson score interval.

    Parameters
    ----------
    x, n : float
        Images that show the label, and images looked at; 0 <= x <= n.
    level : float
        Confidence, between 0 and 1.
    design_effect : float
        How many clustered images are worth one independent one, 1 or more; x and n are divided by it.

    Returns
    -------
    Estimate
        Share 0..1; undefined when n = 0.

    Raises
    ------
    ValueError
        x outside 0 … n, a level outside (0, 1), or a design effect below 1.

    References
    ----------
    .. [1] Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference.
       JASA 22, 209-212.
    .. [2] Newcombe, R. G. (1998). Two-sided confidence intervals for the single proportion. Statistics
       in Medicine 17, 857-872, method 3.

    Examples
    --------
    Newcombe's first example:

    >>> share = wilson(81, 263)
    >>> round(share.low, 4), round(share.high, 4)
    (0.2553, 0.3662)
    """
    if not 0 <= x <= n:
        raise ValueError("x must be within 0 … n")
    if design_effect < 1:
        raise ValueError("a design effect below 1 would promise more than independent images")
    if n == 0:
        return undefined(NO_IMAGES, method="wilson")
    low, high = wilson_limits(np.array([x]), np.array([n]), level=level, design_effect=design_effect)
    return Estimate(x / n, low=float(low[0]), high=float(high[0]), n=round(n), method="wilson")


def wilson_limits(
    x: npt.ArrayLike, n: npt.ArrayLike, *, level: float = 0.95, design_effect: npt.ArrayLike = 1.0
) -> tuple[Floats, Floats]:
    """Wilson limits for arrays of one shape; nan where n = 0.

    Examples
    --------
    >>> wilson_limits([0], [20])[1].round(4).tolist()
    [0.1611]
    """
    effect = np.asarray(design_effect, dtype=np.float64)
    size = np.asarray(n, dtype=np.float64) / effect
    z = _z(level)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.asarray(x, dtype=np.float64) / effect / size
        centre = p + z**2 / (2 * size)  # [1] p. 211
        half = z * np.sqrt(p * (1 - p) / size + z**2 / (4 * size**2))
        scale = 1 + z**2 / size
        low, high = (centre - half) / scale, (centre + half) / scale
    # at the ends the limit is the end itself, which rounding would miss
    return np.where(p == 0, 0.0, np.maximum(low, 0.0)), np.where(p == 1, 1.0, np.minimum(high, 1.0))


def newcombe(
    x1: float, n1: float, x2: float, n2: float, *, level: float = 0.95, design_effect: float = 1.0
) -> Estimate:
    """Difference of two independent shares, first minus second, with Newcombe's hybrid score interval.

    Parameters
    ----------
    x1, n1, x2, n2 : float
        Images that show the label and images looked at, in either condition.
    level, design_effect : float
        As in `wilson`.

    Returns
    -------
    Estimate
        Difference -1..1; undefined when either n is 0. `n` is n1 + n2.

    Raises
    ------
    ValueError
        As in `wilson`.

    References
    ----------
    .. [1] Newcombe, R. G. (1998). Interval estimation for the difference between independent
       proportions. Statistics in Medicine 17, 873-890, method 10.

    Examples
    --------
    Newcombe's example (a), 56/70 against 48/80:

    >>> change = newcombe(56, 70, 48, 80)
    >>> round(change.low, 4), round(change.high, 4)
    (0.0524, 0.3339)
    """
    _check_two(x1, n1, x2, n2, design_effect)
    if n1 == 0 or n2 == 0:
        return undefined(NO_IMAGES, n=round(n1 + n2), method="newcombe")
    pair = [np.array([number]) for number in (x1, n1, x2, n2)]
    low, high = newcombe_limits(*pair, level=level, design_effect=design_effect)
    value = x1 / n1 - x2 / n2
    return Estimate(value, low=float(low[0]), high=float(high[0]), n=round(n1 + n2), method="newcombe")


def newcombe_limits(
    x1: npt.ArrayLike,
    n1: npt.ArrayLike,
    x2: npt.ArrayLike,
    n2: npt.ArrayLike,
    *,
    level: float = 0.95,
    design_effect: npt.ArrayLike = 1.0,
) -> tuple[Floats, Floats]:
    """Limits of the difference of two shares for arrays of one shape; nan where an n is 0.

    Examples
    --------
    >>> [side.round(4).tolist() for side in newcombe_limits([56], [70], [48], [80])]
    [[0.0524], [0.3339]]
    """
    low1, high1 = wilson_limits(x1, n1, level=level, design_effect=design_effect)
    low2, high2 = wilson_limits(x2, n2, level=level, design_effect=design_effect)
    with np.errstate(divide="ignore", invalid="ignore"):
        p1 = np.asarray(x1, dtype=np.float64) / np.asarray(n1, dtype=np.float64)
        p2 = np.asarray(x2, dtype=np.float64) / np.asarray(n2, dtype=np.float64)
    difference = p1 - p2
    low = difference - np.hypot(p1 - low1, high2 - p2)  # [1] method 10
    high = difference + np.hypot(high1 - p1, p2 - low2)
    return low, high


def miettinen_nurminen(
    x1: float, n1: float, x2: float, n2: float, *, level: float = 0.95, design_effect: float = 1.0
) -> Estimate:
    """Difference of two independent shares with the Miettinen–Nurminen score interval.

    All differences d are kept that the score test at this level does not reject, with the variance under
    d and its correction N / (N - 1). Slower and a little wider than `newcombe`.

    Parameters
    ----------
    x1, n1, x2, n2 : float
        Images that show the label and images looked at, in either condition.
    level, design_effect : float
        As in `wilson`.

    Returns
    -------
    Estimate
        Difference -1..1; undefined when either n is 0.

    Raises
    ------
    ValueError
        As in `wilson`.

    References
    ----------
    .. [1] Miettinen, O. & Nurminen, M. (1985). Comparative analysis of two rates. Statistics in Medicine
       4, 213-226, eq. 8-9 and appendix I.

    Examples
    --------
    >>> change = miettinen_nurminen(56, 70, 48, 80)
    >>> round(change.low, 4), round(change.high, 4)
    (0.0528, 0.3382)
    """
    _check_two(x1, n1, x2, n2, design_effect)
    if n1 == 0 or n2 == 0:
        return undefined(NO_IMAGES, n=round(n1 + n2), method="miettinen_nurminen")
    counts = tuple(number / design_effect for number in (x1, n1, x2, n2))
    difference = x1 / n1 - x2 / n2
    bound = _z(level) ** 2
    low = _crossing(counts, bound, -1.0, difference)
    high = _crossing(counts, bound, 1.0, difference)
    return Estimate(difference, low=low, high=high, n=round(n1 + n2), method="miettinen_nurminen")


def _crossing(counts: tuple[float, ...], bound: float, outside: float, inside: float) -> float:
    """Where the score statistic reaches `bound` between the estimate and an end of the range."""
    if abs(outside - inside) < 1e-12:
        return outside
    for _ in range(60):
        middle = (outside + inside) / 2
        if _score(middle, *counts) > bound:
            outside = middle
        else:
            inside = middle
    return (outside + inside) / 2


def _score(d: float, x1: float, n1: float, x2: float, n2: float) -> float:
    p1, p2 = _restricted_shares(d, x1, n1, x2, n2)
    total = n1 + n2
    variance = (p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2) * total / max(total - 1, 1e-12)  # [1] eq. 9
    gap = (x1 / n1 - x2 / n2 - d) ** 2
    if variance <= 0:
        return 0.0 if gap < 1e-24 else float("inf")
    return gap / variance  # [1] eq. 8


def _restricted_shares(d: float, x1: float, n1: float, x2: float, n2: float) -> tuple[float, float]:
    """The most likely shares that differ by d: root of the cubic of [1] appendix I."""
    total, events = n1 + n2, x1 + x2
    a3, a2 = total, (n1 + 2 * n2) * d - total - events
    a1, a0 = (n2 * d - total - 2 * x2) * d + events, x2 * d * (1 - d)
    q = a2**3 / (3 * a3) ** 3 - a1 * a2 / (6 * a3**2) + a0 / (2 * a3)
    size = max(a2**2 / (3 * a3) ** 2 - a1 / (3 * a3), 0.0) ** 0.5
    p = size if q > 0 else -size
    angle = 0.0 if p == 0 else float(np.arccos(np.clip(q / p**3, -1.0, 1.0)))
    share2 = 2 * p * float(np.cos((np.pi + angle) / 3)) - a2 / (3 * a3)
    share2 = min(max(share2, max(0.0, -d)), min(1.0, 1.0 - d))
    return min(max(share2 + d, 0.0), 1.0), share2


def _z(level: float) -> float:
    if not 0 < level < 1:
        raise ValueError("level must be between 0 and 1")
    return float(ndtri((1 + level) / 2))


def _check_two(x1: float, n1: float, x2: float, n2: float, design_effect: float) -> None:
    if not (0 <= x1 <= n1 and 0 <= x2 <= n2):
        raise ValueError("x must be within 0 … n")
    if design_effect < 1:
        raise ValueError("a design effect below 1 would promise more than independent images")
