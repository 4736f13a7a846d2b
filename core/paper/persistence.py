"""Prevalence, range, test and CCS as published: a label is added up over all dimensions with its word."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from core.cube import CONDITIONS, Cube
from core.paper.row_blocks import by_rows
from core.statistics.arrays import Bools, Codes, Floats, Ints, ranked
from core.statistics.persistence import MIN_SUPPORT, PAPER_ALPHA, PAPER_RANGE_PP


@dataclass(frozen=True)
class Grid:
    """The published grid: every label that a generator shows anywhere, for every role with the dimension.

    One entry a generator, role and label of a dimension; `x` and `n` by condition (each condition
    contiguous in memory, as in all arrays made from them), n = 0 where the role has no known label in the
    dimension.
    """

    generator: Codes
    role: Codes
    label: Codes
    x: Codes
    n: Codes


def grid_of(cube: Cube) -> Grid:
    """All entries of the grid, by dimension, generator, role and label."""
    images, kinds = cube.images_by_role.astype(np.int32), len(CONDITIONS)
    parts = []
    for position in range(len(cube.dimensions)):
        counts = cube.counts_by_role(position).astype(np.int32)
        seen = counts.sum(axis=(1, 2)) > 0
        has = images[..., position].sum(axis=1) > 0  # (G, R)
        there = has[:, :, None] & seen[:, None, :]
        places = [np.arange(size, dtype=np.int32) for size in there.shape]
        places[2] += np.int32(np.searchsorted(cube.label_dimension, position))
        part = np.empty((3 + 2 * kinds, int(np.count_nonzero(there))), dtype=np.int32)
        for axis, place in enumerate(places):
            shape = [-1 if each == axis else 1 for each in range(3)]
            part[axis] = np.broadcast_to(place.reshape(shape), there.shape)[there]
        for one in range(kinds):
            part[3 + one] = counts[:, one][there]
            part[3 + kinds + one] = np.broadcast_to(images[:, one, :, position, None], there.shape)[there]
        parts.append(part)
    whole = np.concatenate(parts, axis=1)
    return Grid(whole[0], whole[1], whole[2], whole[3 : 3 + kinds].T, whole[3 + kinds :].T)


def three_conditions(x: Codes, n: Codes) -> tuple[Floats, Ints, Floats]:
    """Published chi-squared, df and p of each row: 0 and p 1 where the share is 0 or 1, or df is 0.

    Examples
    --------
    >>> [number.tolist() for number in three_conditions(np.array([[0, 0]]), np.array([[9, 9]]))]
    [[0.0], [1], [1.0]]
    """
    valid = (n > 0) & (x <= n)
    x, n = np.where(valid, x, 0), np.where(valid, n, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (x.sum(axis=1) / n.sum(axis=1))[:, None]
        parts = (x - n * share) ** 2 / (n * share * (1 - share))
    df = np.maximum(valid.sum(axis=1) - 1, 0)
    still = (df < 1) | ~((share[:, 0] > 0) & (share[:, 0] < 1))
    statistic = np.where(still, 0.0, np.nansum(np.where(valid, parts, 0.0), axis=1))
    p = chdtrc(np.maximum(df, 1), statistic, out=np.ones(len(df)), where=~still)
    return statistic, df.astype(np.int64), p


@dataclass(frozen=True)
class PaperPersistence:
    """One entry a generator, role and word; `word` is a position in `words`, `dimensions` how they are spelt.

    `prevalence` is sum x / sum n over conditions and dimensions. `score` is nan where it is not defined.
    """

    words: tuple[str, ...]
    generator: Ints
    role: Ints
    word: Ints
    dimensions: tuple[str, ...]
    x: Codes
    n: Codes
    prevalence: Floats
    range_pp: Floats
    chi2: Floats
    df: Ints
    p: Floats
    score: Floats
    is_invariant: Bools


def paper_persistence(cube: Cube, grid: Grid) -> PaperPersistence:
    """The published label-level results: counts *and denominators* added up over dimensions."""
    words = tuple(sorted(set(cube.labels)))
    rank = {word: place for place, word in enumerate(words)}
    word_of = np.array([rank[label] for label in cube.labels], dtype=np.int64)
    key = (grid.generator.astype(np.int64) * len(cube.roles) + grid.role) * len(words) + word_of[grid.label]
    kinds, place = ranked(key)
    begins = np.searchsorted(cube.label_dimension[grid.label], np.arange(len(cube.dimensions) + 1))
    x, n = (_added(side, place, kinds.size, begins) for side in (grid.x, grid.n))
    where, word = np.divmod(kinds, len(words))
    generator, role = np.divmod(where, len(cube.roles))
    prevalence, spread, statistic, df, p, score, is_invariant = by_rows(_published, x, n)
    return PaperPersistence(
        words=words,
        generator=generator,
        role=role,
        word=word,
        dimensions=_spelt(cube, words, word_of),
        x=x,
        n=n,
        prevalence=prevalence,
        range_pp=spread,
        chi2=statistic,
        df=df,
        p=p,
        score=score,
        is_invariant=is_invariant,
    )


def _published(x: Codes, n: Codes) -> tuple[npt.NDArray[np.generic], ...]:
    """Prevalence, range, chi-squared, df, p, CCS and verdict of each row."""
    statistic, df, p = three_conditions(x, n)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(n > 0, 100.0 * x / n, np.nan)
        prevalence = x.sum(axis=1) / n.sum(axis=1)
    spread = np.fmax.reduce(shares, axis=1) - np.fmin.reduce(shares, axis=1)
    enough = x.sum(axis=1) >= MIN_SUPPORT
    defined = enough & (x > 0).all(axis=1)
    score = np.where(defined, 100 * prevalence / (1 + spread), np.nan)
    is_invariant = enough & (p > PAPER_ALPHA) & (spread <= PAPER_RANGE_PP)
    return prevalence, spread, statistic, df, p, score, is_invariant


def _added(side: Codes, place: Codes, size: int, begins: Ints) -> Codes:
    """Counts added up by word; no word comes twice in a dimension, rows from one of `begins` to the next."""
    total = np.zeros((side.shape[1], size), dtype=np.int32)
    for first, last in itertools.pairwise(begins.tolist()):
        for one in range(side.shape[1]):
            total[one][place[first:last]] += side[first:last, one]
    return total.T


def _spelt(cube: Cube, words: tuple[str, ...], word_of: Ints) -> tuple[str, ...]:
    """Per word, the dimensions that it was added up over."""
    names: list[list[str]] = [[] for _ in words]
    for label, dimension in zip(word_of.tolist(), cube.label_dimension.tolist(), strict=True):
        names[label].append(cube.dimensions[dimension].id)
    return tuple(" + ".join(parts) for parts in names)
