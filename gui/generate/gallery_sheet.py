"""All images as small squares: only those in sight are painted or decoded, however many there are."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from core.records import ImageStatus, StoredImage
from gui.fonts import px
from gui.generate.prompt_sheet import MILLISECONDS_BETWEEN_REPAINTS, paint_trouble
from gui.models.failures import failure_class
from gui.palette import palette
from gui.studio import Studio
from gui.widgets.grid_keys import arrow_step
from gui.widgets.thumbnails import Thumbnails

SIDE, GAP, EDGE = 96, 6, 3
MILLISECONDS_TO_REST = 80
"""After the last scroll: pictures that only flew past are never asked for."""


class GallerySheet(QAbstractScrollArea):
    """`moved(image)` when another is current, `opened(image)` on Enter and on a click.

    `side` is that of a picture, in px at 100 %.
    """

    moved = Signal(object)
    opened = Signal(object)

    def __init__(self, studio: Studio, parent: QWidget | None = None, *, side: int = SIDE) -> None:
        super().__init__(parent)
        self._studio = studio
        self._side = side
        self._images: Sequence[StoredImage] = ()
        self._at = -1
        self._thumbnails = Thumbnails(studio, self)
        self._thumbnails.arrived.connect(self._on_arrived)
        self._repaint, self._rest = QTimer(self), QTimer(self)
        for timer, interval in (
            (self._repaint, MILLISECONDS_BETWEEN_REPAINTS),
            (self._rest, MILLISECONDS_TO_REST),
        ):
            timer.setSingleShot(True)
            timer.setInterval(interval)
            timer.timeout.connect(self.viewport().update)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("All images")

    # -- what is shown ----------------------------------------------------------------------------

    @property
    def images(self) -> Sequence[StoredImage]:
        """What is shown, in its order."""
        return self._images

    @property
    def current(self) -> StoredImage | None:
        """The current image."""
        return self._images[self._at] if 0 <= self._at < len(self._images) else None

    def show_images(self, images: Sequence[StoredImage], *, is_other: bool) -> None:
        """Show images; other ones begin at the top, more of the same leave the view where it is."""
        before = self.current
        self._images = images
        if is_other:
            self._at = -1
            self.verticalScrollBar().setValue(0)
        elif before is not None and self.current is not before:
            # More have come: the same place in the order, unless they came before it.
            self._at = next((at for at, one in enumerate(images) if one.image_id == before.image_id), -1)
        self._fit()
        self.viewport().update()

    def jump_to(self, at: int) -> None:
        """Make the image at a place current and bring it into sight."""
        self._go(at)

    # -- places -----------------------------------------------------------------------------------

    @property
    def columns(self) -> int:
        """How many stand side by side."""
        return max((self.viewport().width() - px(2 * EDGE) + px(GAP)) // px(self._side + GAP), 1)

    def place_of(self, at: int) -> QRect:
        """Where an image stands in the viewport."""
        row, column = divmod(at, self.columns)
        step = px(self._side + GAP)
        top = px(EDGE) + row * step - self.verticalScrollBar().value()
        return QRect(px(EDGE) + column * step, top, px(self._side), px(self._side))

    def in_sight(self) -> range:
        """Places of which something is in the viewport."""
        step, top = px(self._side + GAP), self.verticalScrollBar().value()
        first = max((top - px(EDGE)) // step, 0)
        last = (top + self.viewport().height()) // step + 1
        return range(first * self.columns, min(last * self.columns, len(self._images)))

    def _at_point(self, point: QPoint) -> int | None:
        return next((at for at in self.in_sight() if self.place_of(at).contains(point)), None)

    def _fit(self) -> None:
        rows = -(-len(self._images) // self.columns)
        height = rows * px(self._side + GAP) + px(EDGE)
        bar, page = self.verticalScrollBar(), self.viewport().height()
        bar.setRange(0, max(height - page, 0))
        bar.setPageStep(page)
        bar.setSingleStep(px(self._side + GAP))

    def sizeHint(self) -> QSize:
        """A few columns."""
        return QSize(px(4 * (self._side + GAP)), px(3 * (self._side + GAP)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other columns; what was at the top stays in sight."""
        super().resizeEvent(event)
        self._fit()

    def scrollContentsBy(self, _across: int, _down: int) -> None:
        """Scrolled: paint what is known at once, ask for the rest when it comes to rest."""
        self._rest.start()
        self.viewport().update()

    # -- keyboard and pointer ---------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home, End and pages move; Enter opens."""
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current is not None:
            self.opened.emit(self.current)
            return
        wanted = self._wanted(key)
        if wanted is None or not self._images:
            super().keyPressEvent(event)
        else:
            self._go(min(max(wanted, 0), len(self._images) - 1))

    def _wanted(self, key: Qt.Key) -> int | None:
        page = max(self.viewport().height() // px(self._side + GAP), 1) * self.columns
        step = arrow_step(key, self.columns)
        if step is not None:
            is_at_top = key is Qt.Key.Key_Up and self._at < self.columns
            return self.in_sight().start if self._at < 0 else self._at if is_at_top else self._at + step
        places = {
            Qt.Key.Key_PageUp: self._at - page,
            Qt.Key.Key_PageDown: self._at + page,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(self._images) - 1,
        }
        return places.get(key)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click makes an image current and opens it."""
        at = self._at_point(event.position().toPoint())
        if at is not None:
            self._go(at)
            self.opened.emit(self._images[at])

    def viewportEvent(self, event: QEvent) -> bool:
        """Name the picture under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            at = self._at_point(event.pos())
            image = self._images[at] if at is not None else None
            self.viewport().setToolTip(f"{image.prompt}, seed {image.seed}" if image else "")
        return super().viewportEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """No ring."""
        super().focusOutEvent(event)
        self.viewport().update()

    def _go(self, at: int) -> None:
        self._at = at
        place, bar = self.place_of(at), self.verticalScrollBar()
        if place.top() < 0:
            bar.setValue(bar.value() + place.top() - px(EDGE))
        elif place.bottom() > self.viewport().height():
            bar.setValue(bar.value() + place.bottom() - self.viewport().height() + px(EDGE))
        self.viewport().update()
        self.moved.emit(self._images[at])

    # -- painting ---------------------------------------------------------------------------------

    def _on_arrived(self, _path: str) -> None:
        if not self._repaint.isActive():
            self._repaint.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is in sight."""
        painter, roles = QPainter(self.viewport()), palette()
        for at in self.in_sight():
            self._paint_image(painter, self.place_of(at), self._images[at])
        if self.current is not None:
            has_focus = self.hasFocus()
            painter.setPen(QPen(roles.focus if has_focus else roles.edge, 2 if has_focus else 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.place_of(self._at).adjusted(-2, -2, 1, 1))

    def _paint_image(self, painter: QPainter, place: QRect, image: StoredImage) -> None:
        if image.status is not ImageStatus.OK:
            paint_trouble(painter, place, failure_class("generate", image.status.value, 1).title.lower())
            return
        folder, picture = self._studio.folder, None
        if folder is not None:
            side = round(place.width() * self.devicePixelRatioF())
            look = self._thumbnails.known if self._rest.isActive() else self._thumbnails.get
            picture = look(folder / image.thumbnail, side)
        if picture is None:
            painter.fillRect(place, palette().sunken)
        elif picture.isNull():
            paint_trouble(painter, place, "unreadable")
        else:
            painter.drawPixmap(place, picture)
