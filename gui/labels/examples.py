"""Pictures that were read with a label, small, in rows; never painted on."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QToolTip, QWidget

from core.records import StoredImage
from gui.fonts import px
from gui.studio import Studio
from gui.widgets.image_strip import draw_thumbnail, image_words, strip_height, strip_place
from gui.widgets.thumbnails import Thumbnails

IN_A_ROW = 8


class Examples(QWidget):
    """A strip of pictures."""

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self.images: tuple[StoredImage, ...] = ()
        self._thumbnails = Thumbnails(studio, self)
        self._thumbnails.arrived.connect(self._on_arrived)
        self.setAccessibleName("Example images")

    def show_images(self, images: Sequence[StoredImage]) -> None:
        """Show others."""
        self.images = tuple(images)
        self.setAccessibleDescription("; ".join(image_words(one).split("\n")[0] for one in images))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as eight pictures."""
        return QSize(px(320), strip_height(px(320), IN_A_ROW))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As high as the pictures at this width."""
        super().resizeEvent(event)
        self.setFixedHeight(strip_height(self.width(), IN_A_ROW))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the pictures."""
        painter = QPainter(self)
        for at, image in enumerate(self.images):
            place = strip_place(0, 0, self.width(), at, IN_A_ROW)
            draw_thumbnail(painter, place, image, self._thumbnails, self._studio)

    def event(self, event: QEvent) -> bool:
        """What a picture is, when the pointer rests on it."""
        if isinstance(event, QHelpEvent):
            for at, image in enumerate(self.images):
                if strip_place(0, 0, self.width(), at, IN_A_ROW).contains(event.pos()):
                    QToolTip.showText(event.globalPos(), image_words(image), self)
                    return True
        return super().event(event)

    def _on_arrived(self, _path: str) -> None:
        self.update()
