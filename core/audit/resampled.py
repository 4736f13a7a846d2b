"""What intervals of a study rest on, in words: roles, prompts, and the seeds that they share or not."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.cube import Cube
from core.shared_seeds import FEW_SEEDS

UNKNOWN_SEEDS = "seeds unknown"
UNUSABLE_SEEDS = "shared seeds not allowed for"
_UNSHARED = "No two prompts share a seed, so prompts are independent of each other."
_UNKNOWN = (
    "Nobody knows the seeds of {some}, so their prompts are taken as independent: where prompts did share "
    "seeds, intervals of single conditions are too narrow."
)
_AGAIN = (
    "{some} have a seed that other prompts have as well, and that their own prompt has more than once, as "
    "when one seed is set for a whole batch. How alike images of one seed are cannot be told from these, so "
    "their prompts are taken as independent: intervals of single conditions may be too narrow."
)
_BY_CHANCE = (
    "{some} have a seed that another prompt has as well. So few are taken as chance, and prompts as "
    "independent of each other."
)
_WITHIN = (
    "Prompts share seeds ({who}): intervals of prevalence and CCS, tests and verdicts take prompts and seeds "
    "together (clustering both ways)."
)
_BETWEEN = "Roles share seeds as well ({who}): intervals of Bias Intensity take roles and seeds together."
_FEW = "Some roles have fewer than {few} seeds: intervals there are rough, as the reason beside them says."


def resampled(cube: Cube) -> dict[str, Any]:
    """For the record of a run: over what intervals are, and how it stands with seeds.

    Returns
    -------
    dict
        `bi` and `labels`, over what their intervals are, as in "over roles"; `seeds_known`, of how many
        images; `seeds_repeated`, of how many images other prompts and their own have the seed, which cannot
        be used; `prompts_share_seeds` and `roles_share_seeds`, the generators where they do; `fewest_seeds`
        that the prompts of a role share; `words`, all of it in sentences.
    """
    seeds, shared = cube.seeds, cube.seeds.shared
    within = [] if shared is None else _names(cube, np.count_nonzero(shared.of_roles, axis=1) > 0)
    between = [] if shared is None else _names(cube, shared.between)
    numbers = np.zeros(0, dtype=np.int64) if shared is None else shared.of_roles[shared.of_roles > 0]
    is_unknown = seeds.known < max(seeds.images, 1)
    by_chance = seeds.several if shared is None and not seeds.again else 0
    said = []
    if within:
        said.append(_WITHIN.format(who=", ".join(within)))
    if between:
        said.append(_BETWEEN.format(who=", ".join(between)))
    if numbers.size and numbers.min() < FEW_SEEDS:
        said.append(_FEW.format(few=FEW_SEEDS))
    if seeds.again:
        said.append(_AGAIN.format(some=_images(seeds.again, seeds.images)))
    if by_chance:
        said.append(_BY_CHANCE.format(some=_images(by_chance, seeds.images)))
    if is_unknown:
        some = f"{seeds.images - seeds.known} of {seeds.images} images" if seeds.known else "these images"
        said.append(_UNKNOWN.format(some=some))
    elif shared is None and not seeds.several:
        said.append(_UNSHARED)
    return {
        "bi": _over("roles", bool(between), is_unknown),
        "labels": _over("prompts", bool(within), is_unknown, bool(seeds.again)),
        "seeds_known": seeds.known,
        "seeds_repeated": seeds.again,
        "prompts_share_seeds": within,
        "roles_share_seeds": between,
        "fewest_seeds": int(numbers.min()) if numbers.size else None,
        "words": " ".join(said),
    }


def _names(cube: Cube, chosen: np.ndarray) -> list[str]:
    return [name for name, is_chosen in zip(cube.generators, chosen, strict=True) if is_chosen]


def _images(some: int, whole: int) -> str:
    return f"All {whole} images" if some == whole else f"{some} of {whole} images"


def _over(what: str, is_shared: bool, is_unknown: bool, is_unusable: bool = False) -> str:
    over = f"over {what}{' and the seeds they share' if is_shared else ''}"
    if is_shared or not (is_unknown or is_unusable):
        return over
    return f"{over} ({UNKNOWN_SEEDS if is_unknown else UNUSABLE_SEEDS})"
