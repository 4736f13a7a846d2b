"""What is seen while something is dragged over a page: an accent frame and what letting go will do."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gui.fonts import font, px
from gui.palette import palette


class DropHint(QWidget):
    """Lies over its page and lets the pointer through."""

    def __init__(self, sentence: str, page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        self._sentence = sentence
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(sentence)
        self.hide()

    def show_up(self) -> None:
        """Cover the page."""
        self.fit()
        self.raise_()
        self.show()

    def fit(self) -> None:
        """As large as the page."""
        self.setGeometry(self._page.rect())

    def paintEvent(self, event: QPaintEvent) -> None:
        """A frame, and the words in a box in the middle."""
        painter, roles = QPainter(self), palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(roles.accent, 2))
        painter.drawRoundedRect(self.rect().toRectF().adjusted(4, 4, -4, -4), px(6), px(6))
        painter.setFont(font(16, is_bold=True))
        box = QRect(0, 0, painter.fontMetrics().horizontalAdvance(self._sentence) + px(48), px(56))
        box.moveCenter(self.rect().center())
        painter.setPen(QPen(roles.edge, 1))
        painter.setBrush(roles.raised)
        painter.drawRoundedRect(box.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), px(6), px(6))
        painter.setPen(roles.text)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._sentence)


def dropped_folder(data: QMimeData) -> Path | None:
    """The one local folder that is dragged; None for anything else."""
    urls = data.urls()
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    folder = Path(urls[0].toLocalFile())
    return folder if folder.is_dir() else None
