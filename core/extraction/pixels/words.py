"""From numbers to labels: bounds that are stated, and unknown where a number says nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from core.extraction.pixels.faces import Face
from core.extraction.pixels.measures import Measures
from core.keys import key_of
from core.paths import RESOURCES

FILE = RESOURCES / "extractors" / "pixels.json"
MEASURED = RESOURCES / "extractors" / "pixels_measured.json"

DIMENSIONS = ("color_temperature", "contrast_level", "dominant_colors", "depth_of_field")
"""What is measured of any photograph."""

FACE_DIMENSIONS = ("framing", "gender_presentation", "age_range")
"""What needs faces, and so the optional package."""

_MOST_COLOURS = 3
_AGES = ((13, "child"), (20, "teen"), (40, "young_adult"), (60, "middle_aged"))


@cache
def settings() -> Mapping[str, Any]:
    """Colours and bounds, as they stand in the resources."""
    loaded: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return loaded


def settings_key() -> str:
    """Version and content key of the colours and bounds."""
    plain = {name: value for name, value in settings().items() if name != "about"}
    return f"{settings()['version']}+{key_of(plain)[:12]}"


def labels_of(measured: Measures) -> dict[str, tuple[str, ...]]:
    """Labels by dimension; () is unknown."""
    return {
        "color_temperature": (_temperature(measured),),
        "contrast_level": (_contrast(measured),),
        "dominant_colors": _colours(measured),
        "depth_of_field": _depth(measured),
    }


def labels_of_faces(faces: Sequence[Face], height: int) -> dict[str, tuple[str, ...]]:
    """Labels of the largest face, which stands for the depicted person; () is unknown.

    A confidence below the stated bound is unknown: the package has no answer "cannot tell" of its own.
    """
    if not faces:
        return dict.fromkeys(FACE_DIMENSIONS, ())
    bounds = settings()["bounds"]
    main = max(faces, key=lambda face: (face.height, -face.left))
    share = main.height / height
    framing = (
        "tight" if share >= bounds["face_tight"] else "medium" if share >= bounds["face_medium"] else "wide"
    )
    gender = (main.gender,) if main.gender_confidence >= bounds["gender_confidence"] else ()
    age = (age_range(main.age),) if main.age_confidence >= bounds["age_confidence"] else ()
    return {"framing": (framing,), "gender_presentation": gender, "age_range": age}


def age_range(years: float) -> str:
    """The age range of a number of years.

    >>> [age_range(years) for years in (5, 16, 33, 59, 70)]
    ['child', 'teen', 'young_adult', 'middle_aged', 'older_adult']
    """
    return next((name for below, name in _AGES if years < below), "older_adult")


def _temperature(measured: Measures) -> str:
    bounds = settings()["bounds"]
    if min(measured.warm_share, measured.cool_share) >= bounds["mixed_share"]:
        return "mixed"
    if measured.warmth > bounds["tint"]:
        return "warm"
    return "cool" if measured.warmth < -bounds["tint"] else "neutral"


def _contrast(measured: Measures) -> str:
    bounds = settings()["bounds"]
    if measured.contrast < bounds["contrast_low"]:
        return "low"
    return "high" if measured.contrast > bounds["contrast_high"] else "medium"


def _colours(measured: Measures) -> tuple[str, ...]:
    least = settings()["bounds"]["colour_share"]
    return tuple(name for name, share in measured.colours.items() if share >= least)[:_MOST_COLOURS]


def _depth(measured: Measures) -> tuple[str, ...]:
    bounds = settings()["bounds"]
    if measured.sharpness_in < bounds["sharp_least"]:
        return ()
    ratio = measured.sharpness_in / max(measured.sharpness_out, 0.01)
    if ratio >= bounds["depth_shallow"]:
        return ("shallow",)
    # Between the two, how sharp things are says more about what they are than about the lens.
    return ("deep",) if ratio <= bounds["depth_deep"] else ()
