"""Images of one prompt resemble each other: the design effect, and the test that allows for it.

Ten seeds of a prompt are fewer than ten independent images. With an intraclass correlation of .1 the plain
test at 5 % raises false alarms in 19 % of cases. Rao and Scott need only the counts per prompt.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from core.statistics.arrays import Floats, Ints, condition_counts
from core.statistics.estimate import Estimate, undefined

FEW_PROMPTS = "no condition has two prompts"


@dataclass(frozen=True, slots=True)
class RaoScott:
    """Adjusted test: shares and design effects by group in the order of `groups`, statistic, df and p."""

    groups: Ints
    shares: Floats
    design_effects: Floats
    chi2: Estimate
    df: int
    p: float | None


def design_effects(x: npt.ArrayLike, n: npt.ArrayLike, group: npt.ArrayLike) -> tuple[Ints, Floats, Floats]:
    """Share and design effect of each group of clusters.

    Parameters
    ----------
    x, n : array_like of int, shape (P,)
        Images that show the label, and images with a usable record, per prompt.
    group : array_like of int, shape (P,)
        The condition of each prompt.

    Returns
    -------
    groups, shares, effects : ndarray, shape (G,)
        Groups in ascending order; an effect is nan where a group has one prompt or a share of 0 or 1.

    Notes
    -----
    d = n v / (p (1 - p)), with v = m / (m - 1) sum (x_i - n_i p)^2 / n^2 over the m clusters [1]_.

    References
    ----------
    .. [1] Rao, J. N. K. & Scott, A. J. (1992). A simple method for the analysis of clustered binary data.
       Biometrics 48, 577-585, sec. 2.

    Examples
    --------
    Two prompts that disagree completely are worth two images, not twenty:

    >>> design_effects([10, 0], [10, 10], [0, 0])[2].tolist()
    [20.0]
    """
    shown, images = condition_counts(x, n)
    names = np.asarray(group, dtype=np.int64)
    groups = np.unique(names)
    shares, effects = np.full(groups.size, np.nan), np.full(groups.size, np.nan)
    for position, one in enumerate(groups):
        y, size = shown[names == one], images[names == one]
        y, size = y[size > 0], size[size > 0]
        if size.size == 0:
            continue
        p = shares[position] = y.sum() / size.sum()
        if size.size > 1 and 0 < p < 1:
            variance = size.size / (size.size - 1) * np.sum((y - size * p) ** 2) / size.sum() ** 2
            effects[position] = size.sum() * variance / (p * (1 - p))  # [1] eq. 2.2
    return groups, shares, effects


def rao_scott(
    x: npt.ArrayLike, n: npt.ArrayLike, group: npt.ArrayLike, *, design_effect: float | None = None
) -> RaoScott:
    """Test of homogeneity between groups of clustered images.

    Parameters
    ----------
    x, n, group : array_like of int, shape (P,)
        As in `design_effects`.
    design_effect : float, optional
        One effect for all groups, where it was pooled over labels or roles because a group of two prompts
        cannot give its own; without it each group has its own.

    Returns
    -------
    RaoScott
        Pearson's statistic on x / d and n / d. Undefined with fewer than two groups, or when a group's
        own effect is undefined although its share is neither 0 nor 1.

    References
    ----------
    .. [1] Rao & Scott (1992), as in `design_effects`, eq. 2.5.

    Examples
    --------
    >>> result = rao_scott([10, 9, 4, 1], [10, 10, 10, 10], [0, 0, 1, 1])
    >>> round(result.chi2.value, 3), result.df
    (14.629, 1)
    """
    groups, shares, effects = design_effects(x, n, group)
    used = ~np.isnan(shares)
    df = int(np.count_nonzero(used)) - 1
    if design_effect is not None:
        effects = np.where(used, design_effect, np.nan)
    if df < 1:
        few = undefined("fewer than two groups with images")
        return RaoScott(groups, shares, effects, few, max(df, 0), None)
    needed = used & (shares > 0) & (shares < 1)
    if np.isnan(effects[needed]).any():
        return RaoScott(groups, shares, effects, undefined(FEW_PROMPTS), df, None)
    names, images = np.asarray(group, dtype=np.int64), np.asarray(n, dtype=np.float64)
    size = np.array([images[names == one].sum() for one in groups])[used]
    size = size / np.where(np.isnan(effects[used]), 1.0, np.maximum(effects[used], 1e-12))
    statistic = _pearson(shares[used] * size, size)
    p = float(chdtrc(df, statistic))
    total = round(float(images.sum()))
    return RaoScott(groups, shares, effects, Estimate(statistic, n=total, method="rao_scott"), df, p)


def _pearson(x: Floats, n: Floats) -> float:
    p = float(x.sum() / n.sum())
    return 0.0 if p in (0.0, 1.0) else float(np.sum((x - n * p) ** 2 / (n * p * (1 - p))))


@dataclass(frozen=True, slots=True)
class ClusterSums:
    """The two sums whose ratio is a pooled design effect, one entry a label; they add up over roles."""

    clustered: Floats
    independent: Floats

    def effect(self) -> float:
        """Design effect over all labels together, at least 1; 1 where nothing can be said."""
        return float(pooled_effects(self.clustered.sum(), self.independent.sum()))


def pooled_effects(clustered: npt.ArrayLike, independent: npt.ArrayLike) -> Floats:
    """Design effects of sums from `cluster_sums`, at least 1; 1 where nothing can be said.

    Examples
    --------
    >>> pooled_effects([3.0, 1.0, 0.0], [2.0, 2.0, 0.0]).tolist()
    [1.5, 1.0, 1.0]
    """
    above, below = np.asarray(clustered, dtype=np.float64), np.asarray(independent, dtype=np.float64)
    safe = np.where(below > 0, below, 1.0)
    return np.maximum(np.where(below > 0, above / safe, 1.0), 1.0)


def cluster_sums(x: npt.ArrayLike, n: npt.ArrayLike, group: npt.ArrayLike) -> ClusterSums:
    """Sums for a design effect that is pooled over conditions, labels and roles.

    Two prompts in a condition give no usable design effect of their own. Pooled, each group of prompts
    counts by the variance it has: sum n v over sum p (1 - p).

    Parameters
    ----------
    x, n : array_like of int, shape (P, L)
        Images that show the label, and images with a usable record, per prompt and label.
    group : array_like of int, shape (P,)
        The condition of each prompt.

    Returns
    -------
    ClusterSums
        Groups with fewer than two prompts add nothing.

    Examples
    --------
    >>> cluster_sums([[10], [0]], [[10], [10]], [0, 0]).effect()
    20.0
    """
    shown, images = np.asarray(x, dtype=np.float64), np.asarray(n, dtype=np.float64)
    names = np.asarray(group, dtype=np.int64)
    clustered, independent = np.zeros(shown.shape[1]), np.zeros(shown.shape[1])
    for one in np.unique(names):
        y, size = shown[names == one], images[names == one]
        m, total = np.count_nonzero(size, axis=0), size.sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            p = y.sum(axis=0) / total
            spread = m / (m - 1) * ((y - size * p) ** 2).sum(axis=0) / total
        usable = m > 1
        clustered += np.where(usable, spread, 0.0)
        independent += np.where(usable, p * (1 - p), 0.0)
    return ClusterSums(clustered, independent)
