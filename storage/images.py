"""Image files beside the store: the name is the content's hash, and a file is whole or not there.

A file is written under a temporary name, forced to the disk, renamed, and its folder is forced too; the
row that names it comes after. A crash in between leaves a file that no row names (`check` tells), never
a row without its file. The thumbnail is made at arrival: JPEG, upright, on white, at most 512 px a side.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.decoding import FORMATS, why_undecodable, without_warnings
from core.errors import BadInput, StoreError
from core.keys import content_hash
from core.paths import IMAGES, THUMBNAILS
from core.regular_files import read_regular
from core.whole_files import force, make_folder, put_in_place, sync_folder
from storage.trouble import put_in_words

if TYPE_CHECKING:
    from PIL.Image import Image

THUMBNAIL_SIDE = 512
"""Largest width or height of a thumbnail in pixels; a smaller image keeps its size."""

QUALITY = 88
"""JPEG quality of thumbnails."""

UNFINISHED = ".part"
"""End of a temporary name; such a file is what a crash left."""

_FORMAT = re.compile(r"[a-z0-9]{1,5}")
_IMAGE = re.compile(r"images/[0-9a-f]/[0-9a-f]{64}\.[a-z0-9]{1,5}")
_THUMBNAIL = re.compile(r"images/thumbnails/[0-9a-f]/[0-9a-f]{64}\.jpg")
_BOTH = re.compile(f"{_IMAGE.pattern}\n{_THUMBNAIL.pattern}")


@dataclass(frozen=True, slots=True)
class StoredFile:
    """Where an image and its thumbnail lie, relative to the study folder, with the content's hash."""

    sha256: str
    path: str
    thumbnail: str
    bytes: int


