"""What intervals of a study rest on, in words: roles, prompts, and the seeds that they share or not."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.cube import Cube
from core.shared_seeds import FEW_SEEDS

UNKNOWN_SEEDS = "seeds unknown"
_UNSHARED = "No two prompts share a seed, so prompts are independent of each other."
_UNKNOWN = (
    "Nobody knows the seeds of {some}, so their prompts are taken as independent: where prompts did share "
    "seeds, intervals of single conditions are too narrow."
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
        `bi` and `labels`, over what their intervals are, as in "over roles"; `images`, `seeds_known`;
        `prompts_share_seeds` and `roles_share_seeds`, the generators where they do; `fewest_seeds` that
        the prompts of a role share; `words`, all of it in sentences.
    """
    seeds, shared = cube.seeds, cube.seeds.shared
    within = [] if shared is None else _names(cube, np.count_nonzero(shared.of_roles, axis=1) > 0)
    between = [] if shared is None else _names(cube, shared.between)
    numbers = np.zeros(0, dtype=np.int64) if shared is None else shared.of_roles[shared.of_roles > 0]
    is_unknown = seeds.known < max(seeds.images, 1)
    said = []
    if within:
        said.append(_WITHIN.format(who=", ".join(within)))
    if between:
        said.append(_BETWEEN.format(who=", ".join(between)))
    if numbers.size and numbers.min() < FEW_SEEDS:
        said.append(_FEW.format(few=FEW_SEEDS))
    if is_unknown:
        some = f"{seeds.images - seeds.known} of {seeds.images} images" if seeds.known else "these images"
        said.append(_UNKNOWN.format(some=some))
    elif shared is None:
        said.append(_UNSHARED)
    return {
        "bi": _over("roles", bool(between), is_unknown),
        "labels": _over("prompts", bool(within), is_unknown),
        "seeds_known": seeds.known,
        "prompts_share_seeds": within,
        "roles_share_seeds": between,
        "fewest_seeds": int(numbers.min()) if numbers.size else None,
        "words": " ".join(said),
    }


def _names(cube: Cube, chosen: np.ndarray) -> list[str]:
    return [name for name, is_chosen in zip(cube.generators, chosen, strict=True) if is_chosen]


def _over(what: str, is_shared: bool, is_unknown: bool) -> str:
    over = f"over {what}{' and the seeds they share' if is_shared else ''}"
    return f"{over} ({UNKNOWN_SEEDS})" if is_unknown and not is_shared else over
