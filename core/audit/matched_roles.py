"""The matched entropy of each role: conditions with equally many prompts, then equally many images."""

from __future__ import annotations

import numpy as np

from core.cube import CONDITIONS, Cube
from core.statistics.arrays import Floats, Ints
from core.statistics.entropy import entropies
from core.statistics.matched import matched_entropies
from core.statistics.matched_prompts import mean_entropies


def matched_by_role(cube: Cube, dimension: int, counts: Ints) -> Floats:
    """Matched entropy by generator, condition and role.

    Parameters
    ----------
    cube : Cube
    dimension : int
        Position of the dimension.
    counts : ndarray of int, shape (G, C, R, L)
        Its `Cube.counts_by_role`.

    Returns
    -------
    ndarray, shape (G, C, R)
        Nats; nan without any count. A condition with more prompts than the role's smallest has the mean
        over all choices of so many of its prompts; then all conditions are thinned to the smallest number of
        images, by as much as that lowers the entropy of all images of the role.
    """
    total = counts.sum(axis=-1)
    table = cube.counts_by_prompt(dimension)
    of_prompt = table.sum(axis=-1) > 0  # (G, P)
    prompts, positions = _prompts(cube, of_prompt)
    fewest = _smallest(prompts).astype(np.int64)
    whole = entropies(counts.astype(np.float64))
    entropy = whole.copy()
    chosen = total.astype(np.float64)  # images that a choice of prompts has
    more = prompts > fewest
    for have, keep in sorted(set(zip(prompts[more].tolist(), fewest[more].tolist(), strict=True))):
        place = np.nonzero(more & (prompts == have) & (fewest == keep))
        rows = positions[place][:, :have]
        here = table[place[0][:, None], rows].astype(np.float64)
        entropy[place], chosen[place] = mean_entropies(here, keep)
    share = _smallest(chosen) / np.maximum(chosen, 1e-9)
    thin = np.clip(np.rint(share * total), 1, np.maximum(total, 1)).astype(np.int64)
    thinned = matched_entropies(counts, thin)
    return np.asarray(np.where(more, np.maximum(entropy + thinned - whole, 0.0), thinned), dtype=np.float64)


def _prompts(cube: Cube, of_prompt: np.ndarray) -> tuple[Ints, Ints]:
    """How many prompts have a count, (G, C, R), and which come first, (G, C, R, most)."""
    conditions, roles = len(CONDITIONS), len(cube.roles)
    cell = cube.prompt_condition * roles + cube.prompt_role
    generator, prompt = np.nonzero(of_prompt)
    key = generator * (conditions * roles) + cell[prompt]
    order = np.argsort(key, kind="stable")
    size = np.bincount(key, minlength=len(of_prompt) * conditions * roles)
    rank = np.arange(key.size) - np.repeat(np.cumsum(size) - size, size)
    positions = np.zeros((size.size, int(size.max(initial=1))), dtype=np.int64)
    positions[key[order], rank] = prompt[order]
    shape = (len(of_prompt), conditions, roles)
    return size.reshape(shape), positions.reshape(*shape, -1)


def _smallest(numbers: np.ndarray) -> np.ndarray:
    """The smallest number above 0 of the conditions (axis 1), kept in shape."""
    least = np.where(numbers > 0, numbers, np.inf).min(axis=1, keepdims=True)
    return np.broadcast_to(np.where(np.isfinite(least), least, 0), numbers.shape)
