"""One picture of the ten with a strip below it that holds key, position and mark.

A picture is never painted on: every state is a ring outside or a word in the strip. The widget is larger
than picture and strip by `MARGIN` on each side, where the rings are; neighbours overlap there, and only
there, so that a tile repaints alone.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFocusEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QRegion,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from gui import fonts
from gui.icons import draw_icon
from gui.palette import Palette, palette
from gui.widgets.key_cap import SIDE as CAP_SIDE
from gui.widgets.key_cap import cap_size, paint_cap

MARGIN = 10
MARK_RING = 4
FOCUS_RING = 3
STRIP, WIDE_STRIP = 24, 28
INSET = 6


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
        painter = QPainter(self)
        roles = palette()
        self._paint_picture(painter, roles)
        self._paint_strip(painter, roles)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_rings(painter, roles)

    def _paint_picture(self, painter: QPainter, roles: Palette) -> None:
        square = self.picture_rect
        if self._picture is None:
            painter.fillRect(square, roles.sunken)
            self._paint_words(painter, roles, QRectF(square))
            return
        ratio = self._picture.devicePixelRatio()
        wide, high = self._picture.width() / ratio, self._picture.height() / ratio
        larger = max(wide, high)
        shown = QRectF(0, 0, square.width() * wide / larger, square.height() * high / larger)
        shown.moveCenter(QRectF(square).center())
        if wide != high:
            painter.fillRect(square, roles.sunken)
        painter.save()
        painter.setClipRect(square)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(self._blown_up(shown), self._picture, QRectF(self._picture.rect()))
        painter.restore()

    def _blown_up(self, shown: QRectF) -> QRectF:
        square, view = QRectF(self.picture_rect), self._view
        factor = 1 / view.width()
        return QRectF(
            square.left() + (shown.left() - square.left() - view.left() * square.width()) * factor,
            square.top() + (shown.top() - square.top() - view.top() * square.height()) * factor,
            shown.width() * factor,
            shown.height() * factor,
        )

    def _paint_words(self, painter: QPainter, roles: Palette, square: QRectF) -> None:
        if not self._failure:
            painter.setPen(roles.muted)
            painter.setFont(fonts.font(22))
            painter.drawText(square, Qt.AlignmentFlag.AlignCenter, str(self.position + 1))
            return
        painter.setPen(roles.danger)
        painter.setFont(fonts.font(13))
        pad = fonts.px(12)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        room = square.adjusted(pad, fonts.px(32), -pad, -pad)
        if room.contains(painter.boundingRect(room, flags, self._failure)):
            painter.drawText(room, flags, self._failure)

    def _paint_strip(self, painter: QPainter, roles: Palette) -> None:
        strip = QRectF(self.strip_rect)
        ink = roles.on_mark if self._is_marked else roles.muted
        painter.fillRect(strip, roles.mark if self._is_marked else roles.surface)
        left = strip.left() + INSET
        if self._key:
            size = cap_size(self._key, CAP_SIDE)
            top = round(strip.center().y() - size.height() / 2)
            cap_ink = roles.on_mark if self._is_marked else roles.text
            border = roles.on_mark if self._is_marked else roles.edge
            paint_cap(painter, QRectF(left, top, size.width(), size.height()), self._key, cap_ink, border)
            left += size.width() + fonts.px(9)
        number = str(self.position + 1)
        room = strip.right() - left - (INSET + fonts.px(20) if self._is_markable else 0)
        if not self._key or fonts.width_of(number) <= room:
            painter.setPen(ink)
            painter.setFont(fonts.font(13))
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(strip.adjusted(left - strip.left(), 0, 0, 0), flags, number)
        if self._is_markable:
            self._paint_box(painter, roles, strip)

    def _paint_box(self, painter: QPainter, roles: Palette, strip: QRectF) -> None:
        side = fonts.px(16)
        box = QRectF(strip.right() - INSET - side, round(strip.center().y() - side / 2), side, side)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self._is_marked:
            painter.setPen(QPen(roles.edge, 1.4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.7, 0.7, -0.7, -0.7), 3, 3)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(roles.on_mark)
            painter.drawRoundedRect(box, 3, 3)
            paint_check(painter, box, roles.mark, 2)
            word = strip.adjusted(fonts.px(60), 0, -(INSET + side + fonts.px(7)), 0)
            if word.width() >= fonts.width_of("marked", 13, True):
                painter.setPen(roles.on_mark)
                painter.setFont(fonts.font(13, True))
                flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
                painter.drawText(word, flags, "marked")
        painter.restore()

    def _paint_rings(self, painter: QPainter, roles: Palette) -> None:
        body = QRectF(self.body)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._failure:
            self._paint_failure(painter, roles)
        # Round corners reach a little inwards, but never into a picture.
        painter.setClipRegion(QRegion(self.rect()) - QRegion(self.picture_rect))
        if self._is_marked:
            _ring(painter, body, MARK_RING / 2, MARK_RING, roles.mark)
        elif self._failure:
            _ring(painter, body, 1, 2, roles.danger)
        elif self.underMouse():
            _ring(painter, body, 1, 2, roles.edge)
        else:
            _ring(painter, body, 0.5, 1, roles.line)
        if self.hasFocus():
            outside = 7.5 if self._is_marked else 4.5
            _ring(painter, body, outside, FOCUS_RING, roles.accent)

    def _paint_failure(self, painter: QPainter, roles: Palette) -> None:
        side = fonts.px(20)
        draw_icon(painter, "warn", "danger", QRectF(MARGIN + 8, MARGIN + 8, side, side))
        if self._is_marked:
            _ring(painter, QRectF(self.picture_rect), -1, 2, roles.danger)


def _ring(painter: QPainter, body: QRectF, outside: float, width: float, colour: QColor) -> None:
    painter.setPen(QPen(colour, width))
    grown = body.adjusted(-outside, -outside, outside, outside)
    painter.drawRoundedRect(grown, max(2.0, outside), max(2.0, outside))


def paint_check(painter: QPainter, box: QRectF, colour: QColor, width: float) -> None:
    """A check mark inside a box."""
    unit = box.width() / 16
    painter.setPen(
        QPen(
            colour,
            width * unit,
            Qt.PenStyle.SolidLine,
            Qt.PenCapStyle.RoundCap,
            Qt.PenJoinStyle.RoundJoin,
        )
    )
    points = [box.topLeft() + QPointF(x, y) * unit for x, y in ((4.2, 8.2), (7, 11), (12, 5.4))]
    painter.drawPolyline(points)
