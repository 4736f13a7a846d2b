"""What shared seeds add to the variance of prevalences: of a condition, of all conditions, of differences.

How alike images of one seed are is one number a generator and dimension, pooled over roles and labels as the
design effect is. What it adds depends on how many prompts a role's seeds are shared by, so it is worked out
by role. Between conditions shared seeds cancel as far as one seed draws the same person in both.

Weighed against it in simulated studies (six prompts, images of a seed alike by 0, .3 or .8; true 95 %):
clustering by prompts alone held the prevalence of a condition in 58 to 82 % where seeds were alike; a
bootstrap of prompts and seeds with product weights (Owen 2007), role by role, in 97 to 98 % where they were
not alike and in 75 to 90 % with four seeds that were; two-way clustered variances (Cameron, Gelbach & Miller
2011), role by role, in 65 to 88 %. Pooled over roles, with Wilson's limits, it is 96 to 98 % with 2, 4 and 10
seeds, alike or not (tests/benchmarks/bench_seeds.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.cube import CONDITIONS, Cube, RoleCounts
from core.shared_seeds import FEW_SEEDS, few_seeds_words
from core.statistics.arrays import Floats, Ints
from core.statistics.crossed import few_seeds_factor, seed_sums

if TYPE_CHECKING:
    from core.audit.cells import Cells

C = len(CONDITIONS)


@dataclass(frozen=True)
class SeedPairs:
    """Pairs of images with the same seed: (G, D, R, C, C), ordered pairs by the conditions of the two."""

    pairs: Floats
    images: Floats
    prompts: Floats
    within: Floats
    """Correlation of images of one seed in the same condition, (G, D)."""
    between: Floats
    """The same in different conditions."""
    factor: Floats
    """By how much it is raised as there are few seeds, (G, D)."""

    def level(self, generator: Ints, dimension: Ints, role: Ints) -> Floats:
        """What is added to the design effect of each condition, (T, C)."""
        place = (generator, dimension, role)
        n, m = self.images[place], self.prompts[place]
        own = self.pairs[place][:, np.arange(C), np.arange(C)] / np.maximum(n, 1)
        scale = (self.within * self.factor)[generator, dimension][:, None]
        return np.asarray(scale * own * m / np.maximum(m - 1, 1), dtype=np.float64)

    def mean_level(self) -> Floats:
        """What is added to the design effect of a condition on average over roles, (G, C, D)."""
        generators, dimensions, roles = self.images.shape[:3]
        place = [one.ravel() for one in np.indices((generators, dimensions, roles))]
        level = self.level(*place).reshape(generators, dimensions, roles, C)
        known = np.maximum(np.count_nonzero(self.images, axis=2), 1)
        return np.asarray((level.sum(axis=2) / known).transpose(0, 2, 1), dtype=np.float64)

    def total(self, generator: Ints, dimension: Ints, role: Ints) -> Floats:
        """What is added to the design effect of the prevalence over all conditions, (T,)."""
        place = (generator, dimension, role)
        n = self.images[place]
        whole = np.maximum(n.sum(axis=1), 1)
        pairs = self.pairs[place]
        across = pairs.sum(axis=(1, 2)) - np.einsum("tcc->t", pairs)
        scale = (self.between * self.factor)[generator, dimension]
        own = (n * self.level(generator, dimension, role)).sum(axis=1)
        return np.asarray((own + scale * across) / whole, dtype=np.float64)

    def difference(self, generator: Ints, dimension: Ints, role: Ints) -> Floats:
        """What is added to the design effect of differences between conditions, (T,)."""
        there = np.count_nonzero(self.images[generator, dimension, role], axis=1)
        level = self.level(generator, dimension, role).sum(axis=1)
        added = (level - self.total(generator, dimension, role)) / np.maximum(there - 1, 1)
        return np.asarray(np.maximum(added, 0.0), dtype=np.float64)


def few_seeds(cube: Cube, cells: Cells) -> tuple[Ints, list[str]]:
    """Which cells rest on few shared seeds, as positions in a list of words; 0 is no word."""
    shared = cube.shared_seeds
    if shared is None:
        return np.zeros(cells.role.size, dtype=np.int64), [""]
    number = shared.of_roles[cells.generator, cells.role]
    words = ["", *(few_seeds_words(one) for one in range(1, FEW_SEEDS))]
    return np.where(number < FEW_SEEDS, number, 0), words


class SeedCollector:
    """Adds up role by role; `found` is what all roles together say."""

    def __init__(self, cube: Cube) -> None:
        shape = (len(cube.generators), len(cube.dimensions), len(cube.roles))
        self._pairs = np.zeros((*shape, C, C))
        self._images, self._prompts = np.zeros((*shape, C)), np.zeros((*shape, C))
        self._sums = np.zeros((4, *shape[:2]))  # products and what a correlation of 1 expects, twice
        self._freedom = np.zeros(shape[:2])

    def add(self, cube: Cube, counts: RoleCounts) -> None:
        """Take a role in."""
        found = _of_role(cube, counts)
        if found is None:
            return
        by_seed, x, usable = found
        dimension = cube.label_dimension[counts.labels]
        member = (counts.condition[:, None] == np.arange(C)).astype(np.float64)
        images = np.einsum("pc,gpd->gdc", member, counts.n.astype(np.float64))
        self._images[:, :, counts.role] = images
        self._prompts[:, :, counts.role] = np.einsum("pc,gpd->gdc", member, (counts.n > 0).astype(np.float64))
        self._freedom += np.maximum(np.count_nonzero(np.count_nonzero(usable, axis=1) > 1, axis=1) - 1, 0)
        for one in np.unique(dimension).tolist():
            mine = dimension == one
            n = counts.n[:, :, one].astype(np.float64)
            shown = counts.x[:, :, mine].astype(np.float64)
            share = shown / np.maximum(n, 1)[:, :, None]
            sums = seed_sums(
                by_seed[..., mine], x[..., mine], share, n, usable[..., one], counts.condition, C
            )
            self._pairs[:, one, counts.role] = sums.pairs
            with np.errstate(divide="ignore", invalid="ignore"):
                p = np.einsum("pc,gpt->gct", member, shown) / np.maximum(images[:, one], 1)[..., None]
            spread = np.sqrt(p * (1 - p))
            scale = np.einsum("gat,gbt->gab", spread, spread) * sums.expected
            products = sums.products.sum(axis=-1)
            own, own_scale = np.einsum("gcc->g", products), np.einsum("gcc->g", scale)
            self._sums[:, :, one] += [
                own,
                own_scale,
                products.sum(axis=(1, 2)) - own,
                scale.sum(axis=(1, 2)) - own_scale,
            ]

    def found(self) -> SeedPairs:
        """Correlations within 0 … 1; between conditions no more than within one."""
        own, own_scale, across, across_scale = self._sums
        within = np.clip(own / np.where(own_scale > 0, own_scale, np.inf), 0.0, 1.0)
        between = np.clip(across / np.where(across_scale > 0, across_scale, np.inf), 0.0, 1.0)
        within = np.where(own_scale > 0, within, between)
        between = np.minimum(between, within)
        factor = few_seeds_factor(self._freedom)
        return SeedPairs(self._pairs, self._images, self._prompts, within, between, factor)


def _of_role(cube: Cube, counts: RoleCounts) -> tuple[Floats, Floats, Floats] | None:
    """Counts by condition and seed (G, C, S, L), by prompt (G, P, L); where there are images (G, P, S, D)."""
    shared = cube.shared_seeds
    if shared is None:
        return None
    images, entries = shared.of_role(counts.role)
    names, seed = np.unique(shared.seed[images], return_inverse=True)
    if not names.size:
        return None
    generator, prompt = shared.generator[images], shared.prompt[images] - counts.prompts[0]
    shape = (len(cube.generators), len(counts.prompts), names.size, len(cube.dimensions))
    usable = np.zeros(shape)
    usable[generator, prompt, seed] = shared.usable[images]
    image = shared.entry_image[entries] - images.start
    label = np.searchsorted(counts.labels, shared.entry_label[entries])
    by_seed_shape = (shape[0], C, names.size, counts.labels.size)
    place = (generator[image], counts.condition[prompt[image]], seed[image], label)
    by_seed = np.bincount(np.ravel_multi_index(place, by_seed_shape), minlength=int(np.prod(by_seed_shape)))
    by_prompt_shape = (shape[0], shape[1], counts.labels.size)
    where = np.ravel_multi_index((generator[image], prompt[image], label), by_prompt_shape)
    by_prompt = np.bincount(where, minlength=int(np.prod(by_prompt_shape)))
    return (
        by_seed.reshape(by_seed_shape).astype(np.float64),
        by_prompt.reshape(by_prompt_shape).astype(np.float64),
        usable,
    )
