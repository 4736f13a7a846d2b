"""What every extractor must keep to. A test class inherits `ExtractorContract` and gives its extractor."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable

import pytest

from core.errors import ExtractorError
from core.extraction.extractor import Extractor, Truth, key_for
from core.records import Condition, ImageStatus, NewRecord, Status, StoredImage
from core.schema import Schema, load_schema


def make_image(number: int = 1, *, sha256: str = "", prompt: str = "a photo of a baker") -> StoredImage:
    """An image as the store hands it out."""
    return StoredImage(
        image_id=number,
        generator="drawn-a",
        role="baker",
        condition=Condition.CF,
        prompt=prompt,
        seed=number,
        sha256=sha256 or f"{number:064x}",
        path=f"images/{number}.png",
        thumbnail=f"thumbnails/{number}.jpg",
        width=256,
        height=256,
        status=ImageStatus.OK,
    )


class ExtractorContract(ABC):
    """Inherit it, give the extractor and what it needs to read a picture, and its tests run."""

    schema: Schema = load_schema()

    @abstractmethod
    def make(self) -> Extractor:
        """A fresh extractor for `schema`."""

    @abstractmethod
    def truth(self) -> Truth | None:
        """The truth of the picture, for those that need it."""

    def image_bytes(self) -> bytes:
        """The encoded picture."""
        return b""

    def read(self, number: int = 1) -> NewRecord:
        """The record of a picture by a fresh extractor."""
        return self.make().read(make_image(number), self.truth(), self.image_bytes)

    def test_it_is_the_one_that_it_names(self) -> None:
        assert self.read().extractor == self.make().name

    def test_its_parameters_are_json_and_name_the_schema(self) -> None:
        extractor = self.make()
        assert json.loads(json.dumps(extractor.parameters)) == extractor.parameters
        assert extractor.schema_version in extractor.parameters.values()
        assert self.schema.hash.startswith(extractor.schema_version.split("+")[-1])

    def test_its_record_has_the_key_of_image_schema_and_parameters(self) -> None:
        extractor = self.make()
        assert self.read(1).record_key == key_for(make_image(1), extractor)
        assert self.read(1).record_key != self.read(2).record_key

    def test_a_record_that_is_ok_has_a_reading_for_every_dimension(self) -> None:
        record = self.read()
        assert record.status is Status.OK
        assert tuple(record.readings) == self.schema.dimension_ids

    def test_a_reading_has_labels_of_its_vocabulary_exactly_when_it_is_ok(self) -> None:
        for number in range(1, 30):
            for name, reading in self.read(number).readings.items():
                assert reading.status in (Status.OK, Status.UNKNOWN, Status.INVALID)
                assert bool(reading.labels) == (reading.status is Status.OK)
                dimension = self.schema.dimension(name)
                assert len(set(reading.labels)) == len(reading.labels)
                assert dimension.is_list or len(reading.labels) <= 1
                assert dimension.max_labels is None or len(reading.labels) <= dimension.max_labels
                assert all(self.schema.canonical(name, label) == label for label in reading.labels)

    def test_reading_the_same_picture_again_gives_the_same_record(self) -> None:
        assert self.read(3) == self.read(3)


class NeedsTruth:
    """For extractors that cannot read a picture whose truth is not known."""

    make: Callable[[], Extractor]

    def test_a_picture_without_truth_is_refused_with_a_sentence(self) -> None:
        extractor = self.make()
        with pytest.raises(ExtractorError) as caught:
            extractor.read(make_image(), None, bytes)
        assert caught.value.sentence.endswith(".")
        assert caught.value.remedy
