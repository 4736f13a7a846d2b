"""Simulated studies in which one seed draws much the same person for every prompt, as diffusion models do.

As `simulated_studies`, but each image has a seed, and with some probability shows the person of its seed
instead of one of its own. The person of a seed is a place among a role's people, from the most to the least
frequent label, so that a planted change moves the persons of all seeds with it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.shared_seeds import NOTHING_KNOWN, SharedSeeds, Sharing, images_that_share
from tests.benchmarks.simulated_studies import BASES, SPREAD, Study, bi_of, changed, cube_of

OWN, OF_ROLE, OF_ALL = "each prompt", "each role", "all roles"
"""Whose the seeds are: every prompt has its own, the prompts of a role share them, or all roles do."""


@dataclass(frozen=True)
class SeededPlan:
    """Prompts by condition, seeds a prompt, whose they are, and how alike images of one seed are.

    `alike` is the correlation of two images of one seed; with `by_condition` only within a condition, as
    where the context of a prompt changes who a seed is.
    """

    prompts: tuple[int, int, int] = (6, 6, 6)
    seeds: int = 4
    alike: float = 0.3
    whose: str = OF_ROLE
    roles: int = 10
    icc: float = 0.1
    change: float = 0.0
    by_condition: bool = False

    @property
    def name(self) -> str:
        """As printed."""
        by = ", another person in each condition" if self.by_condition else ""
        moved = "changed" if self.change else "nothing changed"
        many = "/".join(str(one) for one in self.prompts)
        design = f"{self.seeds} seeds of {self.whose}, {many} prompts, {self.roles} roles"
        return f"{design}, alike {self.alike:g}{by}, {moved}"


def draw_seeded(plan: SeededPlan, rng: np.random.Generator) -> tuple[Study, Study]:
    """One study, without its seeds (as if nobody knew them) and with them."""
    role = np.repeat(np.arange(plan.roles), sum(plan.prompts))
    condition = np.tile(np.repeat(np.arange(3), plan.prompts), plan.roles)
    seed = _seeds(plan, role)
    planted, labels = {}, []
    for name, base in BASES.items():
        planted[name] = changed(rng.dirichlet(SPREAD * base, size=plan.roles), plan.change)
        of_prompt = planted[name][condition, role]
        own = _picked(rng.random(seed.shape), _around(of_prompt, plan.icc, rng))
        places = rng.random((seed.max() + 1, 3))
        of_seed = places[seed, condition[:, None] if plan.by_condition else 0]
        is_of_seed = rng.random(seed.shape) < np.sqrt(plan.alike)
        labels.append(np.where(is_of_seed, _picked(of_seed, of_prompt), own))
    return _studies(plan, role, condition, seed, np.stack(labels, axis=-1), planted)


def pooled_bi(plan: SeededPlan) -> dict[tuple[str, str, str], np.ndarray]:
    """True BI of all roles together, by dimension, aggregation and estimator: arrays of conditions."""
    return {
        (name, "pool", estimator): bi_of(changed(base[None], plan.change))[:, 0]
        for name, base in BASES.items()
        for estimator in ("plugin", "miller_madow", "chao_shen", "matched")
    }


def _seeds(plan: SeededPlan, role: np.ndarray) -> np.ndarray:
    first = {OWN: np.arange(role.size), OF_ROLE: role, OF_ALL: np.zeros_like(role)}[plan.whose]
    return first[:, None] * plan.seeds + np.arange(plan.seeds)


def _around(shares: np.ndarray, icc: float, rng: np.random.Generator) -> np.ndarray:
    """Each prompt's own distribution around its role's."""
    if icc == 0:
        return shares
    gamma = rng.standard_gamma(np.maximum(shares * (1 - icc) / icc, 1e-12)) + 1e-300
    return np.asarray(gamma / gamma.sum(axis=1, keepdims=True))


def _picked(places: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """The label at each place from 0 to 1 of a prompt's distribution: (P, S) and (P, L) to (P, S)."""
    label = (places[..., None] > shares.cumsum(axis=1)[:, None]).sum(axis=-1)
    return np.asarray(np.minimum(label, shares.shape[1] - 1))


def _studies(
    plan: SeededPlan,
    role: np.ndarray,
    condition: np.ndarray,
    seed: np.ndarray,
    labels: np.ndarray,
    planted: dict[str, np.ndarray],
) -> tuple[Study, Study]:
    sizes = np.array([len(base) for base in BASES.values()])
    label = labels + np.concatenate([[0], sizes.cumsum()[:-1]])
    counts = np.zeros((role.size, int(sizes.sum())), dtype=np.int64)
    np.add.at(counts, (np.arange(role.size)[:, None, None], label), 1)
    cube = cube_of(counts, role, condition, plan.prompts, plan.roles, plan.seeds)
    prompt, flat = np.repeat(np.arange(role.size), plan.seeds), seed.ravel()
    generator = np.zeros(flat.size, dtype=np.int64)
    seeds = NOTHING_KNOWN
    if images_that_share(generator, prompt, flat).size:
        shared = SharedSeeds(
            generator, prompt, role[prompt], flat,
            np.ones((flat.size, sizes.size), dtype=bool), np.repeat(np.arange(flat.size), sizes.size),
            np.searchsorted(np.flatnonzero(counts.any(axis=0)), label.ravel()), 1, plan.roles,
        )  # fmt: skip
        seeds = Sharing(shared, flat.size, flat.size)
    return Study(cube, planted), Study(replace(cube, seeds=seeds), planted)
