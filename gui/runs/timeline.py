"""Runs under each other on one axis of time: when each ran, and what became of what was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen

from gui.fonts import font, px
from gui.models.runs import Run
from gui.palette import Palette, palette
from gui.widgets.stepped_lines import SteppedLines
from gui.words import day, duration, thousands

ROW, BAR, LEAST_BAR = 58, 6, 4
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
SOLID = ("done", "running")
"""States whose bar is filled; a cancelled, failed or interrupted run has a hollow one."""


class RunTimeline(SteppedLines):
    """`chosen(Run)` on a press or Enter; up and down move."""

    chosen = Signal(object)
    line_height = ROW

    def __init__(self) -> None:
        super().__init__("Runs, the newest first")
        self.runs: tuple[Run, ...] = ()

    @property
    def lines(self) -> tuple[Run, ...]:
        """The runs."""
        return self.runs

    def choose(self, at: int) -> None:
        """Say which run was chosen."""
        self.chosen.emit(self.runs[at])

    def show_runs(self, runs: Sequence[Run]) -> None:
        """Show other runs."""
        self.runs, self._at = tuple(runs), 0
        self.setAccessibleDescription("; ".join(f"{one.name}, {run_words(one)}" for one in runs))
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Name and day, what became of it, and its place in time."""
        painter, roles = QPainter(self), palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        first, last = span_of(self.runs)
        for at, run in enumerate(self.runs):
            place = QRect(0, at * px(ROW), self.width(), px(ROW))
            if not place.intersects(event.rect()):
                continue
            self._paint_run(painter, place, run, bar_of(run, first, last), roles)
            if at == self._at and self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(roles.focus, 2))
                painter.drawRect(place.adjusted(1, 1, -2, -3))

    def _paint_run(
        self, painter: QPainter, place: QRect, run: Run, bar: tuple[float, float], roles: Palette
    ) -> None:
        inner = place.adjusted(px(4), px(4), -px(4), -px(4))
        line = QRect(inner.left(), inner.top(), inner.width(), px(18))
        when = day(datetime.fromtimestamp(run.began, UTC).isoformat())
        painter.setPen(roles.muted)
        painter.setFont(font(12))
        painter.drawText(line, _RIGHT, when)
        room = line.width() - painter.fontMetrics().horizontalAdvance(when) - px(10)
        self._line(painter, QRect(line.left(), line.top(), room, line.height()), run.name, True, roles.text)
        second = line.translated(0, px(18))
        self._line(painter, second, run_words(run), False, roles.danger if run.failed else roles.muted)
        top, width = inner.top() + px(40), inner.width()
        track = QRectF(inner.left(), top, width, px(BAR))
        painter.fillRect(track, roles.sunken)
        least = px(LEAST_BAR) / max(width, 1)
        long = max(bar[1] - bar[0], least)
        left = min(bar[0], 1 - long)
        box = QRectF(track.left() + left * width, top, long * width, px(BAR))
        if run.state in SOLID:
            painter.fillRect(box, roles.accent if run.state == "running" else roles.mark)
        else:
            painter.setPen(QPen(roles.mark, 1))
            painter.setBrush(roles.surface)
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
        painter.setPen(QPen(roles.line, 1))
        low = QPointF(place.left(), place.bottom() + 0.5)
        painter.drawLine(low, QPointF(place.right(), low.y()))

    @staticmethod
    def _line(painter: QPainter, place: QRect, text: str, is_bold: bool, colour: object) -> None:
        painter.setFont(font(13 if is_bold else 12, is_bold))
        painter.setPen(colour)  # type: ignore[arg-type]
        painter.drawText(
            place,
            _LEFT,
            painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, place.width()),
        )


def run_words(run: Run) -> str:
    """ "done in 5 h 10 min: 66 180 of 66 240, 60 failed"."""
    long = f" in {duration(run.ended - run.began)}" if run.ended is not None and run.state == "done" else ""
    said = f"{run.state}{long}: {thousands(run.done)} of {thousands(run.asked)}"
    for number, word in ((run.failed, "failed"), (run.skipped, "skipped")):
        said += f", {thousands(number)} {word}" if number else ""
    return said


def span_of(runs: Sequence[Run]) -> tuple[float, float]:
    """Begin of the first run and end of the last one."""
    if not runs:
        return 0.0, 1.0
    first = min(one.began for one in runs)
    last = max(one.ended if one.ended is not None else one.began for one in runs)
    return first, max(last, first + 1.0)


def bar_of(run: Run, first: float, last: float) -> tuple[float, float]:
    """Where a run begins and ends on an axis from 0 to 1; one that goes on reaches its end."""
    whole = last - first
    ended = last if run.ended is None else run.ended
    return (run.began - first) / whole, (ended - first) / whole
