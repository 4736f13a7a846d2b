"""Figures as files: the same painting as on the screen, always in the light set, as PNG, SVG or PDF."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QByteArray, QMarginsF, QRect, QRectF, QSize, QSizeF
from PySide6.QtGui import QImage, QImageWriter, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from core.errors import UserError
from core.whole_files import write_whole
from gui.palette import LIGHT, Palette

KINDS = "PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"
DOTS_PER_INCH, FINENESS = 96, 3

Paint = Callable[[QPainter, QRectF, Palette], None]


def write_figure(path: Path, size: QSize, paint: Paint, title: str) -> Path:
    """Paint a figure into a file by its ending; another name first, so that no half file is left.

    Raises UserError when the ending is none of the three or the file cannot be written.
    """
    writers = {".png": _write_png, ".svg": _write_svg, ".pdf": _write_pdf}
    write = writers.get(path.suffix.lower())
    if write is None:
        raise UserError(f"{path.name} is no kind of figure.", "Use .png, .svg or .pdf.")
    try:
        return write_whole(path, lambda unfinished: write(unfinished, size, paint, title))
    except OSError as error:
        raise UserError(f"{path} could not be written: {error.strerror}.", "Choose another place.") from error


def _write_png(path: Path, size: QSize, paint: Paint, title: str) -> None:
    image = QImage(size * FINENESS, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(FINENESS)
    image.fill(LIGHT.surface)
    painter = QPainter(image)
    paint(painter, QRectF(0, 0, size.width(), size.height()), LIGHT)
    painter.end()
    writer = QImageWriter(str(path), QByteArray(b"png"))
    writer.setText("Title", title)
    if not writer.write(image):
        raise OSError(0, writer.errorString())


def _write_svg(path: Path, size: QSize, paint: Paint, title: str) -> None:
    drawing = QSvgGenerator()
    drawing.setFileName(str(path))
    drawing.setSize(size)
    drawing.setViewBox(QRect(0, 0, size.width(), size.height()))
    drawing.setResolution(DOTS_PER_INCH)
    drawing.setTitle(title)
    _paint_all(drawing, size, paint)


def _write_pdf(path: Path, size: QSize, paint: Paint, title: str) -> None:
    document = QPdfWriter(str(path))
    points = QSizeF(size.width() * 72 / DOTS_PER_INCH, size.height() * 72 / DOTS_PER_INCH)
    document.setResolution(DOTS_PER_INCH)
    document.setPageSize(QPageSize(points, QPageSize.Unit.Point, title, QPageSize.SizeMatchPolicy.ExactMatch))
    document.setPageMargins(QMarginsF(0, 0, 0, 0))
    document.setTitle(title)
    _paint_all(document, size, paint)


def _paint_all(device: QSvgGenerator | QPdfWriter, size: QSize, paint: Paint) -> None:
    painter = QPainter()
    if not painter.begin(device):
        raise OSError(0, "the file could not be opened")
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), LIGHT.surface)
    paint(painter, QRectF(0, 0, size.width(), size.height()), LIGHT)
    painter.end()
