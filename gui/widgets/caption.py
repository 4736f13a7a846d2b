"""Captions: text on the screen in one of the kinds of the design (muted, strong, card_title …)."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from gui.fonts import px


class Caption(QLabel):
    """Plain text of one kind; with `wraps` it takes as many lines as it needs, never clipped."""

    def __init__(self, text: str = "", kind: str = "", *, wraps: bool = False) -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("kind", kind)
        if wraps:
            self.setWordWrap(True)
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)


class ElidedCaption(Caption):
    """One line that ends in … where there is no room; the whole text is then its tooltip."""

    def __init__(self, text: str = "", kind: str = "") -> None:
        super().__init__(text, kind)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(px(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text, shortened if need be."""
        metrics = QFontMetrics(self.font())
        shown = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        self.setToolTip(self.text() if shown != self.text() else "")
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), self.alignment() | Qt.AlignmentFlag.AlignVCenter, shown)


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
