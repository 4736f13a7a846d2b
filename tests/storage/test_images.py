from __future__ import annotations

import errno
import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, PngImagePlugin

from core.errors import BadInput, StoreError
from core.keys import content_hash
from storage.images import THUMBNAIL_SIDE, UNFINISHED, ImageFolder, thumbnail_of
from tests.storage.builders import make_picture


@pytest.fixture
def images(tmp_path: Path) -> Iterator[ImageFolder]:
    folder = ImageFolder(tmp_path)
    yield folder
    folder.close()


def opened(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def files_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_file_is_named_by_its_content_and_holds_it(images: ImageFolder, tmp_path: Path) -> None:
    data = make_picture()

    (file,) = images.keep([(data, "png")])

    assert file.sha256 == content_hash(data)
    assert file.path == f"images/{file.sha256[0]}/{file.sha256}.png"
    assert file.thumbnail == f"images/thumbnails/{file.sha256[0]}/{file.sha256}.jpg"
    assert (tmp_path / file.path).read_bytes() == images.data(file.path) == data
    assert files_in(tmp_path) == sorted([file.path, file.thumbnail])


def test_the_same_content_shares_a_file(images: ImageFolder, tmp_path: Path) -> None:
    data = make_picture()

    files = images.keep([(data, "png")] * 20)

    assert len(set(files)) == 1
    assert len(files_in(tmp_path)) == 2


def test_a_file_of_another_length_is_written_again(images: ImageFolder, tmp_path: Path) -> None:
    data = make_picture()
    (file,) = images.keep([(data, "png")])
    (tmp_path / file.path).write_bytes(data[:10])
    (tmp_path / file.thumbnail).write_bytes(b"")

    images.keep([(data, "png")])

    assert images.data(file.path) == data
    assert images.data(file.thumbnail)


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_file_that_cannot_be_finished_leaves_nothing(
    images: ImageFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(*((os, "fsync") if step == "fsync" else (os, "replace")), full)

    with pytest.raises(StoreError, match="disk is full"):
        images.keep([(make_picture(), "png")])
    assert files_in(tmp_path) == []


def test_files_and_their_folders_are_on_the_disk_before_they_are_named(
    images: ImageFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[str, bool]] = []
    real = os.fsync

    def note(number: int) -> None:
        path = Path(f"/proc/self/fd/{number}").readlink().relative_to(tmp_path).as_posix()
        synced.append((path.partition(".jpg.")[0].partition(".png.")[0], UNFINISHED in path))
        real(number)

    if not Path("/proc/self/fd").exists():
        pytest.skip("the system does not say what a file number stands for")
    images.keep([(make_picture(), "png")])
    (same_folders,) = [
        data
        for number in range(256)
        if content_hash(data := make_picture((number, 0, 0)))[0] == content_hash(make_picture())[0]
    ][:1]
    monkeypatch.setattr(os, "fsync", note)

    (file,) = images.keep([(same_folders, "png")])

    assert sorted(synced) == sorted(
        [
            (file.path.removesuffix(".png"), True),
            (file.thumbnail.removesuffix(".jpg"), True),
            (file.path.rpartition("/")[0], False),
            (file.thumbnail.rpartition("/")[0], False),
        ]
    )


def test_a_missing_file_is_said(images: ImageFolder) -> None:
    with pytest.raises(StoreError, match=r"images/a/a{64}\.png is missing"):
        images.data(f"images/a/{'a' * 64}.png")


@pytest.mark.parametrize("kind", ["../png", "", "p/g", "longer", "p ng"])
def test_a_format_cannot_lead_out_of_the_folder(images: ImageFolder, kind: str) -> None:
    with pytest.raises(BadInput, match="not an image format"):
        images.keep([(make_picture(), kind)])


@pytest.mark.parametrize("kind", ["jpeg", "JPEG", ".jpg", "jpg"])
def test_jpeg_has_one_ending(images: ImageFolder, kind: str) -> None:
    (file,) = images.keep([(make_picture(kind="jpeg"), kind)])

    assert file.path.endswith(".jpg")


@pytest.mark.parametrize("data", [b"", b"no picture", make_picture((1, 2, 3), (64, 64))[:-30]])
def test_what_cannot_be_decoded_is_bad_input(images: ImageFolder, tmp_path: Path, data: bytes) -> None:
    with pytest.raises(BadInput, match="cannot be read as an image"):
        images.keep([(data, "png")])
    assert files_in(tmp_path) == []


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((256, 256), (256, 256)),
        ((512, 512), (512, 512)),
        ((1024, 1024), (512, 512)),
        ((2000, 1000), (512, 256)),
        ((300, 1200), (128, 512)),
        ((1, 1), (1, 1)),
        ((3000, 1), (512, 1)),
    ],
)
@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
def test_a_thumbnail_keeps_the_shape_within_512_pixels(
    size: tuple[int, int], expected: tuple[int, int], kind: str
) -> None:
    thumbnail = opened(thumbnail_of(make_picture("navy", size, kind)))

    assert thumbnail.size == expected
    assert (thumbnail.format, thumbnail.mode) == ("JPEG", "RGB")
    assert max(thumbnail.size) <= THUMBNAIL_SIDE


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_thumbnail_is_upright(orientation: int) -> None:
    upright = Image.new("RGB", (32, 16), "white")
    upright.paste("red", (0, 0, 16, 8))  # red at the top left
    turned = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    stored = upright.transpose(turned[orientation]) if orientation in turned else upright
    exif = Image.Exif()
    exif[0x0112] = orientation
    out = io.BytesIO()
    stored.save(out, "JPEG", exif=exif, quality=95, subsampling=0)

    thumbnail = opened(thumbnail_of(out.getvalue()))

    assert thumbnail.size == (32, 16)
    red, green, _ = thumbnail.getpixel((4, 3))  # type: ignore[misc]
    assert (red > 200, green < 90) == (True, True)
    assert not thumbnail.getexif()


def test_what_is_transparent_becomes_white() -> None:
    assert opened(thumbnail_of(make_picture((0, 0, 0, 0)))).getpixel((8, 8)) == (255, 255, 255)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16", "CMYK"])
def test_every_kind_of_picture_gets_a_thumbnail(mode: str) -> None:
    image = Image.new("RGB", (20, 10), "white")
    image = Image.new(mode, (20, 10), 65535) if mode == "I;16" else image.convert(mode)
    out = io.BytesIO()
    image.save(out, "JPEG" if mode == "CMYK" else "PNG")

    thumbnail = opened(thumbnail_of(out.getvalue()))

    assert thumbnail.getpixel((5, 5)) == (255, 255, 255)


def test_words_in_the_file_do_not_reach_the_thumbnail() -> None:
    words = PngImagePlugin.PngInfo()
    words.add_text("prompt", "a photo of a nurse")
    out = io.BytesIO()
    Image.new("RGB", (8, 8)).save(out, "PNG", pnginfo=words)

    thumbnail = thumbnail_of(out.getvalue())

    assert b"nurse" not in thumbnail
    assert set(opened(thumbnail).info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}


def test_a_thumbnail_of_the_same_content_is_the_same() -> None:
    assert thumbnail_of(make_picture()) == thumbnail_of(make_picture())
