"""Qt's classes for pictures, met for the first time in the GUI thread.

PySide makes a class ready when it is first looked at, and not safely: the picture reader's constructor looks
at `QIODevice` and `QByteArray` too, and threads that did so for the first time together have ended the
program, in half of the starts when they changed places often. Whoever hands work to the pool calls
`make_ready` before.
"""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader


@cache
def make_ready() -> None:
    """Write, read and scale a picture of a few pixels once, here, in the GUI thread."""
    picture = _small_picture()
    reader = QImageReader(picture)  # it only borrows the device
    reader.setAutoTransform(True)
    bytes(reader.format().data())
    reader.setScaledSize(reader.size().scaled(QSize(2, 2), Qt.AspectRatioMode.KeepAspectRatioByExpanding))
    image = reader.read()
    small = image.scaled(
        QSize(1, 1), Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    small.copy(0, 0, 1, 1).convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    _meet_failure()


def _small_picture() -> QBuffer:
    image = QImage(4, 2, QImage.Format.Format_RGB32)
    image.fill(0)
    data = QByteArray()
    held = QBuffer(data)
    held.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(held, "png")
    held.close()
    read = QBuffer()
    read.setData(data)
    read.open(QIODevice.OpenModeFlag.ReadOnly)
    return read


def _meet_failure() -> None:
    missing = QImageReader("there is no such picture")
    missing.read()
    missing.error() is QImageReader.ImageReaderError.InvalidDataError  # noqa: B015 - looking at it is the point
    QImageReader.allocationLimit()
