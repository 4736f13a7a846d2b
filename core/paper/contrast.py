"""The published "leave-one-out": a role's share of a label against that of everything else.

It asks whether a role differs from the other roles, not whether one prompt carries a result; for that see
`core.statistics.robustness`. The published statistic has only the cells with the label, so it is too small
by the factor 1 - p; the full one stands beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc

from core.cube import CONDITIONS, Cube
from core.paper.persistence import Grid
from core.paper.row_blocks import by_rows
from core.statistics.arrays import Codes, Floats, Ints
from core.statistics.multiplicity import benjamini_hochberg


@dataclass(frozen=True)
class Contrast:
    """Entries of the grid: `expected` and `part` (published contribution) by condition, nan where none.

    `full` is the contribution with both rows of the 2 × 2 table.
    """

    expected: Floats
    part: Floats
    full: Floats


def role_contrast(cube: Cube, grid: Grid) -> Contrast:
    """Expected counts from the rest of the corpus, and what each condition adds to the statistic."""
    width = len(cube.labels)
    by_label = np.bincount(
        grid.generator * np.int64(width) + grid.label,
        weights=grid.x.sum(axis=1),
        minlength=len(cube.generators) * width,
    )
    images = cube.images_by_role.sum(axis=(1, 2))  # (G, D)

    def parts(generator: Codes, label: Codes, x: Codes, n: Codes) -> tuple[Floats, Floats, Floats]:
        everything = by_label[generator * np.int64(width) + label][:, None]
        whole = images[generator, cube.label_dimension[label]][:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (everything - x) / (whole - n)
            expected = np.where(n > 0, n * share, np.nan)
            part = np.where(expected > 0, (x - expected) ** 2 / expected, np.nan)
            full = np.where(share < 1, part / (1 - share), np.nan)
        return expected, part, full

    return Contrast(*by_rows(parts, grid.generator, grid.label, grid.x, grid.n))


def tested(parts: Floats) -> tuple[Floats, Codes, Floats]:
    """Sum, df and p over conditions of the contributions that are there; p is 1 where df is 0.

    Examples
    --------
    >>> [number.tolist() for number in tested(np.array([[np.nan, 2.0]]))]
    [[2.0], [0], [1.0]]
    """
    total, df, p = by_rows(_tested, parts)
    return total, df, p


def _tested(parts: Floats) -> tuple[Floats, Codes, Floats]:
    total, known = np.zeros(len(parts)), np.zeros(len(parts), dtype=np.int8)
    for part in parts.T:
        gap = np.isnan(part)
        total += np.where(gap, 0.0, part)
        known += ~gap
    df = np.maximum(known - 1, 0)
    p = np.where(df > 0, chdtrc(np.maximum(df, 1), total), 1.0)
    return total, df, p


@dataclass(frozen=True)
class RoleBias:
    """One entry a generator, dimension, condition and role with images: all labels of the dimension."""

    generator: Ints
    dimension: Ints
    condition: Ints
    role: Ints
    chi2: Floats
    df: Ints
    p: Floats
    p_adjusted: Floats


def role_bias(cube: Cube, grid: Grid, contrast: Contrast) -> RoleBias:
    """Published test of a role in a condition over all labels of a dimension; BH within a generator."""
    dimension = cube.label_dimension[grid.label]
    shape = (len(cube.generators), len(cube.dimensions), len(CONDITIONS), len(cube.roles))
    chi2, labels = np.zeros(shape), np.zeros(shape, dtype=np.int64)
    sums = shape[:2] + shape[3:]
    place = np.ravel_multi_index((grid.generator, dimension, grid.role), sums)
    for one in range(len(CONDITIONS)):
        here = grid.n[:, one] > 0
        part = np.nan_to_num(contrast.part[here, one])
        size = int(np.prod(sums))
        chi2[:, :, one] = np.bincount(place[here], weights=part, minlength=size).reshape(sums)
        labels[:, :, one] = np.bincount(place[here], minlength=size).reshape(sums)
    generator, which, condition, role = (part.astype(np.int64) for part in np.nonzero(labels))
    total, df = chi2[labels > 0], labels[labels > 0] - 1
    p = np.where(df > 0, chdtrc(np.maximum(df, 1), total), np.nan)
    adjusted = np.full(p.shape, np.nan)
    for one in range(shape[0]):
        adjusted[generator == one] = benjamini_hochberg(p[generator == one])
    return RoleBias(generator, which, condition, role, total, df, p, adjusted)
