"""Small pictures of one condition, those with the label first; the bar below is filled or hollow."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
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
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.records import StoredImage
from gui.fonts import px
from gui.palette import palette
from gui.results.sheet_legend import draw_bar
from gui.studio import Studio
from gui.widgets.grid_keys import arrow_step
from gui.widgets.image_strip import draw_thumbnail, image_words
from gui.widgets.thumbnails import Thumbnails

LEAST_SIDE, GAP, BAR, BAR_GAP, FEW_ROWS = 48, 5, 4, 2, 3


class ConditionSheet(QWidget):
    """`chosen(StoredImage)` on a press or Enter, `moved(QRect)` when another picture has the focus."""

    chosen = Signal(object)
    moved = Signal(QRect)

    def __init__(self, studio: Studio, thumbnails: Thumbnails, name: str) -> None:
        super().__init__()
        self._studio = studio
        self._thumbnails = thumbnails
        self.images: tuple[StoredImage, ...] = ()
        self._having = 0
        self._shows_all = False
        self._at = -1
        thumbnails.arrived.connect(self._on_arrived)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)

    def show_images(self, having: Sequence[StoredImage], other: Sequence[StoredImage]) -> None:
        """Show images with the label, then those with another one."""
        self.images = (*having, *other)
        self._having = len(having)
        self._at = -1
        self.updateGeometry()
        self.update()

    def show_all(self, shows_all: bool) -> None:
        """All of them, or the first rows."""
        self._shows_all = shows_all
        self.updateGeometry()
        self.update()

    @property
    def shown(self) -> int:
        """How many are shown."""
        few = FEW_ROWS * self._columns(self.width())
        return len(self.images) if self._shows_all else min(len(self.images), few)

    @property
    def current(self) -> StoredImage | None:
        """The picture in focus."""
        return self.images[self._at] if 0 <= self._at < len(self.images) else None

    def has_label(self, at: int) -> bool:
        """Whether a picture has the label."""
        return at < self._having

    def hasHeightForWidth(self) -> bool:
        """Narrow is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Whole rows."""
        columns = self._columns(width)
        rows = -(-len(self.images) // columns)
        rows = rows if self._shows_all else min(rows, FEW_ROWS)
        return rows * self._step_down(width)

    def sizeHint(self) -> QSize:
        """At its width now."""
        return QSize(px(200), self.heightForWidth(max(self.width(), px(200))))

    def image_rect(self, at: int) -> QRect:
        """Where a picture is."""
        row, column = divmod(at, self._columns(self.width()))
        side = self._side(self.width())
        return QRect(column * (side + px(GAP)), row * self._step_down(self.width()), side, side)

    # -- events ---------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width is another height."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move, Enter chooses."""
        step = arrow_step(event.key(), self._columns(self.width()))
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self.current is not None:
                self.chosen.emit(self.current)
        elif step is not None and 0 <= self._at + step < self.shown:
            self._go(self._at + step)
        elif step is None:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press chooses the picture."""
        at = self._index_at(event.position().toPoint())
        if at is not None:
            self._go(at)
            self.chosen.emit(self.images[at])

    def event(self, event: QEvent) -> bool:
        """Name the picture under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            at = self._index_at(event.pos())
            QToolTip.showText(event.globalPos(), image_words(self.images[at]) if at is not None else "", self)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The first picture takes the focus when none has it."""
        super().focusInEvent(event)
        if self._at < 0 and self.images:
            self._at = 0
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the pictures in sight."""
        painter, roles = QPainter(self), palette()
        for at in range(self.shown):
            place = self.image_rect(at)
            if place.bottom() + px(BAR + BAR_GAP) < event.rect().top() or place.top() > event.rect().bottom():
                continue
            draw_thumbnail(painter, place, self.images[at], self._thumbnails, self._studio)
            bar = QRectF(place.left(), place.bottom() + 1 + px(BAR_GAP), place.width(), px(BAR))
            draw_bar(painter, bar, self.has_label(at), roles)
        if self.hasFocus() and 0 <= self._at < self.shown:
            painter.setPen(QPen(roles.focus, 2))
            painter.drawRect(self.image_rect(self._at).adjusted(0, 0, -1, -1))

    # -- parts ----------------------------------------------------------------------------------

    def _columns(self, width: int) -> int:
        return max((width + px(GAP)) // px(LEAST_SIDE + GAP), 1)

    def _side(self, width: int) -> int:
        columns = self._columns(width)
        return max((width + px(GAP)) // columns - px(GAP), 1)

    def _step_down(self, width: int) -> int:
        return self._side(width) + px(BAR_GAP + BAR + GAP)

    def _index_at(self, point: QPoint) -> int | None:
        return next((at for at in range(self.shown) if self.image_rect(at).contains(point)), None)

    def _go(self, at: int) -> None:
        self._at = at
        word = "has the label" if self.has_label(at) else "another label"
        self.setAccessibleDescription(f"image {at + 1}, {word}")
        self.update()
        self.moved.emit(self.image_rect(at))

    def _on_arrived(self, _path: str) -> None:
        self.update()
