"""The picture that is sent: upright, in sRGB, on white, no larger than asked for, and nothing but pixels."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import ExifTags, Image, ImageCms

from core.extraction.vlm.picture import UnreadablePicture, make_picture, plain_picture


def encoded(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def opened(data: bytes, size: int = 256) -> Image.Image:
    picture = make_picture(data, size, 90)
    image = Image.open(io.BytesIO(picture.data))
    image.load()
    assert picture.mime == "image/jpeg"
    assert (picture.width, picture.height) == image.size
    return image


def near(image: Image.Image, place: tuple[int, int], colour: tuple[int, int, int], within: int = 12) -> bool:
    found = image.getpixel(place)
    assert isinstance(found, tuple)
    return all(abs(one - other) <= within for one, other in zip(found, colour, strict=True))


@pytest.mark.parametrize(
    ("before", "after"),
    [((300, 100), (256, 85)), ((100, 400), (64, 256)), ((40, 30), (40, 30)), ((1, 1), (1, 1))],
)
def test_the_longest_side_is_as_asked_and_nothing_is_enlarged(before: Any, after: Any) -> None:
    assert opened(encoded(Image.new("RGB", before))).size == after


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_colours_survive(kind: str) -> None:
    image = opened(encoded(Image.new("RGB", (64, 64), (200, 40, 90)), kind))
    assert near(image, (32, 32), (200, 40, 90))


@pytest.mark.parametrize("mode", ["RGBA", "LA", "PA", "P", "1", "L", "CMYK", "YCbCr", "I;16"])
def test_every_mode_that_files_come_in_is_taken(mode: str) -> None:
    image = Image.new("RGB", (32, 32), (255, 255, 255))
    made = (
        Image.new("I;16", (32, 32), 65535)
        if mode == "I;16"
        else image.convert("RGBA" if mode == "PA" else mode)
    )
    kind = "JPEG" if mode in ("CMYK", "YCbCr") else "PNG"
    assert near(opened(encoded(made, kind)), (16, 16), (255, 255, 255))


def test_what_is_transparent_is_white() -> None:
    assert near(opened(encoded(Image.new("RGBA", (16, 16), (255, 0, 0, 0)))), (8, 8), (255, 255, 255))


def test_a_picture_that_lies_on_its_side_is_turned() -> None:
    image = Image.new("RGB", (60, 40), (0, 0, 255))
    image.paste((255, 0, 0), (0, 0, 30, 40))
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    turned = opened(encoded(image, "JPEG", exif=exif))
    assert turned.size == (40, 60)
    assert near(turned, (20, 5), (254, 0, 0), within=25)


def test_a_profile_is_applied_and_left_behind() -> None:
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("XYZ")).tobytes()
    broken = encoded(Image.new("RGB", (16, 16), (10, 200, 10)), "PNG", icc_profile=b"no profile")
    other = encoded(Image.new("RGB", (16, 16), (10, 200, 10)), "PNG", icc_profile=lab)
    for data in (broken, other):
        assert "icc_profile" not in opened(data).info


@pytest.mark.parametrize(
    "data", [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n", encoded(Image.new("RGB", (64, 64)))[:50]]
)
def test_what_cannot_be_decoded_is_said(data: bytes) -> None:
    with pytest.raises(UnreadablePicture):
        make_picture(data, 64, 90)


def test_the_same_file_gives_the_same_bytes_and_quality_changes_them() -> None:
    data = encoded(Image.effect_noise((64, 64), 50).convert("RGB"))
    assert make_picture(data, 64, 90).sha256 == make_picture(data, 64, 90).sha256
    assert len(make_picture(data, 64, 40).data) < len(make_picture(data, 64, 90).data)


def test_the_picture_of_the_preflight_is_green_and_as_large_as_the_others() -> None:
    picture = plain_picture(128, 90)
    image = Image.open(io.BytesIO(picture.data))
    assert image.size == (128, 128)
    assert near(image, (4, 4), (40, 160, 60))
