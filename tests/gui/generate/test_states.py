"""What the card of a generator says before anything runs, and by which mark it is known."""

from __future__ import annotations

from gui.generate.facts import Maker
from gui.generate.states import state_of
from gui.palette import LIGHT

SDXL = Maker("sdxl", "diffusers", {}, is_here=True, asked=36)


def test_a_generator_without_weights_is_not_called_ready():
    assert state_of(SDXL, None).status == "ready"
    assert state_of(SDXL, None, lacks_weights=True).status == "weights not here"


def test_each_built_in_generator_has_a_mark_of_its_own():
    names = ("drawn-a", "drawn-b", "phantom", "sdxl", "sd3.5", "flux.1", "qwen-image")
    assert len({LIGHT.generator(name).shape for name in names}) == len(names)