class ImageFolder:
    """Keeps image files of one study; several threads may use it at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pool: ThreadPoolExecutor | None = None
        self._pool_lock = threading.Lock()

    def keep(self, images: Iterable[tuple[bytes, str]]) -> list[StoredFile]:
        """Store encoded images, each with its format ("png", "jpeg" …); return where they are.

        Everything returned is on the disk. What cannot be decoded raises BadInput, and a full or
        write-protected disk StoreError; files already written then stay as orphans.
        """
        # The threads wait for the disk most of the time; the disk commits what they ask for together.
        with put_in_words(self._folder / IMAGES):
            files = list(self._threads().map(self._keep_one, images))
            folders = {(self._folder / path).parent for file in files for path in (file.path, file.thumbnail)}
            list(self._threads().map(sync_folder, sorted(folders)))
        return files

    def present(self) -> set[str]:
        """Paths of all image files that are there, relative to the study folder."""
        found: set[str] = set()
        for folder in (self._folder / IMAGES).glob("?"):
            with contextlib.suppress(OSError):
                found.update(f"{IMAGES}/{folder.name}/{name}" for name in os.listdir(folder))
        return found

    def data(self, path: str) -> bytes:
        """The bytes of a stored file; a missing one raises StoreError."""
        if not (_IMAGE.fullmatch(path) or _THUMBNAIL.fullmatch(path)):
            raise StoreError(_OUTSIDE.format(path=path))
        place = self._folder / path
        try:
            data = read_regular(place)
            if _IMAGE.fullmatch(path) and _is_elsewhere(self._folder, path):
                _must_be_itself(data, path)
        except FileNotFoundError as error:
            raise StoreError(
                f"The image file {path} is missing from {self._folder}.",
                "Run `main.py doctor` on the study: it lists every missing file.",
            ) from error
        except OSError as error:
            if error.errno not in (errno.EISDIR, errno.EINVAL):
                raise
            raise StoreError(
                f"What lies at {place} cannot be read: {error.strerror}.",
                "Put the image itself in its place.",
            ) from error
        return data

    def put_back(self, path: str, data: bytes) -> None:
        """Write the bytes of an image to its place again, on the disk when this returns."""
        with put_in_words(self._folder / path):
            self._write(path, data)
            sync_folder((self._folder / path).parent)

    def renew_thumbnail(self, path: str, thumbnail: str) -> None:
        """Make the thumbnail of a stored image again."""
        with put_in_words(self._folder / thumbnail):
            self._write(thumbnail, thumbnail_of(self.data(path)))
            sync_folder((self._folder / thumbnail).parent)

    def close(self) -> None:
        """End the threads; again does nothing."""
        with self._pool_lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True)

    def _threads(self) -> ThreadPoolExecutor:
        with self._pool_lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(max_workers=4, thread_name_prefix="image-files")
            return self._pool

    def _keep_one(self, image: tuple[bytes, str]) -> StoredFile:
        data, kind = image
        sha256 = content_hash(data)
        # Sixteen folders: four thousand files in each for a paper-sized study, and few to sync for a batch.
        path = f"{IMAGES}/{sha256[0]}/{sha256}.{_ending(kind)}"
        thumbnail = f"{IMAGES}/{THUMBNAILS}/{sha256[0]}/{sha256}.jpg"
        if not self.has(thumbnail):
            self._write(thumbnail, thumbnail_of(data))
        if not self.has(path, len(data)):
            self._write(path, data)
        return StoredFile(sha256, path, thumbnail, len(data))

    def has(self, path: str, size: int | None = None) -> bool:
        """Whether a file is there and not empty, of so many bytes where that is given."""
        try:
            found = (self._folder / path).stat().st_size
        except FileNotFoundError:
            return False
        return found > 0 if size is None else found == size

    def _write(self, path: str, data: bytes) -> None:
        if not (_IMAGE.fullmatch(path) or _THUMBNAIL.fullmatch(path)):
            raise StoreError(_OUTSIDE.format(path=path))
        target = self._folder / path
        make_folder(target.parent)
        # Process and thread in the name: two of them may be writing the same content.
        waiting = target.with_name(f"{target.name}.{os.getpid()}-{threading.get_ident()}{UNFINISHED}")
        try:
            with waiting.open("wb") as file:
                file.write(data)
                file.flush()
                force(file.fileno())
            put_in_place(waiting, target)
        except IsADirectoryError as error:
            waiting.unlink(missing_ok=True)
            raise StoreError(
                f"A folder lies at {target}, where an image belongs.", "Move it away."
            ) from error
        except BaseException:
            waiting.unlink(missing_ok=True)
            raise


def must_be_inside(path: str, thumbnail: str | None = None) -> None:
    """Raise StoreError unless both are names that this program gives: a stranger's row could name any file.

    >>> must_be_inside("../../etc/passwd")
    Traceback (most recent call last):
    core.errors.StoreError: The study names a file outside its images: '../../etc/passwd'.
    """
    if thumbnail is not None and _BOTH.fullmatch(f"{path}\n{thumbnail}"):
        return  # one look for both, as this is asked of every image that is listed
    if not _IMAGE.fullmatch(path):
        raise StoreError(_OUTSIDE.format(path=path[:80]))
    if thumbnail is not None and not _THUMBNAIL.fullmatch(thumbnail):
        raise StoreError(_OUTSIDE.format(path=thumbnail[:80]))


_OUTSIDE = "The study names a file outside its images: {path!r}."


def _is_elsewhere(folder: Path, path: str) -> bool:
    """Whether links lead from a path of the study to another place."""
    return os.path.realpath(folder / path) != os.path.join(os.path.realpath(folder), *path.split("/"))


def _must_be_itself(data: bytes, path: str) -> None:
    """A link may stand for an image, but only for the image that it is named after."""
    if content_hash(data) != Path(path).stem:
        raise StoreError(
            f"{path} is a link to something that is not this image.", "Put the image itself in its place."
        )


def thumbnail_of(data: bytes) -> bytes:
    """JPEG of an encoded image: upright by its EXIF orientation, RGB on white, at most 512 px a side.

    Nothing of the file but the pixels goes along (no EXIF, no text). Undecodable data raises BadInput.
    """
    from PIL import Image, ImageOps

    try:
        with without_warnings(), Image.open(io.BytesIO(data), formats=FORMATS) as image:
            image.draft("RGB", (2 * THUMBNAIL_SIDE, 2 * THUMBNAIL_SIDE))  # JPEG: decode near the size
            upright = ImageOps.exif_transpose(image)
            if upright.mode.startswith(("I", "F")):  # 16 and 32 bits a channel cannot be averaged
                upright = _on_white(upright)
            # Whole-number steps by averaging, ten times as fast as the filter; the filter does the rest.
            side = (THUMBNAIL_SIDE, THUMBNAIL_SIDE)
            upright.thumbnail(side, Image.Resampling.LANCZOS, reducing_gap=1.0)
            flat = _on_white(upright)
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise BadInput(
            f"A file of {len(data)} bytes cannot be read as an image: {why_undecodable(error)}.",
            "Check that it is a whole PNG, JPEG or WebP file.",
        ) from error
    out = io.BytesIO()
    flat.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


def _on_white(image: Image) -> Image:
    from PIL import Image as images

    if image.mode.startswith("I;16"):
        image = image.convert("I").point(lambda value: value / 256).convert("L")
    if not image.has_transparency_data:
        return image.convert("RGB")
    image = image.convert("RGBA")
    flat = images.new("RGB", image.size, "white")
    flat.paste(image, mask=image.getchannel("A"))
    return flat


def _ending(kind: str) -> str:
    ending = kind.lower().lstrip(".")
    if not _FORMAT.fullmatch(ending):
        raise BadInput(f"{kind!r} is not an image format.", "Use png, jpeg or webp.")
    return "jpg" if ending == "jpeg" else ending
