"""The place behind the person: a scene with its weather, seen from near or far, sharp or out of focus."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from core.generation.drawn.parts import FOLDER
from core.generation.drawn.places import PLAIN, scene
from core.generation.drawn.raster import render

if TYPE_CHECKING:
    from PIL import Image

_SVG = "http://www.w3.org/2000/svg"
_AREAS = {"wide": (0, 0, 1000, 1000), "medium": (105, 60, 790, 790), "tight": (205, 110, 590, 590)}
"""What of the 1000 × 1000 scene is seen: a camera that comes nearer sees less of it."""

BACKDROPS = ("#c9d6de", "#e9d8c4", "#cfdccb", "#dccfe0", "#e8cfcb", "#cfd4ea", "#d8d8d4")
"""Wall colours of the plain studio."""

_SNOWED = (
    ".ground{fill:#eef4fa}.ground2{fill:#e2ebf3}.ground3{stroke:#d3dfea}.leaf{fill:#c4d4d6}"
    ".leaf2{fill:#9fb5b6}.roof{fill:#ffffff;fill-opacity:1}.path{fill:#dbe4ec}"
)
_VEILS = {"rain": ("#24313f", 0.26), "cloudy": ("#4a5a68", 0.1), "snow": ("#ffffff", 0.1)}


@lru_cache(maxsize=400)
def backdrop(place: str, framing: str, weather: str, hue: int, is_blurred: bool, pixels: int) -> Image.Image:
    """The finished background as an RGB picture; `weather` counts outdoors, `hue` in the plain studio."""
    if is_blurred:
        from PIL import ImageFilter

        sharp = backdrop(place, framing, weather, hue, False, pixels)
        return sharp.filter(ImageFilter.GaussianBlur(pixels * 0.024))
    groups, defs = _scene_markup(place)
    markup = groups["back"]
    style = f".backdrop{{fill:{BACKDROPS[hue]}}}" if place == PLAIN else ""
    if scene(place).outdoors:
        skies, more = _scene_markup("weather")
        markup, defs = skies[f"sky {weather}"] + markup, defs + more
        style = _SNOWED if weather == "snow" else ""
        if weather in _VEILS:
            colour, opacity = _VEILS[weather]
            markup += f'<rect width="1000" height="1000" fill="{colour}" fill-opacity="{opacity}"/>'
    head = f"<defs>{defs}</defs><style>{style}</style>"
    return render(markup, _AREAS[framing], (pixels, pixels), head).convert("RGB")


@lru_cache(maxsize=120)
def front(place: str, pixels: int) -> Image.Image | None:
    """The desk or counter that stands before the person, as an RGBA picture, or None."""
    groups, defs = _scene_markup(place)
    if "front" not in groups:
        return None
    return render(groups["front"], _AREAS["wide"], (pixels, pixels), f"<defs>{defs}</defs>")


@lru_cache(maxsize=16)
def falling(weather: str, pixels: int) -> Image.Image | None:
    """Rain or snow before everything, as an RGBA picture, or None when nothing falls."""
    groups, _ = _scene_markup("weather")
    name = f"fall {weather}"
    return render(groups[name], _AREAS["wide"], (pixels, pixels)) if name in groups else None


@cache
def _scene_markup(name: str) -> tuple[dict[str, str], str]:
    """The named groups of a scene's file as text, and its definitions."""
    ET.register_namespace("", _SVG)
    path = FOLDER / ("weather.svg" if name == "weather" else f"scenes/{name}.svg")
    root = ET.parse(path).getroot()
    groups = {
        group.get("id", ""): ET.tostring(group, encoding="unicode") for group in root.findall(f"{{{_SVG}}}g")
    }
    found = root.find(f"{{{_SVG}}}defs")
    defs = "" if found is None else "".join(ET.tostring(child, encoding="unicode") for child in found)
    return groups, defs
