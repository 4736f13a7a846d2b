"""From the words of a prompt to what is drawn: its place to a scene, its activity to a thing held."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.generation.drawn.parts import FOLDER

PLAIN = "backdrop"
"""The studio of a prompt that names no place."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A place that can be drawn; `items` stand out in it."""

    name: str
    items: tuple[str, ...] = ()
    outdoors: bool = False
    seat: bool = False
    counter: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A thing that can be held: in how many hands, and the activity that holding it shows."""

    name: str
    doing: str
    hands: int
    art: str


@dataclass(frozen=True, slots=True)
class Hat:
    """The headgear of a kind of work: its drawing, its label, and the colours it comes in."""

    art: str
    type: str
    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Work:
    """What a role's work looks like: place, clothes worn with their shares, headgear, tools."""

    scene: str
    outfits: tuple[tuple[str, float], ...]
    hat: Hat | None
    tools: tuple[str, ...]


@cache
def _table(name: str) -> dict[str, Any]:
    table: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return table


@cache
def scene(name: str) -> Scene:
    """The scene of a name; the plain studio has neither things nor weather."""
    if name == PLAIN:
        return Scene(PLAIN)
    entry = _table("places")["scenes"][name]
    flags = {key: bool(entry.get(key, False)) for key in ("outdoors", "seat", "counter")}
    return Scene(name, tuple(entry["items"]), **flags)


@cache
def scene_names() -> tuple[str, ...]:
    """All scenes, the plain studio first."""
    return (PLAIN, *_table("places")["scenes"])


@cache
def scene_at(place: str) -> Scene:
    """The scene for a place in words.

    >>> scene_at("a public library").name, scene_at("an orchard").name, scene_at("the moon").name
    ('library', 'farm', 'home')
    """
    found = _best(place, {name: entry["words"] for name, entry in _table("places")["scenes"].items()})
    return scene(found or _table("places")["fallback"])


@cache
def item(name: str) -> Item:
    """The item of a name."""
    entry = _table("items")["items"][name]
    return Item(name, entry["doing"], entry.get("hands", 1), entry.get("art", name))


@cache
def item_names() -> tuple[str, ...]:
    """All things that can be held."""
    return tuple(_table("items")["items"])


@cache
def item_for(activity: str) -> Item | None:
    """The thing that a stated activity calls for, if any.

    >>> found = item_for("watering plants")
    >>> found.name if found else None
    'watering can'
    >>> item_for("enjoying the silence") is None
    True
    """
    found = _best(activity, {name: entry["words"] for name, entry in _table("items")["items"].items()})
    return item(found) if found else None


@cache
def work_of(role: str) -> Work:
    """What the work of a role looks like; a role that is not listed works in an office."""
    table = _table("roles")
    entry = table["roles"].get(role, table["other"])
    hat = None
    if "hat" in entry:
        found = table["hats"][entry["hat"]]
        hat = Hat(entry["hat"], found["type"], tuple(found["colours"]))
    return Work(entry["scene"], tuple(entry["outfits"].items()), hat, tuple(entry["tools"]))


@cache
def outfit(name: str) -> Mapping[str, Any]:
    """A set of clothes as `resources/drawn/outfits.json` has it."""
    entry: Mapping[str, Any] = _table("outfits")["outfits"][name]
    return entry


def _best(text: str, words_of: Mapping[str, Iterable[str]]) -> str | None:
    """The name with the longest word that occurs in the text as whole words."""
    padded = f" {_plain(text)} "
    best: tuple[int, str] | None = None
    for name, words in words_of.items():
        for word in words:
            if (best is None or len(word) > best[0]) and f" {_plain(word)} " in padded:
                best = (len(word), name)
    return best[1] if best else None


@cache
def _plain(text: str) -> str:
    return re.sub(r"[^\w']+", " ", text.lower()).strip()
