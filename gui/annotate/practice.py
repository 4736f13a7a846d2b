"""Feedback in practice: the right answer in words, and a frame around pictures that differ.

Right answers are the drawn truth or the study lead's; a packet does not say which, so neither does this.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotation.packet_session import Feedback
from gui import fonts
from gui.annotate.panels import Panel, Words
from gui.palette import palette
from gui.widgets.key_button import KeyButton
from gui.widgets.tile_grid import TileGrid


def feedback_words(feedback: Feedback, keys: Sequence[str]) -> str:
    """Feedback in a few words; `keys` name the places of the pictures."""
    key = feedback.key
    count = "" if key.slider is None else f", {key.slider}"
    if feedback.is_right:
        words = f"Right: {feedback.label}{count}."
    elif feedback.is_label_right:
        words = f"The category is right, the count is not: {key.slider}."
    else:
        words = f"Not quite. The right answer: {feedback.label}{count}."
    if feedback.missed and feedback.is_label_right:
        words += f" Also shown in {_named(feedback.missed, keys)}."
    if feedback.extra:
        words += f" Not shown in {_named(feedback.extra, keys)}."
    return words


def _named(places: Sequence[int], keys: Sequence[str]) -> str:
    return ", ".join(keys[place] or str(place + 1) for place in places)


class FeedbackPanel(Panel):
    """Stands over the buttons in the lower right corner, so that all pictures are seen, until it was read."""

    read = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__("feedback", parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 10, 12, 10)
        row.setSpacing(16)
        self._words = Words(14)
        self.go = KeyButton("Go on", "Enter", parent=self)
        self.go.set_look("open")
        row.addWidget(self._words, 1)
        row.addWidget(self.go)
        self.go.clicked.connect(self.read)

    @property
    def words(self) -> str:
        """What it says."""
        return self._words.text

    def say(self, words: str) -> None:
        """Show feedback."""
        self._words.set_text(words)
        self.setAccessibleDescription(words)
        self.show()
        self.raise_()

    def stand(self, right: int, bottom: int, most: int) -> None:
        """Stand with its lower right corner there, at most so wide."""
        wide = min(fonts.px(480), most)
        high = max(self.heightForWidth(wide), self.minimumSizeHint().height(), fonts.px(64))
        self.setGeometry(right - wide, bottom - high, wide, high)


class DifferenceFrames(QWidget):
    """Dashed frames around pictures where an answer differs from the right one, each with a word.

    Nothing but paint: pointer and keys go through it.
    """

    def __init__(self, grid: TileGrid, parent: QWidget) -> None:
        super().__init__(parent)
        self._grid = grid
        self._words: dict[int, str] = {}
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    @property
    def framed(self) -> dict[int, str]:
        """Places with their words."""
        return dict(self._words)

    def show_places(self, missed: Sequence[int], extra: Sequence[int]) -> None:
        """Frame these places, or none."""
        self._words = dict.fromkeys(missed, "shown here") | dict.fromkeys(extra, "not here")
        self.setVisible(bool(self._words))
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The frames."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        roles = palette()
        for place, words in self._words.items():
            around = QRectF(self._grid.tiles[place].geometry()).adjusted(1.5, 1.5, -1.5, -1.5)
            painter.setPen(QPen(roles.warn, fonts.px(3), Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(around, 6, 6)
            painter.setFont(fonts.font(12, True))
            wide = fonts.width_of(words, 12, True) + fonts.px(16)
            sign = QRectF(around.right() - wide - 4, around.top() + 4, wide, fonts.px(22))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(roles.surface)
            painter.drawRoundedRect(sign, 4, 4)
            painter.setPen(roles.warn)
            painter.drawText(sign, Qt.AlignmentFlag.AlignCenter, words)
