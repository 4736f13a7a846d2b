"""Every kind of file that people have among their pictures: each is in, or has a row with its reason."""

from __future__ import annotations

import io
import os
import socket
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from PIL import Image

from core.errors import BadInput
from core.importing import import_images, scan
from core.importing.map_file import read_map
from core.importing.plan import shown_path
from core.importing.scan import MOST_BYTES
from core.jobs import run_here
from core.plan import choose_roles, plan_study
from storage.making import make_study

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes there")

Make: TypeAlias = Callable[[Path], Any]
SIZE = (12, 8)


def noise(mode: str = "RGB", size: tuple[int, int] = SIZE) -> Image.Image:
    """Another picture at each call, so that none is a copy unless it is meant to be."""
    return Image.frombytes("RGB", size, os.urandom(3 * size[0] * size[1])).convert(mode)


def saved(kind: str, mode: str = "RGB", **options: Any) -> Make:
    return lambda path: noise(mode).save(path, kind, **options)


def turned(orientation: int) -> Make:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return saved("JPEG", exif=exif)


def torn(kind: str) -> Make:
    def make(path: Path) -> None:
        noise(size=(64, 64)).save(path, kind)
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    return make


def written(data: bytes) -> Make:
    return lambda path: path.write_bytes(data)


def link_to(where: str) -> Make:
    return lambda path: path.symlink_to(where)


def moving(kind: str) -> Make:
    return lambda path: noise().save(path, kind, save_all=True, append_images=[noise()])


