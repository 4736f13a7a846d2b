"""Figures in files have the colours and shapes of the window."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor

from core.figures import look
from gui import palette

ROLES = (
    "surface",
    "text",
    "muted",
    "faint",
    "edge",
    "line",
    "sunken",
    "human",
    "pipeline",
    "mark",
    "on_mark",
)


@pytest.mark.parametrize(("mine", "theirs"), [(look.LIGHT, palette.LIGHT), (look.DARK, palette.DARK)])
def test_a_figure_has_the_colours_of_the_window(mine: look.Look, theirs: palette.Palette):
    assert mine.name == theirs.name
    for role in ROLES:
        assert QColor(getattr(mine, role)) == theirs.role(role), role
    assert [QColor(one) for one in mine.coverage] == list(theirs.coverage)
    for name, marker in theirs.conditions.items():
        sign = mine.condition(name)
        assert (QColor(sign.colour), sign.marker) == (marker.colour, marker.sign)
    for family, marker in theirs.generators.items():
        sign = mine.generators[family]
        assert (QColor(sign.colour), sign.marker) == (marker.colour, marker.sign)


@pytest.mark.parametrize(
    "name", ["SDXL", "SD 3.5", "FLUX.1", "Qwen-Image", "bakery-lora", "drawn-b", "phantom"]
)
def test_a_generator_is_of_the_same_family_in_both(name: str):
    assert look.family_of(name) == palette.family_of(name)
