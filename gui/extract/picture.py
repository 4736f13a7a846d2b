"""One picture as large as its place allows, decoded off the GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.records import StoredImage
from gui.annotate.decoding import Decoded, ReadBytes, decode
from gui.fonts import font, px
from gui.palette import palette
from gui.studio import Studio
from gui.tasks import Query

SMALLEST = 160
MILLISECONDS_OF_RESIZING = 120


class Picture(QWidget):
    """Shows an image whole; the picture before stays until the new one is in.

    `read` gives the file of an image that is not of the open study; `is_centred` has it stand in the middle.
    """

    def __init__(
        self,
        studio: Studio,
        parent: QWidget | None = None,
        *,
        read: ReadBytes | None = None,
        is_centred: bool = False,
    ) -> None:
        super().__init__(parent)
        self._is_centred = is_centred
        self._studio, self._read = studio, read
        self._image: StoredImage | None = None
        self._pixmap: QPixmap | None = None
        self._reason = ""
        self._query: Query | None = None
        self._resizing = QTimer(self)
        self._resizing.setSingleShot(True)
        self._resizing.setInterval(MILLISECONDS_OF_RESIZING)
        self._resizing.timeout.connect(self._decode)
        self.setMinimumSize(px(SMALLEST), px(SMALLEST))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_image(self, image: StoredImage | None) -> None:
        """Show another image, or none."""
        if image == self._image:
            return
        self._image, self._reason = image, ""
        self.setAccessibleName(f"Image: {image.prompt}, seed {image.seed}" if image else "No image")
        if image is None:
            self._pixmap = None
            self.update()
        self._decode()

    def sizeHint(self) -> QSize:
        """As large as a drawn picture at 100 %."""
        return QSize(px(256), px(256))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Decode again at the new size, once it has settled."""
        super().resizeEvent(event)
        self._resizing.start()

    def _decode(self) -> None:
        store, image = self._studio.store, self._image
        if self._query is not None:
            self._query.drop()
            self._query = None
        if store is None or image is None:
            return
        pixels = max(round(min(self.width(), self.height()) * self.devicePixelRatioF()), 1)
        read = self._read or store.image_bytes
        self._query = self._studio.query(lambda: decode(read, image, pixels), self._on_decoded)

    def _on_decoded(self, found: Decoded) -> None:
        self._query = None
        self._reason = found.reason
        self._pixmap = None
        if found.image is not None:
            self._pixmap = QPixmap.fromImage(found.image)
            self._pixmap.setDevicePixelRatio(self.devicePixelRatioF())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The picture in its corner or in the middle, or why there is none."""
        painter, roles = QPainter(self), palette()
        if self._pixmap is not None:
            size = self._pixmap.deviceIndependentSize().toSize()
            size.scale(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(self._place(size), self._pixmap)
            return
        side = min(self.width(), self.height())
        place = self._place(QSize(side, side))
        painter.fillRect(place, roles.danger_soft if self._reason else roles.sunken)
        if self._reason:
            painter.setPen(roles.danger)
            painter.setFont(font(12))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._reason)

    def _place(self, size: QSize) -> QRect:
        place = QRect(0, 0, size.width(), size.height())
        if self._is_centred:
            place.moveCenter(self.rect().center())
        return place
