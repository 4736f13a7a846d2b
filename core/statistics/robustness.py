"""Does a prevalence hang on one prompt? Leave each out in turn, and see how far the value moves.

This is leave-one-prompt-out within a role. The paper's table of that name compares a role with all other
roles; it belongs to paper mode and is called role contrast there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.statistics.arrays import Floats, Ints, condition_counts
from core.statistics.resampling import jackknife_se

MOVE = 0.05
"""A label is called invariant to its prompts when no single one moves its prevalence by more."""

ONE_PROMPT = "fewer than two prompts with usable images"


@dataclass(frozen=True, slots=True)
class LeaveOneOut:
    """Value on all prompts, largest move and the prompt that causes it, jackknife standard error."""

    value: float | None
    largest_move: float | None
    prompt: str
    se: float | None
    is_invariant: bool | None
    reason: str = ""


def leave_one_prompt_out(
    x: npt.ArrayLike, n: npt.ArrayLike, prompts: Sequence[str], *, strata: npt.ArrayLike | None = None
) -> LeaveOneOut:
    """How far the pooled prevalence moves when one prompt is left out.

    Parameters
    ----------
    x, n : array_like of int, shape (P,)
        Images that show the label, and images with a usable record, per prompt.
    prompts : sequence of str, length P
        The prompts; a tie goes to the first in alphabetical order.
    strata : array_like of int, shape (P,), optional
        Condition of each prompt: standard errors add up over conditions instead of treating a difference
        between conditions as noise.

    Returns
    -------
    LeaveOneOut
        `largest_move` is value without the prompt minus value with all. Undefined with fewer than two
        prompts that have usable images.

    Raises
    ------
    ValueError
        Counts that are not whole or not within 0 … n.

    References
    ----------
    .. [1] Efron, B. & Tibshirani, R. J. (1993). An Introduction to the Bootstrap, ch. 11.

    Examples
    --------
    >>> result = leave_one_prompt_out([10, 10, 4], [10, 10, 10], ["a", "b", "c"])
    >>> round(result.value, 3), round(result.largest_move, 3), result.prompt, result.is_invariant
    (0.8, 0.2, 'c', False)
    """
    shown, images = condition_counts(x, n)
    order = sorted(range(len(prompts)), key=lambda position: prompts[position])
    shown, images = shown[order], images[order]
    group = np.zeros(len(order), dtype=np.int64) if strata is None else np.asarray(strata)[order]
    if int(images.sum()) == 0:
        return LeaveOneOut(None, None, "", None, None, "no usable image")
    value = int(shown.sum()) / int(images.sum())
    if np.count_nonzero(images) < 2:
        return LeaveOneOut(value, None, "", None, None, ONE_PROMPT)
    without = values_without(shown[:, None], images[:, None])[:, 0]
    worst = int(largest_moves(without[:, None] - value)[0])
    move = float(without[worst] - value)
    kept = images > 0
    se = jackknife_se(without[kept], group[kept])
    return LeaveOneOut(value, move, prompts[order[worst]], se, abs(move) <= MOVE + 1e-12)


def values_without(x: Ints, n: Ints) -> Floats:
    """Pooled prevalence without each prompt, shape (P, L) to (P, L); nan where nothing would be left.

    Examples
    --------
    >>> values_without(np.array([[1], [0]]), np.array([[1], [1]])).ravel().tolist()
    [0.0, 1.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((x.sum(axis=0) - x) / (n.sum(axis=0) - n), dtype=np.float64)


def largest_moves(moves: Floats) -> Ints:
    """Per column, the row of the largest move in size; ties (to 12 digits) go to the first row.

    A row without a move (nan) is taken only where no row has one.

    Examples
    --------
    >>> largest_moves(np.array([[0.1], [-0.1]])).tolist()
    [0]
    >>> largest_moves(np.array([[np.nan], [0.0]])).tolist()
    [1]
    """
    sizes = np.where(np.isnan(moves), -1.0, np.round(np.abs(moves), 12))
    return np.asarray(np.argmax(sizes, axis=0), dtype=np.int64)
