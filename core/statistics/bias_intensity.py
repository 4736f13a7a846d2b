"""Bias Intensity (BI): how far a distribution of labels is from even, on a label space stated beforehand.

BI = 1 - H / log K. Everything depends on K: with the labels that happen to be seen, BI becomes a function
of the number of images. Here K is the vocabulary of the schema, or for an open dimension the labels seen
anywhere in the study, fixed once for all generators and conditions.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Floats, counts_array
from core.statistics.entropy import entropies
from core.statistics.estimate import Estimate, undefined
from core.statistics.matched import matched_entropies

Estimator: TypeAlias = Literal["plugin", "miller_madow", "chao_shen", "matched"]
ESTIMATORS: tuple[Estimator, ...] = ("plugin", "miller_madow", "chao_shen", "matched")

NO_DATA = "no usable image"
SINGLE_CATEGORY = "single category: the label space has fewer than two labels"
CLIPPED = "entropy estimate above log K; BI set to 0"


def bias_intensity(
    counts: npt.ArrayLike,
    k: int,
    *,
    estimator: Estimator = "plugin",
    matched_to: int | None = None,
    space: str = "",
) -> Estimate:
    """Bias Intensity of one distribution of labels: 0 is even, 1 is a single label.

    Parameters
    ----------
    counts : array_like, shape (L,)
        Images (or mentions, in a list dimension) per label; labels without a count may be left out.
    k : int
        Size of the label space, L observed labels at most.
    estimator : {"plugin", "miller_madow", "chao_shen", "matched"}
        How the entropy is estimated; see `core.statistics.entropy` and `core.statistics.matched`.
    matched_to : int, optional
        Size to which "matched" brings the counts; required there.
    space : str
        The label space in words; kept in the result.

    Returns
    -------
    Estimate
        `n` is the sum of the counts. Undefined without any count, and when `k` is below 2.

    Raises
    ------
    ValueError
        Negative counts, more observed labels than `k`, or "matched" without its size.

    Notes
    -----
    Kolli et al., ContextBias, eq. 1, with K fixed. The same quantity is one minus Pielou's evenness [1]_.

    References
    ----------
    .. [1] Pielou, E. C. (1966). The measurement of diversity in different types of biological
       collections. Journal of Theoretical Biology 13, 131-144.

    Examples
    --------
    >>> bias_intensity([20], 4).value, bias_intensity([5, 5, 5, 5], 4).value
    (1.0, 0.0)
    >>> bias_intensity([0, 0], 2).reason
    'no usable image'
    """
    x = counts_array(counts)
    if x.ndim != 1:
        raise ValueError("counts must be one distribution")
    n = round(float(x.sum()))
    if k < 2:
        return undefined(SINGLE_CATEGORY, n=n, method=estimator, space=space)
    if np.count_nonzero(x) > k:
        raise ValueError(f"{np.count_nonzero(x)} labels counted in a space of {k}")
    entropy = label_entropies(x[None, :], estimator, None if matched_to is None else np.array([matched_to]))
    value, clipped = intensities(entropy, k)
    if np.isnan(value[0]):
        return undefined(NO_DATA, n=n, method=estimator, space=space)
    reason = CLIPPED if clipped[0] else ""
    return Estimate(float(value[0]), reason=reason, n=n, method=estimator, space=space)


def effective_labels(counts: npt.ArrayLike, *, estimator: Estimator = "plugin") -> Estimate:
    """How many equally common labels would give the same entropy: exp(H).

    Parameters
    ----------
    counts : array_like, shape (L,)
        Images or mentions per label.
    estimator : {"plugin", "miller_madow", "chao_shen"}
        How the entropy is estimated.

    Returns
    -------
    Estimate
        1 or more; undefined without any count. It needs no label space.

    References
    ----------
    .. [1] Hill, M. O. (1973). Diversity and evenness. Ecology 54, 427-432 (number of order 1).

    Examples
    --------
    >>> effective_labels([10, 10, 0]).value
    2.0
    """
    x = counts_array(counts)
    entropy = float(label_entropies(x[None, :], estimator, None)[0])
    n = round(float(x.sum()))
    if np.isnan(entropy):
        return undefined(NO_DATA, n=n, method=estimator)
    return Estimate(round(float(np.exp(entropy)), 12), n=n, method=estimator)


def label_entropies(counts: Floats, estimator: Estimator, matched_to: npt.ArrayLike | None) -> Floats:
    """Entropy of each row of counts by one of the four estimators; nan in a row without counts."""
    if estimator == "matched":
        if matched_to is None:
            raise ValueError("the matched estimator needs the size to match to")
        return matched_entropies(counts, matched_to)
    return entropies(counts, estimator)


def intensities(entropy: Floats, k: int) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """BI of entropies on a space of k >= 2 labels, and where it had to be raised to 0.

    Examples
    --------
    >>> intensities(np.array([0.0, 2.0]), 4)[0].tolist()
    [1.0, 0.0]
    """
    value = 1 - entropy / np.log(k)  # eq. 1
    clipped = value < -1e-12
    return np.where(np.isnan(value), np.nan, np.clip(value, 0.0, 1.0)), clipped
