"""Ten images, five by two, and under each who marked it; never painted on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.records import StoredImage
from gui.fonts import font, px
from gui.palette import palette
from gui.studio import Studio
from gui.widgets.image_strip import draw_thumbnail
from gui.widgets.thumbnails import Thumbnails

COLUMNS, GAP, LINE, BOX, LARGEST, SMALLEST = 5, 10, 20, 16, 220, 40


class MarkTiles(QWidget):
    """As high as it needs at its width, or with `fills` as large as the room allows.

    Signals `chosen(StoredImage)` and `pressed(place)` on a press. A subclass may paint further lines below
    each picture: it gives their number in `LINES` and overrides `paint_below`.
    """

    LINES = 1

    chosen = Signal(object)
    pressed = Signal(int)

    def __init__(self, studio: Studio, parent: QWidget | None = None, *, fills: bool = False) -> None:
        super().__init__(parent)
        self._studio = studio
        self._fills = fills
        self.pictures: tuple[StoredImage, ...] = ()
        self.marked_by: tuple[frozenset[str], ...] = ()
        self._letters: Mapping[str, str] = {}
        self.focused: int | None = None
        self._thumbnails = Thumbnails(studio, self)
        self._thumbnails.arrived.connect(self._on_arrived)
        across = QSizePolicy.Policy.Expanding
        policy = QSizePolicy(across, across if fills else QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(not fills)
        self.setSizePolicy(policy)
        self.setAccessibleName("Images of the set")

    def show_marks(
        self,
        pictures: Sequence[StoredImage],
        marked_by: Sequence[frozenset[str]],
        letters: Mapping[str, str],
    ) -> None:
        """Show pictures; `marked_by` has the annotators who marked each, `letters` those who are shown."""
        self.pictures, self.marked_by, self._letters = tuple(pictures), tuple(marked_by), letters
        self.focused = None
        self.setAccessibleDescription("; ".join(self.words(at) for at in range(len(pictures))))
        self.updateGeometry()
        self.update()

    def focus_on(self, at: int | None) -> None:
        """Put a ring around one picture."""
        self.focused = at
        self.update()

    def words(self, at: int) -> str:
        """One picture in words: "image 3: marked by A and B"."""
        who = [letter for name, letter in self._letters.items() if name in self.marked_by[at]]
        return f"image {at + 1}: marked by {' and '.join(who) or 'nobody'}"

    # Geometry

    def hasHeightForWidth(self) -> bool:
        """Narrow tiles are lower."""
        return not self._fills

    def heightForWidth(self, width: int) -> int:
        """Height of all rows."""
        return self._rows * (self._side(width) + px(LINE * self.LINES + GAP))

    def sizeHint(self) -> QSize:
        """At its width now, or at its smallest where it takes what room there is."""
        if self._fills:
            return self.minimumSizeHint()
        return QSize(px(400), self.heightForWidth(max(self.width(), px(300))))

    def minimumSizeHint(self) -> QSize:
        """Small, and all there."""
        if not self._fills:
            return super().minimumSizeHint()
        step = px(SMALLEST + GAP)
        return QSize(COLUMNS * step, self._rows * (step + px(LINE * self.LINES)))

    @property
    def _rows(self) -> int:
        return -(-max(len(self.pictures), 1) // COLUMNS)

    def _side(self, width: int) -> int:
        side = (width + px(GAP)) // COLUMNS - px(GAP)
        if self._fills:
            side = min(side, (self.height() - px(4)) // self._rows - px(LINE * self.LINES + GAP))
            return max(side, px(SMALLEST))
        return max(min(side, px(LARGEST)), px(SMALLEST))

    def image_rect(self, at: int) -> QRect:
        """Where a picture is."""
        side, (row, column) = self._side(self.width()), divmod(at, COLUMNS)
        step = side + px(GAP)
        left = max((self.width() - COLUMNS * step + px(GAP)) // 2, 0) if self._fills else 0
        spare = self.height() - self._rows * (step + px(LINE * self.LINES))
        # Room for the ring of the first row.
        top = max(spare // 2, px(4)) if self._fills else 0
        return QRect(left + column * step, top + row * (step + px(LINE * self.LINES)), side, side)

    def _at(self, point: QPoint) -> int | None:
        places = range(len(self.pictures))
        return next((at for at in places if self.image_rect(at).contains(point)), None)

    # Events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press chooses the picture."""
        at = self._at(event.position().toPoint())
        if at is not None:
            self.chosen.emit(self.pictures[at])
            self.pressed.emit(at)

    def event(self, event: QEvent) -> bool:
        """Say what is known of the picture under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            at = self._at(event.pos())
            QToolTip.showText(event.globalPos(), "" if at is None else self.words(at), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint pictures and what is below them."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for at, picture in enumerate(self.pictures):
            self._paint(painter, at, picture)

    def _paint(self, painter: QPainter, at: int, picture: StoredImage) -> None:
        place = self.image_rect(at)
        draw_thumbnail(painter, place, picture, self._thumbnails, self._studio)
        if at == self.focused:
            painter.setPen(QPen(palette().accent, 3))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(place).adjusted(-2.5, -2.5, 2.5, 2.5))
        painter.setFont(font(11))
        left, top = place.left(), place.bottom() + px(5 if self._fills else 3)
        for name, letter in self._letters.items():
            if left + px(BOX) <= place.right() + 1:
                _paint_mark(painter, QRect(left, top, px(BOX), px(BOX)), letter, name in self.marked_by[at])
                left += px(BOX + 3)
        self.paint_below(painter, place, at)

    def paint_below(self, painter: QPainter, place: QRect, at: int) -> None:
        """Paint further lines below the picture at `place`."""

    def _on_arrived(self, _path: str) -> None:
        self.update()


def _paint_mark(painter: QPainter, box: QRect, letter: str, is_marked: bool) -> None:
    roles = palette()
    if is_marked:
        painter.fillRect(box, roles.mark)
    else:
        painter.setPen(QPen(roles.line, 1))
        painter.drawRect(box.adjusted(0, 0, -1, -1))
    painter.setPen(roles.on_mark if is_marked else roles.muted)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)
