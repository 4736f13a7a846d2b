"""How a tile looks: picture, strip and rings, in that order, each outside the one before."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QRegion

from gui import fonts
from gui.icons import draw_icon
from gui.palette import Palette, palette
from gui.widgets.key_cap import SIDE as CAP_SIDE
from gui.widgets.key_cap import cap_size, paint_cap

MARK_RING = 4
FOCUS_RING = 3
INSET = 6


@dataclass(frozen=True, slots=True, eq=False)
class TileLook:
    """Everything that a tile's look depends on."""

    position: int
    key: str
    picture: QPixmap | None
    view: QRectF
    failure: str
    is_marked: bool
    is_markable: bool
    is_under_pointer: bool
    has_focus: bool


def paint_tile(painter: QPainter, whole: QRect, square: QRect, strip: QRect, look: TileLook) -> None:
    """Paint a tile: its picture into `square`, its strip below, its rings in what is left of `whole`."""
    roles = palette()
    _paint_picture(painter, roles, square, look)
    _paint_strip(painter, roles, QRectF(strip), look)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if look.failure:
        _paint_failure(painter, roles, square, look.is_marked)
    # Round corners reach a little inwards, but never into a picture.
    painter.setClipRegion(QRegion(whole) - QRegion(square))
    _paint_rings(painter, roles, QRectF(square.united(strip)), look)


def _paint_picture(painter: QPainter, roles: Palette, square: QRect, look: TileLook) -> None:
    if look.picture is None:
        painter.fillRect(square, roles.sunken)
        _paint_words(painter, roles, QRectF(square), look)
        return
    ratio = look.picture.devicePixelRatio()
    wide, high = look.picture.width() / ratio, look.picture.height() / ratio
    larger = max(wide, high)
    shown = QRectF(0, 0, square.width() * wide / larger, square.height() * high / larger)
    shown.moveCenter(QRectF(square).center())
    if wide != high:
        painter.fillRect(square, roles.sunken)
    painter.save()
    painter.setClipRect(square)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawPixmap(_blown_up(shown, QRectF(square), look.view), look.picture, QRectF(look.picture.rect()))
    painter.restore()


def _blown_up(shown: QRectF, square: QRectF, view: QRectF) -> QRectF:
    factor = 1 / view.width()
    return QRectF(
        square.left() + (shown.left() - square.left() - view.left() * square.width()) * factor,
        square.top() + (shown.top() - square.top() - view.top() * square.height()) * factor,
        shown.width() * factor,
        shown.height() * factor,
    )


def _paint_words(painter: QPainter, roles: Palette, square: QRectF, look: TileLook) -> None:
    if not look.failure:
        painter.setPen(roles.muted)
        painter.setFont(fonts.font(22))
        painter.drawText(square, Qt.AlignmentFlag.AlignCenter, str(look.position + 1))
        return
    painter.setPen(roles.danger)
    painter.setFont(fonts.font(13))
    pad = fonts.px(12)
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    room = square.adjusted(pad, fonts.px(32), -pad, -pad)
    if room.contains(painter.boundingRect(room, flags, look.failure)):
        painter.drawText(room, flags, look.failure)


def _paint_strip(painter: QPainter, roles: Palette, strip: QRectF, look: TileLook) -> None:
    ink = roles.on_mark if look.is_marked else roles.muted
    painter.fillRect(strip, roles.mark if look.is_marked else roles.surface)
    left = strip.left() + INSET
    if look.key:
        size = cap_size(look.key, CAP_SIDE)
        top = round(strip.center().y() - size.height() / 2)
        cap_ink = roles.on_mark if look.is_marked else roles.text
        border = roles.on_mark if look.is_marked else roles.edge
        paint_cap(painter, QRectF(left, top, size.width(), size.height()), look.key, cap_ink, border)
        left += size.width() + fonts.px(9)
    number = str(look.position + 1)
    room = strip.right() - left - (INSET + fonts.px(20) if look.is_markable else 0)
    if not look.key or fonts.width_of(number) <= room:
        painter.setPen(ink)
        painter.setFont(fonts.font(13))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(strip.adjusted(left - strip.left(), 0, 0, 0), flags, number)
    if look.is_markable:
        _paint_box(painter, roles, strip, look.is_marked)


def _paint_box(painter: QPainter, roles: Palette, strip: QRectF, is_marked: bool) -> None:
    side = fonts.px(16)
    box = QRectF(strip.right() - INSET - side, round(strip.center().y() - side / 2), side, side)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if not is_marked:
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


def _paint_rings(painter: QPainter, roles: Palette, body: QRectF, look: TileLook) -> None:
    if look.is_marked:
        _ring(painter, body, MARK_RING / 2, MARK_RING, roles.mark)
    elif look.failure:
        _ring(painter, body, 1, 2, roles.danger)
    elif look.is_under_pointer:
        _ring(painter, body, 1, 2, roles.edge)
    else:
        _ring(painter, body, 0.5, 1, roles.line)
    if look.has_focus:
        outside = 7.5 if look.is_marked else 4.5
        _ring(painter, body, outside, FOCUS_RING, roles.accent)


def _paint_failure(painter: QPainter, roles: Palette, square: QRect, is_marked: bool) -> None:
    side = fonts.px(20)
    draw_icon(painter, "warn", "danger", QRectF(square.left() + 8, square.top() + 8, side, side))
    if is_marked:
        _ring(painter, QRectF(square), -1, 2, roles.danger)


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
