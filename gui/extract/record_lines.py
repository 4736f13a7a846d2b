"""A record in full: all dimensions by cohort, what was read, and what is known to be true beside it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.records import UNKNOWN
from core.schema import COHORTS
from gui.extract.facts import Line
from gui.fonts import font, px, width_of
from gui.palette import palette

ROW, HEAD, GAP, BETWEEN = 22, 30, 10, 24
SIGN = 18
"""Room between the two texts of a line for the sign that they differ."""

TWO_COLUMNS_FROM = 560
_WRAP = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap


class RecordLines(QWidget):
    """Painted, because it changes with every key press; one or two columns of cohorts, by its width."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[Line, ...] = ()
        self._has_truth = False
        self._height = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    @property
    def lines(self) -> tuple[Line, ...]:
        """What is shown."""
        return self._lines

    def show_lines(self, lines: Sequence[Line], *, has_truth: bool) -> None:
        """Show another record; no lines show nothing."""
        self._lines, self._has_truth = tuple(lines), has_truth
        self.setAccessibleName("Record" if lines else "No record")
        self.setAccessibleDescription("; ".join(in_one_line(line) for line in self._lines))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        """Long lists of labels wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of the longer column."""
        return self._walk(None, width)

    def sizeHint(self) -> QSize:
        """As high as one column of cohorts in a usual width."""
        return QSize(px(TWO_COLUMNS_FROM), self.heightForWidth(px(TWO_COLUMNS_FROM)))

    def minimumSizeHint(self) -> QSize:
        """Names and a few words."""
        return QSize(px(260), px(ROW))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint all cohorts."""
        self._walk(QPainter(self), self.width())

    def _walk(self, painter: QPainter | None, width: int) -> int:
        """Paint, or only measure without a painter; returns the height."""
        if not self._lines:
            return px(ROW)
        columns = _columns(width)
        room = (width - (columns - 1) * px(BETWEEN)) // columns
        heights = [0] * columns
        for number, cohort in enumerate(COHORTS):
            lines = [line for line in self._lines if line.dimension.cohort == cohort]
            column = number * columns // len(COHORTS)
            left = column * (room + px(BETWEEN))
            heights[column] += self._cohort(painter, cohort, lines, QRect(left, heights[column], room, 0))
        return max(heights)

    def _cohort(self, painter: QPainter | None, cohort: str, lines: Sequence[Line], place: QRect) -> int:
        name_width = max((width_of(line.dimension.name, 12) for line in self._lines), default=0) + px(GAP)
        words = place.width() - min(name_width, place.width() // 2)
        read_width = words * 11 // 20 if self._has_truth else words
        top = place.top() + px(4)
        if painter is not None:
            self._head(painter, cohort, QRect(place.left(), top, place.width(), px(HEAD)), words, read_width)
        top += px(HEAD)
        for line in lines:
            high = max(px(ROW), self._needs(line, read_width, words - read_width))
            if painter is not None:
                row = QRect(place.left(), top, place.width(), high)
                self._line(painter, line, row, words, read_width)
            top += high
        return top - place.top() + px(GAP)

    def _needs(self, line: Line, read_width: int, true_width: int) -> int:
        metrics = QFontMetrics(font(12))
        needed = 0
        texts = [(line.read, read_width - px(SIGN)), (line.true if self._has_truth else "", true_width)]
        for text, width in texts:
            room = QRect(0, 0, max(width, px(20)), 10_000)
            needed = max(needed, metrics.boundingRect(room, int(_WRAP), text).height())
        return needed + px(5)

    def _head(self, painter: QPainter, cohort: str, place: QRect, words: int, read_width: int) -> None:
        roles = palette()
        painter.setFont(font(12, is_bold=True))
        painter.setPen(roles.text)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, middle, cohort)
        painter.setFont(font(12))
        painter.setPen(roles.muted)
        left = place.right() + 1 - words
        if self._has_truth:
            painter.drawText(QRect(left, place.top(), read_width, place.height()), middle, "read")
            rest = QRect(left + read_width, place.top(), words - read_width, place.height())
            painter.drawText(rest, middle, "true")
        painter.fillRect(place.left(), place.bottom() - px(1), place.width(), 1, roles.line)

    def _line(self, painter: QPainter, line: Line, place: QRect, words: int, read_width: int) -> None:
        roles = palette()
        painter.setFont(font(12))
        painter.setPen(roles.muted)
        top, left = place.top() + px(3), place.right() + 1 - words
        name = QRect(place.left(), top, place.width() - words - px(GAP), place.height())
        painter.drawText(name, _WRAP, line.dimension.name)
        painter.setPen(roles.text if line.is_known else roles.faint)
        room = QRect(left, top, read_width - px(SIGN), place.height())
        painter.drawText(room, _WRAP, line.read)
        if not self._has_truth:
            return
        if line.differs:
            sign = QRect(left + read_width - px(SIGN - 4), top, px(SIGN), place.height())
            painter.setPen(roles.text)
            painter.setFont(font(12, is_bold=True))
            painter.drawText(sign, Qt.AlignmentFlag.AlignTop, "≠")
        painter.setFont(font(12, is_bold=line.differs))
        painter.setPen(roles.text if line.differs else roles.faint if line.true == UNKNOWN else roles.muted)
        rest = QRect(left + read_width, top, words - read_width, place.height())
        painter.drawText(rest, _WRAP, line.true)


def _columns(width: int) -> int:
    return 2 if width >= px(TWO_COLUMNS_FROM) else 1


def in_one_line(line: Line) -> str:
    """A line for a screen reader."""
    true = f", true {line.true}" if line.differs else ""
    return f"{line.dimension.name} {line.read}{true}"
