"""The jackknife: a statistic with one cluster left out at a time, and the standard error it gives."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Floats, Ints


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


def jackknife_ses(values: Floats, strata: npt.ArrayLike | None = None) -> Floats:
    """`jackknife_se` of each column; nan values are left out, nan where no group has two.

    Parameters
    ----------
    values : ndarray, shape (C, T)
    strata : array_like of int, shape (C,), optional

    Examples
    --------
    >>> jackknife_ses(np.array([[1.0], [2.0], [3.0]])).round(4).tolist()
    [1.1547]
    """
    squares = np.zeros(values.shape[1])
    some = np.zeros(values.shape[1], dtype=bool)
    for part, size in groups_of(values, strata):
        centre = np.nansum(part, axis=0) / size
        squares += (size - 1) / size * np.nansum((part - centre) ** 2, axis=0)
        some |= size > 1
    return np.asarray(np.where(some, np.sqrt(squares), np.nan), dtype=np.float64)


def groups_of(values: Floats, strata: npt.ArrayLike | None) -> list[tuple[Floats, Floats]]:
    """Per group of rows its values and how many of each column are defined; at least 1, so none divides by 0.

    Examples
    --------
    >>> [size.tolist() for _, size in groups_of(np.array([[1.0], [np.nan], [2.0]]), [0, 0, 1])]
    [[1.0], [1.0]]
    """
    group = np.zeros(len(values), dtype=np.int64) if strata is None else np.asarray(strata)
    parts = []
    for one in np.unique(group):
        part = values[group == one]
        size = np.count_nonzero(~np.isnan(part), axis=0).astype(np.float64)
        empty = size == 0
        parts.append((np.where(empty, 0.0, part), np.maximum(size, 1.0)))
    return parts
