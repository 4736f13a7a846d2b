"""Prompts that state one attribute of a role: as the stereotype has it, against it, neutral, or "without"."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from core.errors import BadInput
from core.grammar import article_for
from core.keys import key_of, seed_of
from core.paths import RESOURCES
from core.records import Prompt, PromptKind, Role
from core.schema import Schema

NONE = "none"
FEWEST = 3
"""Prompts at least: one with a stereotype, one against one, one neutral."""


class Side(StrEnum):
    """Where a stated attribute stands to what is usual for the role in the study."""

    WITH = "stereotypical"
    AGAINST = "counter-stereotypical"
    NEUTRAL = "neutral"
    WITHOUT = "without"


@dataclass(frozen=True, slots=True)
class Stated:
    """A prompt, and the attribute that it states: the right answer, if the generator obeys."""

    role: str
    text: str
    dimension: str
    label: str
    side: Side

    def as_data(self) -> dict[str, str]:
        """The stated attribute as JSON-able data; `stated_from` reads it."""
        return {name: str(value) for name, value in asdict(self).items()}

    @property
    def prompt(self) -> Prompt:
        """The prompt of a study; it has no condition, so that no audit table counts it."""
        return Prompt(self.role, None, PromptKind.BASE, self.text, wording=template()["wording"])


def stated_from(data: Mapping[str, str]) -> Stated:
    """A stated attribute from its data."""
    return Stated(data["role"], data["text"], data["dimension"], data["label"], Side(data["side"]))


@cache
def template() -> Mapping[str, Any]:
    """How attributes are put into words, with the version."""
    loaded: dict[str, Any] = json.loads((RESOURCES / "validation_prompts.json").read_text(encoding="utf-8"))
    return loaded


def template_key() -> str:
    """Version and content key of the words."""
    return f"{template()['version']}+{key_of(dict(template()))[:12]}"


def sayable(schema: Schema) -> dict[str, tuple[str, ...]]:
    """Dimension -> labels that can be stated, of those the schema has."""
    found: dict[str, tuple[str, ...]] = {}
    for name, forms in template()["dimensions"].items():
        if schema.has(name):
            ids = schema.dimension(name).label_ids
            labels = tuple(label for form in forms.values() for label in form if label in ids)
            if len(labels) > 1:
                found[name] = labels
    return found


def mine(
    counts: Mapping[tuple[str, str, str], int],
    roles: Sequence[Role],
    schema: Schema,
    seed: int,
    most: int = 60,
) -> tuple[Stated, ...]:
    """The prompts for a study: equal parts of each side, spread over roles and dimensions.

    Parameters
    ----------
    counts : mapping of (role, dimension, label) to int
        Images of the study with each label.
    roles : sequence of Role
        Roles of the study.
    schema : Schema
        The study's schema; attributes it cannot express are left out.
    seed : int
        Of the study; decides which roles get which dimension.
    most : int
        Prompts at most, 3 or more; a quarter of them for each side, and with 3 none without the thing.

    Returns
    -------
    tuple of Stated
        Stereotypical: the label that leads for the role, where it leads clearly (at least half of its
        images, and more than in the other roles). Counter-stereotypical: for the same roles and dimensions,
        the sayable label that is rarest there. Neutral: labels where none leads. Without: `none`, where the
        thing itself leads, and where it does not.

    Raises
    ------
    BadInput
        When nothing leads anywhere, because nothing was read; when fewer than 3 may be had.
    """
    if most < FEWEST:
        raise BadInput(
            f"{most} prompts are too few for the three sides: with, against and without a stereotype.",
            f"Ask for {FEWEST} or more.",
        )
    said = sayable(schema)
    shares = _shares(counts, said)
    if not shares:
        raise BadInput(
            "No record says anything that can be stated in a prompt.", "Read the study's images first."
        )
    by_name = {role.name: role for role in roles}
    sides: dict[Side, list[Stated]] = defaultdict(list)
    for (role, dimension), own in sorted(shares.items()):
        if role in by_name:
            for side, label in _sides_of(own, _elsewhere(shares, role, dimension), said[dimension]):
                sides[side].append(
                    Stated(role, write(by_name[role], dimension, label), dimension, label, side)
                )
    each = max(most // len(Side), 1)
    chosen = {side: _spread(found, seed, each) for side, found in sides.items()}
    size = min((len(chosen.get(side, ())) for side in (Side.WITH, Side.AGAINST, Side.NEUTRAL)), default=0)
    if size == 0:
        raise BadInput(
            "The labels of this study give no equal parts of stereotypical, counter-stereotypical and neutral"
            " prompts.",
            "Read more images, of more roles.",
        )
    # Equal parts, so that no side's share of the prompts moves the mean of all.
    last = min(size, most - (len(Side) - 1) * size)
    parts = {side: last if side is Side.WITHOUT else size for side in Side}
    return tuple(one for side in Side for one in chosen.get(side, ())[: parts[side]])


def write(role: Role, dimension: str, label: str) -> str:
    """The sentence that states a label.

    >>> write(Role("baker", "baker", "a", "bakers"), "age_range", "older_adult")
    'a photo of an elderly baker'
    >>> write(Role("actor", "actor", "an", "actors"), "eyewear_type", "none")
    'a photo of an actor without any eyewear'
    """
    forms = template()["dimensions"][dimension]
    before, after = forms.get("before", {}).get(label), forms.get("after", {}).get(label)
    who = f"{before} {role.display_name}" if before else role.display_name
    article = article_for(who) if before else role.article
    return " ".join(part for part in (template()["wording"], article, who, after) if part)


def _shares(
    counts: Mapping[tuple[str, str, str], int], said: Mapping[str, Sequence[str]]
) -> dict[tuple[str, str], dict[str, float]]:
    """(role, dimension) -> share of each label among all labels read there."""
    totals: Counter[tuple[str, str]] = Counter()
    for (role, dimension, _), images in counts.items():
        if dimension in said:
            totals[(role, dimension)] += images
    return {
        key: {label: counts.get((*key, label), 0) / total for label in said[key[1]]}
        for key, total in totals.items()
        if total
    }


def _elsewhere(
    shares: Mapping[tuple[str, str], Mapping[str, float]], role: str, dimension: str
) -> dict[str, float]:
    """Mean share of each label over the other roles."""
    others = [own for (name, about), own in shares.items() if about == dimension and name != role]
    labels = {label for own in others for label in own}
    return {label: sum(own.get(label, 0.0) for own in others) / len(others) for label in labels}


def _sides_of(
    own: Mapping[str, float], others: Mapping[str, float], labels: Sequence[str]
) -> Iterable[tuple[Side, str]]:
    leading = max(labels, key=lambda label: (own[label], label))
    things = [label for label in labels if label != NONE]
    rare = min(things, key=lambda label: (own[label], label))
    is_clear = own[leading] >= 0.5 and own[leading] >= others.get(leading, 0.0)
    if NONE in labels:
        yield Side.WITHOUT, NONE
    if is_clear and leading != NONE:
        yield Side.WITH, leading
        if rare != leading:
            yield Side.AGAINST, rare
    elif is_clear:  # nothing is usual here: the thing itself is against it
        yield Side.AGAINST, max(things, key=lambda label: (own[label], label))
    else:
        yield Side.NEUTRAL, max(things, key=lambda label: (own[label], label))


def _spread(found: Sequence[Stated], seed: int, most: int) -> tuple[Stated, ...]:
    """At most so many, dimensions and roles in turn, in an order that the seed decides."""
    order = sorted(found, key=lambda one: seed_of("validation", seed, one.dimension, one.role, one.label))
    taken: list[Stated] = []
    used: Counter[str] = Counter()
    while order and len(taken) < most:
        best = min(order, key=lambda one: (used[one.dimension], used[one.role]))
        order.remove(best)
        used.update((best.dimension, best.role))
        taken.append(best)
    return tuple(taken)
