"""How evenly the places of a study's prompts are spread over its roles and conditions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.records import Condition, Prompt

WITH_PLACE = (Condition.CA_R, Condition.CA_U)


@dataclass(frozen=True, slots=True)
class PlaceUse:
    """One place: how many roles are there in each condition."""

    place: str
    roles: Mapping[Condition, int]

    @property
    def total(self) -> int:
        """Roles there, over the conditions."""
        return sum(self.roles.values())


def place_uses(prompts: Iterable[Prompt]) -> tuple[PlaceUse, ...]:
    """All places that prompts name, the most used first; prompts without place or condition are none."""
    roles: dict[str, dict[Condition, set[str]]] = defaultdict(lambda: defaultdict(set))
    for prompt in prompts:
        if prompt.place and prompt.condition:
            roles[prompt.place][prompt.condition].add(prompt.role)
    uses = [
        PlaceUse(place, {condition: len(there) for condition, there in by_condition.items()})
        for place, by_condition in roles.items()
    ]
    return tuple(sorted(uses, key=lambda use: (-use.total, use.place)))


def spread_sentence(uses: Iterable[PlaceUse], condition: Condition) -> str:
    """How evenly one condition's places are spread, in a sentence."""
    counts = [use.roles[condition] for use in uses if condition in use.roles]
    if not counts:
        return f"{condition}: no places"
    number = f"{len(counts)} place{'s' if len(counts) != 1 else ''}"
    fewest, most = min(counts), max(counts)
    each = f"{fewest}" if fewest == most else f"{fewest}–{most}"
    return f"{condition}: {number}, each with {each} role{'s' if most != 1 else ''}"
