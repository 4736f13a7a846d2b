"""Prevalence: the share of images that show a label, over the conditions of one role and generator.

The denominator is images with a usable record in the dimension; unknown is taken out image by image, and
in a list dimension it is still images, never mentions. A condition without images is not a 0 %.
"""

from __future__ import annotations

import numpy.typing as npt

from core.statistics.arrays import condition_counts
from core.statistics.estimate import Estimate, undefined

NO_IMAGES = "a condition has no usable image"


def pooled_prevalence(x: npt.ArrayLike, n: npt.ArrayLike) -> Estimate:
    """Images with the label over all images, conditions together: sum x / sum n.

    Parameters
    ----------
    x, n : array_like of int, shape (C,)
        Images that show the label, and images with a usable record, per condition.

    Returns
    -------
    Estimate
        Share 0..1; `n` is the number of images. Undefined when a condition has no usable image.

    Raises
    ------
    ValueError
        Counts that are not whole or not within 0 … n.

    Notes
    -----
    Kolli et al., ContextBias, eq. 2. The published rows can only be reproduced with the pooled share.

    Examples
    --------
    >>> round(pooled_prevalence([20, 48, 60], [20, 50, 60]).value, 6)
    0.984615
    """
    shown, images = condition_counts(x, n)
    total = int(images.sum())
    if total == 0 or (images == 0).any():
        return undefined(NO_IMAGES, n=total, method="pooled")
    return Estimate(int(shown.sum()) / total, n=total, method="pooled")  # eq. 2


def mean_prevalence(x: npt.ArrayLike, n: npt.ArrayLike) -> Estimate:
    """Mean of the prevalences of the conditions, each with the same weight.

    Parameters
    ----------
    x, n : array_like of int, shape (C,)
        As in `pooled_prevalence`.

    Returns
    -------
    Estimate
        Share 0..1; undefined when a condition has no usable image.

    Raises
    ------
    ValueError
        Counts that are not whole or not within 0 … n.

    Notes
    -----
    Not what the paper prints; for designs with unequal numbers of images per condition.

    Examples
    --------
    >>> mean_prevalence([10, 50], [20, 50]).value
    0.75
    """
    shown, images = condition_counts(x, n)
    total = int(images.sum())
    if total == 0 or (images == 0).any():
        return undefined(NO_IMAGES, n=total, method="equal weight")
    return Estimate(float((shown / images).mean()), n=total, method="equal weight")
