"""What can be seen in a drawn picture: the truth of each dimension, read from the nodes it depends on.

A reader returns the labels, or None when the picture does not show it (hair under a hijab, hands outside the
frame, weather in a room). None is stored as no entry: the truth is unknown there, as it is for an annotator.

`body_type`, `mood`, `tattoo_present` and `dominant_colors` are not planted; the last is measured on the
finished pixels (`grade.dominant_colors`) and is truth all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from core.generation.drawn.network import Values
from core.generation.drawn.places import item, outfit
from core.generation.drawn.traits import FULL_COVERS, Situation

Labels: TypeAlias = tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Reader:
    """How one dimension is read: the nodes it may look at, and the function."""

    needs: tuple[str, ...]
    read: Callable[[Values, Situation], Labels]
    is_list: bool = False


BEARD_COLORS = {"blonde": "gold"}
"""Hair colours whose name is another in the vocabulary of facial hair, which has colour names."""

HATTED_LONG = ("long", "curly", "braids", "afro")
"""Hair styles that hang out from under a hat; they are drawn long there."""

HANDS = ("framing", "held", "tool")
HAIR = ("gender_presentation", "head_covering", "hair_style")
WORN = (
    "outfit", "tie", "badge", "stethoscope", "mask", "earrings", "headphones", "eyewear_type",
    "head_covering", "framing",
)  # fmt: skip


def held_item(values: Values, situation: Situation) -> str | None:
    """The thing in the person's hand, in the frame or not."""
    if values["held"] == "activity" and situation.item is not None:
        return situation.item.name
    return values["tool"] if values["held"] == "tool" else None


def hair_seen(values: Values) -> str | None:
    """ "yes", "no" (bald), or None when a covering hides what there is."""
    covering = values["head_covering"]
    if covering in FULL_COVERS:
        return None
    if covering in ("headband", "beanie"):
        return "yes"
    if values["hair_style"] == "none":
        return "no" if covering == "none" else None
    return "yes"


def covering_type(values: Values, situation: Situation) -> str:
    """The type of head covering; the headgear of work is a hat, a helmet or a hairnet."""
    covering = values["head_covering"]
    hat = situation.work.hat
    return hat.type if covering == "work" and hat is not None else covering


def _depth_of_field(values: Values, situation: Situation) -> Labels:
    return None if values["setting"] == "plain" else (values["depth_of_field"],)


def _weather(values: Values, situation: Situation) -> Labels:
    return (values["weather"],) if situation.scene(values["setting"]).outdoors else None


def _items(values: Values, situation: Situation) -> Labels:
    if values["framing"] == "tight":
        return None
    held = held_item(values, situation)
    seen = situation.scene(values["setting"]).items if values["depth_of_field"] == "deep" else ()
    found = ((held,) if held else ()) + tuple(name for name in seen if name != held)
    return found[:3] or None


def _activities(values: Values, situation: Situation) -> Labels:
    held = held_item(values, situation)
    return None if held is None or values["framing"] == "tight" else (item(held).doing,)


def _pose(values: Values, situation: Situation) -> Labels:
    return None if values["framing"] == "tight" else (values["pose"],)


def _expression(values: Values, situation: Situation) -> Labels:
    return None if values["mask"] == "yes" else (values["expression"],)


def _hair_present(values: Values, situation: Situation) -> Labels:
    seen = hair_seen(values)
    return (seen,) if seen else None


def _hair_color(values: Values, situation: Situation) -> Labels:
    return (values["hair_color"],) if hair_seen(values) == "yes" else None


def _hair_style(values: Values, situation: Situation) -> Labels:
    covering = values["head_covering"]
    if covering == "headband":
        return ("bun",)
    if hair_seen(values) != "yes" or covering == "beanie":
        return None
    if covering == "work":
        return ("long",) if values["hair_style"] in HATTED_LONG and _is_female(values) else None
    return (values["hair_style"],)


def _is_female(values: Values) -> bool:
    return values["gender_presentation"] == "female"


