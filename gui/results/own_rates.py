"""The Bias Intensity that the phantom was trained on, and that of its own pictures, measured once on many."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.records import Condition, Prompt
from gui.models.results_data import Spot
from gui.results.planted import Planted, add_cohorts, intensity

Shares = Callable[[str, Condition, str], Mapping[str, float]]
"""Role, condition and dimension -> label -> share of all pictures; empty where nothing is known."""


def with_own_rates(
    found: Planted, prompts: Sequence[Prompt], cohort_of: Mapping[str, str], sizes: Mapping[str, int]
) -> Planted:
    """The truth with the phantom's added: planted, and measured by the reader.

    Parameters
    ----------
    found : Planted
        Of the other generators.
    prompts : sequence of Prompt
        Of the study. With a role that the phantom was not trained on, nothing is known.
    cohort_of, sizes : mapping
        As those of `planted_truth`.
    """
    from core.phantom import NAME
    from core.phantom.truth import known_roles, load_measured

    if not {prompt.role for prompt in prompts} <= set(known_roles()):
        return found
    about = load_measured()
    shown = _intensities(_planted_shares, NAME, prompts, cohort_of, sizes)
    own = _intensities(_measured_shares(about), NAME, prompts, cohort_of, sizes)
    return replace(
        found,
        shown={**found.shown, **shown},
        measured=own,
        measured_on=int(about["pictures"]),
    )


def _intensities(
    shares: Shares,
    name: str,
    prompts: Sequence[Prompt],
    cohort_of: Mapping[str, str],
    sizes: Mapping[str, int],
) -> dict[tuple[str, Spot], float]:
    found: dict[tuple[str, Spot], float] = {}
    for condition in Condition:
        roles = sorted({prompt.role for prompt in prompts if prompt.condition is condition})
        for dimension, cohort in cohort_of.items():
            each = [shares(role, condition, dimension) for role in roles]
            if not each or not all(each):
                continue
            spot, size = Spot(name, cohort, dimension, condition), sizes.get(dimension, 0)
            pooled: dict[str, float] = {}
            for row in each:
                for label, share in row.items():
                    pooled[label] = pooled.get(label, 0.0) + share
            whole = intensity(pooled.values(), size)
            single = [value for row in each if (value := intensity(row.values(), size)) is not None]
            if whole is not None and single:
                found["pool", spot], found["role", spot] = whole, sum(single) / len(single)
    add_cohorts(found, [name], cohort_of)
    return found


def _planted_shares(role: str, condition: Condition, dimension: str) -> Mapping[str, float]:
    from core.phantom.truth import DIMENSIONS, planted_share, shown_share

    if dimension not in DIMENSIONS:
        return {}
    known = shown_share(role, condition, dimension)
    return {label: known * share for label, share in planted_share(role, condition, dimension).items()}


def _measured_shares(about: Mapping[str, Any]) -> Shares:
    found: dict[tuple[str, str, str], dict[str, float]] = {}
    for cell in about["cells"]:
        key = cell["role"], cell["condition"], cell["dimension"]
        found.setdefault(key, {})[cell["label"]] = cell["measured"] * cell["n"] / about["per_cell"]
    return lambda role, condition, dimension: found.get((role, condition.value, dimension), {})
