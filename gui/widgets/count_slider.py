"""The count from 0 to 10. It starts unset: no handle and no fill, so that there is nothing to anchor on.

It shows a `Count` and asks for a new one; it never holds a value of its own. A click on a stop is an act
wherever the handle is, 0 included. The wheel does nothing.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui import fonts
from gui.palette import palette
from gui.widgets.count import Count
from gui.widgets.count_painting import paint_count

STEP, WIDE_STEP = 36, 46
HEIGHT = 52
SIDE_ROOM = 16


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

    def paintEvent(self, event: QPaintEvent) -> None:
        """Track, fill, ticks, digits, handle; then the focus ring."""
        painter = QPainter(self)
        paint_count(painter, self._shown, self.track_left, self._step)
        if self.hasFocus():
            painter.setPen(QPen(palette().accent, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    @property
    def _shown(self) -> Count:
        if self._preview is None:
            return self._count
        return Count(self._preview, "slider", self._count.marks, self._count.most)
