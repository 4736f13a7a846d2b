"""Bias Intensity for the data and for every draw of roles, in one table per aggregation and estimator.

Two ways to aggregate: `pool` counts the images of all roles together, `role` takes the mean of the BI of
each role. The last axis of a table is the data, the bootstrap draws, the data without one role at a time.
The same weights on roles hold in every condition and generator, so differences are paired.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.audit.matched_roles import matched_by_role
from core.cube import CONDITIONS, Cube, LabelSpace
from core.keys import seed_of
from core.statistics.arrays import Floats, Ints
from core.statistics.bca import Intervals, bca_intervals, jackknife_intervals
from core.statistics.bias_intensity import ESTIMATORS, Estimator, intensities, label_entropies
from core.statistics.entropy import entropies
from core.statistics.matched import SupportTable, matched_entropies
from core.statistics.resampling import (
    FEW_CLUSTERS,
    FEWEST_CLUSTERS,
    NO_BOOTSTRAP,
    cluster_weights,
    leave_one_out,
)

AGGREGATIONS = ("pool", "role")
COMPARISONS = (("CA-U - CF", 2, 0), ("CA-R - CF", 1, 0), ("CA-U - CA-R", 2, 1))

SINGLETONS = "jackknife interval: drawing a role twice would hide its singletons"
"""Chao–Shen rests on labels seen once; a role drawn twice has none, so a bootstrap would be wrong."""

_STEPS = 2.0**40
"""With fewer than 4,096 roles, sums of values in these steps stay below 2^52."""

_TABLE_DIGITS = 6
"""Digits to which the matched entropy of a draw is exact; rounding to them keeps ties ties."""


@dataclass(frozen=True)
class Draws:
    """Weights on roles, one row each: the data (all 1), B draws, and the data without role i."""

    weights: Floats
    replicates: int

    @staticmethod
    def of(roles: Sequence[str], replicates: int, seed: int) -> Draws:
        """Draws that belong to the names of the roles: another generator or row order changes none."""
        rng = np.random.default_rng(seed_of(seed, "roles"))
        size = len(roles)
        drawn = cluster_weights(roles, replicates, rng=rng)
        rows = [np.ones((1, size), dtype=np.int64), drawn, leave_one_out(size)]
        return Draws(np.concatenate(rows).astype(np.float64), replicates)

    @property
    def why_none(self) -> str:
        """Why there can be no interval; empty when there can be."""
        if not self.replicates:
            return NO_BOOTSTRAP
        return FEW_CLUSTERS if self.weights.shape[1] < FEWEST_CLUSTERS else ""

    def intervals(self, table: Floats, *, by_jackknife: bool) -> Intervals:
        """Intervals of each row of a table whose columns are the rows of `weights`."""
        value, without = table[:, 0], table[:, 1 + self.replicates :].T
        if by_jackknife:
            return jackknife_intervals(value, without, reason=SINGLETONS)
        return bca_intervals(table[:, 1 : 1 + self.replicates].T, value, without, for_few=True)

    def means(self, values: Floats) -> Floats:
        """Mean over the roles that have a value, for each draw: (..., R) to (..., rows).

        Values are taken to 2^-40, so that the sums are exact: they cannot depend on how a matrix product
        is split over processors, and equal inputs give equal bytes.
        """
        known = ~np.isnan(values)
        steps = np.rint(np.where(known, values, 0.0) * _STEPS)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = (steps @ self.weights.T) / (known @ self.weights.T) / _STEPS
        return np.asarray(mean, dtype=np.float64)

    def counts(self, by_role: Ints) -> Ints:
        """Counts of each draw from counts by role: (R, T) to (rows, T). Whole numbers, so exact."""
        is_small = int(by_role.sum(axis=0).max(initial=0)) * len(by_role) < 2**24
        kind = np.float32 if is_small else np.float64
        return np.asarray((self.weights.astype(kind) @ by_role.astype(kind)).astype(np.int64))


@dataclass(frozen=True)
class Concentration:
    """BI of every dimension. G generators, C conditions, D dimensions, rows those of `Draws.weights`.

    `level` and `change` have shape (G, C, D, rows), the second axis of `change` being the comparisons;
    `value` (G, C, D) is what is printed; `effective` is exp(H); `clipped` counts
    the distributions whose BI was raised to 0; `unpaired` (G, comparison, D) counts roles with images in
    one of the two conditions only.
    """

    level: Floats
    change: Floats
    value: Floats
    effective: Floats
    clipped: Ints
    unpaired: Ints


def concentrations(
    cube: Cube, spaces: Sequence[LabelSpace], draws: Draws
) -> Iterator[dict[tuple[str, Estimator], Concentration]]:
    """Fill the tables, one step a dimension and a last one: then the tables it yields are complete."""
    found = {(way, estimator): _empty(cube, draws) for way in AGGREGATIONS for estimator in ESTIMATORS}
    values = {estimator: np.full(_role_shape(cube), np.nan) for estimator in ESTIMATORS}
    for position, space in enumerate(spaces):
        if space.k >= 2:
            counts = cube.counts_by_role(position)
            unpaired = _unpaired(counts.sum(axis=-1))
            for estimator in ESTIMATORS:
                for way in AGGREGATIONS:
                    found[way, estimator].unpaired[:, :, position] = unpaired
                into = found["role", estimator]
                entropy = _by_role(cube, position, counts, estimator)
                values[estimator][:, :, position] = _role_values(entropy, counts, space.k, into, position)
            _pooled(counts, space.k, draws, found, position)
        yield found
    for estimator in ESTIMATORS:
        _average_roles(values[estimator], draws, found["role", estimator])
    yield found


def _empty(cube: Cube, draws: Draws) -> Concentration:
    shape = (len(cube.generators), len(CONDITIONS), len(cube.dimensions))
    rows = len(draws.weights)
    return Concentration(
        level=np.full((*shape, rows), np.nan),
        change=np.full((*shape, rows), np.nan),
        value=np.full(shape, np.nan),
        effective=np.full(shape, np.nan),
        clipped=np.zeros(shape, dtype=np.int64),
        unpaired=np.zeros(shape, dtype=np.int64),
    )


def _role_shape(cube: Cube) -> tuple[int, int, int, int]:
    return len(cube.generators), len(CONDITIONS), len(cube.dimensions), len(cube.roles)


def _by_role(cube: Cube, position: int, counts: Ints, estimator: Estimator) -> Floats:
    """Entropy of each role, shape (G, C, R)."""
    if estimator == "matched":
        return matched_by_role(cube, position, counts)
    return label_entropies(counts.astype(np.float64), estimator, None)


def _role_values(entropy: Floats, counts: Ints, k: int, into: Concentration, position: int) -> Floats:
    """BI of each role, shape (G, C, R); what does not need the draws is filled in on the way."""
    total = counts.sum(axis=-1)
    value, clipped = intensities(entropy, k)
    into.clipped[..., position] = clipped.sum(axis=-1)
    known = np.count_nonzero(total, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        into.effective[..., position] = np.nansum(np.exp(entropy), axis=-1) / known
    return value


def _average_roles(values: Floats, draws: Draws, into: Concentration) -> None:
    """Means over roles for each draw; changes over the roles that have both conditions."""
    into.level[...] = draws.means(values)
    into.value[...] = into.level[..., 0]
    changes = [values[:, later] - values[:, earlier] for _, later, earlier in COMPARISONS]
    into.change[...] = draws.means(np.stack(changes, axis=1))


def _pooled(
    counts: Ints,
    k: int,
    draws: Draws,
    found: dict[tuple[str, Estimator], Concentration],
    position: int,
) -> None:
    """BI of all images together, for every draw."""
    total = counts.sum(axis=(-1, -2))
    smallest = _smallest(total, axis=1)
    for generator, condition in np.argwhere(total > 0).tolist():
        place = (generator, condition, position)
        here = counts[generator, condition]
        m = int(smallest[generator, condition])
        exact = float(matched_entropies(here.sum(axis=0), m))
        share = m / int(total[generator, condition])
        for estimator, entropy in _entropies_of_draws(draws.counts(here), share, draws):
            into = found["pool", estimator]
            value, clipped = intensities(entropy, k)
            if estimator == "matched":
                value = np.round(value, _TABLE_DIGITS)
                entropy[0] = exact
            into.level[place] = value
            into.value[place] = intensities(entropy[:1], k)[0][0]
            into.effective[place] = np.exp(entropy[0])
            into.clipped[place] = int(clipped[0])
    for estimator in ESTIMATORS:
        into = found["pool", estimator]
        for number, (_, later, earlier) in enumerate(COMPARISONS):
            into.change[:, number, position] = (
                into.level[:, later, position] - into.level[:, earlier, position]
            )


def _entropies_of_draws(drawn: Ints, share: float, draws: Draws) -> Iterator[tuple[Estimator, Floats]]:
    sums = drawn.sum(axis=1)
    plugin = SupportTable(1.0, drawn).entropies(drawn)
    yield "plugin", plugin.copy()
    with np.errstate(divide="ignore", invalid="ignore"):
        yield "miller_madow", plugin + (np.count_nonzero(drawn, axis=1) - 1) / (2 * sums)
    certain = np.r_[0, 1 + draws.replicates : len(drawn)]
    chao_shen = np.full(len(drawn), np.nan)
    chao_shen[certain] = entropies(drawn[certain], "chao_shen")
    yield "chao_shen", chao_shen
    yield "matched", plugin if share == 1 else SupportTable(share, drawn).entropies(drawn)


def _smallest(total: Ints, axis: int) -> Ints:
    """The smallest number above 0 along an axis, kept in shape; 1 where all are 0."""
    big = np.where(total > 0, total, np.iinfo(np.int64).max)
    least = np.broadcast_to(big.min(axis=axis, keepdims=True), total.shape)
    return np.asarray(np.where(total.max(axis=axis, keepdims=True) > 0, least, 1), dtype=np.int64)


def _unpaired(total: Ints) -> Ints:
    """Roles with images in one of two conditions only: (G, C, R) to (G, comparison)."""
    has = total > 0
    return np.stack(
        [np.count_nonzero(has[:, later] != has[:, earlier], axis=-1) for _, later, earlier in COMPARISONS],
        axis=1,
    ).astype(np.int64)