def listening(path: Path) -> None:
    folder = os.open(path.parent, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as one:  # its name must be short
        one.bind(f"/proc/self/fd/{folder}/{path.name}")
    os.close(folder)


def of_huge_size(path: Path) -> None:
    with path.open("wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.truncate(MOST_BYTES + 1)  # a hole: it takes no room


def unreadable(path: Path) -> None:
    saved("PNG")(path)
    path.chmod(0)


def lying_header(path: Path) -> None:
    noise().save(path, "PNG")
    data = bytearray(path.read_bytes())
    data[16:24] = struct.pack(">II", 60_000, 60_000)
    data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
    path.write_bytes(data)


def copy_of_twin(path: Path) -> None:
    path.write_bytes((path.parent / "0_twin.png").read_bytes())


REFUSED: dict[str, tuple[str, Make, str]] = {
    "zero bytes": ("zero.png", Path.touch, "empty"),
    "truncated PNG": ("torn.png", torn("PNG"), "damaged"),
    "truncated JPEG": ("torn.jpg", torn("JPEG"), "damaged"),
    "truncated WebP": ("torn.webp", torn("WEBP"), "damaged"),
    "only a signature": ("head.png", written(b"\x89PNG\r\n\x1a\n"), "damaged"),
    "a signature before rubbish": ("junk.jpg", written(b"\xff\xd8\xff\xe0" + b"junk" * 99), "damaged"),
    "text called a picture": ("text.png", written(b"This is not a picture at all."), "not a picture"),
    "a web page called a picture": ("page.jpg", written(b"<!doctype html><p>404"), "not a picture"),
    "GIF": ("moving.gif", saved("GIF", "P"), "not taken"),
    "BMP called PNG": ("bitmap.png", saved("BMP"), "not a picture"),
    "TIFF": ("scan.tif", saved("TIFF"), "not a picture"),
    "SVG": ("drawn.svg", written(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), "not a picture"),
    "archive called PNG": ("zip.png", written(b"PK\x03\x04" + bytes(60)), "not a picture"),
    "safetensors among the pictures": ("model.safetensors", written(bytes(99)), "not a picture"),
    "a system's own file": (".DS_Store", written(b"\0\0\0\1Bud1" + bytes(60)), "not a picture"),
    "animated PNG": ("moving.png", moving("PNG"), "animated"),
    "animated WebP": ("moving.webp", moving("WEBP"), "animated"),
    "decompression bomb": ("bomb.png", lambda path: Image.new("1", (10_001, 10_000)).save(path), "too large"),
    "a header that lies": ("lies.png", lying_header, "too large"),
    "huge file": ("huge.png", of_huge_size, "too large"),
    "pipe": ("pipe.png", os.mkfifo, "not a file"),
    "socket": ("socket.png", listening, "not a file"),
    "folder called a picture": ("folder.png", Path.mkdir, "not a file"),
    "link that dangles": ("dangling.png", link_to("gone.png"), "cannot be read"),
    "link to itself": ("loop.png", link_to("loop.png"), "cannot be read"),
    "link out of the folder": ("out.png", link_to("/etc/hostname"), "outside the folder"),
    "link to a folder elsewhere": ("elsewhere", link_to("/etc"), "outside the folder"),
    "gone between planning and taking": ("zz_gone.png", saved("PNG"), "cannot be read"),
    "the same bytes again": ("same.png", copy_of_twin, "duplicate"),
    "link to another of the pictures": ("link.png", link_to("0_twin.png"), "duplicate"),
    "unreadable": ("locked.png", unreadable, "cannot be read"),
}

TAKEN: dict[str, tuple[str, Make]] = {
    "a picture of which there are copies": ("0_twin.png", saved("PNG")),
    "JPEG called PNG": ("wrong_ending.png", saved("JPEG")),
    "no ending": ("no_ending", saved("PNG")),
    "capital ending": ("CAPITALS.JPG", saved("JPEG")),
    "CMYK": ("cmyk.jpg", saved("JPEG", "CMYK")),
    "16 bits a channel": ("deep.png", lambda path: Image.new("I;16", SIZE, 40_000).save(path)),
    "palette": ("palette.png", saved("PNG", "P")),
    "palette with a clear colour": ("palette_clear.png", saved("PNG", "P", transparency=0)),
    "alpha": ("alpha.png", saved("PNG", "RGBA")),
    "grey with alpha": ("grey_alpha.png", saved("PNG", "LA")),
    "grey": ("grey.jpg", saved("JPEG", "L")),
    "one bit": ("bit.png", saved("PNG", "1")),
    "progressive JPEG": ("progressive.jpg", saved("JPEG", progressive=True)),
    "lossless WebP": ("lossless.webp", saved("WEBP", lossless=True)),
    "nonsense orientation": ("turned_99.jpg", turned(99)),
    "one pixel": ("pixel.png", lambda path: noise(size=(1, 1)).save(path)),
    "unicode name": ("bäcker 面包师 👩‍🍳.png", saved("PNG")),
    "very long name": ("n" * 251 + ".png", saved("PNG")),
    "name with a line break": ("line\nbreak.png", saved("PNG")),
    "name that is no text": (os.fsdecode(b"\xff\xfe.png"), saved("PNG")),
    "name like an option": ("--force.png", saved("PNG")),
    "name that reads backwards": ("ab\u202egnp.png", saved("PNG")),
    **{f"EXIF orientation {one}": (f"turned_{one}.jpg", turned(one)) for one in range(1, 9)},
}


def test_each_of_thirty_kinds_of_file_has_its_reason_and_the_good_ones_are_in(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for name, make, *_ in (*TAKEN.values(), *REFUSED.values()):
        make(folder / name)
    refused = {kind: row for kind, row in REFUSED.items() if kind != "unreadable" or os.geteuid()}
    plan = scan(folder)
    (folder / "zz_gone.png").unlink()

    with make_study(tmp_path / "study", plan_study("imported", choose_roles("2"))) as store:
        outcome = run_here(import_images(plan, store))
        images = {store.provenance_of(one.image_id)["file"]: one for one in store.images()}
        upright = {
            name: Image.open(io.BytesIO(store.thumbnail_bytes(one))).size for name, one in images.items()
        }
        again = run_here(import_images(scan(folder), store))

    found = {one.item: one for one in outcome.failures}
    kinds = {kind: found[shown_path(row[0])].kind for kind, row in refused.items()}
    assert kinds == {kind: row[2] for kind, row in refused.items()}
    assert len(REFUSED) >= 30
    assert all(one.reason.endswith(".") for one in found.values())
    assert {shown_path(name) for name, _ in TAKEN.values()} <= set(images)
    assert (outcome.asked, outcome.skipped) == (outcome.done + outcome.failed, 0)
    assert {name: (one.width, one.height) for name, one in images.items()} == upright
    assert [images[f"turned_{number}.jpg"].width for number in range(1, 9)] == [12] * 4 + [8] * 4
    assert (again.done, again.skipped) == (0, outcome.done)


def test_a_nul_in_the_name_of_a_file_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "map.csv").write_bytes(b"file,role\na.png,baker\nb\0.png,baker\n")
    with pytest.raises(BadInput, match="line 3: the file's name holds a NUL"):
        read_map(tmp_path / "map.csv")
