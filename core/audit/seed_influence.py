"""Roles that share their seeds: how much wider the intervals of BI become when seeds are drawn anew as well.

Intervals of BI draw roles. Where one seed draws much the same person for every role, roles are not
independent of each other, and other seeds would have moved all of them together. What each image does to BI
is its influence (the derivative by its weight); the products of the influences of one seed in different
roles add up to the variance that a draw of roles alone does not show, as in two-way clustering.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from core.audit.layout import Layout
from core.cube import CONDITIONS, Cube, LabelSpace
from core.statistics.arrays import Bools, Codes, Floats, Ints, joint_key, ranked

COMPARED = ((2, 0), (1, 0), (2, 1))


@dataclass(frozen=True)
class SeedInfluence:
    """Influence on BI of each (role, seed), by generator, condition and dimension: (G, C, D, cells).

    Of a role's mean: what its seeds do is what remains of them beside each other.
    """

    by_cell: Floats
    seed: Ints
    seeds: int
    shift: Floats
    """By how much few seeds make BI too high, about, (G, C, D); 0 for a mean over roles."""

    def variances(self, layout: Layout, usable: Bools, *, of_change: bool) -> Floats:
        """What seeds add to the variance of each entry of the layout, flat and at least 0."""
        table = self.by_cell
        if of_change:
            table = np.stack([table[:, late] - table[:, early] for late, early in COMPARED], axis=1)
        wide = np.nan_to_num(layout.with_means(table, usable))
        by_seed = np.add.reduceat(wide, np.flatnonzero(np.diff(self.seed, prepend=-1)), axis=-1)
        added = (by_seed**2).sum(axis=-1) - (wide**2).sum(axis=-1)
        return np.asarray(np.maximum(added, 0.0).ravel() * self.seeds / max(self.seeds - 1, 1))


def seed_influences(cube: Cube, spaces: Sequence[LabelSpace]) -> dict[str, SeedInfluence] | None:
    """By aggregation; None where no generator has a seed in two roles."""
    shared = cube.shared_seeds
    if shared is None or not shared.between.any():
        return None
    names, cell = ranked(joint_key(shared.seed, shared.role))
    first = np.zeros(names.size, dtype=np.int64)
    first[cell] = np.arange(cell.size)
    seed, role = shared.seed[first].astype(np.int64), shared.role[first]
    shape = (len(cube.generators), len(CONDITIONS), len(cube.dimensions), names.size)
    found = {way: np.zeros(shape) for way in ("pool", "role")}
    shift = {way: np.zeros(shape[:3]) for way in found}
    condition = cube.prompt_condition[shared.prompt]
    of_label = cube.label_dimension[shared.entry_label]
    order = np.argsort(of_label, kind="stable")
    ends = np.searchsorted(of_label[order], np.arange(len(cube.dimensions) + 1))
    for position, space in enumerate(spaces):
        if space.k < 2:
            continue
        mine = order[ends[position] : ends[position + 1]]
        image = shared.entry_image[mine]
        label = shared.entry_label[mine] - np.searchsorted(cube.label_dimension, position)
        place = (shared.generator[image], condition[image])
        counts = cube.counts_by_role(position)
        for way, each in (
            ("pool", _influence(counts.sum(axis=2), space.k)[(*place, label)]),
            ("role", _of_roles(counts, space.k)[(*place, shared.role[image], label)]),
        ):
            flat = np.ravel_multi_index((*place, cell[image]), (*shape[:2], names.size))
            size = shape[0] * shape[1] * names.size
            table = np.bincount(flat, weights=each, minlength=size).astype(np.float64)
            number = np.bincount(flat, minlength=size).astype(np.int64)
            found[way][:, :, position] = _beside_each_other(
                table.reshape(*shape[:2], names.size), number.reshape(*shape[:2], names.size), role
            )
        by_seed = (*place, shared.seed[image], label)
        shift["pool"][:, :, position] = _shift(by_seed, counts.sum(axis=2), space.k)
    seeds = int(np.count_nonzero(np.bincount(seed) > 1))  # those that more than one role has
    return {way: SeedInfluence(table, seed, seeds, shift[way]) for way, table in found.items()}


def stretches(by_roles: Floats, by_seeds: Floats, roles: int, seeds: int, *, level: float = 0.95) -> Floats:
    """By how much intervals over so many roles widen, from both parts of the variance; at least 1.

    Few roles and few seeds each make the variance uncertain: t has the degrees of freedom of both.

    References
    ----------
    .. [1] Satterthwaite, F. E. (1946). An approximate distribution of estimates of variance components.
       Biometrics Bulletin 2, 110-114.

    Examples
    --------
    >>> stretches(np.array([1.0, 1.0]), np.array([0.0, 3.0]), 92, 10).round(2).tolist()
    [1.0, 2.14]
    """
    whole = by_roles + by_seeds
    with np.errstate(divide="ignore", invalid="ignore"):
        freedom = whole**2 / (by_roles**2 / max(roles - 1, 1) + by_seeds**2 / max(seeds - 1, 1))
        wider = np.sqrt(whole / by_roles) * stdtrit(freedom, (1 + level) / 2)
    wider = wider / stdtrit(max(roles - 1, 1), (1 + level) / 2)
    return np.where((by_seeds > 0) & (by_roles > 0), np.maximum(wider, 1.0), 1.0)


def _influence(counts: Ints, k: int) -> Floats:
    """What one more image of each label does to BI: (..., L) to (..., L)."""
    total = counts.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = counts / total
        logs = np.where(counts > 0, np.log(np.where(counts > 0, share, 1.0)), 0.0)
        entropy = -(share * logs).sum(axis=-1, keepdims=True)
        return np.asarray(np.where(total > 0, (logs + entropy) / (total * np.log(k)), 0.0))


def _of_roles(counts: Ints, k: int) -> Floats:
    known = np.count_nonzero(counts.sum(axis=-1), axis=-1)  # (G, C)
    return np.asarray(_influence(counts, k) / np.maximum(known, 1)[:, :, None, None])


def _shift(place: tuple[Codes, ...], counts: Ints, k: int) -> Floats:
    """Half the variance between seeds over the share of each label, which is what the plug-in is off."""
    size = (*counts.shape[:2], int(place[2].max(initial=0)) + 1, counts.shape[2])
    x = np.bincount(np.ravel_multi_index(place, size), minlength=int(np.prod(size))).reshape(size)
    n = x.sum(axis=-1, keepdims=True)
    seeds = np.maximum(np.count_nonzero(n, axis=2), 2)
    total = np.maximum(counts.sum(axis=-1), 1)[..., None]
    share = counts / total
    spread = ((x - n * share[:, :, None]) ** 2).sum(axis=2) * seeds / (seeds - 1) / total**2
    added = np.where(counts > 0, spread / np.where(counts > 0, share, 1.0), 0.0).sum(axis=-1)
    return np.asarray(added / (2 * np.log(k)))


def _beside_each_other(table: Floats, number: Ints, role: Ints) -> Floats:
    """Each cell less its part of what its role does as a whole: (G, C, cells)."""
    order = np.argsort(role, kind="stable")
    starts = np.flatnonzero(np.diff(role[order], prepend=-1))
    sizes = np.diff(np.append(starts, role.size))
    total = np.add.reduceat(table[..., order], starts, axis=-1)
    images = np.maximum(np.add.reduceat(number[..., order], starts, axis=-1), 1)
    share = np.repeat(total / images, sizes, axis=-1)
    own = np.empty_like(table)
    own[..., order] = table[..., order] - share * number[..., order]
    return own