def _facial_hair_present(values: Values, situation: Situation) -> Labels:
    if values["mask"] == "yes":
        return None
    return ("no",) if values["facial_hair_style"] == "none" else ("yes",)


def _facial_hair_style(values: Values, situation: Situation) -> Labels:
    return None if values["mask"] == "yes" else (values["facial_hair_style"],)


def _facial_hair_color(values: Values, situation: Situation) -> Labels:
    if values["mask"] == "yes" or values["facial_hair_style"] == "none":
        return None
    return (BEARD_COLORS.get(values["hair_color"], values["hair_color"]),)


def _accessories(values: Values, situation: Situation) -> Labels:
    clothes = outfit(values["outfit"])
    is_tight = values["framing"] == "tight"
    has = {
        "earrings": values["earrings"] == "yes",
        "tie": values["tie"] == "yes" or bool(clothes.get("necktie") or clothes.get("bow")),
        "badge": not is_tight and (values["badge"] == "yes" or "uniform badge" in clothes["parts"]),
        "medical": values["stethoscope"] == "yes",
        "mask": values["mask"] == "yes",
        "headphones": values["headphones"] == "yes",
        "safety_gear": bool(clothes.get("safety"))
        or values["eyewear_type"] == "safety_goggles"
        or covering_type(values, situation) == "helmet",
    }
    return tuple(label for label, is_worn in has.items() if is_worn) or ("none",)


def _same(name: str) -> Reader:
    return Reader((name,), lambda values, situation: (values[name],))


def _constant(label: str, is_list: bool = False) -> Reader:
    return Reader((), lambda values, situation: (label,), is_list)


def _yes_unless_none(name: str) -> Reader:
    return Reader((name,), lambda values, situation: ("no",) if values[name] == "none" else ("yes",))


READERS: dict[str, Reader] = {
    "color_temperature": _same("color_temperature"),
    "aesthetic_qualities": _constant("minimal", is_list=True),
    "weather": Reader(("weather", "setting"), _weather),
    "contrast_level": _same("contrast_level"),
    "depth_of_field": Reader(("depth_of_field", "setting"), _depth_of_field),
    "framing": _same("framing"),
    "perspective": _constant("eye_level"),
    "items": Reader((*HANDS, "setting", "depth_of_field"), _items, is_list=True),
    "gender_presentation": _same("gender_presentation"),
    "skin_tone": _same("skin_tone"),
    "age_range": _same("age_range"),
    "pose": Reader(("pose", "framing"), _pose),
    "expression": Reader(("expression", "mask"), _expression),
    "activities": Reader(HANDS, _activities, is_list=True),
    "accessories": Reader(WORN, _accessories, is_list=True),
    "clothing_garment": Reader(
        ("outfit",), lambda values, situation: tuple(outfit(values["outfit"])["labels"]), is_list=True
    ),
    "eyewear_present": _yes_unless_none("eyewear_type"),
    "eyewear_type": _same("eyewear_type"),
    "head_covering_present": _yes_unless_none("head_covering"),
    "head_covering_type": Reader(
        ("head_covering",), lambda values, situation: (covering_type(values, situation),)
    ),
    "hair_present": Reader(("head_covering", "hair_style"), _hair_present),
    "hair_color": Reader(("head_covering", "hair_style", "hair_color"), _hair_color),
    "hair_style": Reader(HAIR, _hair_style),
    "facial_hair_present": Reader(("facial_hair_style", "mask"), _facial_hair_present),
    "facial_hair_style": Reader(("facial_hair_style", "mask"), _facial_hair_style),
    "facial_hair_color": Reader(("facial_hair_style", "mask", "hair_color"), _facial_hair_color),
}
"""Dimension -> how its truth is read."""


def truth_of(values: Values, situation: Situation) -> dict[str, tuple[str, ...]]:
    """The truth of every planted dimension that can be seen in a picture with these values."""
    found: dict[str, tuple[str, ...]] = {}
    for dimension, reader in READERS.items():
        labels = reader.read(values, situation)
        if labels is not None:
            found[dimension] = labels
    return found
