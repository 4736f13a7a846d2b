"""The count from 0 to 10. It starts unset: no handle and no fill, so that there is nothing to anchor on.

It shows a `Count` and asks for a new one; it never holds a value of its own. A click on a stop is an act
wherever the handle is, 0 included. The wheel does nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui import fonts
from gui.palette import Palette, palette
from gui.widgets.tile import paint_check

STEP, WIDE_STEP = 36, 46
HEIGHT = 52
SIDE_ROOM = 16
TRACK = 8
CENTRE = 18
TICKS_FROM, TICK = 28, 4
DIGITS_AT = 41


@dataclass(frozen=True, slots=True)
class Count:
    """What the slider shows: value and source of the answer, how many are marked, whether it is needed."""

    value: int | None = None
    source: str | None = None
    marks: int = 0
    most: int = 10
    is_needed: bool = True

    @property
    def is_unset(self) -> bool:
        """Whether no act has set it."""
        return self.value is None

    @property
    def is_from_marks(self) -> bool:
        """Whether it is the number of marked images."""
        return self.value is not None and self.source == "marks"

    @property
    def words(self) -> str:
        """Where the value came from."""
        if not self.is_needed:
            return "not needed"
        if self.value is None:
            return "not set"
        if self.is_from_marks:
            return "from your marks"
        if self.marks != 0 and self.marks != self.value:
            return f"set by hand, {self.marks} marked"
        return "set by hand"

    @property
    def number(self) -> str:
        """The value, or a dash while there is none."""
        return "–" if self.value is None or not self.is_needed else str(self.value)


class CountSlider(QWidget):
    """Eleven stops on a line; asks for a count by pointer or by key."""

    set_by_pointer = Signal(int)
    set_by_key = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._count = Count()
        self._step = fonts.px(STEP)
        self._is_settable = True
        self._preview: int | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._name_it()

    @property
    def count(self) -> Count:
        """What is shown."""
        return self._count

    def show_count(self, count: Count) -> None:
        """Show a count; repaints only when it differs."""
        self._preview = None
        if count != self._count:
            is_resized = count.most != self._count.most
            self._count = count
            self._name_it()
            if is_resized:
                self.updateGeometry()
            self.update()

    def set_settable(self, is_settable: bool) -> None:
        """Whether a hand may set it; in a study of marks only it is a meter."""
        self._is_settable = is_settable
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if is_settable else Qt.FocusPolicy.NoFocus)

    def set_step(self, step: int) -> None:
        """Distance of two stops in px of the screen."""
        if step != self._step:
            self._step = step
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """Length of the track and room for the handle at both ends."""
        return QSize(self.width_with(self._step), fonts.px(HEIGHT))

    def width_with(self, step: int) -> int:
        """Width it needs with this distance of stops; fewer images have a shorter line."""
        return step * self._count.most + 2 * fonts.px(SIDE_ROOM)

    @staticmethod
    def least_step() -> int:
        """The closest that stops may come without their digits touching."""
        return fonts.width_of("10", 13, True) + 6

    def minimumSizeHint(self) -> QSize:
        """It is never squeezed."""
        return self.sizeHint()

    @property
    def track_left(self) -> int:
        """Where stop 0 is, in this widget."""
        return fonts.px(SIDE_ROOM)

    def stop_x(self, stop: int) -> float:
        """Where a stop is, in this widget."""
        return self.track_left + stop * self._step

    def stop_at(self, x: float) -> int:
        """The stop nearest to a place."""
        stop = round((x - self.track_left) / self._step)
        return min(max(stop, 0), self._count.most)

    def _name_it(self) -> None:
        count = self._count
        number = "no count" if count.value is None else f"{count.value} of {count.most}"
        self.setAccessibleName(f"count, {number}, {count.words}")

    # Pointer: the handle appears at the press, the act is the release.

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Show where the count would be."""
        if event.button() is not Qt.MouseButton.LeftButton or not self._accepts_acts:
            event.ignore()
            return
        self._preview = self.stop_at(event.position().x())
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer while it is pressed."""
        if self._preview is not None:
            stop = self.stop_at(event.position().x())
            if stop != self._preview:
                self._preview = stop
                self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Set the count, also when it is where it was: a click on 0 is an act."""
        if self._preview is None or event.button() is not Qt.MouseButton.LeftButton:
            event.ignore()
            return
        stop, self._preview = self._preview, None
        self.update()
        self.set_by_pointer.emit(stop)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel never changes an answer."""
        event.accept()

    @property
    def _accepts_acts(self) -> bool:
        return self._is_settable and self._count.is_needed

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home and End; from unset the first arrow begins at its own end of the line."""
        stop = self._asked_by(event.key())
        is_plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        if stop is None or not is_plain or not self._accepts_acts:
            event.ignore()
            return
        self.set_by_key.emit(stop)

    def _asked_by(self, key: int) -> int | None:
        value, most = self._count.value, self._count.most
        if key in (Qt.Key.Key_Right, Qt.Key.Key_Up):
            return 0 if value is None else min(value + 1, most)
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Down):
            return most if value is None else max(value - 1, 0)
        return {Qt.Key.Key_Home: 0, Qt.Key.Key_End: most}.get(Qt.Key(key))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus ring."""
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the focus ring away."""
        self._preview = None
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """A new scale is a new size."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()
        super().changeEvent(event)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Track, fill, ticks, digits, handle; then the focus ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        roles = palette()
        count = self._shown
        self._paint_track(painter, roles, count)
        self._paint_scale(painter, roles, count)
        if count.value is not None and count.is_needed:
            if not count.is_from_marks and count.marks != 0 and count.marks != count.value:
                self._paint_marks_box(painter, roles, count.marks)
            self._paint_handle(painter, roles, count)
        if self.hasFocus():
            painter.setPen(QPen(roles.accent, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    @property
    def _shown(self) -> Count:
        if self._preview is None:
            return self._count
        return Count(self._preview, "slider", self._count.marks, self._count.most)

    def _track(self) -> QRectF:
        thick = fonts.px(TRACK)
        top = fonts.px(CENTRE) - thick / 2
        return QRectF(self.track_left, top, self.stop_x(self._count.most) - self.track_left, thick)

    def _paint_track(self, painter: QPainter, roles: Palette, count: Count) -> None:
        track = self._track()
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
            self._paint_cells(painter, track, count.value)
        elif count.value != 0:
            filled = QRectF(track)
            filled.setRight(self.stop_x(count.value))
            painter.drawRoundedRect(filled, radius, radius)

    def _paint_cells(self, painter: QPainter, track: QRectF, value: int) -> None:
        for cell in range(value):
            left, right = self.stop_x(cell) + 1.5, self.stop_x(cell + 1) - 1.5
            radius = 2.5
            painter.drawRoundedRect(QRectF(left, track.top(), right - left, track.height()), radius, radius)

    def _paint_scale(self, painter: QPainter, roles: Palette, count: Count) -> None:
        first, length = fonts.px(TICKS_FROM), fonts.px(TICK)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for stop in range(count.most + 1):
            x = round(self.stop_x(stop))
            painter.setPen(QPen(roles.edge if count.is_needed else roles.line, 1))
            painter.drawLine(x, first, x, first + length - 1)
            is_own = count.is_needed and count.value is not None and stop == count.value
            painter.setPen(roles.text if is_own else roles.muted if count.is_needed else roles.faint)
            painter.setFont(fonts.font(13 if is_own else 12, is_own))
            half = self._step / 2
            place = QRectF(x - half, fonts.px(DIGITS_AT) - half, 2 * half, 2 * half)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(stop))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)

    def _paint_handle(self, painter: QPainter, roles: Palette, count: Count) -> None:
        assert count.value is not None
        centre = QPointF(self.stop_x(count.value), fonts.px(CENTRE))
        painter.setPen(QPen(roles.window, 2))
        painter.setBrush(roles.mark)
        if count.is_from_marks:
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

    def _paint_marks_box(self, painter: QPainter, roles: Palette, marks: int) -> None:
        half = fonts.px(12) / 2
        centre = QPointF(self.stop_x(min(marks, self._count.most)), fonts.px(CENTRE))
        box = QRectF(centre.x() - half, centre.y() - half, 2 * half, 2 * half)
        painter.setPen(QPen(roles.window, 2))
        painter.setBrush(roles.surface)
        painter.drawRoundedRect(box.adjusted(-1, -1, 1, 1), 3, 3)
        painter.setPen(QPen(roles.mark, 1.3))
        painter.drawRoundedRect(box, 2.5, 2.5)
        paint_check(painter, box, roles.mark, 2.2)
