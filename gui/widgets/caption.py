"""Captions: text on the screen in one of the kinds of the design (muted, strong, card_title …)."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from gui.fonts import px
from gui.plain_text import breakable, one_line, shown, tip

LEAST_OF_LONG, MOST_OF_LONG = 120, 480
"""Least and wished width of a line that is longer than that."""


class Caption(QLabel):
    """Plain text of one kind; with `wraps` it takes as many lines as it needs, never clipped.

    One line that is longer than the room there is ends in …, and the whole text is its tooltip; no text,
    however long, decides the width of a page.
    """

    def __init__(self, text: str = "", kind: str = "", *, wraps: bool = False) -> None:
        super().__init__()
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("kind", kind)
        if wraps:
            self.setWordWrap(True)
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)
        self.setText(text)

    def text(self) -> str:
        """What was asked to be shown, whole."""
        return self._whole

    def setText(self, text: str) -> None:
        """Show a text, whatever is in it."""
        self._whole = text
        super().setText(breakable(shown(text)) if self.wordWrap() else shown(text))

    def setToolTip(self, text: str) -> None:
        """A tooltip in plain words."""
        super().setToolTip(tip(text))

    def sizeHint(self) -> QSize:
        """The text, in one line no wider than it may wish to be."""
        return self._bounded(super().sizeHint(), MOST_OF_LONG)

    def minimumSizeHint(self) -> QSize:
        """The text; a long line can be narrower."""
        return self._bounded(super().minimumSizeHint(), LEAST_OF_LONG)

    def _bounded(self, size: QSize, most: int) -> QSize:
        return size if self.wordWrap() else QSize(min(size.width(), px(most)), size.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text; one line is shortened where there is no room for it."""
        if self.wordWrap() or super().sizeHint().width() <= self.width():
            super().paintEvent(event)
        else:
            self._paint_short()

    def _paint_short(self) -> None:
        metrics = QFontMetrics(self.font())
        place = self.contentsRect()
        words = metrics.elidedText(one_line(self._whole), Qt.TextElideMode.ElideRight, place.width())
        if not self.toolTip():
            self.setToolTip(self._whole)
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(place, self.alignment() | Qt.AlignmentFlag.AlignVCenter, words)


class ElidedCaption(Caption):
    """One line that ends in … where there is no room; the whole text is then its tooltip."""

    def __init__(self, text: str = "", kind: str = "") -> None:
        super().__init__(text, kind)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(px(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text, shortened if need be."""
        metrics = QFontMetrics(self.font())
        whole = one_line(self.text())
        words = metrics.elidedText(whole, Qt.TextElideMode.ElideRight, self.width())
        self.setToolTip(self.text() if words != whole else "")
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), self.alignment() | Qt.AlignmentFlag.AlignVCenter, words)


def rule() -> QFrame:
    """A horizontal line of one px."""
    made = QFrame()
    made.setProperty("kind", "rule")
    return made


def spacer() -> QWidget:
    """Room that takes what is left in a row."""
    made = QWidget()
    made.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return made
