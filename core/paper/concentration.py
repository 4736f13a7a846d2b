"""BI as published: observed labels as the space, 0 for a single label, roles drawn anew each time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import xlogy

from core.cube import CONDITIONS, Cube
from core.paper.counting import plot_name
from core.statistics.arrays import Floats, Ints


def published_score(values: npt.ArrayLike) -> Floats:
    """The published bias severity score of each row: 1 - H / log K over the values that are there.

    Parameters
    ----------
    values : array_like, shape (..., K)
        Counts or shares; nan is not there, 0 is. K is the number of values, so it depends on what was
        observed.

    Returns
    -------
    ndarray, shape (...)
        nan when nothing is there or the sum is 0; 0 when a single value is there.

    Notes
    -----
    A single observed label gets 0, where full concentration is 1. Audit mode states its label space
    instead (`core.statistics.bias_intensity`).

    Examples
    --------
    >>> published_score([[20.0, np.nan], [10.0, 10.0], [20.0, 0.0]]).tolist()
    [0.0, 0.0, 1.0]
    """
    table = np.asarray(values, dtype=np.float64)
    there = ~np.isnan(table)
    table = np.where(there, table, 0.0)
    k, total = there.sum(axis=-1), table.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = table / total[..., None]
        score = 1 + xlogy(share, share).sum(axis=-1) / np.log(k)
    score = np.where(k <= 1, 0.0, score)
    return np.asarray(np.where((k == 0) | (total <= 0), np.nan, score), dtype=np.float64)


@dataclass(frozen=True)
class PaperConcentration:
    """`level` (G, C, D) and `whole` (G, D), with conditions pooled; `k` (G, D) labels seen of a generator.

    `draws` (G, C, D, 1 + B) is the statistic of the published bootstrap: first on the data, then on each
    draw of roles. Its label space is what a draw shows, so its first value is not `level`.
    """

    level: Floats
    whole: Floats
    k: Ints
    draws: Floats


def paper_concentration(cube: Cube, *, bootstrap: int, seed: int) -> Iterator[PaperConcentration]:
    """One step a dimension, the last one with everything filled in."""
    shape = (len(cube.generators), len(CONDITIONS), len(cube.dimensions))
    found = PaperConcentration(
        level=np.full(shape, np.nan),
        whole=np.full((shape[0], shape[2]), np.nan),
        k=np.zeros((shape[0], shape[2]), dtype=np.int64),
        draws=np.full((*shape, 1 + bootstrap), np.nan),
    )
    weights = _draws_of_roles(cube, bootstrap, seed).astype(_exact_kind(cube))
    for position in range(len(cube.dimensions)):
        counts = cube.counts_by_role(position)
        seen = counts.sum(axis=(1, 2)) > 0  # (G, labels)
        found.k[:, position] = seen.sum(axis=1)
        by_condition = np.where(seen[:, None, :], counts.sum(axis=2), np.nan)
        found.level[:, :, position] = published_score(by_condition)
        found.whole[:, position] = published_score(np.where(seen, counts.sum(axis=(1, 2)), np.nan))
        for generator, condition in np.argwhere(counts.sum(axis=(2, 3)) > 0).tolist():
            rows = weights[generator, condition]
            drawn = rows @ counts[generator, condition].astype(rows.dtype)
            found.draws[generator, condition, position] = _observed_score(drawn.astype(np.int64))
        yield found


def _exact_kind(cube: Cube) -> type[np.float32 | np.float64]:
    """Single precision where every sum of a draw is a whole number that it holds exactly."""
    most = int(np.bincount(cube.entry_label, weights=cube.entry_count).max(initial=0))
    return np.float32 if most * len(cube.roles) < 2**24 else np.float64


def _observed_score(counts: Ints) -> Floats:
    """`published_score` with only labels above 0, without a copy for the gaps."""
    k, total = np.count_nonzero(counts, axis=1), counts.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = np.log(total) - _xlogx(counts).sum(axis=1) / total
        score = np.where(k <= 1, 0.0, 1 - entropy / np.log(k))
    return np.asarray(np.where(total > 0, score, np.nan), dtype=np.float64)


def _xlogx(counts: Ints) -> Floats:
    """x log x of whole numbers, looked up."""
    steps = np.arange(int(counts.max(initial=0)) + 1, dtype=np.float64)
    return np.asarray(xlogy(steps, steps)[counts], dtype=np.float64)


def _draws_of_roles(cube: Cube, bootstrap: int, seed: int) -> Ints:
    """Weights on roles, (G, C, 1 + B, R): one stream of draws through generators, conditions and draws."""
    roles = len(cube.roles)
    shape = (len(cube.generators), len(CONDITIONS), 1 + bootstrap, roles)
    weights = np.ones(shape, dtype=np.int64)
    rng = np.random.default_rng(seed)
    for generator in sorted(range(shape[0]), key=lambda one: plot_name(cube.generators[one])):
        for condition in range(shape[1]):
            drawn = rng.integers(0, roles, size=(bootstrap, roles))
            flat = drawn + roles * np.arange(bootstrap)[:, None]
            times = np.bincount(flat.ravel(), minlength=bootstrap * roles)
            weights[generator, condition, 1:] = times.reshape(bootstrap, roles)
    return weights
