"""One training picture: drawn by the painter of the drawn generators, from one camera and in one light."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from core.generation.drawn.network import Values
from core.generation.drawn.painting import Sketch, picture_of
from core.generation.drawn.traits import Situation, network_of
from core.generation.drawn.truth import truth_of
from core.phantom.captions import PLANTED, Case
from core.records import Prompt, PromptKind

if TYPE_CHECKING:
    from PIL import Image

SIDE = 128
"""Pixels a side of training pictures, and of the pictures the phantom makes."""

LOOK = (-120.0, -92.0, 960.0)
"""What the camera sees of the person: head, shoulders and hands, the face as large as that allows."""

_OPTIONS = {"cut": 2, "main": 3, "second": 1, "glasses": 1, "beard": 1, "skin": 1, "smile": 1, "hat": 2}
"""How many of the painter's options are used; what is not planted varies little, so that little is enough
to learn it."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A training picture and what is on it."""

    image: Image.Image
    values: Values
    truth: Mapping[str, tuple[str, ...]]


class _PlainSketch(Sketch):
    """A sketch that uses only the first options."""

    def pick(self, name: str, options: Sequence[str]) -> str:
        """One of the first options, evenly."""
        few = options[: _OPTIONS.get(name, len(options))]
        return few[int(self.uniform(f"look {name}") * len(few))]


def situation_of(case: Case) -> Situation:
    """The situation that a case fixes, with the planted table of the phantom."""
    prompt = Prompt(case.role, case.condition, PromptKind.BASE, case.caption, "", case.place, case.activity)
    return Situation.of(str(PLANTED), prompt)


def draw_values(situation: Situation, stated: Mapping[str, str], chance: Random) -> dict[str, str]:
    """The attributes of one picture: stated ones as they are, the others from their planted tables."""
    forced = {"held": "activity" if situation.item is not None else "nothing"} | dict(stated)
    if forced.get("facial_hair_style", "none") != "none":
        forced["gender_presentation"] = "male"
    values: dict[str, str] = {}
    for node in network_of(situation).nodes:
        table = node.table(values)
        label = chance.choices(list(table), list(table.values()))[0]
        values[node.name] = forced.get(node.name, label)
    return values


def draw_picture(case: Case, chance: Random, pixels: int = SIDE) -> Drawn:
    """Draw the picture of a case; equal random numbers give the same pixels."""
    situation = situation_of(case)
    values = draw_values(situation, case.stated, chance)
    numbers: dict[str, float] = {"look side": 0.99, "look drift": 0.35 + 0.3 * chance.random()}
    numbers["look wall"] = 0.4 * chance.random()

    def uniform(name: str) -> float:
        return numbers.setdefault(name, chance.random())

    sketch = _PlainSketch(situation, values, uniform)
    return Drawn(picture_of(sketch, pixels, LOOK), values, truth_of(values, situation))
