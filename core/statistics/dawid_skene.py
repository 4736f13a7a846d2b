"""Dawid & Skene: what the items are and how each rater errs, estimated together from the answers alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.amounts import counted
from core.statistics.arrays import Floats, Ints
from core.statistics.ratings import MISSING, NO_ANSWER, checked

FEWEST_RATERS = 3
LOWEST = 1e-300
"""Stands in for a probability of zero inside a logarithm."""


@dataclass(frozen=True, slots=True)
class DawidSkene:
    """The fitted model, or the reason why there is none (the arrays are then empty).

    Parameters
    ----------
    prevalence : ndarray, shape (Q,)
        Estimated share of items of each class.
    confusion : ndarray, shape (R, Q, Q)
        Probability that rater r answers l when the class is j, at [r, j, l]. A row is nan when the rater
        saw no item of that class.
    posterior : ndarray, shape (I, Q)
        Probability of each class for each item; nan for an item without an answer.
    labels : ndarray of int, shape (I,)
        Most probable class; -1 for an item without an answer or with an exact tie.
    log_likelihood : float
        Of the answers under the fitted model, without multinomial constants.
    iterations : int
        Steps taken.
    is_converged : bool
        Whether the likelihood stopped rising before the last allowed step.
    reason : str
        Why there is no fit, or what to beware of.
    """

    prevalence: Floats
    confusion: Floats
    posterior: Floats
    labels: Ints
    log_likelihood: float = float("-inf")
    iterations: int = 0
    is_converged: bool = False
    reason: str = ""

    @property
    def is_defined(self) -> bool:
        """Whether there is a fit."""
        return self.prevalence.size > 0


def dawid_skene(
    counts: npt.ArrayLike, *, smoothing: float = 0.0, tolerance: float = 1e-8, max_iterations: int = 2000
) -> DawidSkene:
    """Maximum likelihood by EM, started from the shares of votes.

    Parameters
    ----------
    counts : array_like, shape (I, R, Q)
        How often rater r gave category l to item i (0 or 1, or more when raters repeat).
        `rating_counts` makes it from a matrix of ratings.
    smoothing : float
        Added to every cell of every rater's table before it is normalised; keeps rare answers possible
        when items are few.
    tolerance : float
        Stop when the log likelihood changes by less.
    max_iterations : int
        Stop after so many steps at the latest.

    Returns
    -------
    DawidSkene
        Empty with a reason for fewer than three raters (two cannot tell who errs), without answers, or
        when only one category was used.

    Notes
    -----
    E step ``T_ij ~ p_j prod_rl pi_rjl**n_irl``; M step ``p_j = mean_i T_ij``, ``pi_rjl ~ sum_i T_ij
    n_irl`` [1]_, eq. 2.3-2.5. Raters are taken to err independently given the class. Starting from vote
    shares keeps the names of the classes; the reason says if a class is mostly answered as another one.

    References
    ----------
    .. [1] Dawid, A. P., & Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates
       using the EM algorithm. Applied Statistics 28(1), 20-28. doi:10.2307/2346806

    Examples
    --------
    Two careful raters and one who answers at random:

    >>> answers = [[0, 0, 1], [0, 0, 0], [1, 1, 0], [1, 1, 1], [0, 0, 1], [1, 1, 0]]
    >>> fit = dawid_skene(rating_counts(answers, 2))
    >>> fit.labels.tolist(), fit.prevalence.round(2).tolist()
    ([0, 0, 1, 1, 0, 1], [0.5, 0.5])
    """
    table = np.asarray(counts, dtype=np.float64)
    if table.ndim != 3 or not np.isfinite(table).all() or (table < 0).any():
        raise ValueError("counts must be items by raters by categories, none negative")
    if smoothing < 0 or tolerance <= 0 or max_iterations < 1:
        raise ValueError("smoothing, tolerance and iterations must not be negative")
    reason = _why_not(table)
    if reason:
        none = np.zeros(0)
        return DawidSkene(none, none, none, np.zeros(0, dtype=np.int64), reason=reason)
    answered = table.sum(axis=(1, 2)) > 0
    return _spread(table.shape[0], answered, _fit(table[answered], smoothing, tolerance, max_iterations))


def rating_counts(ratings: npt.ArrayLike, categories: int) -> Floats:
    """Counts for `dawid_skene` from one answer a rater and item, shape (I, R, Q).

    Examples
    --------
    >>> rating_counts([[0, -1]], 2).tolist()
    [[[1.0, 0.0], [0.0, 0.0]]]
    """
    matrix = checked(ratings, categories)
    columns: Floats = (matrix[:, :, None] == np.arange(categories)).astype(np.float64)
    return columns


def _why_not(table: Floats) -> str:
    raters = int((table.sum(axis=(0, 2)) > 0).sum())
    if raters == 0:
        return NO_ANSWER
    if raters < FEWEST_RATERS:
        return f"{raters} raters answered; three are needed to tell who errs"
    if (table.sum(axis=(0, 1)) > 0).sum() < 2:
        return "one category: every answer is the same"
    return ""


def _fit(table: Floats, smoothing: float, tolerance: float, max_iterations: int) -> DawidSkene:
    votes = table.sum(axis=1)
    posterior: Floats = votes / votes.sum(axis=1, keepdims=True)
    likelihood, step, converged = float("-inf"), 0, False
    while step < max_iterations and not converged:
        step += 1
        prevalence, confusion = _maximise(table, posterior, smoothing)
        posterior, reached = _expect(table, prevalence, confusion)
        converged = abs(reached - likelihood) < tolerance
        likelihood = reached
    reason = _switched(confusion, prevalence)
    if not converged:
        reason = "; ".join(filter(None, [f"not converged after {step} steps", reason]))
    labels = _most_probable(posterior)
    return DawidSkene(prevalence, confusion, posterior, labels, likelihood, step, converged, reason)


def _maximise(table: Floats, posterior: Floats, smoothing: float) -> tuple[Floats, Floats]:
    joint = np.einsum("ij,irl->rjl", posterior, table) + smoothing  # [1] eq. 2.3
    total = joint.sum(axis=2, keepdims=True)
    confusion = np.divide(joint, total, out=np.full_like(joint, np.nan), where=total > 0)
    return posterior.mean(axis=0), confusion  # [1] eq. 2.4


def _expect(table: Floats, prevalence: Floats, confusion: Floats) -> tuple[Floats, float]:
    log_pi = np.log(np.maximum(np.nan_to_num(confusion), LOWEST))
    log_joint = np.log(np.maximum(prevalence, LOWEST)) + np.einsum("irl,rjl->ij", table, log_pi)
    largest = log_joint.max(axis=1, keepdims=True)
    scaled = np.exp(log_joint - largest)
    total = scaled.sum(axis=1, keepdims=True)
    return scaled / total, float((largest + np.log(total)).sum())  # [1] eq. 2.5


def _most_probable(posterior: Floats) -> Ints:
    best = posterior.max(axis=1, keepdims=True)
    tied = (posterior > best - 1e-9).sum(axis=1) > 1
    return np.where(tied, MISSING, posterior.argmax(axis=1)).astype(np.int64)


def _switched(confusion: Floats, prevalence: Floats) -> str:
    answers = np.nan_to_num(confusion).mean(axis=0)
    strange = [j for j in range(len(prevalence)) if prevalence[j] > 0.01 and answers[j].argmax() != j]
    if not strange:
        return ""
    return f"classes {strange} are mostly answered as another category: classes may have changed places"


def _spread(items: int, answered: npt.NDArray[np.bool_], fit: DawidSkene) -> DawidSkene:
    """The fit with rows for items nobody answered."""
    posterior = np.full((items, fit.prevalence.size), np.nan)
    labels = np.full(items, MISSING, dtype=np.int64)
    posterior[answered], labels[answered] = fit.posterior, fit.labels
    missing = items - int(answered.sum())
    note = f"{counted(missing, 'item')} without an answer" if missing else ""
    return DawidSkene(
        fit.prevalence,
        fit.confusion,
        posterior,
        labels,
        fit.log_likelihood,
        fit.iterations,
        fit.is_converged,
        "; ".join(filter(None, [fit.reason, note])),
    )
