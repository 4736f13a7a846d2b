"""What is counted: "How many of the ten: smiling", in one line or in two."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui import fonts
from gui.palette import palette

WIDEST_LABEL = 190
WIDEST_SECOND_LINE = 150


class CountCaption(QWidget):
    """Its width is that of the longest label of the question, so that choosing moves nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most = "ten"
        self._label = ""
        self._labels: tuple[str, ...] = ()
        self._is_two_lines = False

    def show_question(self, labels: Iterable[str], most: int) -> None:
        """The labels that may come, and how many images there are."""
        self._labels = tuple(labels)
        self._most = "ten" if most == 10 else str(most)

    def show_label(self, label: str) -> None:
        """What is counted now; empty while nothing is chosen."""
        if label != self._label:
            self._label = label
            self.setAccessibleName(self.words)
            self.update()

    def set_two_lines(self, is_two_lines: bool) -> None:
        """The label below the caption, where the row is narrow."""
        if is_two_lines != self._is_two_lines:
            self._is_two_lines = is_two_lines
            self.update()

    @property
    def words(self) -> str:
        """All of it."""
        return f"How many of the {self._most}: {self._label}" if self._label else self._question

    @property
    def _question(self) -> str:
        return f"How many of the {self._most}?"

    @property
    def _lead(self) -> str:
        return f"How many of the {self._most}:" if self._label else self._question

    def width_with(self, *, is_two_lines: bool) -> int:
        """Width it needs, whichever label is chosen."""
        lead = fonts.width_of(f"How many of the {self._most}:", 13)
        longest = max((fonts.width_of(label, 13, True) for label in self._labels), default=0)
        if is_two_lines:
            return max(lead, min(longest, fonts.px(WIDEST_SECOND_LINE))) + 2
        return lead + fonts.px(4) + min(longest, fonts.px(WIDEST_LABEL)) + 2

    def paintEvent(self, event: QPaintEvent) -> None:
        """Lead in muted, label in bold."""
        painter = QPainter(self)
        painter.setPen(palette().muted)
        painter.setFont(fonts.font(13))
        metrics = QFontMetrics(fonts.font(13))
        base = self.height() / 2 + (metrics.ascent() - metrics.descent()) / 2
        if self._is_two_lines and self._label:
            base -= metrics.height() / 2
        painter.drawText(QPointF(0, base), self._lead)
        if not self._label:
            return
        left = 0 if self._is_two_lines else fonts.width_of(self._lead, 13) + fonts.px(4)
        base += metrics.height() if self._is_two_lines else 0
        bold = QFontMetrics(fonts.font(13, True))
        shown = bold.elidedText(self._label, Qt.TextElideMode.ElideRight, self.width() - left)
        painter.setFont(fonts.font(13, True))
        room = QRectF(left, base - metrics.ascent(), self.width() - left, metrics.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft, shown)
