"""One cell a generator, role, dimension and label seen there: counts by condition, and what prompts do to it.

Only labels that a generator showed for a role make a cell. A grid filled up with zeros would be mostly
0 against 0, and every share of "invariant" cells would be a share of empty ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.audit.seed_effects import SeedCollector, SeedPairs
from core.cube import CONDITIONS, Cube, RoleCounts
from core.statistics.arrays import Floats, Ints
from core.statistics.clustering import ClusterSums, cluster_sums, pooled_effects
from core.statistics.resampling import jackknife_ses
from core.statistics.robustness import largest_moves, values_without


@dataclass(frozen=True)
class Cells:
    """T cells, ordered by role, generator and label; conditions on the last axis of `x` and `n`.

    `move` is the largest change of the pooled prevalence when one prompt is left out, `prompt` that
    prompt's position in the cube (-1: fewer than two prompts), `se` the jackknife standard error.
    """

    generator: Ints
    role: Ints
    label: Ints
    dimension: Ints
    x: Ints
    n: Ints
    move: Floats
    prompt: Ints
    se: Floats
    effects: Floats
    seeds: SeedPairs | None = None

    @property
    def design_effect(self) -> Floats:
        """Design effect of prompts: that of the generator and dimension of each cell, shape (T,)."""
        return np.asarray(self.effects[self.generator, self.dimension], dtype=np.float64)

    @cached_property
    def of_conditions(self) -> Floats:
        """Design effect of the prevalence in each condition, of prompts and shared seeds, (T, C)."""
        effect = np.repeat(self.design_effect[:, None], len(CONDITIONS), axis=1)
        return effect if self.seeds is None else effect + self.seeds.level(*self._place)

    @cached_property
    def of_total(self) -> Floats:
        """Design effect of the prevalence over all conditions, (T,)."""
        effect = self.design_effect
        return effect if self.seeds is None else effect + self.seeds.total(*self._place)

    @cached_property
    def of_differences(self) -> Floats:
        """Design effect of differences between conditions, from which shared seeds mostly cancel, (T,)."""
        effect = self.design_effect
        return effect if self.seeds is None else effect + self.seeds.difference(*self._place)

    @property
    def _place(self) -> tuple[Ints, Ints, Ints]:
        return self.generator, self.dimension, self.role


def gather_cells(cube: Cube) -> Iterator[Cells | None]:
    """One step a role, yielding None; then the cells of all roles."""
    parts: list[dict[str, Ints | Floats]] = []
    shape = (len(cube.generators), len(cube.dimensions))
    clustered, independent = np.zeros(shape), np.zeros(shape)
    seeds = None if cube.shared_seeds is None else SeedCollector(cube)
    for role in range(len(cube.roles)):
        counts = cube.of_role(role)
        part, sums = _cells_of(cube, counts)
        place = (part["generator"].astype(np.int64), part["dimension"].astype(np.int64))
        np.add.at(clustered, place, sums.clustered)
        np.add.at(independent, place, sums.independent)
        if seeds is not None:
            seeds.add(cube, counts)
        parts.append(part)
        yield None
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    effects = pooled_effects(clustered, independent)
    yield Cells(**columns, effects=effects, seeds=None if seeds is None else seeds.found())


def seen_cells(counts: RoleCounts) -> tuple[Ints, Ints]:
    """Generator, and position in `RoleCounts.labels`, of each label that a generator showed."""
    generator, label = np.nonzero(counts.x.sum(axis=1))
    return generator.astype(np.int64), label.astype(np.int64)


def by_prompt(cube: Cube, counts: RoleCounts, generator: Ints, label: Ints) -> tuple[Ints, Ints]:
    """Counts and images of some cells of a role, prompt by prompt: two arrays of shape (P, T)."""
    dimension = cube.label_dimension[counts.labels[label]]
    return counts.x[generator, :, label].T, counts.n[generator, :, dimension].T


def _cells_of(cube: Cube, counts: RoleCounts) -> tuple[dict[str, Ints | Floats], ClusterSums]:
    generator, label = seen_cells(counts)
    x, n = by_prompt(cube, counts, generator, label)
    at = [counts.condition == condition for condition in range(len(CONDITIONS))]
    by_text = np.argsort(np.array([cube.prompts[one] for one in counts.prompts], dtype=object), kind="stable")
    move, prompt, se = _leave_prompts_out(x[by_text], n[by_text], counts, by_text)
    part: dict[str, Ints | Floats] = {
        "generator": generator,
        "role": np.full(generator.size, counts.role, dtype=np.int64),
        "label": counts.labels[label],
        "dimension": cube.label_dimension[counts.labels[label]],
        "x": np.stack([x[here].sum(axis=0) for here in at], axis=1),
        "n": np.stack([n[here].sum(axis=0) for here in at], axis=1),
        "move": move,
        "prompt": prompt,
        "se": se,
    }
    return part, cluster_sums(x, n, counts.condition)


def _leave_prompts_out(x: Ints, n: Ints, counts: RoleCounts, order: Ints) -> tuple[Floats, Ints, Floats]:
    """Largest move, the prompt behind it and the standard error; prompts go by text, which settles ties."""
    value = x.sum(axis=0) / n.sum(axis=0)
    without = np.where(n > 0, values_without(x, n), np.nan)
    alone = np.count_nonzero(n, axis=0) < 2
    worst = largest_moves(without - value)
    move = np.take_along_axis(without, worst[None, :], axis=0)[0] - value
    se = jackknife_ses(without, counts.condition[order])
    return (
        np.where(alone, np.nan, move),
        np.where(alone, -1, counts.prompts[order][worst]).astype(np.int64),
        np.where(alone, np.nan, se),
    )
