"""How a count looks on its line: track, fill, ticks, digits and handle; no handle while there is no count."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gui import fonts
from gui.palette import Palette, palette
from gui.widgets.count import Count
from gui.widgets.tile_painting import paint_check

TRACK = 8
CENTRE = 18
TICKS_FROM, TICK = 28, 4
DIGITS_AT = 41


@dataclass(frozen=True, slots=True)
class Line:
    """Where the stops are: stop 0 at `left`, each further one `step` px to the right."""

    left: int
    step: int

    def x(self, stop: int) -> float:
        """Where a stop is."""
        return self.left + stop * self.step

    def point(self, stop: int) -> QPointF:
        """A stop on the middle of the track."""
        return QPointF(self.x(stop), fonts.px(CENTRE))

    def track(self, most: int) -> QRectF:
        """The track from the first stop to the last."""
        thick = fonts.px(TRACK)
        return QRectF(self.left, fonts.px(CENTRE) - thick / 2, most * self.step, thick)


def paint_count(painter: QPainter, count: Count, left: int, step: int) -> None:
    """Paint a count on the line that begins at `left` with stops `step` px apart."""
    roles, line = palette(), Line(left, step)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_track(painter, roles, count, line)
    _paint_scale(painter, roles, count, line)
    if count.value is None or not count.is_needed:
        return
    if not count.is_from_marks and count.marks != 0 and count.marks != count.value:
        _paint_marks_box(painter, roles, line.point(min(count.marks, count.most)))
    _paint_handle(painter, roles, line.point(count.value), is_from_marks=count.is_from_marks)


def _paint_track(painter: QPainter, roles: Palette, count: Count, line: Line) -> None:
    track = line.track(count.most)
    radius = track.height() / 2
    if count.value is None or not count.is_needed:
        pen = QPen(roles.edge if count.is_needed else roles.line, 1.4)
        pen.setDashPattern([3.2, 2.4])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(track.adjusted(0, 0.5, 0, -0.5), radius, radius)
        return
    painter.setPen(QPen(roles.edge, 1))
    painter.setBrush(roles.surface)
    painter.drawRoundedRect(track.adjusted(0, 0.5, 0, -0.5), radius, radius)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(roles.mark)
    if count.is_from_marks:
        _paint_cells(painter, track, count.value, line)
    elif count.value != 0:
        filled = QRectF(track)
        filled.setRight(line.x(count.value))
        painter.drawRoundedRect(filled, radius, radius)


def _paint_cells(painter: QPainter, track: QRectF, value: int, line: Line) -> None:
    for cell in range(value):
        left, right = line.x(cell) + 1.5, line.x(cell + 1) - 1.5
        radius = 2.5
        painter.drawRoundedRect(QRectF(left, track.top(), right - left, track.height()), radius, radius)


def _paint_scale(painter: QPainter, roles: Palette, count: Count, line: Line) -> None:
    first, length = fonts.px(TICKS_FROM), fonts.px(TICK)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for stop in range(count.most + 1):
        x = round(line.x(stop))
        painter.setPen(QPen(roles.edge if count.is_needed else roles.line, 1))
        painter.drawLine(x, first, x, first + length - 1)
        is_own = count.is_needed and count.value is not None and stop == count.value
        painter.setPen(roles.text if is_own else roles.muted if count.is_needed else roles.faint)
        painter.setFont(fonts.font(13 if is_own else 12, is_own))
        half = line.step / 2
        place = QRectF(x - half, fonts.px(DIGITS_AT) - half, 2 * half, 2 * half)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(stop))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def _paint_handle(painter: QPainter, roles: Palette, centre: QPointF, *, is_from_marks: bool) -> None:
    painter.setPen(QPen(roles.window, 2))
    painter.setBrush(roles.mark)
    if is_from_marks:
        half = fonts.px(22) / 2
        box = QRectF(centre.x() - half, centre.y() - half, 2 * half, 2 * half)
        painter.drawRoundedRect(box, 4, 4)
        paint_check(painter, box.adjusted(3, 3, -3, -3), roles.on_mark, 2)
        return
    painter.drawEllipse(centre, fonts.px(24) / 2, fonts.px(24) / 2)
    painter.setPen(QPen(roles.on_mark, 1.4))
    reach = fonts.px(24) / 6
    for dx in (-3, 0, 3):
        across = dx * fonts.scale()
        painter.drawLine(centre + QPointF(across, -reach), centre + QPointF(across, reach))


def _paint_marks_box(painter: QPainter, roles: Palette, centre: QPointF) -> None:
    half = fonts.px(12) / 2
    box = QRectF(centre.x() - half, centre.y() - half, 2 * half, 2 * half)
    painter.setPen(QPen(roles.window, 2))
    painter.setBrush(roles.surface)
    painter.drawRoundedRect(box.adjusted(-1, -1, 1, 1), 3, 3)
    painter.setPen(QPen(roles.mark, 1.3))
    painter.drawRoundedRect(box, 2.5, 2.5)
    paint_check(painter, box, roles.mark, 2.2)
