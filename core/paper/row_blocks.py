"""A function of rows, some rows at a time on two threads: what it makes in between stays in the cache.

Arrays of millions of rows that are made and thrown away cost more to fetch from memory than to compute.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

Columns = tuple[npt.NDArray[Any], ...]

ROWS_AT_ONCE = 1 << 16
_THREADS = 2


def by_rows(
    rowwise: Callable[..., Columns], *columns: npt.NDArray[Any], at_once: int = ROWS_AT_ONCE
) -> Columns:
    """What `rowwise` returns for all rows of some columns.

    Parameters
    ----------
    rowwise : callable
        Takes arrays of N rows and returns arrays of N rows, each row from the same row of what it is given.
    columns : ndarray, shape (N,) or (N, K)
    at_once : int
        Rows of a block.

    Returns
    -------
    tuple of ndarray
        Arrays (N, K) have each of their K columns contiguous in memory.

    Examples
    --------
    >>> by_rows(lambda one, other: (one + other,), np.arange(3), np.ones(3), at_once=2)[0].tolist()
    [1.0, 2.0, 3.0]
    """
    size = len(columns[0])
    kinds = rowwise(*(column[:0] for column in columns))
    found = tuple(np.empty((*kind.shape[:0:-1], size), dtype=kind.dtype).T for kind in kinds)

    def fill(start: int) -> None:
        rows = slice(start, start + at_once)
        for whole, part in zip(found, rowwise(*(column[rows] for column in columns)), strict=True):
            whole[rows] = part

    with ThreadPoolExecutor(_THREADS) as pool:
        for _ in pool.map(fill, range(0, size, at_once)):
            pass
    return found
