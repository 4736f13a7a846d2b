"""Every figure that the palette promises: contrasts, neutral greys, and distances for colour-blind eyes."""

from __future__ import annotations

import itertools
import re

import pytest
from PySide6.QtGui import QColor

from core.paths import PROJECT, RESOURCES
from gui.palette import DARK, LIGHT, Palette, family_of

GROUNDS = ("window", "surface", "raised", "sunken")

CONTRASTS = [
    # role, light (lowest, highest), dark (lowest, highest), on which grounds
    ("text", (14.2, 17.2), (11.5, 15.3), GROUNDS),
    ("muted", (5.8, 7.0), (6.5, 8.7), GROUNDS),
    ("faint", (4.5, 5.5), (4.6, 6.2), GROUNDS),
    ("accent", (4.9, 6.0), (6.4, 8.6), GROUNDS),
    ("danger", (5.4, 6.5), (5.9, 7.9), GROUNDS),
    ("warn", (5.5, 6.7), (7.2, 9.5), GROUNDS),
]

PAIRS = [
    # ink, ground, light, dark
    ("on_accent", "accent", 6.0, 8.3),
    ("text", "accent_soft", 14.4, 10.4),
    ("mark", "stage", 12.8, 16.7),
    ("human", "surface", 17.2, 13.0),
    ("pipeline", "surface", 6.0, 6.7),
]

CONDITIONS = {"CF": (7.0, 8.2), "CA-R": (5.2, 6.6), "CA-U": (3.9, 6.0)}
GENERATORS = {
    "sdxl": (3.3, 9.0),
    "sd3.5": (6.4, 5.5),
    "flux": (3.3, 10.3),
    "qwen": (13.3, 5.0),
    "own": (12.9, 3.5),
    "drawn": (3.8, 3.3),
}

# Machado, Oliveira, Fernandes 2009, severity 1.0, on linear RGB.
MACHADO = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(colour: QColor) -> tuple[float, float, float]:
    """Linear RGB of a colour."""
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    return tuple(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)


def contrast(one: QColor, other: QColor) -> float:
    """Contrast of two colours after WCAG."""
    light = [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (linear(one), linear(other))]
    return (max(light) + 0.05) / (min(light) + 0.05)


def oklab(rgb: tuple[float, float, float]) -> tuple[float, float, float]:
    """OKLab of linear RGB."""
    r, g, b = (min(max(value, 0.0), 1.0) for value in rgb)
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def seen(colour: QColor, eyes: str) -> tuple[float, float, float]:
    """OKLab of a colour as these eyes see it."""
    rgb = linear(colour)
    return oklab(tuple(sum(w * v for w, v in zip(row, rgb, strict=True)) for row in MACHADO[eyes]))


def smallest_distance(colours: list[QColor]) -> float:
    """Smallest OKLab distance × 100 between two colours over all eyes."""
    return min(
        100 * sum((a - b) ** 2 for a, b in zip(seen(one, eyes), seen(other, eyes), strict=True)) ** 0.5
        for eyes in MACHADO
        for one, other in itertools.combinations(colours, 2)
    )


@pytest.mark.parametrize(("role", "light", "dark", "grounds"), CONTRASTS)
def test_text_and_edges_keep_their_contrast_on_every_ground(role, light, dark, grounds):
    for roles, (lowest, highest) in ((LIGHT, light), (DARK, dark)):
        found = [contrast(roles.role(role), roles.role(ground)) for ground in grounds]

        assert min(found) == pytest.approx(lowest, abs=0.1)
        assert max(found) == pytest.approx(highest, abs=0.1)


def test_borders_of_controls_are_seen_everywhere():
    grounds = (*GROUNDS, "stage", "hover")
    found = [contrast(roles.edge, roles.role(ground)) for roles in (LIGHT, DARK) for ground in grounds]

    assert min(found) == pytest.approx(3.2, abs=0.1)
    assert max(found) == pytest.approx(5.1, abs=0.1)


