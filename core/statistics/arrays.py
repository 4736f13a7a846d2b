"""The array types of this package, and the check that counts are counts."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]


def counts_array(counts: npt.ArrayLike) -> Floats:
    """Counts as floats, refused unless every one is finite and not negative.

    Raises
    ------
    ValueError
        A negative, infinite or missing count.

    Examples
    --------
    >>> counts_array([3, 1]).tolist()
    [3.0, 1.0]
    """
    array = np.asarray(counts, dtype=np.float64)
    if not np.all(np.isfinite(array)) or np.any(array < 0):
        raise ValueError("counts must be finite and not negative")
    return array


def condition_counts(x: npt.ArrayLike, n: npt.ArrayLike) -> tuple[Ints, Ints]:
    """Images that show a label and images looked at, one pair a condition, as whole numbers.

    Raises
    ------
    ValueError
        Shapes differ, a number is not whole, or x is not within 0 … n.

    Examples
    --------
    >>> condition_counts([19, 50], [20, 50])[0].tolist()
    [19, 50]
    """
    shown, images = counts_array(x), counts_array(n)
    if shown.shape != images.shape:
        raise ValueError(f"x has shape {shown.shape}, n has {images.shape}")
    if np.any(shown != np.rint(shown)) or np.any(images != np.rint(images)):
        raise ValueError("x and n must be whole numbers")
    if np.any(shown > images):
        raise ValueError("x must not exceed n: more images with the label than images")
    return shown.astype(np.int64), images.astype(np.int64)


_MOST_FLAGS = 20_000_000


def distinct(key: Ints) -> tuple[Ints, Ints, Ints]:
    """Distinct keys ascending, which of them each row has, and the first row of each.

    Keys are 0 or more. As `np.unique`, but without sorting the rows where the keys are small numbers.

    Examples
    --------
    >>> [part.tolist() for part in distinct(np.array([5, 2, 5]))]
    [[2, 5], [1, 0, 1], [1, 0]]
    """
    top = int(key.max(initial=-1)) + 1
    if top > max(_MOST_FLAGS, 4 * key.size):
        kinds, first, place = np.unique(key, return_index=True, return_inverse=True)
        return kinds, place.ravel().astype(np.int64), first.astype(np.int64)
    seen = np.zeros(top, dtype=np.bool_)
    seen[key] = True
    kinds = np.flatnonzero(seen)
    rank = np.zeros(top, dtype=np.int64)
    rank[kinds] = np.arange(kinds.size)
    place = rank[key]
    first = np.empty(kinds.size, dtype=np.int64)
    first[place[::-1]] = np.arange(key.size - 1, -1, -1)
    return kinds.astype(np.int64), place, first
