"""The extractor `reader` looks at pixels: right on pictures it never saw, unknown where it is not sure."""

from __future__ import annotations

import io
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from core.bank import load_contexts, load_roles
from core.errors import ExtractorError
from core.extraction.extractor import Extractor, RefusedPicture, Truth
from core.extraction.reader import Reader
from core.generation.drawn.generator import DrawnGenerator
from core.prompts import build_prompts
from core.records import NewImage, Status
from core.schema import load_schema
from tests.contracts.extractor_contract import ExtractorContract, make_image

SCHEMA = load_schema()


def drawn(count: int) -> list[NewImage]:
    """Pictures of both drawn generators, of seeds that no training used."""
    chance, prompts = Random(99), build_prompts(load_roles(), load_contexts(), seed=4)
    makers = [DrawnGenerator(name) for name in ("drawn-a", "drawn-b")]
    return [makers[n % 2].make(chance.choice(prompts), 2**40 + n) for n in range(count)]


@pytest.fixture(scope="module")
def pictures() -> list[NewImage]:
    return drawn(120)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(SCHEMA)


class TestReader(ExtractorContract):
    picture = drawn(1)[0].data
    _reader = Reader(SCHEMA)

    def make(self) -> Extractor:
        return self._reader

    def truth(self) -> Truth | None:
        return None

    def image_bytes(self) -> bytes:
        return self.picture


@pytest.mark.parametrize(
    ("dimension", "least"),
    [
        ("gender_presentation", 0.9),
        ("skin_tone", 0.9),
        ("eyewear_present", 0.9),
        ("facial_hair_present", 0.9),
        ("head_covering_present", 0.9),
    ],
)
def test_what_it_reads_on_drawn_pictures_it_never_saw_is_mostly_right(
    dimension: str, least: float, reader: Reader, pictures: list[NewImage]
) -> None:
    read = right = shown = 0
    for number, picture in enumerate(pictures):
        assert picture.truth is not None
        if dimension in picture.truth:
            shown += 1
            record = reader.read(make_image(number), None, lambda data=picture.data: data)
            reading = record.readings[dimension]
            read += reading.status is Status.OK
            right += reading.labels == picture.truth[dimension]
    assert shown > 60
    assert read / shown > 0.8
    assert right / read >= least


def test_it_does_not_look_at_the_truth(reader: Reader, pictures: list[NewImage]) -> None:
    data = pictures[0].data
    lie = {"gender_presentation": ("nonbinary",), "skin_tone": ("dark",)}
    plain, lied = (reader.read(make_image(1), truth, lambda: data) for truth in (None, lie))
    assert plain.readings == lied.readings


def test_below_its_threshold_it_says_unknown(pictures: list[NewImage]) -> None:
    never = Reader(SCHEMA, sure=1.01)
    record = never.read(make_image(1), None, lambda: pictures[0].data)
    assert record.readings["gender_presentation"].status is Status.UNKNOWN
    assert never.parameters != Reader(SCHEMA).parameters


def test_a_file_that_is_no_picture_is_refused(reader: Reader) -> None:
    with pytest.raises(RefusedPicture, match="cannot be decoded"):
        reader.read(make_image(1), None, lambda: b"not a picture")
    assert issubclass(RefusedPicture, ExtractorError)


def test_a_picture_of_another_shape_is_read_from_its_middle(reader: Reader, pictures: list[NewImage]) -> None:
    from PIL import Image

    square = Image.open(io.BytesIO(pictures[0].data)).convert("RGB")
    wide = Image.fromarray(np.full((256, 400, 3), 128, np.uint8))
    wide.paste(square, (72, 0))
    file = io.BytesIO()
    wide.save(file, "PNG")
    there = reader.read(make_image(1), None, file.getvalue)
    here = reader.read(make_image(1), None, lambda: pictures[0].data)
    assert there.readings == here.readings


def test_a_picture_that_it_was_not_measured_on_is_refused_with_the_reason(
    reader: Reader, pictures: list[NewImage]
) -> None:
    image = replace(make_image(1), generator="photographs")
    with pytest.raises(RefusedPicture, match="is of photographs: its errors on such pictures are not known"):
        reader.read(image, None, lambda: pictures[0].data)


def test_a_folder_imported_as_phantom_is_not_taken_for_the_phantoms(pictures: list[NewImage]) -> None:
    data, image = pictures[0].data, replace(make_image(1), generator="phantom")
    told = Reader(SCHEMA)
    assert told.read(image, None, lambda: data).status is Status.OK

    told.imported = frozenset({"phantom"})
    with pytest.raises(RefusedPicture, match="was imported as phantom: its errors on such pictures are not"):
        told.read(image, None, lambda: data)
