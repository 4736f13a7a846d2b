"""Parts as stamps: a mask for a slot, or a small picture with its transparency, kept once drawn.

A stamp knows where it goes in a picture of its view. Painting a person is pasting stamps in order, which
gives the same pixels as rendering the whole person and takes a few milliseconds instead of fifty.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeAlias

from core.errors import MissingPart
from core.generation.drawn.grade import lit
from core.generation.drawn.parts import Run, part
from core.generation.drawn.peeps import face, peep

if TYPE_CHECKING:
    from PIL import Image

PartName: TypeAlias = tuple[str, str, str]
"""Sheet, name, option: which part (see `runs_of`)."""

_EVERYTHING = (-640, -720, 2140)
"""Left, top and side of a square that holds every view."""

_COARSE = 107
"""Side in pixels of the coarse rendering that finds out where a part lies (20 units a pixel)."""

_CLIPS = {
    "hat": "M-400 1700 V304 L0 270 L800 205 L1200 172 V1700 Z",
    "wide hat": "M-400 1700 V430 L112 430 C128 340 160 292 204 256 L590 214 "
    "C634 250 660 310 682 430 L1200 430 V1700 Z",
}
"""What of a head is left under a hat: short hair, and long hair that swings out from under it."""


@dataclass(frozen=True, slots=True)
class View:
    """A square look at the person: left, top and side in canvas units, and its side in pixels."""

    left: float
    top: float
    side: float
    pixels: int


@dataclass(frozen=True, slots=True)
class Stamp:
    """One layer of a part: `mask` is filled with the colour of its slot, or lets its `picture` through."""

    slot: str | None
    mask: Image.Image
    picture: Image.Image | None
    x: int
    y: int


def runs_of(name: PartName) -> tuple[Run, ...]:
    """The runs of a part: of the library (head, expression, mouthless, …) or of one of our sheets."""
    sheet, what, option = name
    if sheet == "head":
        return peep("head", what, "cover" if what == "hijab" else "hair")
    if sheet in ("facialHair", "accessories", "mask"):
        return peep(sheet, what)
    if sheet == "expression":
        return face(what, what if option != "mouthless" else None)
    return part(sheet, what)


@lru_cache(maxsize=6000)
def stamps(name: PartName, view: View) -> tuple[Stamp, ...]:
    """The stamps of a part in a view, in painting order; none for what lies outside."""
    clip = _CLIPS.get(name[2])
    found = (_stamp(run, view, clip) for run in runs_of(name))
    return tuple(stamp for stamp in found if stamp is not None)


@lru_cache(maxsize=4000)
def graded_stamps(name: PartName, view: View, temperature: str, contrast: str) -> tuple[Stamp, ...]:
    """The same with the pictures in the light of the painting; masks take their colour later."""
    return tuple(
        stamp
        if stamp.picture is None
        else Stamp(stamp.slot, stamp.mask, lit(stamp.picture, temperature, contrast, True), stamp.x, stamp.y)
        for stamp in stamps(name, view)
    )


def _stamp(run: Run, view: View, clip: str | None) -> Stamp | None:
    markup = run.markup
    if clip:
        markup = f'<clipPath id="clip"><path d="{clip}"/></clipPath><g clip-path="url(#clip)">{markup}</g>'
    extent = _extent(markup)
    if extent is None:
        return None
    unit = view.side / view.pixels
    left, top, right, bottom = extent
    x0 = max(0, math.floor((left - view.left) / unit))
    y0 = max(0, math.floor((top - view.top) / unit))
    x1 = min(view.pixels, math.ceil((right - view.left) / unit))
    y1 = min(view.pixels, math.ceil((bottom - view.top) / unit))
    if x1 <= x0 or y1 <= y0:
        return None
    area = (view.left + x0 * unit, view.top + y0 * unit, (x1 - x0) * unit, (y1 - y0) * unit)
    drawn = render(markup, area, (x1 - x0, y1 - y0))
    picture = None if run.slot else drawn.convert("RGB")
    return Stamp(run.slot, drawn.getchannel("A"), picture, x0, y0)


@lru_cache(maxsize=4000)
def _extent(markup: str) -> tuple[float, float, float, float] | None:
    """Where the ink of markup lies: left, top, right and bottom in canvas units, a little too wide."""
    left, top, side = _EVERYTHING
    box = render(markup, (left, top, side, side), (_COARSE, _COARSE)).getchannel("A").getbbox()
    if box is None:
        return None
    unit = side / _COARSE
    x0, y0, x1, y1 = box
    return left + (x0 - 1) * unit, top + (y0 - 1) * unit, left + (x1 + 1) * unit, top + (y1 + 1) * unit


def render(markup: str, area: Sequence[float], size: tuple[int, int], head: str = "") -> Image.Image:
    """An RGBA picture of markup: `area` is left, top, width and height in its units."""
    from PIL import Image

    box = " ".join(f"{value:.4f}" for value in area)
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" preserveAspectRatio="none" '
        f'stroke-linecap="round" stroke-linejoin="round">{head}{markup}</svg>'
    )
    data = _rasteriser()(svg_string=text, width=size[0], height=size[1], skip_system_fonts=True)
    return Image.open(io.BytesIO(data)).convert("RGBA")


@cache
def _rasteriser() -> Callable[..., bytes]:
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        raise MissingPart("Drawing needs the package resvg-py.", "pip install resvg-py") from error
    return svg_to_bytes
