"""A live Bland–Altman plot: a dot opens the image sets behind it; arrow keys go from dot to dot."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.fonts import font, px
from gui.models.differences import Differences
from gui.models.number import signed
from gui.palette import Palette, palette

HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 190, 34, 10, 8, 34
LARGEST, SMALLEST, STEP, REACH = 7.0, 3.0, 1.2, 8
MEANS = (0, 2, 4, 6, 8, 10)
_CENTRE = Qt.AlignmentFlag.AlignCenter
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


class DifferencePlot(QWidget):
    """`chosen(int)` with the number of a dot."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.shown: Differences | None = None
        self._at = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Differences of counts against their mean")

    def show_differences(self, shown: Differences) -> None:
        """Show other pairs."""
        self.shown, self._at = shown, -1
        self.setAccessibleDescription(shown.sentence)
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(px(240), px(HEIGHT))

    def place_of(self, at: int) -> QPointF:
        """Where a dot is."""
        assert self.shown is not None
        dot = self.shown.dots[at]
        return QPointF(self._x(dot.mean), self._y(dot.difference))

    def dot_at(self, place: QPointF) -> int:
        """The dot under a place, −1 for none."""
        dots = self.shown.dots if self.shown is not None else ()
        near = [(((self.place_of(at) - place).manhattanLength()), at) for at in range(len(dots))]
        far, at = min(near, default=(float("inf"), -1))
        return at if far <= px(REACH) * 1.5 else -1

    # -- events -----------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on a dot chooses it."""
        self._choose(self.dot_at(event.position()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right go from dot to dot, Enter opens it."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        many = len(self.shown.dots) if self.shown is not None else 0
        if step is not None and 0 <= self._at + step < many:
            self._at += step
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self._at)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """What a dot is, under the pointer."""
        if isinstance(event, QHelpEvent) and self.shown is not None:
            at = self.dot_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), self.shown.dot_words(at) if at >= 0 else "", self)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring shows."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Axes, zero, bias and limits, dots."""
        painter, roles = QPainter(self), palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_axes(painter, roles)
        if self.shown is not None:
            self._paint_lines(painter, self.shown, roles)
            self._paint_dots(painter, self.shown, roles)
        if self.hasFocus() and self._at < 0:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(roles.focus, 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    # -- parts ------------------------------------------------------------------------------------

    def _choose(self, at: int) -> None:
        if at >= 0:
            self._at = at
            self.update()
            self.chosen.emit(at)

    @property
    def _far(self) -> float:
        shown = self.shown
        ends = [3.0]
        if shown is not None:
            ends += [abs(one.difference) for one in shown.dots]
            ends += [abs(one) for one in shown.limits or ()]
        return min(max(ends) * 1.08, 11.0)

    def _x(self, mean: float) -> float:
        return px(LEFT) + (self.width() - px(LEFT) - px(RIGHT)) * mean / 10

    def _y(self, difference: float) -> float:
        room = self.height() - px(TOP) - px(BOTTOM)
        return px(TOP) + room * (1 - (difference / self._far + 1) / 2)

    def _paint_axes(self, painter: QPainter, roles: Palette) -> None:
        top, bottom = px(TOP), self.height() - px(BOTTOM)
        painter.setFont(font(12))
        for mean in MEANS:
            painter.setPen(QPen(roles.line, 0.75))
            painter.drawLine(QPointF(self._x(mean), top), QPointF(self._x(mean), bottom))
            painter.setPen(roles.muted)
            painter.drawText(
                QRectF(self._x(mean) - px(14), bottom + px(2), px(28), px(14)), _CENTRE, str(mean)
            )
        step = max(1, round(self._far / 3))
        for number in range(-step * 3, step * 3 + 1, step):
            if abs(number) <= self._far:
                words = signed(float(number)).removesuffix(".00") if number else "0"
                box = QRectF(0, self._y(number) - px(8), px(LEFT) - px(6), px(16))
                painter.drawText(box, _RIGHT, words)
        painter.setPen(QPen(roles.edge, 1))
        painter.drawLine(QPointF(self._x(0), self._y(0)), QPointF(self._x(10), self._y(0)))
        painter.setPen(roles.muted)
        under = QRectF(px(LEFT), bottom + px(16), self.width() - px(LEFT), px(16))
        painter.drawText(under, _CENTRE, "mean of both counts")

    def _paint_lines(self, painter: QPainter, shown: Differences, roles: Palette) -> None:
        if shown.bias.value is not None:
            painter.setPen(QPen(roles.text, 1.6))
            y = self._y(shown.bias.value)
            painter.drawLine(QPointF(self._x(0), y), QPointF(self._x(10), y))
        painter.setPen(QPen(roles.muted, 1.2, Qt.PenStyle.DashLine))
        for limit in shown.limits or ():
            painter.drawLine(QPointF(self._x(0), self._y(limit)), QPointF(self._x(10), self._y(limit)))

    def _paint_dots(self, painter: QPainter, shown: Differences, roles: Palette) -> None:
        for at, dot in enumerate(shown.dots):
            radius = px(round(min(SMALLEST + STEP * (len(dot.keys) - 1) ** 0.5, LARGEST)))
            painter.setPen(QPen(roles.surface, 1))
            painter.setBrush(roles.accent if at == self._at else roles.mark)
            painter.drawEllipse(self.place_of(at), radius, radius)
            if at == self._at and self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(roles.focus, 2))
                painter.drawEllipse(self.place_of(at), radius + px(3), radius + px(3))
