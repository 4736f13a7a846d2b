"""Below and above the coverage grid: the line about the cell in focus, and what the signs mean."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gui.fonts import font, px, width_of
from gui.models.coverage import Layer
from gui.palette import palette
from gui.widgets.button import Button
from gui.widgets.caption import Caption, ElidedCaption
from gui.words import thousands


class Foot(QWidget):
    """One line about the cell in focus."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumHeight(px(36))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, px(8), 0)
        row.setSpacing(px(20))
        self._name, self._parts, self._hint = Caption("", "strong"), ElidedCaption(), Caption("", "muted")
        row.addWidget(self._name)
        self._open, self._place = Button("Open folder", "link", "folder"), Path()
        self._open.clicked.connect(self._on_open)
        self._open.hide()
        row.addWidget(self._open)
        row.addWidget(self._parts, 1)
        row.addWidget(self._hint)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The hint makes room for what is said."""
        super().resizeEvent(event)
        self._hint.setVisible(self.width() >= px(560))

    @property
    def text(self) -> str:
        """Everything it says."""
        return f"{self._name.text()}  {self._parts.text()}".strip()

    def say(self, name: str, parts: list[str], hint: str) -> None:
        """Change the line."""
        self._name.setText(name)
        self._name.setVisible(bool(name))
        self._parts.setText("     ".join(parts))
        self._hint.setText(hint)
        self._open.hide()

    def say_written(self, place: Path, *, verb: str = "Exported to") -> None:
        """Say where something was written, with a way into its folder."""
        self.say(f"{verb} {place}", [], "")
        self._place = place
        self._open.show()

    def _on_open(self) -> None:
        folder = self._place if self._place.is_dir() else self._place.parent
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


class Legend(QWidget):
    """What the steps, the red numbers and the small squares mean; drops parts where there is no room."""

    def __init__(self) -> None:
        super().__init__()
        self._largest, self._layer = 0, Layer.IMAGES
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(px(60))

    def sizeHint(self) -> QSize:
        """One line of small text."""
        return QSize(px(360), px(28))

    def show_layer(self, largest: int, layer: Layer) -> None:
        """Explain another layer."""
        self._largest, self._layer = largest, layer
        self.setAccessibleName(f"0 to {largest} {layer} a cell; red: failed; square: in the human study")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the parts from the left while they fit."""
        painter = QPainter(self)
        painter.setFont(font(12))
        left = self._paint_steps(painter, 0)
        for sign, words in (("!", "failed"), ("", "in the human study")):
            if left + px(34) + width_of(words, 12) > self.width():
                return
            left = self._paint_sign(painter, left + px(18), sign, words)

    def _text(self, painter: QPainter, left: int, words: str) -> int:
        painter.setPen(palette().muted)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(left, 0, self.width(), self.height(), flags, words)
        return left + width_of(words, 12)

    def _paint_steps(self, painter: QPainter, left: int) -> int:
        high, top = px(11), (self.height() - px(11)) // 2
        words = f"{thousands(self._largest)} {self._layer}"
        room = self.width() - left - px(28) - width_of(words, 12)
        if room < px(6 * 8):
            return left
        wide = min(room // 6, px(20))
        left = self._text(painter, left, "0") + px(6)
        for step, colour in enumerate(palette().coverage):
            painter.fillRect(left, top, wide, high, colour)
            if step == 0:
                painter.setPen(palette().edge)
                painter.drawRect(left, top, wide - 1, high - 1)
                left += px(3)
            left += wide
        return self._text(painter, left + px(6), words)

    def _paint_sign(self, painter: QPainter, left: int, sign: str, words: str) -> int:
        if sign:
            painter.setPen(palette().danger)
            painter.setFont(font(12, True))
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(left, 0, px(10), self.height(), flags, sign)
            painter.setFont(font(12))
        else:
            painter.fillRect(left, self.height() // 2 - px(3), px(6), px(6), palette().mark)
        return self._text(painter, left + px(12), words)
