"""Pictures from strangers: each becomes a plain thumbnail or is refused in a sentence, in little memory."""

from __future__ import annotations

import io
import random
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image, PngImagePlugin

from core.errors import BadInput, UserError
from core.importing import Stated, import_images, scan
from core.jobs import run_here
from core.records import Condition
from storage.images import thumbnail_of
from tests.storage.builders import make_picture, new_store


def png(*chunks: tuple[bytes, bytes]) -> bytes:
    """A PNG of these chunks, with right checksums."""
    out = b"\x89PNG\r\n\x1a\n"
    for name, data in chunks:
        out += struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    return out


def header(width: int, height: int, bits: int = 8, kind: int = 2) -> tuple[bytes, bytes]:
    return b"IHDR", struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0)


ZEROS = zlib.compress(bytes(10_000_000), 9)
GOOD = make_picture("teal", (40, 30))
POSTSCRIPT = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(/etc/passwd) (r) file\nshowpage\n"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'

REFUSED = {
    "nothing": b"",
    "text": b"not a picture" * 50,
    "PostScript, which would be run": POSTSCRIPT,
    "SVG, which can name other files": SVG,
    "HTML called a picture": b"<html><script>alert(1)</script></html>",
    "PDF": b"%PDF-1.7\n1 0 obj<<>>endobj",
    "GIF": make_picture("red", kind="gif"),
    "TIFF": make_picture("red", kind="tiff"),
    "a PNG of a billion pixels": png(header(40_000, 40_000), (b"IDAT", ZEROS), (b"IEND", b"")),
    "a PNG wider than any screen": png(header(2**31 - 1, 1), (b"IDAT", ZEROS), (b"IEND", b"")),
    "a PNG without pixels": png(header(8, 8), (b"IEND", b"")),
    "a PNG of no size": png(header(0, 0), (b"IDAT", ZEROS), (b"IEND", b"")),
    "a PNG of an unknown kind": png(header(8, 8, 7, 9), (b"IDAT", ZEROS), (b"IEND", b"")),
    "a PNG cut off": GOOD[:60],
    "a PNG with a wrong checksum": GOOD[:50] + b"\xff" + GOOD[51:],
    "a PNG with a bomb of text": png(
        header(8, 8), (b"zTXt", b"a\0\0" + zlib.compress(bytes(80_000_000), 9)), (b"IDAT", ZEROS)
    ),
    "a JPEG cut off": make_picture("red", (64, 64), "jpeg")[:150],
    "a JPEG of a billion pixels": b"\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff\x03"
    + bytes(9)
    + b"\xff\xd9",
    "a WebP cut off": make_picture("red", (64, 64), "webp")[:30],
    "a header of WebP alone": b"RIFF\xff\xff\xff\xffWEBPVP8X",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_usable_picture_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(BadInput, match="cannot be read as an image"):
        thumbnail_of(REFUSED[name])


def test_words_and_places_in_a_picture_go_nowhere() -> None:
    about = PngImagePlugin.PngInfo()
    about.add_text("prompt", "a photo of a nurse")
    out = io.BytesIO()
    Image.new("RGB", (30, 30), "teal").save(out, "PNG", pnginfo=about)

    assert b"nurse" in out.getvalue()
    assert b"nurse" not in thumbnail_of(out.getvalue())


def test_one_bad_picture_among_many_is_a_row_and_the_job_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "nurse"
    folder.mkdir()
    for number, (name, data) in enumerate(REFUSED.items()):
        ending = ("png", "jpg", "webp")[number % 3]
        (folder / f"{number} {name[:12].replace('/', '-')}.{ending}").write_bytes(data)
    (folder / "good.png").write_bytes(GOOD)
    (folder / "leads out.png").symlink_to("/etc/passwd")

    plan = scan(tmp_path, None, Stated("nurse", Condition.CF, "own"))
    with new_store(tmp_path / "study") as store:
        outcome = run_here(import_images(plan, store))
        outcome.check()
        assert [image.width for image in store.images()] == [40]
        assert outcome.done == 1


def test_any_bytes_in_a_picture_are_a_thumbnail_or_a_sentence() -> None:
    rng = random.Random(11)
    for kind in ("png", "jpeg", "webp"):
        whole = make_picture("teal", (40, 30), kind)
        for _ in range(25):
            data = bytearray(whole)
            for _ in range(rng.randint(1, 12)):
                data[rng.randrange(len(data))] = rng.randrange(256)
            try:
                assert thumbnail_of(bytes(data)).startswith(b"\xff\xd8")
            except UserError as error:
                assert error.sentence  # noqa: PT017
