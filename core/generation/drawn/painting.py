"""From a prompt and a seed to a finished picture with its truth."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from core.generation.drawn.figure import Figure
from core.generation.drawn.grade import dominant_colors, graded, lit, shadow
from core.generation.drawn.network import Values
from core.generation.drawn.raster import View, graded_stamps
from core.generation.drawn.scenery import BACKDROPS, backdrop, falling, front
from core.generation.drawn.traits import Situation, network_of
from core.generation.drawn.truth import truth_of
from core.keys import seed_of
from core.records import Prompt

if TYPE_CHECKING:
    from PIL import Image

_VIEWS = {"tight": (-28, -66, 756), "medium": (-208, -104, 1126), "wide": (-610, -520, 1900)}
"""Framing -> left, top and side of what is seen, in the canvas units of the person."""

_NIGHT = (14, 10, 26)

_SITTING = 130
"""How far a sitting person is lower, in canvas units."""

_DRIFT = {"tight": 0.02, "medium": 0.05, "wide": 0.11}
"""How far from the middle a person may stand, as a share of the picture's side."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """A picture decided but not yet painted: the planted attributes and what fixes the rest."""

    situation: Situation
    values: Values
    uniform: Callable[[str], float]

    def pick(self, name: str, options: Sequence[str]) -> str:
        """One of the options, evenly, by the random number of a name."""
        return options[int(self.uniform(f"look {name}") * len(options))]


@dataclass(frozen=True, slots=True)
class Painted:
    """A finished picture: the encoded file and what can be seen in it."""

    data: bytes
    truth: Mapping[str, tuple[str, ...]]


def sketch(generator: str, bias: str, prompt: Prompt, seed: int) -> Sketch:
    """Decide the attributes of one picture.

    Every attribute has its own random number, made of the generator, the role, the seed, the wording and
    the attribute, not of condition, place or activity: between conditions a person changes only where the
    planted probabilities do. Another wording is another person, so that ten seeds and six wordings are
    sixty pictures and not ten.
    """
    start = seed_of("drawn", generator, prompt.role, seed, prompt.wording, bits=64)

    def uniform(name: str) -> float:
        # the short way of seed_of: there are forty numbers to a picture
        return (int.from_bytes(sha256(f"{start} {name}".encode()).digest()[:7]) >> 3) / 2**53

    situation = Situation.of(bias, prompt)
    return Sketch(situation, network_of(situation).draw(uniform), uniform)


def paint(plan: Sketch, pixels: int) -> Painted:
    """Paint a picture and name what can be seen in it."""
    image = picture_of(plan, pixels)
    truth = truth_of(plan.values, plan.situation)
    truth["dominant_colors"] = dominant_colors(image)
    file = io.BytesIO()
    image.save(file, "JPEG", quality=QUALITY, subsampling=0)
    return Painted(file.getvalue(), truth)


QUALITY = 92
"""JPEG with full colour resolution: measured against PNG an eighth of the time and two thirds of the bytes,
and the lines stay clean."""


def picture_of(plan: Sketch, pixels: int, look: tuple[float, float, float] | None = None) -> Image.Image:
    """The RGB picture of a sketch, `pixels` a side.

    `look` is the left, top and side of what is seen, in canvas units of the person, in place of that of the
    framing; sitting is then not looked after.
    """
    values = plan.values
    light = (values["color_temperature"], values["contrast_level"])
    canvas = lit(_ground(plan, pixels), *light, is_person=False).copy()
    _darken(canvas, light, 0.72)
    view = View(*look, pixels) if look else _view(values, pixels)
    drift = round((plan.uniform("look drift") * 2 - 1) * _DRIFT[values["framing"]] * pixels)
    for layer in Figure(values, plan.situation, plan.pick).layers():
        for stamp in graded_stamps(layer.part, view, *light):
            at = (stamp.x + drift, stamp.y)
            if stamp.picture is not None:
                canvas.paste(stamp.picture, at, stamp.mask)
            elif stamp.slot is not None:
                x, y = at
                box = (x, y, x + stamp.mask.width, y + stamp.mask.height)
                canvas.paste(graded(layer.palette[stamp.slot], *light), box, stamp.mask)
    _before(canvas, plan, light)
    _darken(canvas, light, 0.26)
    return _mirrored(canvas) if plan.uniform("look side") < 0.5 else canvas


def _darken(canvas: Image.Image, light: tuple[str, str], deepest: float) -> None:
    """High contrast: one side lies in shadow, the place behind the person more than the person."""
    if light[1] == "high":
        canvas.paste(_NIGHT, (0, 0), shadow(canvas.width, deepest))


def _ground(plan: Sketch, pixels: int) -> Image.Image:
    values = plan.values
    place = plan.situation.scene(values["setting"])
    weather = values["weather"] if place.outdoors else ""
    hue = int(plan.uniform("look wall") * len(BACKDROPS)) if not place.items else 0
    is_blurred = values["depth_of_field"] == "shallow" and bool(place.items)
    return backdrop(place.name, values["framing"], weather, hue, is_blurred, pixels)


def _view(values: Values, pixels: int) -> View:
    left, top, side = _VIEWS[values["framing"]]
    return View(left, top - (_SITTING if values["pose"] == "sitting" else 0), side, pixels)


def _before(canvas: Image.Image, plan: Sketch, light: tuple[str, str]) -> None:
    """What lies before the person: a desk or counter, rain or snow."""
    values = plan.values
    place = plan.situation.scene(values["setting"])
    is_at_counter = place.counter and values["framing"] == "wide" and values["pose"] != "hands_on_hips"
    is_at_desk = values["pose"] == "sitting" and values["framing"] != "tight"
    if is_at_counter or is_at_desk:
        desk = front(place.name, canvas.width)
        if desk is not None:
            canvas.paste(lit(desk.convert("RGB"), *light, is_person=False), (0, 0), desk.getchannel("A"))
    if place.outdoors:
        drops = falling(values["weather"], canvas.width)
        if drops is not None:
            canvas.paste(drops.convert("RGB"), (0, 0), drops.getchannel("A"))


def _mirrored(image: Image.Image) -> Image.Image:
    from PIL import Image

    return image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
