"""Parts of a picture as runs of markup: what is painted in one colour, in painting order.

The art lies in `resources/drawn/*.svg`, viewable as it is. A few of its colours are *placeholders* that stand
for a slot (skin, hair, garment …) and are replaced when a person is painted; all others are meant as they
are. Because a slot's shape is kept apart from its colour, one rasterised mask serves every skin, hair and
garment colour, and painting a person is a few dozen pastes instead of a rendering.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from core.paths import RESOURCES

FOLDER = RESOURCES / "drawn"

PLACEHOLDERS = {
    "#edb98a": "skin",
    "#d9a06f": "skin_shade",
    "#8a5a3b": "hair",
    "#8fa7df": "main",
    "#ffcf77": "second",
    "#9b59b6": "cover",
    "#4a5a78": "trousers",
    "#201c1c": "ink",
}
"""Placeholder colour -> slot. The art uses these colours for nothing else."""

_SVG = "{http://www.w3.org/2000/svg}"
_PAINT = ("fill", "fill-opacity", "stroke", "stroke-opacity")
_LINE = ("stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray")
_INHERITED = (*_PAINT, *_LINE, "fill-rule")


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive shapes of one slot, white on nothing; or, with slot None, shapes in their own colours."""

    slot: str | None
    markup: str


@cache
def part(sheet: str, name: str) -> tuple[Run, ...]:
    """The runs of one named group of `resources/drawn/<sheet>.svg`.

    Raises
    ------
    KeyError
        When the sheet has no such group (a fault of the art, caught by a test).
    """
    return tuple(merged(shapes_of(_groups(sheet)[name])))


@cache
def part_names(sheet: str) -> frozenset[str]:
    """The names of all parts of one sheet."""
    return frozenset(_groups(sheet))


@cache
def _groups(sheet: str) -> dict[str, ET.Element]:
    root = ET.parse(FOLDER / f"{sheet}.svg").getroot()
    return {group.get("id", ""): group for group in root.findall(f"{_SVG}g")}


def shapes_of(
    group: ET.Element, inherited: dict[str, str] | None = None, transform: str = ""
) -> Iterator[Run]:
    """One run for every fill and every stroke below a group, in painting order."""
    context = dict(inherited or {})
    context.update({key: value for key, value in group.attrib.items() if key in _INHERITED})
    moved = f"{transform} {group.get('transform', '')}".strip()
    if group.tag == f"{_SVG}g":
        for child in group:
            yield from shapes_of(child, context, moved)
    else:
        yield from _shape(group, context, moved)


def _shape(element: ET.Element, context: dict[str, str], transform: str) -> Iterator[Run]:
    geometry = {key: value for key, value in element.attrib.items() if key not in (*_INHERITED, "transform")}
    if "fill-rule" in context:
        geometry["fill-rule"] = context["fill-rule"]
    if transform:
        geometry["transform"] = transform
    tag = element.tag.removeprefix(_SVG)
    if context.get("fill", "#000") != "none":
        yield _painted(tag, geometry, context, "fill")
    if context.get("stroke", "none") != "none":
        line = {key: context[key] for key in _LINE if key in context}
        yield _painted(tag, geometry | line, context, "stroke")


def _painted(tag: str, geometry: dict[str, str], context: dict[str, str], paint: str) -> Run:
    colour = context.get(paint, "#000").lower()
    slot = PLACEHOLDERS.get(colour)
    opacity = context.get(f"{paint}-opacity")
    attributes = geometry | {paint: "#fff" if slot else colour}
    if paint == "stroke":
        attributes["fill"] = "none"
    if opacity:
        attributes[f"{paint}-opacity"] = opacity
    text = " ".join(f'{key}="{value}"' for key, value in attributes.items())
    return Run(slot, f"<{tag} {text}/>")


def merged(runs: Iterator[Run]) -> Iterator[Run]:
    """Join neighbouring runs of the same slot: fewer layers to paint."""
    held: Run | None = None
    for run in runs:
        if held is not None and held.slot == run.slot:
            held = Run(run.slot, held.markup + run.markup)
            continue
        if held is not None:
            yield held
        held = run
    if held is not None:
        yield held
