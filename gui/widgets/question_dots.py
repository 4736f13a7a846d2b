"""How far the questions of this set have come: one sign a question, by cohort, each state another shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui import fonts
from gui.palette import Palette, palette

PITCH, WIDE_PITCH = 17, 21
LEAST_PITCH, LEAST_PITCH_WITH_CAPTIONS = 7, 11
CAPTION_GAP = 6
COHORT_GAP, LEAST_COHORT_GAP = 18, 6

IN_WORDS = {"unseen": "not seen", "begun": "begun", "done": "done", "flagged": "flagged"}


@dataclass(frozen=True, slots=True)
class Dot:
    """One question: cohort, short name and state (unseen, begun, done, flagged)."""

    cohort: str
    name: str
    state: str


class QuestionDots(QWidget):
    """Dots in a row; a click goes to that question."""

    asked_for = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._dots: tuple[Dot, ...] = ()
        self._current = 0
        self._is_wide = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_dots(self, dots: Sequence[Dot], current: int) -> None:
        """Show the questions of a set and which one is asked now."""
        dots = tuple(dots)
        if (dots, current) == (self._dots, self._current):
            return
        is_resized = [dot.cohort for dot in dots] != [dot.cohort for dot in self._dots]
        self._dots, self._current = dots, current
        done = sum(dot.state == "done" for dot in dots)
        self.setAccessibleName(f"question {current + 1} of {len(dots)}, {done} done")
        if is_resized:
            self.updateGeometry()
        self.update()

    def set_wide(self, is_wide: bool) -> None:
        """Wider pitch in a wide window."""
        if is_wide != self._is_wide:
            self._is_wide = is_wide
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """Captions and dots at their full pitch."""
        pitch = fonts.px(WIDE_PITCH if self._is_wide else PITCH)
        return QSize(self._length(pitch, fonts.px(COHORT_GAP), has_captions=True), fonts.px(32))

    def minimumSizeHint(self) -> QSize:
        """Room for the number of the question, which is left where dots have no room."""
        return QSize(fonts.width_of(self._in_numbers) + 2, fonts.px(32))

    def least_with_captions(self) -> int:
        """Width from which on the cohorts have their names."""
        least, gap = fonts.px(LEAST_PITCH_WITH_CAPTIONS), fonts.px(COHORT_GAP)
        return self._length(least, gap, has_captions=True)

    @property
    def _in_numbers(self) -> str:
        return f"{self._current + 1} of {len(self._dots)}"

    @property
    def shows_dots(self) -> bool:
        """Whether there is room for dots; their least distance does not grow with the scale."""
        return self._length(LEAST_PITCH, LEAST_COHORT_GAP, has_captions=False) <= self.width()

    def _cohorts(self) -> list[tuple[str, list[int]]]:
        groups: list[tuple[str, list[int]]] = []
        for index, dot in enumerate(self._dots):
            if not groups or groups[-1][0] != dot.cohort:
                groups.append((dot.cohort, []))
            groups[-1][1].append(index)
        return groups

    def _length(self, pitch: int, gap: int, *, has_captions: bool) -> int:
        groups = self._cohorts()
        length = pitch * len(self._dots) + gap * max(0, len(groups) - 1)
        if has_captions:
            length += sum(fonts.width_of(name, 13, True) + fonts.px(CAPTION_GAP) for name, _ in groups)
        return length + 4

    def _room(self) -> tuple[bool, float, int]:
        """Whether there are captions, the pitch, and the gap between cohorts, for the width there is."""
        full, gap = fonts.px(WIDE_PITCH if self._is_wide else PITCH), fonts.px(COHORT_GAP)
        least = fonts.px(LEAST_PITCH_WITH_CAPTIONS)
        has_captions = self._length(least, gap, has_captions=True) <= self.width()
        if not has_captions and self._length(least, gap, has_captions=False) > self.width():
            gap = LEAST_COHORT_GAP
        over = self._length(full, gap, has_captions=has_captions) - self.width()
        pitch = max(float(LEAST_PITCH), full - max(0, over) / max(1, len(self._dots)))
        return has_captions, pitch, gap

    def _places(self) -> tuple[list[tuple[str, float]], list[float]]:
        """Captions with their left edges, and the centre of every dot."""
        has_captions, pitch, gap = self._room()
        captions: list[tuple[str, float]] = []
        centres: list[float] = []
        x = 0.0
        for name, indices in self._cohorts():
            if has_captions:
                captions.append((name, x))
                x += fonts.width_of(name, 13, True) + fonts.px(CAPTION_GAP)
            for _ in indices:
                centres.append(x + pitch / 2)
                x += pitch
            x += gap
        return captions, centres

    def dot_at(self, point: QPoint) -> int | None:
        """The question whose dot is at a place."""
        _, centres = self._places()
        if not self.shows_dots:
            return None
        near = [(abs(x - point.x()), index) for index, x in enumerate(centres)]
        if not near:
            return None
        distance, index = min(near)
        return index if distance <= fonts.px(WIDE_PITCH) / 2 else None

    def centre_of(self, index: int) -> QPoint:
        """Where a question's dot is."""
        return QPoint(round(self._places()[1][index]), self.height() // 2)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the question."""
        index = self.dot_at(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and index is not None:
            self.asked_for.emit(index)

    def event(self, event: QEvent) -> bool:
        """A tooltip for each dot: the question's name and its state in words."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.dot_at(event.pos())
            if index is None:
                QToolTip.hideText()
            else:
                dot = self._dots[index]
                words = f"{index + 1}. {dot.name}: {IN_WORDS[dot.state]}"
                QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Captions in muted, the current cohort's in text; then the signs."""
        if not self._dots:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        roles = palette()
        if not self.shows_dots:
            painter.setPen(roles.muted)
            painter.setFont(fonts.font(13))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, self._in_numbers)
            return
        captions, centres = self._places()
        current_cohort = self._dots[self._current].cohort
        for name, x in captions:
            is_current = name == current_cohort
            painter.setPen(roles.text if is_current else roles.muted)
            painter.setFont(fonts.font(13, is_current))
            place = QRectF(x, 0, self.width(), self.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, name)
        unit = min(fonts.scale(), self._room()[1] / LEAST_PITCH_WITH_CAPTIONS)
        for index, x in enumerate(centres):
            centre = QPointF(x, self.height() / 2)
            paint_sign(painter, roles, self._dots[index].state, centre, unit)
            if index == self._current:
                self._paint_box(painter, roles, centre, unit)

    @staticmethod
    def _paint_box(painter: QPainter, roles: Palette, centre: QPointF, unit: float) -> None:
        half = 9.5 * unit
        painter.setPen(QPen(roles.text, 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(centre.x() - half, centre.y() - half, 2 * half, 2 * half), 4, 4)


def paint_sign(painter: QPainter, roles: Palette, state: str, centre: QPointF, unit: float = 1) -> None:
    """Ring, half disc, disc or pennant, for not seen, begun, done, flagged."""
    if state == "unseen":
        painter.setPen(QPen(roles.edge, 1.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, 3 * unit, 3 * unit)
    elif state == "flagged":
        painter.setPen(QPen(roles.warn, 1.6))
        mast = centre + QPointF(-4.5, 0) * unit
        painter.drawLine(mast + QPointF(0, -6.5) * unit, mast + QPointF(0, 7.5) * unit)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(roles.warn)
        cloth = [(0, -6.5), (10, -2.5), (0, 1.5)]
        painter.drawPolygon(QPolygonF([mast + QPointF(x, y) * unit for x, y in cloth]))
    else:
        painter.setPen(QPen(roles.text, 1.4))
        is_done = state == "done"
        painter.setBrush(roles.text if is_done else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, 4.3 * unit, 4.3 * unit)
        if not is_done:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(roles.text)
            half = QRectF(centre.x() - 4.3 * unit, centre.y() - 4.3 * unit, 8.6 * unit, 8.6 * unit)
            painter.drawPie(half, 90 * 16, 180 * 16)
