"""The matrix that every measure of agreement starts from: units by raters, -1 where nobody answered."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Floats, Ints

MISSING = -1
"""No answer. Never a category of its own and never guessed."""

ONE_CATEGORY = "one category: every answer is the same, raw agreement 100 %"
NO_SHARED_UNIT = "no unit shared by two raters"
NO_ANSWER = "no answer"
ONE_OFFERED = "only one category is offered, so there is nothing to agree on"


def checked(ratings: npt.ArrayLike, categories: int) -> Ints:
    """Ratings as an integer matrix, after refusing what cannot be one.

    Parameters
    ----------
    ratings : array_like of int, shape (U, R)
        Category code of each of U units by each of R raters, 0 <= code < `categories`; -1 is missing.
    categories : int
        Number of categories offered, used or not; 0 where none is left, and every rating is missing.

    Raises
    ------
    ValueError
        Not two-dimensional, not whole numbers, or a code outside the categories.

    Examples
    --------
    >>> checked([[0, 1], [1, -1]], 2).shape
    (2, 2)
    """
    matrix = np.asarray(ratings)
    if matrix.ndim != 2:
        raise ValueError(f"ratings have {matrix.ndim} dimensions; units by raters is expected")
    if matrix.size and matrix.dtype.kind not in "iu":
        raise ValueError(f"ratings are {matrix.dtype}; category codes are whole numbers and missing is -1")
    if categories < 0:
        raise ValueError("the number of categories cannot be negative")
    if matrix.size and (matrix.min() < MISSING or matrix.max() >= categories):
        raise ValueError(f"a rating lies outside -1 … {categories - 1}")
    return matrix.astype(np.int64)


def counts_of(ratings: Ints, categories: int) -> Floats:
    """How many raters gave each category to each unit, shape (U, Q).

    Examples
    --------
    >>> counts_of(np.array([[0, 1, 1], [2, -1, 2]]), 3)
    array([[1., 2., 0.],
           [0., 0., 2.]])
    """
    units = ratings.shape[0]
    rows = np.broadcast_to(np.arange(units)[:, None], ratings.shape)
    given = ratings >= 0
    flat = rows[given] * categories + ratings[given]
    return np.bincount(flat, minlength=units * categories).reshape(units, categories).astype(np.float64)


def shares_of(counts: Floats) -> Floats:
    """Share of a unit's raters who gave each category; zeros for a unit without an answer."""
    answers = counts.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(counts, answers, out=np.zeros_like(counts), where=answers > 0)
    return shares


def one_hot(codes: Ints, categories: int) -> Floats:
    """One column a category: 1 where the code is that category; a missing code gives a row of zeros."""
    columns: Floats = (codes[:, None] == np.arange(categories)).astype(np.float64)
    return columns


def shared_units(ratings: Ints) -> int:
    """Number of units that at least two raters answered."""
    return int(((ratings >= 0).sum(axis=1) >= 2).sum())


def why_undefined(ratings: Ints, categories: int) -> str:
    """The reason why a chance-corrected coefficient has no value for these ratings.

    Examples
    --------
    >>> why_undefined(np.array([[1, 1], [1, 1]]), 3)
    'one category: every answer is the same, raw agreement 100 %'
    """
    if not (ratings >= 0).any():
        return NO_ANSWER
    if shared_units(ratings) == 0:
        return NO_SHARED_UNIT
    if categories == 1:
        return ONE_OFFERED
    return ONE_CATEGORY


def ratings_of_table(table: npt.ArrayLike) -> Ints:
    """Ratings of two raters from their table of counts (rows: first rater), one unit a row.

    Examples
    --------
    >>> ratings_of_table([[1, 1], [0, 2]])
    array([[0, 0],
           [0, 1],
           [1, 1],
           [1, 1]])
    """
    counts = np.asarray(table, dtype=np.int64)
    pairs = np.argwhere(np.ones_like(counts))
    return np.repeat(pairs, counts.ravel(), axis=0).astype(np.int64)


def ratings_of_counts(counts: npt.ArrayLike) -> Ints:
    """Ratings from counts per unit and category, when it is not known which rater said what.

    The columns are then places in a list, not persons: only measures that treat raters as
    exchangeable (raw agreement, Fleiss, Krippendorff, Gwet, Brennan–Prediger) may be used on them.

    Examples
    --------
    >>> ratings_of_counts([[2, 1], [0, 2]])
    array([[ 0,  0,  1],
           [ 1,  1, -1]])
    """
    table = np.asarray(counts, dtype=np.int64)
    ratings = np.full((table.shape[0], int(table.sum(axis=1).max(initial=0))), MISSING, dtype=np.int64)
    for unit, row in enumerate(table):
        codes = np.repeat(np.arange(table.shape[1]), row)
        ratings[unit, : codes.size] = codes
    return ratings
