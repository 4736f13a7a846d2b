"""Is a label invariant over the conditions, did it change, or do the data not suffice to say?

A test that finds nothing does not show that there is nothing. A label is called invariant only when every
difference between two conditions is shown to be smaller than a margin that was stated beforehand, and
changed only when a difference is shown to exist; what is left is "not enough data".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Floats, Ints, condition_counts
from core.statistics.proportion import newcombe_limits

MARGIN = 0.15
"""Default margin, as a share. With 20 images in a condition even a label in every image leaves differences
of 12 points open at the 90 % level: at 5 or 10 points nothing could ever be shown invariant."""

ALPHA = 0.05

INVARIANT, CHANGED, NOT_ENOUGH = "invariant", "changed", "not enough data"
WORDS = (INVARIANT, CHANGED, NOT_ENOUGH)

NO_IMAGES = "a condition has no usable image"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict and what it rests on: the 90 % limits that the largest difference must keep within."""

    word: str
    low: float | None
    high: float | None
    margin: float
    reason: str = ""


def verdict(
    x: npt.ArrayLike,
    n: npt.ArrayLike,
    *,
    margin: float = MARGIN,
    alpha: float = ALPHA,
    design_effect: float = 1.0,
) -> Verdict:
    """Equivalence verdict for one label.

    Parameters
    ----------
    x, n : array_like of int, shape (C,)
        Images that show the label, and images with a usable record, per condition.
    margin : float
        Largest difference between two prevalences that still counts as none, as a share.
    alpha : float
        Error rate of either claim.
    design_effect : float
        Clustering of images by prompt; x and n are divided by it.

    Returns
    -------
    Verdict
        "invariant" when the 1 - 2 alpha interval of every pairwise difference lies within the margin;
        else "changed" when, with alpha divided by the number of pairs, an interval excludes 0; else
        "not enough data", also when a condition has no usable image.

    Raises
    ------
    ValueError
        Counts that are not whole or not within 0 … n, or a margin outside (0, 1].

    Notes
    -----
    Two one-sided tests [1]_ for every pair; since all must succeed, no correction is needed. The intervals
    are Newcombe's score intervals: a bootstrap has no width where every image shows the label.

    References
    ----------
    .. [1] Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure and the power
       approach. Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680.

    Examples
    --------
    >>> verdict([20, 50, 60], [20, 50, 60]).word, verdict([20, 50, 60], [20, 50, 60], margin=0.05).word
    ('invariant', 'not enough data')
    >>> verdict([20, 50, 30], [20, 50, 60]).word
    'changed'
    """
    if not 0 < margin <= 1:
        raise ValueError("the margin is a share above 0 and at most 1")
    shown, images = condition_counts(x, n)
    if (images == 0).any() or images.size < 2:
        return Verdict(NOT_ENOUGH, None, None, margin, NO_IMAGES)
    codes, low, high = verdicts(
        shown[None, :], images[None, :], margin=margin, alpha=alpha, design_effect=design_effect
    )
    return Verdict(WORDS[int(codes[0])], float(low[0]), float(high[0]), margin)


def verdicts(
    x: Ints, n: Ints, *, margin: float = MARGIN, alpha: float = ALPHA, design_effect: npt.ArrayLike = 1.0
) -> tuple[Ints, Floats, Floats]:
    """`verdict` of each row, shape (T, C): positions in `WORDS`, and the widest limits of a difference.

    Examples
    --------
    >>> verdicts(np.array([[0, 5, 5]]), np.array([[0, 9, 9]]))[0].tolist()
    [2]
    """
    effect = np.broadcast_to(np.asarray(design_effect, dtype=np.float64), (len(x),))
    pairs = [(one, other) for one in range(x.shape[1]) for other in range(one)]
    lowest, highest = np.full(len(x), np.inf), np.full(len(x), -np.inf)
    changed = np.zeros(len(x), dtype=bool)
    for one, other in pairs:
        pair = (x[:, one], n[:, one], x[:, other], n[:, other])
        low, high = newcombe_limits(*pair, level=1 - 2 * alpha, design_effect=effect)
        lowest, highest = np.minimum(lowest, low), np.maximum(highest, high)
        low, high = newcombe_limits(*pair, level=1 - alpha / len(pairs), design_effect=effect)
        changed |= (low > 0) | (high < 0)
    empty = (n == 0).any(axis=1)
    invariant = ~empty & (lowest > -margin) & (highest < margin)
    codes = np.select([invariant, changed & ~empty], [0, 1], 2)
    return codes.astype(np.int64), np.where(empty, np.nan, lowest), np.where(empty, np.nan, highest)
