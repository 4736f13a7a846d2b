"""The matrix that measures of counts and sliders start from: subjects by raters, nan where missing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Floats


def checked_measurements(values: npt.ArrayLike) -> Floats:
    """Numbers as a matrix of subjects by raters; None and nan are missing.

    Raises
    ------
    ValueError
        Not two-dimensional, or an infinite number.

    Examples
    --------
    >>> checked_measurements([[1, 2], [None, 4]])
    array([[ 1.,  2.],
           [nan,  4.]])
    """
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2:
        raise ValueError(f"measurements have {matrix.ndim} dimensions; subjects by raters is expected")
    if np.isinf(matrix).any():
        raise ValueError("a measurement is infinite")
    return matrix


def complete(values: Floats) -> Floats:
    """The subjects that every rater measured."""
    return values[np.isfinite(values).all(axis=1)]


def left_out_note(values: Floats) -> str:
    """How many subjects were left out because a measurement is missing; empty when none was."""
    missing = values.shape[0] - complete(values).shape[0]
    return f"{missing} with a missing measurement left out" if missing else ""


def pair_of(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[Floats, str]:
    """Two series side by side without pairs that miss one, shape (N, 2), and a note on what was left out.

    Raises
    ------
    ValueError
        Series of different length.
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"two series of the same length are expected, not shapes {a.shape} and {b.shape}")
    both = checked_measurements(np.column_stack([a, b]))
    return complete(both), left_out_note(both)
