"""Ten images with who marked each, and what the pipeline read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from annotation.compare import Comparison
from gui.compare.facts import label_words
from gui.fonts import px
from gui.models.coverage import in_words
from gui.palette import palette
from gui.studio import Studio
from gui.widgets.mark_tiles import LINE, MarkTiles

if TYPE_CHECKING:
    from annotation.compare_images import ImageSaid

_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class CompareTiles(MarkTiles):
    """As high as it needs; `chosen(StoredImage)` on a press."""

    LINES = 2

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        self.one: Comparison | None = None
        self.images: tuple[ImageSaid, ...] = ()
        super().__init__(studio, parent)

    def show_images(
        self,
        one: Comparison | None,
        images: tuple[ImageSaid, ...] = (),
        letters: Mapping[str, str] | None = None,
        asked: frozenset[str] = frozenset(),
    ) -> None:
        """Show the images of a comparison; `asked` are the annotators whose marks count for it."""
        self.one, self.images = one, images
        shown = {name: letter for name, letter in (letters or {}).items() if name in asked}
        pictures = () if one is None else one.image_set.images
        self.show_marks(pictures, [frozenset(image.marked_by) for image in images], shown)

    def words(self, at: int) -> str:
        """One image in words: "image 3: marked by Ana and Ben; pipeline teen"."""
        image = self.images[at]
        marked = " and ".join(image.marked_by) or "nobody"
        return f"image {at + 1}: marked by {marked}; pipeline {self._read(image)}"

    def paint_below(self, painter: QPainter, place: QRect, at: int) -> None:
        """What the pipeline read."""
        roles, image = palette(), self.images[at]
        top = place.bottom() + px(3)
        below = QRectF(place.left(), top + px(LINE - 2), place.width(), px(LINE - 2))
        _paint_diamond(painter, QPointF(below.left() + px(6), below.center().y()), image.has_label)
        painter.setPen(roles.text if image.labels else roles.muted)
        room = below.adjusted(px(15), 0, 0, 0)
        words = painter.fontMetrics().elidedText(
            self._read(image), Qt.TextElideMode.ElideRight, int(room.width())
        )
        painter.drawText(room, _LEFT, words)

    def _read(self, image: ImageSaid) -> str:
        if self.one is None or not image.labels:
            return in_words(image.state)
        return ", ".join(label_words(self.one, label) for label in image.labels)


def _paint_diamond(painter: QPainter, centre: QPointF, has_label: bool | None) -> None:
    """Filled where the pipeline read the people's label, hollow where another, a dash where neither is."""
    roles, radius = palette(), px(5)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(roles.pipeline, 1.4))
    if has_label is None:
        painter.drawLine(centre - QPointF(radius, 0), centre + QPointF(radius, 0))
    else:
        painter.setBrush(roles.pipeline if has_label else Qt.BrushStyle.NoBrush)
        x, y = centre.x(), centre.y()
        ends = (
            QPointF(x, y - radius),
            QPointF(x + radius, y),
            QPointF(x, y + radius),
            QPointF(x - radius, y),
        )
        painter.drawPolygon(ends)
    painter.restore()
