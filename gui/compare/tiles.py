"""Ten images, five by two: under each who marked it and what the pipeline read; never painted on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from annotation.compare import Comparison
from core.records import StoredImage
from gui.compare.facts import label_words
from gui.fonts import font, px
from gui.models.coverage import in_words
from gui.palette import palette
from gui.studio import Studio
from gui.widgets.image_strip import draw_thumbnail
from gui.widgets.thumbnails import Thumbnails

if TYPE_CHECKING:
    from annotation.compare_images import ImageSaid

COLUMNS, GAP, LINE, BOX, LARGEST = 5, 10, 20, 16, 220
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class CompareTiles(QWidget):
    """As high as it needs; `chosen(StoredImage)` on a press."""

    chosen = Signal(object)

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self.one: Comparison | None = None
        self.images: tuple[ImageSaid, ...] = ()
        self._letters: Mapping[str, str] = {}
        self._asked: frozenset[str] = frozenset()
        self._thumbnails = Thumbnails(studio, self)
        self._thumbnails.arrived.connect(self._on_arrived)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName("Images of the set")

    def show_images(
        self,
        one: Comparison | None,
        images: tuple[ImageSaid, ...] = (),
        letters: Mapping[str, str] | None = None,
        asked: frozenset[str] = frozenset(),
    ) -> None:
        """Show the images of a comparison; `asked` are the annotators whose marks count for it."""
        self.one, self.images, self._letters, self._asked = one, images, letters or {}, asked
        said = "; ".join(self.words(at) for at in range(len(images)))
        self.setAccessibleDescription(said)
        self.updateGeometry()
        self.update()

    def words(self, at: int) -> str:
        """One image in words: "image 3: marked by Ana and Ben; pipeline teen"."""
        image = self.images[at]
        marked = " and ".join(image.marked_by) or "nobody"
        return f"image {at + 1}: marked by {marked}; pipeline {self._read(image)}"

    def hasHeightForWidth(self) -> bool:
        """Narrow tiles are lower."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all rows."""
        rows = -(-max(len(self.images), 1) // COLUMNS)
        return rows * (self._side(width) + px(2 * LINE + GAP))

    def sizeHint(self) -> QSize:
        """At its width now."""
        return QSize(px(400), self.heightForWidth(max(self.width(), px(300))))

    def image_rect(self, at: int) -> QRect:
        """Where a picture is."""
        side, (row, column) = self._side(self.width()), divmod(at, COLUMNS)
        return QRect(column * (side + px(GAP)), row * (side + px(2 * LINE + GAP)), side, side)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press chooses the picture."""
        at = self._at(event.position().toPoint())
        if at is not None and self.one is not None:
            self.chosen.emit(self.one.image_set.images[at])

    def event(self, event: QEvent) -> bool:
        """Say what is known of the picture under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            at = self._at(event.pos())
            QToolTip.showText(event.globalPos(), "" if at is None else self.words(at), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint pictures, marks and readings."""
        if self.one is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for image, stored in zip(self.images, self.one.image_set.images, strict=True):
            self._paint(painter, self.image_rect(image.position), image, stored)

    def _paint(self, painter: QPainter, place: QRect, image: ImageSaid, stored: StoredImage) -> None:
        roles = palette()
        draw_thumbnail(painter, place, stored, self._thumbnails, self._studio)
        painter.setFont(font(11))
        left, top = place.left(), place.bottom() + px(3)
        for name in self._letters:
            if name in self._asked and left + px(BOX) <= place.right() + 1:
                self._paint_mark(painter, QRect(left, top, px(BOX), px(BOX)), name, name in image.marked_by)
                left += px(BOX + 3)
        below = QRectF(place.left(), top + px(LINE - 2), place.width(), px(LINE - 2))
        _paint_diamond(painter, QPointF(below.left() + px(6), below.center().y()), image.has_label)
        painter.setPen(roles.text if image.labels else roles.muted)
        room = below.adjusted(px(15), 0, 0, 0)
        words = painter.fontMetrics().elidedText(
            self._read(image), Qt.TextElideMode.ElideRight, int(room.width())
        )
        painter.drawText(room, _LEFT, words)

    def _paint_mark(self, painter: QPainter, box: QRect, name: str, is_marked: bool) -> None:
        roles = palette()
        if is_marked:
            painter.fillRect(box, roles.mark)
        else:
            painter.setPen(QPen(roles.line, 1))
            painter.drawRect(box.adjusted(0, 0, -1, -1))
        painter.setPen(roles.on_mark if is_marked else roles.muted)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._letters[name])

    def _read(self, image: ImageSaid) -> str:
        if self.one is None or not image.labels:
            return in_words(image.state)
        return ", ".join(label_words(self.one, label) for label in image.labels)

    def _side(self, width: int) -> int:
        return max(min((width + px(GAP)) // COLUMNS - px(GAP), px(LARGEST)), px(40))

    def _at(self, point: QPoint) -> int | None:
        places = range(len(self.images))
        return next((at for at in places if self.image_rect(at).contains(point)), None)

    def _on_arrived(self, _path: str) -> None:
        self.update()


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
