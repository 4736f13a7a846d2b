"""Small pictures decoded off the GUI thread and kept, newest use last, up to a fixed number."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageReader, QPixmap

from core.held_files import is_held
from gui.studio import Studio

MOST_KEPT = 600


class Thumbnails(QObject):
    """Give a pixmap if it is there, else ask for it; `arrived(path)` says that it is there now.

    A picture that cannot be read is kept as a null pixmap, so that it is asked for once only.
    """

    arrived = Signal(str)

    def __init__(self, studio: Studio, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._kept: OrderedDict[tuple[str, int], QPixmap] = OrderedDict()
        self._asked: set[tuple[str, int]] = set()

    def known(self, path: Path, side: int) -> QPixmap | None:
        """The picture if it is there; it is not asked for."""
        return self._kept.get((str(path), side))

    def get(self, path: Path, side: int) -> QPixmap | None:
        """The picture with its shorter side at least `side` device px, or None until it has arrived."""
        key = (str(path), side)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._asked:
            self._asked.add(key)
            self._studio.query(lambda: (key, decoded(path, side)), self._on_decoded)
        return None

    def _on_decoded(self, found: tuple[tuple[str, int], QImage]) -> None:
        key, image = found
        self._asked.discard(key)
        self._kept[key] = QPixmap.fromImage(image)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        self.arrived.emit(key[0])


def decoded(path: Path, side: int) -> QImage:
    """Read a picture and crop it to a square of `side` px around its middle; null when unreadable."""
    if is_held(path):  # Qt opens files past Python
        return QImage()
    reader = QImageReader(str(path))
    reader.setAutoTransform(True)
    size = reader.size()
    if size.isValid():
        reader.setScaledSize(size.scaled(QSize(side, side), Qt.AspectRatioMode.KeepAspectRatioByExpanding))
    image = reader.read()
    if image.isNull():
        return image
    left, top = (image.width() - side) // 2, (image.height() - side) // 2
    return image.copy(max(left, 0), max(top, 0), min(side, image.width()), min(side, image.height()))
