"""Reading a picture at the size it is shown at; plain functions for a pool thread, no QPixmap.

A reason why a picture cannot be shown is a class of trouble in our own words: the reader's own message may
hold a path or a size, which no annotator is to see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from core.records import ImageSet, StoredImage

ReadBytes = Callable[[StoredImage], bytes]

LEAST_SHARED, MOST_SHARED = 512, 1024
SMALL_SIDE = 512
"""Longer side of the small form that a study keeps of every image; larger pictures need the image itself."""

KINDS = (b"png", b"jpeg", b"webp")
"""What pictures are. Qt reads more, such as SVG, which can name other files."""

MISSING = "The image file is missing."
DAMAGED = "The image file is damaged."
TOO_LARGE = "The image is too large to show."
UNREADABLE = "The image file cannot be read."


@dataclass(frozen=True, slots=True)
class Decoded:
    """A picture by image id and asked pixels: the image, or the reason why there is none."""

    image_id: int
    pixels: int
    image: QImage | None
    reason: str = ""


def shared_pixels(image_sets: Iterable[ImageSet]) -> int:
    """Longer side that every picture is cut down to, so that detail does not tell generators apart."""
    sides = [max(image.width, image.height) for one in image_sets for image in one.images]
    return min(max(min(sides, default=MOST_SHARED), LEAST_SHARED), MOST_SHARED)


def decode(read: ReadBytes, image: StoredImage, pixels: int, read_small: ReadBytes | None = None) -> Decoded:
    """Decode one picture with its longer side at most `pixels`; never raises.

    Where there is a small form that is large enough, it is read instead of the image.
    """
    if read_small is not None and pixels <= SMALL_SIDE:
        small = decode(read_small, image, pixels)
        if small.image is not None:
            return small
    try:
        data = read(image)
    except FileNotFoundError:
        return Decoded(image.image_id, pixels, None, MISSING)
    except Exception as error:  # noqa: BLE001 - whatever the reader meets, the set must stay usable
        is_gone = isinstance(error.__cause__, FileNotFoundError)
        return Decoded(image.image_id, pixels, None, MISSING if is_gone else UNREADABLE)
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setAutoTransform(True)
    kind = bytes(reader.format().data())
    if kind not in KINDS:
        return Decoded(image.image_id, pixels, None, DAMAGED)
    size = reader.size()
    wanted = fitted(size, pixels)
    if kind == b"jpeg" and wanted != size:
        reader.setScaledSize(wanted)  # only JPEG gains by it; other formats decode whole anyway
    found = reader.read()
    if found.isNull():
        return Decoded(image.image_id, pixels, None, _reason(reader))
    return Decoded(image.image_id, pixels, _scaled(found, pixels))


def fitted(size: QSize, pixels: int) -> QSize:
    """A size cut down so that its longer side is at most `pixels`; never blown up."""
    longer = max(size.width(), size.height())
    if longer <= pixels:
        return size
    return QSize(
        max(1, round(size.width() * pixels / longer)), max(1, round(size.height() * pixels / longer))
    )


def _scaled(image: QImage, pixels: int) -> QImage:
    wanted = fitted(image.size(), pixels)
    if wanted != image.size():
        image = image.scaled(
            wanted, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
    formats = QImage.Format
    best = formats.Format_ARGB32_Premultiplied if image.hasAlphaChannel() else formats.Format_RGB32
    return image if image.format() is best else image.convertToFormat(best)


def _reason(reader: QImageReader) -> str:
    if reader.error() is QImageReader.ImageReaderError.InvalidDataError:
        too_large = reader.size().isValid() and _needs(reader.size()) > QImageReader.allocationLimit() * 2**20
        return TOO_LARGE if too_large else DAMAGED
    return DAMAGED


def _needs(size: QSize) -> int:
    return 4 * size.width() * size.height()
