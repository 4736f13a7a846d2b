"""Two extractors for drawn pictures, whose truth is known: one without error, one with stated errors.

They exist so that the whole study can be run, and its statistics checked, without a service or a GPU.
Neither looks at pixels, both say that they are simulated, and both refuse a picture without a truth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from core.extraction.confusion import Confusion, Matrix
from core.extraction.extractor import RefusedPicture, Truth, key_for
from core.keys import seed_of
from core.questions import NONE
from core.records import UNKNOWN, DimensionReading, NewRecord, Status, StoredImage
from core.schema import Dimension, Schema

PERSONS = "n_persons"
"""A truth may hold the number of persons under this key, beside the dimensions."""

_UNKNOWN_READING = DimensionReading(status=Status.UNKNOWN)

_FINE = 53
"""Bits of a draw: as many as a float holds exactly."""


class DrawnTruth:
    """Reads the truth of a drawn picture as it is.

    Parameters
    ----------
    schema : Schema
        The study's schema. A true label that it lacks is read as invalid, a dimension without a truth as
        unknown.
    """

    name = "drawn-truth"
    is_simulated = True

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self.schema_version = f"{schema.version}+{schema.hash[:12]}"

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Nothing but the schema shapes a reading."""
        return {"schema": self.schema_version}

    def read(self, image: StoredImage, truth: Truth | None, image_bytes: Callable[[], bytes]) -> NewRecord:
        """The record of a drawn picture; RefusedPicture for any other."""
        if truth is None:
            raise RefusedPicture(
                f"{self.name} reads drawn pictures only; the truth of image {image.image_id} is not known.",
                "Choose an extractor that looks at pixels.",
            )
        readings = {
            dimension.id: self._read_dimension(image, dimension, truth.get(dimension.id, ()))
            for dimension in self._schema.dimensions
        }
        persons = truth.get(PERSONS, ())
        return NewRecord(
            image_id=image.image_id,
            extractor=self.name,
            record_key=key_for(image, self),
            status=Status.OK,
            readings=readings,
            n_persons=int(persons[0]) if persons else None,
        )

    def _read_dimension(
        self, image: StoredImage, dimension: Dimension, true: tuple[str, ...]
    ) -> DimensionReading:
        said = [self._schema.canonical(dimension.id, label) for label in true]
        known = tuple(dict.fromkeys(label for label in said if label not in (None, UNKNOWN)))
        if not known:
            return DimensionReading(status=Status.INVALID) if None in said else _UNKNOWN_READING
        return DimensionReading(tuple(label for label in known if label is not None))


class DrawnReader(DrawnTruth):
    """Reads a drawn picture with stated errors, the same ones whenever it reads the same picture.

    Every draw is seeded by the picture's hash, the dimension and the true label, so a reading depends
    neither on the order of the images nor on what else is read.

    Parameters
    ----------
    schema : Schema
        The study's schema.
    errors : Path, optional
        File of the stated errors; default `resources/extractors/drawn_reader.json`.
    scale : float
        Factor on every probability of error.
    """

    name = "drawn-reader"

    def __init__(self, schema: Schema, errors: Path | None = None, scale: float = 1.0) -> None:
        super().__init__(schema)
        self.errors = Confusion(schema, errors, scale)
        self._scale = scale

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Schema, stated errors and their scale."""
        return {"schema": self.schema_version, "errors": self.errors.hash[:12], "scale": self._scale}

    def confusion(self, dimension_id: str) -> Matrix:
        """The exact matrix of a closed dimension: true label -> read label -> probability."""
        return self.errors.matrix(dimension_id)

    def _read_dimension(
        self, image: StoredImage, dimension: Dimension, true: tuple[str, ...]
    ) -> DimensionReading:
        reading = super()._read_dimension(image, dimension, true)
        seen = [self._draw(image.sha256, dimension.id, label) for label in reading.labels]
        found = list(dict.fromkeys(label for label in seen if label != UNKNOWN))
        if len(found) > 1 and NONE in found:
            found.remove(NONE)
        if reading.status is not Status.OK:
            return reading
        return DimensionReading(tuple(found)) if found else _UNKNOWN_READING

    def _draw(self, sha256: str, dimension_id: str, true: str) -> str:
        """What one true label is read as: the row walked through until a fixed random share is used up."""
        left = seed_of(self.name, sha256, dimension_id, true, bits=_FINE) / 2**_FINE
        for read, probability in self.errors.row(dimension_id, true).items():
            left -= probability
            if left < 0:
                return read
        return true
