"""How bad it is to mistake one category for another: none, linear, quadratic, or a matrix of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Floats

Weights: TypeAlias = Literal["none", "linear", "quadratic"] | npt.ArrayLike


def disagreement(weights: Weights, categories: int, order: Sequence[int] | None = None) -> Floats:
    """Cost of disagreement between every two categories, shape (Q, Q), zero on the diagonal.

    Parameters
    ----------
    weights : {"none", "linear", "quadratic"} or array_like, shape (Q, Q)
        "none" costs 1 for any difference; "linear" and "quadratic" cost the distance in `order` or its
        square; a matrix is taken as it is, as costs (0 on the diagonal), not as similarities.
    categories : int
        Number of categories offered, Q.
    order : sequence of int, optional
        Category codes from lowest to highest. Required for "linear" and "quadratic": an order guessed
        from names changes the coefficient without a word.

    Raises
    ------
    ValueError
        A missing or incomplete order, or a matrix that is not a cost.

    Examples
    --------
    >>> disagreement("linear", 3, order=[2, 0, 1])
    array([[0., 1., 1.],
           [1., 0., 2.],
           [1., 2., 0.]])
    """
    if not isinstance(weights, str):
        return _own(np.asarray(weights, dtype=np.float64), categories)
    if weights == "none":
        return 1.0 - np.eye(categories)
    if weights not in ("linear", "quadratic"):
        raise ValueError(f"weights {weights!r} are none of: none, linear, quadratic, a matrix")
    if order is None or sorted(order) != list(range(categories)):
        raise ValueError(f"{weights} weights need the order of all {categories} categories")
    place = np.empty(categories)
    place[list(order)] = np.arange(categories)
    distance = np.abs(place[:, None] - place[None, :])
    return distance if weights == "linear" else distance**2


def similarity(weights: Weights, categories: int, order: Sequence[int] | None = None) -> Floats:
    """The same as closeness: 1 on the diagonal, 0 for the most costly difference.

    Examples
    --------
    >>> similarity("quadratic", 3, order=[0, 1, 2])[0]
    array([1.  , 0.75, 0.  ])
    """
    cost = disagreement(weights, categories, order)
    largest = cost.max(initial=0.0)
    return 1.0 - cost / largest if largest > 0 else np.ones_like(cost)


def name_of(weights: Weights) -> str:
    """The weights in a word, for the method of an estimate."""
    if not isinstance(weights, str):
        return "own weights"
    return "unweighted" if weights == "none" else f"{weights} weights"


def _own(cost: Floats, categories: int) -> Floats:
    if cost.shape != (categories, categories):
        raise ValueError(f"weights have shape {cost.shape}; ({categories}, {categories}) is expected")
    if not np.isfinite(cost).all() or (cost < 0).any() or np.diagonal(cost).any():
        raise ValueError("weights are costs of disagreement: zero on the diagonal, none negative")
    return cost
