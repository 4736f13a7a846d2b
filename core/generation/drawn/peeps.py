"""Heads, faces and glasses of the Open Peeps style (Pablo Stanley, CC0 1.0), as parts.

The library draws one avatar with placeholder colours; the part wanted is cut out of it. Open Peeps draws
most hair in the colour of its lines; `resources/drawn/hair.json` holds the inside of those shapes (the ink
shape eroded by 13 units and grown again by 3.6), which is painted over in the hair's colour, so that hair
colour is an attribute that can be seen.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from functools import cache
from typing import Any

from core.errors import MissingPart
from core.generation.drawn.parts import FOLDER, Run, merged, shapes_of

_NUMBER = r"-?(?:\d+\.?\d*|\.\d+)"
_SVG = "{http://www.w3.org/2000/svg}"
_COMPONENTS = {
    "head": "headVariant",
    "expression": "expressionVariant",
    "facialHair": "facialHairVariant",
    "accessories": "accessoriesVariant",
    "mask": "maskVariant",
}
_COLOURS = {
    "skinColor": "#edb98a",
    "clothingColor": "#9b59b6",
    "headContrastColor": "#8a5a3b",
    "inkColor": "#201c1c",
}


USED = {
    "head": (
        "afro", "bangs", "bangs2", "bun", "cornrows2", "dreads2", "flatTop", "grayBun", "grayShort",
        "hatBeanie", "hijab", "long", "longAfro", "longBangs", "longCurly", "medium1", "noHair1", "pomp",
        "shaved2", "short1", "short2", "short4", "short5", "turban", "twists",
    ),
    "expression": ("driven", "smile", "solemn", "tired"),
    "facialHair": ("full", "full3", "goatee2", "moustache5", "moustache6"),
    "accessories": ("glasses3", "glasses4", "glasses5", "sunglasses", "sunglasses2"),
    "mask": ("medicalMask",),
}  # fmt: skip
"""Component -> the variants drawn here. The library checks a style as a whole, so it gets only these."""


@cache
def _style() -> Any:
    try:
        from dicebear import Style
    except ImportError as error:
        raise MissingPart("Drawing needs the package dicebear-core.", "pip install dicebear-core") from error

    definition = json.loads(_definition_file().read_text(encoding="utf-8"))
    for component, names in USED.items():
        variants = definition["components"][component]["variants"]
        definition["components"][component]["variants"] = {name: variants[name] for name in names}
    return Style(definition)


def _definition_file() -> Any:
    from importlib.resources import files

    try:
        return files("dicebear_styles").joinpath("open-peeps.json")
    except ImportError as error:
        sentence = "Drawing needs the package dicebear-styles."
        raise MissingPart(sentence, "pip install dicebear-styles") from error


@cache
def _insides() -> dict[str, dict[str, str]]:
    text = (FOLDER / "hair.json").read_text(encoding="utf-8")
    insides: dict[str, dict[str, str]] = json.loads(text)["insides"]
    return insides


def _element(component: str, variant: str) -> tuple[ET.Element, str]:
    """The library's group for one variant, and where it goes on the canvas."""
    from dicebear import Avatar

    options: dict[str, Any] = {"seed": "any", "accessoriesProbability": 0, "maskProbability": 0}
    options |= {"facialHairProbability": 0, "headVariant": "noHair1", **_COLOURS}
    options[_COMPONENTS[component]] = variant
    if component not in ("head", "expression"):
        options[f"{component}Probability"] = 100
    root = ET.fromstring(Avatar(_style(), options).to_string())
    group = next(g for g in root.iter(f"{_SVG}g") if (g.get("id") or "").startswith(f"{component}-"))
    use = next(u for u in root.iter(f"{_SVG}use") if u.get("href") == f"#{group.get('id')}")
    return group, use.get("transform", "")


@cache
def peep(component: str, variant: str, inside: str = "hair") -> tuple[Run, ...]:
    """The runs of one variant of a component; `inside` is the slot that fills inked hair (or a hijab)."""
    group, transform = _element(component, variant)
    runs = list(shapes_of(group, transform=transform))
    path = _insides().get(component, {}).get(variant)
    if path:
        runs.append(Run(inside, f'<path d="{path}" fill="#fff" fill-rule="evenodd"/>'))
    return tuple(merged(iter(runs)))


@cache
def face(eyes_of: str, mouth_of: str | None = None) -> tuple[Run, ...]:
    """A face with the eyes, brows and nose of one expression, and no mouth unless `mouth_of` is the same.

    The library draws an inked expression as one path; its mouth is the subpath that lies lowest.
    """
    group, transform = _element("expression", eyes_of)
    runs = []
    for shape in group:
        runs += list(shapes_of(shape, transform=transform))
    if mouth_of == eyes_of:
        return tuple(merged(iter(runs)))
    return tuple(Run(run.slot, _without_mouth(run.markup)) for run in runs if run.slot == "ink")


def _without_mouth(markup: str) -> str:
    """Drop the first subpath (the library starts with the mouth) and keep the rest in place."""
    found = re.search(r' d="([^"]+)"', markup)
    if found is None:
        raise ValueError("an expression without a path")
    x = y = 0.0
    kept = []
    for piece in re.findall(r"[Mm][^Mm]*", found.group(1)):
        start = re.match(rf"([Mm])\s*({_NUMBER})[\s,]*({_NUMBER})", piece)
        if start is None:
            raise ValueError("a subpath without a start")
        is_relative = start.group(1) == "m"
        x = float(start.group(2)) + (x if is_relative else 0.0)
        y = float(start.group(3)) + (y if is_relative else 0.0)
        kept.append(f"M{x:.2f} {y:.2f}{_line_to(piece[start.end() :], is_relative)}")
    return markup.replace(found.group(1), "".join(kept[1:]))


def _line_to(rest: str, is_relative: bool) -> str:
    """Bare numbers after a start are lines, relative ones after `m`; say so, as the start is now absolute."""
    if re.match(rf"[\s,]*{_NUMBER}", rest):
        return ("l" if is_relative else "L") + rest
    return rest
