"""Intervals of macro precision, recall and F1: whole prompts are drawn anew, their images with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from core.statistics.resampling import FEWEST_CLUSTERS, bca_interval, cluster_weights

if TYPE_CHECKING:
    from core.validation.scoring import Trial

DRAWS, SEED = 1000, 0
FEW_PROMPTS = f"no interval of precision, recall and F1: fewer than {FEWEST_CLUSTERS} prompts"

Floats = npt.NDArray[np.float64]


class Bounds(NamedTuple):
    """Ends of an interval; both None where there is none."""

    low: float | None = None
    high: float | None = None


class MacroBounds(NamedTuple):
    """Intervals of the three means over stated labels, and why there are none."""

    precision: Bounds = Bounds()
    recall: Bounds = Bounds()
    f1: Bounds = Bounds()
    reason: str = ""


def macro_bounds(
    trials: Sequence[Trial], level: float = 0.95, draws: int = DRAWS, seed: int = SEED
) -> MacroBounds:
    """BCa intervals over prompts, of trials whose record did not fail.

    Parameters
    ----------
    trials : sequence of Trial
        What `core.validation.scoring.score` counts.
    level : float
        Share of replicates inside.
    draws, seed : int
        Replicates and their seed; the draws belong to the names of prompts, not to their order.

    Returns
    -------
    MacroBounds
        Without intervals when there are fewer than five prompts. A label that no drawn prompt states takes
        no part in that replicate.
    """
    prompts = sorted({_prompt(trial) for trial in trials})
    if len(prompts) < FEWEST_CLUSTERS:
        return MacroBounds(reason=FEW_PROMPTS)
    labels = sorted({(trial.stated.dimension, trial.stated.label) for trial in trials})
    row, column = ({name: at for at, name in enumerate(names)} for names in (prompts, labels))
    stated, said, right = (np.zeros((len(prompts), len(labels))) for _ in range(3))
    for trial in trials:
        at, about = row[_prompt(trial)], (trial.stated.dimension, trial.stated.label)
        stated[at, column[about]] += 1
        for label in trial.said.labels:
            place = column.get((trial.stated.dimension, label))
            if place is not None:
                said[at, place] += 1
        right[at, column[about]] += trial.outcome == "hit"
    counts = (stated, said, right)
    drawn = cluster_weights(prompts, draws, rng=np.random.default_rng(seed)).astype(np.float64)
    whole, without = np.ones((1, len(prompts))), 1.0 - np.eye(len(prompts))
    replicates, values, jackknife = (_scores(weights, *counts) for weights in (drawn, whole, without))
    precision, recall, f1 = (_bca(*each, level) for each in zip(replicates, values, jackknife, strict=True))
    return MacroBounds(precision, recall, f1)


def _scores(weights: Floats, stated: Floats, said: Floats, right: Floats) -> tuple[Floats, Floats, Floats]:
    """Macro precision, recall and F1 for each row of weights of prompts."""
    asked, answered, hits = weights @ stated, weights @ said, weights @ right
    recall = _mean(hits, asked)
    precision = _mean(hits, np.where(asked > 0, answered, 0))
    with np.errstate(invalid="ignore", divide="ignore"):
        f1 = np.where(precision + recall > 0, 2 * precision * recall / (precision + recall), 0.0)
    return precision, recall, np.where(np.isnan(precision), np.nan, f1)


def _bca(replicates: Floats, value: Floats, jackknife: Floats, level: float) -> Bounds:
    if np.isnan(value[0]):
        return Bounds()
    found = bca_interval(replicates, float(value[0]), jackknife, level=level)
    return Bounds(found.low, found.high)


def _mean(right: Floats, of: Floats) -> Floats:
    """Mean over the labels that have a denominator; NaN where none has."""
    has = of > 0
    shares = np.divide(right, of, out=np.zeros_like(right), where=has)
    number = has.sum(axis=1)
    total: Floats = np.divide(shares.sum(axis=1), number, out=np.full(len(right), np.nan), where=number > 0)
    return total


def _prompt(trial: Trial) -> str:
    return f"{trial.stated.role}\n{trial.stated.text}"
