"""One picture of the ten with a strip below it that holds key, position and mark.

A picture is never painted on: every state is a ring outside or a word in the strip. The widget is larger
than picture and strip by `MARGIN` on each side, where the rings are; neighbours overlap there, and only
there, so that a tile repaints alone.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QFocusEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from gui.widgets.tile_painting import TileLook, paint_tile

MARGIN = 10
STRIP, WIDE_STRIP = 24, 28


class Tile(QWidget):
    """A picture by its position on the screen (from 0); it knows nothing else about the image."""

    pressed = Signal(int)
    zoom_wanted = Signal(int, int)

    def __init__(self, position: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.position = position
        self._key = ""
        self._picture: QPixmap | None = None
        self._failure = ""
        self._is_marked = False
        self._is_markable = True
        self._side = 0
        self._strip = STRIP
        self._view = QRectF(0, 0, 1, 1)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._name_it()

    @property
    def is_marked(self) -> bool:
        """Whether the picture is marked."""
        return self._is_marked

    @property
    def has_picture(self) -> bool:
        """Whether the picture is decoded and shown."""
        return self._picture is not None

    @property
    def failure(self) -> str:
        """Why the picture cannot be shown, empty when it can."""
        return self._failure

    @property
    def picture(self) -> QPixmap | None:
        """What is shown, None while it is decoded."""
        return self._picture

    @property
    def view(self) -> QRectF:
        """The part of the picture's square that is shown, 0 to 1."""
        return self._view

    def place(self, corner: QPointF, side: int, strip: int) -> None:
        """Put the picture's top left corner at `corner` with the given side and strip height."""
        self._side, self._strip = side, strip
        wanted = QRect(
            round(corner.x()) - MARGIN,
            round(corner.y()) - MARGIN,
            side + 2 * MARGIN,
            side + strip + 2 * MARGIN,
        )
        if wanted != self.geometry():
            self.setGeometry(wanted)

    def set_picture(self, picture: QPixmap | None) -> None:
        """Show a picture, or the empty square while there is none."""
        self._picture, self._failure = picture, ""
        self._name_it()
        self.update(self.picture_rect)

    def set_view(self, view: QRectF) -> None:
        """Show only this part of the picture's square (0 to 1), blown up; for zoom."""
        if view != self._view:
            self._view = view
            self.update(self.picture_rect)

    def set_failure(self, reason: str) -> None:
        """Say in place of the picture why it cannot be shown."""
        self._picture, self._failure = None, reason
        self._name_it()
        self.update()

    def set_marked(self, is_marked: bool) -> None:
        """Mark or clear; repaints this tile alone, and only when it changed."""
        if is_marked != self._is_marked:
            self._is_marked = is_marked
            self._name_it()
            self.update()

    def set_key(self, key: str, *, is_markable: bool = True) -> None:
        """The key to print in the strip, and whether pictures can be marked in this study."""
        self._key, self._is_markable = key, is_markable
        self.update()

    @property
    def picture_rect(self) -> QRect:
        """The picture's square in this widget."""
        return QRect(MARGIN, MARGIN, self._side, self._side)

    @property
    def strip_rect(self) -> QRect:
        """The strip below the picture in this widget."""
        return QRect(MARGIN, MARGIN + self._side, self._side, self._strip)

    @property
    def body(self) -> QRect:
        """Picture and strip: what a click means."""
        return self.picture_rect.united(self.strip_rect)

    def sizeHint(self) -> QSize:
        """A size for a tile that no grid has placed yet."""
        return QSize(160, 160 + self._strip)

    def _name_it(self) -> None:
        parts = [f"image {self.position + 1}"]
        if self._is_marked:
            parts.append("marked")
        if self._failure:
            parts.append("cannot be shown")
        self.setAccessibleName(", ".join(parts))
        self.setToolTip(self._failure)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on picture or strip is an act at once; a press on the margin is nothing."""
        if event.button() is Qt.MouseButton.LeftButton and self.body.contains(event.position().toPoint()):
            self.pressed.emit(self.position)
            event.accept()
        else:
            event.ignore()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Two quick presses are two acts."""
        self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ctrl and wheel looks closer; the wheel alone does nothing here."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_wanted.emit(self.position, event.angleDelta().y())
        event.accept()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show the ring of the pointer."""
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Take the ring of the pointer away."""
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Bring the focus ring above the neighbours."""
        self.raise_()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the focus ring away."""
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Picture, strip, rings: in that order, each outside the one before."""
        if not self._side:
            return
        look = TileLook(
            position=self.position,
            key=self._key,
            picture=self._picture,
            view=self._view,
            failure=self._failure,
            is_marked=self._is_marked,
            is_markable=self._is_markable,
            is_under_pointer=self.underMouse(),
            has_focus=self.hasFocus(),
        )
        paint_tile(QPainter(self), self.rect(), self.picture_rect, self.strip_rect, look)
