"""The Bias Intensity that the phantom was trained on, and that of its own pictures, measured once on many."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.records import Condition, Prompt
from gui.results.planted import Planted, Shares, add_cohorts, intensities


def with_own_rates(
    found: Planted,
    prompts: Sequence[Prompt],
    cohort_of: Mapping[str, str],
    sizes: Mapping[str, int],
    left_out: Collection[tuple[str, str]] = (),
) -> Planted:
    """The truth with the phantom's added: planted, and measured by the reader.

    Parameters
    ----------
    found : Planted
        Of the other generators.
    prompts : sequence of Prompt
        Of the study. With a role that the phantom was not trained on, nothing is known.
    cohort_of, sizes, left_out
        As those of `planted_truth`.
    """
    from core.phantom import NAME
    from core.phantom.truth import known_roles, load_measured

    if not {prompt.role for prompt in prompts} <= set(known_roles()):
        return found
    about = load_measured()
    shown = intensities(NAME, _planted_shares, prompts, cohort_of, sizes)
    own = intensities(NAME, _measured_shares(about), prompts, cohort_of, sizes)
    for values in (shown, own):
        add_cohorts(values, [NAME], cohort_of, left_out)
    return replace(
        found,
        shown={**found.shown, **shown},
        measured=own,
        measured_on=int(about["pictures"]),
    )


def _planted_shares(role: str, condition: Condition, dimension: str) -> Mapping[str, float] | None:
    from core.phantom.truth import DIMENSIONS, planted_share, shown_share

    if dimension not in DIMENSIONS:
        return None
    known = shown_share(role, condition, dimension)
    return {label: known * share for label, share in planted_share(role, condition, dimension).items()}


def _measured_shares(about: Mapping[str, Any]) -> Shares:
    found: dict[tuple[str, str, str], dict[str, float]] = {}
    for cell in about["cells"]:
        key = cell["role"], cell["condition"], cell["dimension"]
        found.setdefault(key, {})[cell["label"]] = cell["measured"] * cell["n"] / about["per_cell"]
    return lambda role, condition, dimension: found.get((role, condition.value, dimension))