@pytest.mark.parametrize(("ink", "ground", "light", "dark"), PAIRS)
def test_inks_keep_their_contrast_on_their_own_ground(ink, ground, light, dark):
    assert contrast(LIGHT.role(ink), LIGHT.role(ground)) == pytest.approx(light, abs=0.1)
    assert contrast(DARK.role(ink), DARK.role(ground)) == pytest.approx(dark, abs=0.1)


@pytest.mark.parametrize(("roles", "lowest"), [(LIGHT, 8.8), (DARK, 5.7)])
def test_numbers_can_be_read_on_every_coverage_step(roles: Palette, lowest: float):
    found = [contrast(roles.text, step) for step in roles.coverage]

    assert min(found) == pytest.approx(lowest, abs=0.1)
    assert len(found) == 6


@pytest.mark.parametrize(("roles", "expected"), [(LIGHT, 2.0), (DARK, 2.3)])
def test_still_bars_are_as_pale_as_stated(roles: Palette, expected: float):
    assert contrast(roles.coverage[5], roles.surface) == pytest.approx(expected, abs=0.1)


@pytest.mark.parametrize(
    ("kind", "name", "figures"),
    [("conditions", *item) for item in CONDITIONS.items()]
    + [("generators", *item) for item in GENERATORS.items()],
)
def test_markers_keep_their_contrast_on_the_surface(kind, name, figures):
    for roles, expected in zip((LIGHT, DARK), figures, strict=True):
        marker = getattr(roles, kind)[name]

        assert contrast(marker.colour, roles.surface) == pytest.approx(expected, abs=0.1)
        assert contrast(marker.colour, roles.surface) >= 3


@pytest.mark.parametrize(("roles", "expected"), [(LIGHT, 12.8), (DARK, 9.1)])
def test_conditions_stay_apart_for_colour_blind_eyes(roles: Palette, expected: float):
    colours = [marker.colour for marker in roles.conditions.values()]

    assert smallest_distance(colours) == pytest.approx(expected, abs=0.1)


@pytest.mark.parametrize(("roles", "expected", "with_drawn"), [(LIGHT, 14.6, 7.2), (DARK, 12.3, 8.1)])
def test_generators_stay_apart_for_colour_blind_eyes(roles: Palette, expected, with_drawn):
    coloured = [marker.colour for name, marker in roles.generators.items() if name != "drawn"]
    every = [marker.colour for marker in roles.generators.values()]

    assert smallest_distance(coloured) == pytest.approx(expected, abs=0.1)
    assert smallest_distance(every) == pytest.approx(with_drawn, abs=0.1)


@pytest.mark.parametrize("roles", [LIGHT, DARK])
def test_window_and_stage_are_neutral_grey(roles: Palette):
    for role in (*GROUNDS, "stage", "hover", "line", "edge", "text", "muted", "faint", "mark", "focus"):
        colour = roles.role(role)

        assert colour.red() == colour.green() == colour.blue(), role


@pytest.mark.parametrize("roles", [LIGHT, DARK])
def test_no_shape_stands_for_two_things(roles: Palette):
    shapes = [one.shape for one in (*roles.conditions.values(), *roles.generators.values())]

    assert len(set(shapes)) == len(shapes)


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("SDXL", "sdxl"),
        ("stable-diffusion-xl-base-1.0", "sdxl"),
        ("SD 3.5", "sd3.5"),
        ("FLUX.1", "flux"),
        ("Qwen-Image", "qwen"),
        ("drawn-b", "drawn"),
        ("phantom", "drawn"),
        ("bakery-lora", "own"),
    ],
)
def test_generators_are_known_by_their_names(name: str, family: str):
    assert family_of(name) == family


def test_no_colour_is_written_outside_the_palette():
    files = [path for path in (PROJECT / "gui").rglob("*.py") if path.name != "palette.py"]
    files += [RESOURCES / "style.qss", *(RESOURCES / "icons").glob("*.svg")]

    written = [path.name for path in files if re.search(r"#[0-9A-Fa-f]{3,8}\b", path.read_text("utf-8"))]

    assert written == []
