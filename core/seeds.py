"""Which seeds the images of a prompt have: the same for every prompt of a role, or its own for each.

One seed makes a generator draw much the same person for every prompt. With the same seeds for every prompt
of a role (`per-role`) a change between two conditions is a change of the prompt alone; but images of
different prompts then resemble each other, and many prompts are worth little more than one. Results see that
seeds are shared and allow for it: intervals of single conditions get wide where there are few seeds. With
seeds of its own for each prompt (`per-prompt`), as in the published data, prompts are independent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from core.keys import seed_of
from core.prompts import seeds_for
from core.records import Prompt

SeedRule: TypeAlias = Literal["per-role", "per-prompt"]
SEED_RULES: tuple[SeedRule, ...] = ("per-role", "per-prompt")
SETTING = "seeds"
"""Under which name a study keeps its rule among its settings."""

EXPLAINED: Mapping[SeedRule, str] = {
    "per-role": "The same seeds for every prompt of a role: a change between conditions is the "
    "prompt's alone. Images of one seed resemble each other, so intervals of single conditions are wider.",
    "per-prompt": "Seeds of its own for each prompt: prompts are independent, so intervals of single "
    "conditions are as narrow as they can be.",
}


def seed_rule(settings: Mapping[str, Any]) -> SeedRule:
    """The rule that a study's settings state; studies that state none have the first.

    >>> seed_rule({}), seed_rule({"seeds": "per-prompt"})
    ('per-role', 'per-prompt')
    """
    return "per-prompt" if settings.get(SETTING) == "per-prompt" else "per-role"


def seeds_of(rule: SeedRule, study_seed: int, prompt: Prompt, n: int) -> Sequence[int]:
    """The seeds of a prompt's images; the first of ten are the first of twenty, so a study can grow."""
    if rule == "per-role":
        return seeds_for(study_seed, prompt.role, n)
    where = ("image", study_seed, prompt.role, prompt.condition, prompt.text)
    seeds: dict[int, None] = {}
    position = 0
    while len(seeds) < n:
        seeds[seed_of(*where, position)] = None
        position += 1
    return tuple(seeds)


def rule_in_words(rule: SeedRule, n: int) -> str:
    """What a person reads before a run.

    >>> rule_in_words("per-prompt", 1)
    'A seed of its own for every prompt'
    """
    if rule == "per-prompt":
        return f"{'A seed' if n == 1 else f'{n} seeds'} of its own for every prompt"
    same = "The same seed" if n == 1 else f"The same {n} seeds"
    return f"{same} for every prompt of a role, so prompts are not independent of each other"
