"""A closer look: one picture at full size while a key is held, locked with zoom, or two side by side.

Every picture is shown at the same size on the screen and in the same detail, whatever its file has, so that
looking closer tells nothing about where it comes from. Marking works here too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from gui import fonts
from gui.palette import palette
from gui.widgets.tile import WIDE_STRIP, Tile

MARGIN = 14
STEP = 1.25
PAN = 0.15
LARGEST_ENLARGEMENT = 4
"""Screen px for each px of detail at the end of the zoom."""

PictureOf = Callable[[int], QPixmap | None]


class Closer(Tile):
    """A tile in zoom: the picture is dragged to pan, the strip is pressed to mark."""

    panned = Signal(float, float)
    scrolled = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(0, parent)
        self._from: QPointF | None = None

    def be(self, position: int) -> None:
        """Stand for another picture."""
        self.position = position
        self._name_it()
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to pan, or mark."""
        if event.button() is not Qt.MouseButton.LeftButton:
            event.ignore()
        elif self.strip_rect.contains(event.position().toPoint()):
            self.pressed.emit(self.position)
        else:
            self._from = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan."""
        if self._from is not None:
            moved = event.position() - self._from
            self._from = event.position()
            side = max(1, self.picture_rect.width())
            self.panned.emit(-moved.x() / side, -moved.y() / side)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End panning."""
        self._from = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel zooms only here."""
        self.scrolled.emit(event.angleDelta().y())
        event.accept()


class Zoom(QWidget):
    """Lies over the stage. `wanted(position)` asks for full detail; `pressed(position)` marks."""

    pressed = Signal(int)
    wanted = Signal(int)

    def __init__(self, detail_pixels: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._detail_pixels = detail_pixels
        self._picture_of: PictureOf = lambda position: None
        self._keys: Sequence[str] = ()
        self._count = 10
        self._marks: frozenset[int] = frozenset()
        self._is_markable = True
        self._is_locked = False
        self._factor = 1.0
        self._centre = QPointF(0.5, 0.5)
        self._shown: tuple[int, ...] = ()
        self._closers = (Closer(self), Closer(self))
        for closer in self._closers:
            closer.pressed.connect(self.pressed)
            closer.panned.connect(self.pan)
            closer.scrolled.connect(self.zoom_by_wheel)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("closer look")
        self.hide()

    @property
    def positions(self) -> tuple[int, ...]:
        """Positions shown: none, one, or two in comparison."""
        return self._shown

    @property
    def is_locked(self) -> bool:
        """Whether it stays when the key is let go."""
        return self._is_locked

    @property
    def factor(self) -> float:
        """Enlargement over the whole picture."""
        return self._factor

    @property
    def closers(self) -> tuple[Closer, ...]:
        """The tiles in use."""
        return self._closers[: len(self._shown)]

    def set_source(
        self, picture_of: PictureOf, keys: Sequence[str], count: int, *, is_markable: bool
    ) -> None:
        """Where pictures come from, and the image keys."""
        self._picture_of, self._keys, self._count = picture_of, keys, count
        self._is_markable = is_markable

    def look(self, positions: tuple[int, ...], *, is_locked: bool) -> None:
        """Show one picture or two, whole."""
        self._shown, self._is_locked = positions, is_locked
        self._factor, self._centre = 1.0, QPointF(0.5, 0.5)
        self._fill()
        self.show()
        self.raise_()
        for position in positions:
            self.wanted.emit(position)

    def leave(self) -> None:
        """Back to the ten."""
        self._shown, self._is_locked = (), False
        self.hide()

    def step(self, by: int) -> None:
        """The next or the previous picture in zoom lock, at the same place and enlargement."""
        if len(self._shown) == 1:
            self._shown = ((self._shown[0] + by) % self._count,)
            self._fill()
            self.wanted.emit(self._shown[0])

    def refresh(self) -> None:
        """Take pictures anew, as full detail may have come."""
        if self._shown:
            self._fill()

    def set_marks(self, marks: frozenset[int]) -> None:
        """Show which are marked."""
        self._marks = marks
        for closer in self.closers:
            closer.set_marked(closer.position in marks)

    def most(self) -> float:
        """The largest enlargement: the same for every picture."""
        ratio = self.devicePixelRatioF()
        side = max(1, self._side())
        return max(1.0, LARGEST_ENLARGEMENT * self._detail_pixels / (side * ratio))

    def zoom_by_wheel(self, delta: int) -> None:
        """One notch is one step."""
        if delta != 0 and self._is_locked:
            self.zoom_to(self._factor * (STEP if delta > 0 else 1 / STEP))

    def zoom_to(self, factor: float) -> None:
        """Set the enlargement, both pictures alike."""
        self._factor = min(max(factor, 1.0), self.most())
        self._apply_view()

    def pan(self, dx: float, dy: float) -> None:
        """Move the view by a share of it."""
        self._centre += QPointF(dx, dy) / self._factor
        self._apply_view()

    def pan_by_key(self, dx: int, dy: int) -> None:
        """Move the view by an arrow key."""
        self.pan(dx * PAN, dy * PAN)

    def _apply_view(self) -> None:
        part = 1 / self._factor
        x = min(max(self._centre.x(), part / 2), 1 - part / 2)
        y = min(max(self._centre.y(), part / 2), 1 - part / 2)
        self._centre = QPointF(x, y)
        for closer in self._closers:
            closer.set_view(QRectF(x - part / 2, y - part / 2, part, part))

    def _fill(self) -> None:
        self._place()
        for index, closer in enumerate(self._closers):
            closer.setVisible(index < len(self._shown))
        for closer, position in zip(self._closers, self._shown, strict=False):
            if closer.position != position:
                closer.be(position)
            closer.set_picture(self._picture_of(position))
            closer.set_key(self._keys[position], is_markable=self._is_markable)
            closer.set_marked(position in self._marks)
        self._apply_view()

    def _side(self) -> int:
        shown = max(1, len(self._shown))
        across = (self.width() - (shown + 1) * MARGIN) // shown
        down = self.height() - 2 * MARGIN - fonts.px(WIDE_STRIP)
        return max(1, min(across, down))

    def _place(self) -> None:
        side, strip = self._side(), fonts.px(WIDE_STRIP)
        shown = max(1, len(self._shown))
        gap = MARGIN * 2
        left = (self.width() - shown * side - (shown - 1) * gap) / 2
        top = (self.height() - side - strip) / 2
        for index, closer in enumerate(self._closers):
            closer.place(QPointF(left + index * (side + gap), top), side, strip)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place anew."""
        self._place()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes to the next picture."""
        self.step(1 if forward else -1)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Nothing of its own; keys are the dispatcher's."""
        event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel zooms beside the picture too."""
        self.zoom_by_wheel(event.angleDelta().y())
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The same stage as behind the ten."""
        QPainter(self).fillRect(event.rect(), palette().stage)
