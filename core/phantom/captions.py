"""What a training picture is of: its caption, and what the caption fixes.

    a photo of a [female|male] ROLE [wearing glasses|without glasses] [with a beard|without a beard]
                 [ACTIVITY] [in PLACE]

Role, article, wordings, places and activities are those of the bank and of a study's prompts. A place is
*related* when it is one of the role's own contexts, *unrelated* when it is not like any of them; a place in
between is not shown with that role, so the condition of every caption is certain.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random

from core.bank import USED_CONTEXTS, Context, load_contexts, load_roles
from core.generation.drawn.places import scene_at, work_of
from core.grammar import article_for
from core.paths import RESOURCES
from core.prompts import MORE_WORDINGS, WORDINGS
from core.records import Condition, Role

FOLDER = RESOURCES / "phantom"
PLANTED = FOLDER / "planted.json"

SHARES = {Condition.CF: 0.34, Condition.CA_R: 0.3, Condition.CA_U: 0.36}
"""How often each condition is shown in training."""

NAMES_ACTIVITY = 0.5
STATES_GENDER = 0.18
STATES_GLASSES = 0.1
STATES_BEARD = 0.06
"""How often a caption says so. Stated labels are even, whatever the role, so that they can be followed."""

PLAIN_PLACES = (
    "a library",
    "a kitchen",
    "an office",
    "a laboratory",
    "a workshop",
    "a farm",
    "a street",
    "a park",
)
"""Places in the plainest words, besides those of the bank."""

_GLASSES = {"eyeglasses": "wearing glasses", "none": "without glasses"}
_BEARD = {"beard": "with a beard", "none": "without a beard"}


@dataclass(frozen=True, slots=True)
class Case:
    """One training picture in words.

    Attributes
    ----------
    caption : str
    role : str
    condition : Condition
    place, activity : str, optional
        As in a prompt.
    stated : mapping
        Attribute -> label that the caption states.
    """

    caption: str
    role: str
    condition: Condition
    place: str | None = None
    activity: str | None = None
    stated: Mapping[str, str] = field(default_factory=dict)


@cache
def roles() -> tuple[Role, ...]:
    """The roles that the phantom knows, those with a planted share of women."""
    known = json.loads(PLANTED.read_text(encoding="utf-8"))["women"]
    return tuple(role for role in load_roles() if role.name in known)


@cache
def contexts(role: str, condition: Condition) -> tuple[Context, ...]:
    """The contexts in which a role is shown in a condition; none in CF."""
    own = load_contexts()[role].related[:USED_CONTEXTS]
    if condition is Condition.CA_R:
        return own
    if condition is Condition.CF:
        return ()
    scenes = {work_of(role).scene, *(scene_at(each.place).name for each in own)}
    return tuple(
        each
        for each in _all_contexts()
        if scene_at(each.place).name not in scenes and not any(each.is_like(mine) for mine in own)
    )


@cache
def _all_contexts() -> tuple[Context, ...]:
    """Every context of the roles, the plain places, and everyday places that are drawn like one of these."""
    bank = load_contexts()
    own = [each for role in roles() for each in bank[role.name].related[:USED_CONTEXTS]]
    plain = [Context(place.split(" ", 1)[1], place.split(" ", 1)[0], "") for place in PLAIN_PLACES]
    scenes = {scene_at(each.place).name for each in (*own, *plain)}
    everyday = [each for role in roles() for each in bank[role.name].unrelated[:USED_CONTEXTS]]
    drawn = [each for each in everyday if scene_at(each.place).name in scenes]
    return tuple({each.place: each for each in (*drawn, *plain, *own)}.values())


def places() -> tuple[str, ...]:
    """All places the phantom has been shown, in the words of prompts."""
    return tuple(each.place for each in _all_contexts())


def draw_case(chance: Random) -> Case:
    """One case at random; equal random numbers give the same case."""
    role = chance.choice(roles())
    condition = chance.choices(list(SHARES), list(SHARES.values()))[0]
    options = contexts(role.name, condition)
    context = chance.choice(options) if options else None
    has_activity = context is not None and bool(context.activity) and chance.random() < NAMES_ACTIVITY
    stated = _stated(chance)
    wording = chance.choice(WORDINGS + MORE_WORDINGS)
    place = context.place if context else None
    activity = context.activity if context and has_activity else None
    return Case(
        caption(role, wording, place, activity, stated), role.name, condition, place, activity, stated
    )


def _stated(chance: Random) -> dict[str, str]:
    stated = {}
    if chance.random() < STATES_GENDER:
        stated["gender_presentation"] = chance.choice(("female", "male"))
    if chance.random() < STATES_GLASSES:
        stated["eyewear_type"] = chance.choice(tuple(_GLASSES))
    if chance.random() < STATES_BEARD and stated.get("gender_presentation") != "female":
        stated["facial_hair_style"] = chance.choice(tuple(_BEARD))
    return stated


def caption(
    role: Role,
    wording: str = WORDINGS[0],
    place: str | None = None,
    activity: str | None = None,
    stated: Mapping[str, str] | None = None,
) -> str:
    """The sentence for a role, in the form of a prompt.

    >>> nurse = Role("nurse", "nurse", "a", "nurses")
    >>> caption(nurse, place="a library", stated={"gender_presentation": "male"})
    'a photo of a male nurse in a library'
    """
    stated = stated or {}
    gender = stated.get("gender_presentation", "")
    words = [wording, article_for(gender) if gender else role.article, gender, role.display_name]
    words.append(_GLASSES.get(stated.get("eyewear_type", ""), ""))
    words.append(_BEARD.get(stated.get("facial_hair_style", ""), ""))
    words.append(activity or "")
    words.append(f"in {place}" if place else "")
    return " ".join(word for word in words if word)


def all_words(cases: Sequence[Case] = ()) -> tuple[str, ...]:
    """Captions that hold every word the phantom knows, for the tokenizer."""
    named = [
        caption(role, wording, each.place, each.activity)
        for role in roles()
        for wording in WORDINGS + MORE_WORDINGS
        for condition in (Condition.CA_R, Condition.CA_U)
        for each in contexts(role.name, condition)
    ]
    stating = [
        caption(
            role, stated={"gender_presentation": gender, "eyewear_type": glasses, "facial_hair_style": beard}
        )
        for role in roles()
        for gender in ("female", "male")
        for glasses in _GLASSES
        for beard in _BEARD
    ]
    return tuple(sorted({*named, *stating, *(case.caption for case in cases)}))
