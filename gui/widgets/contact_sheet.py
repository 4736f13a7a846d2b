"""A contact sheet: small pictures in rows, one of them current, decoded off the GUI thread."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from core.records import ImageStatus, StoredImage
from gui.fonts import font, px
from gui.models.coverage import in_words
from gui.palette import palette
from gui.studio import Studio
from gui.widgets.grid_keys import arrow_step
from gui.widgets.thumbnails import Thumbnails

SMALLEST_SIDE, GAP, EDGE = 62, 6, 3
SHARE_OF_HEIGHT = 0.42


class ContactSheet(QScrollArea):
    """Small pictures in rows, one of them current; a picture is never painted on."""

    moved = Signal(object)

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self._height = px(640)
        self.inner = _Sheet(studio)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setWidget(self.inner)
        self.inner.setAutoFillBackground(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.inner.moved.connect(self._on_moved)

    @property
    def current(self) -> StoredImage | None:
        """The current image."""
        return self.inner.current

    def show_images(self, images: Sequence[StoredImage]) -> None:
        """Show other images; the current one stays current if it is among them."""
        self.inner.show_images(images)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More columns in more width."""
        super().resizeEvent(event)
        self._fit()

    def fit_into(self, height: int) -> None:
        """Take at most a share of a height, in whole rows and a bit, so that more is seen to follow."""
        self._height = height
        self._fit()

    def _fit(self) -> None:
        width = self.viewport().width()
        rows, step = self.inner.rows_at(width), self.inner.step_at(width)
        most = max(int(self._height * SHARE_OF_HEIGHT) // step, 2)
        self.inner.setMinimumHeight(rows * step)
        self.setFixedHeight(rows * step if rows <= most else most * step + px(12))

    def _on_moved(self, image: StoredImage) -> None:
        place = self.inner.place_of_current()
        self.ensureVisible(place.center().x(), place.center().y(), 0, place.height())
        self.moved.emit(image)


class _Sheet(QWidget):
    moved = Signal(object)

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self._studio = studio
        self._images: tuple[StoredImage, ...] = ()
        self._at = -1
        self._thumbnails = Thumbnails(studio, self)
        self._thumbnails.arrived.connect(self._on_arrived)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Images of this cell")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def current(self) -> StoredImage | None:
        return self._images[self._at] if 0 <= self._at < len(self._images) else None

    def show_images(self, images: Sequence[StoredImage]) -> None:
        before = self.current
        self._images = tuple(images)
        self._at = self._images.index(before) if before in self._images else -1
        if self._images and self._at < 0:
            self._go(0)
        self.update()

    def rows_at(self, width: int) -> int:
        columns = self._columns(width)
        return -(-len(self._images) // columns)

    def place_of_current(self) -> QRect:
        return self._place(max(self._at, 0))

    def sizeHint(self) -> QSize:
        return QSize(px(4 * (SMALLEST_SIDE + GAP)), px(SMALLEST_SIDE + GAP))

    def event(self, event: QEvent) -> bool:
        """Name the prompt of the picture under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            at = self._index_at(event.pos())
            self.setToolTip(self._images[at].prompt if at is not None else "")
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = arrow_step(event.key(), self._columns(self.width()))
        if step is None:
            super().keyPressEvent(event)
        elif 0 <= self._at + step < len(self._images):
            self._go(self._at + step)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self._index_at(event.position().toPoint())
        if at is not None:
            self._go(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, roles = QPainter(self), palette()
        for at, image in enumerate(self._images):
            place = self._place(at)
            if place.intersects(event.rect()):
                self._paint_image(painter, place, image)
        if self.current is not None:
            width = 2 if self.hasFocus() else 1
            painter.setPen(QPen(roles.focus if self.hasFocus() else roles.edge, width))
            painter.drawRect(self._place(self._at).adjusted(-2, -2, 1, 1))

    def _paint_image(self, painter: QPainter, place: QRect, image: StoredImage) -> None:
        roles, folder = palette(), self._studio.folder
        picture = None
        if folder is not None:
            side = round(place.width() * self.devicePixelRatioF())
            picture = self._thumbnails.get(folder / image.thumbnail, side)
        if picture is not None and not picture.isNull():
            painter.drawPixmap(place, picture)
        else:
            painter.fillRect(place, roles.sunken)
        is_broken = picture is not None and picture.isNull()
        if is_broken or image.status is not ImageStatus.OK:
            said = "unreadable" if is_broken else in_words(image.status)
            painter.fillRect(place, roles.danger_soft)
            painter.setPen(roles.danger)
            painter.setFont(font(11))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, said)
            painter.drawRect(place.adjusted(0, 0, -1, -1))

    def step_at(self, width: int) -> int:
        """From one picture to the next: they share the width."""
        return (width - px(EDGE)) // self._columns(width)

    def _columns(self, width: int) -> int:
        return max((width - px(EDGE)) // px(SMALLEST_SIDE + GAP), 1)

    def _place(self, at: int) -> QRect:
        row, column = divmod(at, self._columns(self.width()))
        step = self.step_at(self.width())
        side = step - px(GAP)
        return QRect(px(EDGE) + column * step, px(EDGE) + row * step, side, side)

    def _index_at(self, point: QPoint) -> int | None:
        return next((at for at in range(len(self._images)) if self._place(at).contains(point)), None)

    def _go(self, at: int) -> None:
        self._at = at
        self.update()
        self.moved.emit(self._images[at])

    def _on_arrived(self, _path: str) -> None:
        self.update()
