"""Colours: warm and cool light, low and high contrast, and which colours dominate a finished picture."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from PIL import Image

Colour: TypeAlias = tuple[int, int, int]

_LIGHT = {"warm": (1.07, 0.965, 0.70), "neutral": (1.0, 1.0, 1.0), "cool": (0.74, 0.94, 1.08)}
_LIFT = {"warm": (10, 2, 0), "neutral": (0, 0, 0), "cool": (0, 6, 20)}
_STEEP = 1.45
_PERSON_SHARE = 0.28
"""The person takes a quarter of the light's tint, so that skin and hair stay what they are."""

NAMES: dict[str, Colour] = {
    "white": (250, 250, 248),
    "black": (28, 26, 28),
    "gray": (128, 130, 134),
    "silver": (196, 202, 207),
    "gold": (212, 168, 60),
    "beige": (226, 208, 178),
    "brown": (122, 80, 52),
    "tan": (200, 160, 116),
    "cream": (248, 238, 212),
    "red": (206, 52, 48),
    "orange": (236, 130, 48),
    "yellow": (246, 214, 80),
    "green": (88, 158, 84),
    "teal": (62, 146, 142),
    "blue": (86, 148, 214),
    "navy": (40, 56, 96),
    "purple": (130, 88, 160),
    "pink": (236, 158, 178),
    "olive": (126, 128, 70),
}
"""The colour names of the schema, each with the colour that stands for it."""


def colour_of(text: str) -> Colour:
    """The three channels of `#rrggbb`."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def lit(image: Image.Image, temperature: str, contrast: str, is_person: bool) -> Image.Image:
    """A picture in the light and contrast asked for; the same picture when that changes nothing."""
    if temperature == "neutral" and contrast == "medium":
        return image
    return image.point(list(curve(temperature, contrast, is_person)))


@cache
def curve(temperature: str, contrast: str, is_person: bool) -> tuple[int, ...]:
    """A table of 3 × 256 entries that puts the light and the contrast of a picture on its channels."""
    share = _PERSON_SHARE if is_person else 1.0
    table: list[int] = []
    for factor, lift in zip(_LIGHT[temperature], _LIFT[temperature], strict=True):
        for value in range(256):
            shone = value * (1 + (factor - 1) * share) + lift * share
            table.append(max(0, min(255, round(_contrasted(shone, contrast)))))
    return tuple(table)


def _contrasted(value: float, contrast: str) -> float:
    if contrast == "low":
        return 140 + (value - 128) * 0.54
    if contrast == "high":
        # an S: dark gets darker, light a little lighter, and neither end is cut off
        x = max(0.0, min(1.0, value / 255))
        dark = math.pow(1.12 * (1 - x), _STEEP)
        return 255 * (math.pow(x, _STEEP) / (math.pow(x, _STEEP) + dark))
    return value


@cache
def graded(colour: Colour, temperature: str, contrast: str) -> Colour:
    """A colour of the person in the light of the picture."""
    table = curve(temperature, contrast, True)
    return table[colour[0]], table[256 + colour[1]], table[512 + colour[2]]


def shade(colour: Colour, factor: float) -> Colour:
    """A colour made darker."""
    return round(colour[0] * factor), round(colour[1] * factor), round(colour[2] * factor)


@cache
def shadow(pixels: int, deepest: float) -> Image.Image:
    """A mask for the dark side of a picture of high contrast: light falls from one side."""
    from PIL import Image

    steps = 32
    rows = bytes(
        round(255 * deepest * _smooth((0.62 * column + 0.38 * row) / (steps - 1)))
        for row in range(steps)
        for column in range(steps)
    )
    return Image.frombytes("L", (steps, steps), rows).resize((pixels, pixels), Image.Resampling.BICUBIC)


def _smooth(share: float) -> float:
    return share * share * (3 - 2 * share)


_SIXTEEN = [value & 0xF0 | 8 for value in range(256)] * 3


def dominant_colors(image: Image.Image, most: int = 3, least_share: float = 0.07) -> tuple[str, ...]:
    """Names of the colours that cover most of a picture, largest first; at least one.

    Every point of the picture, made small, counts for the name whose colour is nearest to it in OKLab.
    """
    small = image.reduce(max(1, image.width // 32))
    # four bits a channel are enough to name a colour, and make the colours few
    coarse = small.point(_SIXTEEN)
    counts: Counter[str] = Counter()
    for n, colour in coarse.getcolors(coarse.width * coarse.height) or ():
        counts[_name_of(colour)] += n
    total = coarse.width * coarse.height
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:most]
    return tuple(name for place, (name, n) in enumerate(ranked) if place == 0 or n / total >= least_share)


@cache
def _name_of(colour: Colour) -> str:
    point = _oklab(colour)
    return min(NAMES, key=lambda name: _distance(point, _lab_of_name(name)))


@cache
def _lab_of_name(name: str) -> tuple[float, float, float]:
    return _oklab(NAMES[name])


def _distance(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    # hue differences weigh more than lightness: a dark blue is blue before it is black
    return 0.6 * (one[0] - other[0]) ** 2 + 2.2 * ((one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2)


def _oklab(colour: Colour) -> tuple[float, float, float]:
    """OKLab of an sRGB colour (B. Ottosson, 2020, A perceptual color space for image processing)."""
    r, g, b = (_linear(channel / 255) for channel in colour)
    l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)  # noqa: E741 - as in the source
    m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    )


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)
