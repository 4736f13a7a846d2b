"""One picture as large as the view allows, over everything else; Esc, Space or a click closes it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageReader, QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from core.held_files import is_held
from gui.fonts import font, px
from gui.palette import palette
from gui.studio import Studio
from gui.tasks import Query


class LargeImage(QWidget):
    """Hidden until `show_picture`; `closed` when a click put it away."""

    closed = Signal()

    def __init__(self, studio: Studio, parent: QWidget) -> None:
        super().__init__(parent)
        self._studio = studio
        self._path: Path | None = None
        self._words = ""
        self._picture: QPixmap | None = None
        self._query: Query | None = None
        self.hide()

    def show_picture(self, path: Path, words: str) -> None:
        """Show a picture over the whole parent; `words` stand below it."""
        self._path, self._words, self._picture = path, words, None
        self.setAccessibleName(words)
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())
        self.show()
        self.raise_()
        self.update()
        if self._query is not None:
            self._query.drop()
        ratio = self.devicePixelRatioF()
        room = QSize(round(self.width() * ratio), round((self.height() - px(40)) * ratio))
        self._query = self._studio.query(lambda: (path, _read(path, room)), self._on_read)

    def put_away(self) -> bool:
        """Hide it; says whether it was shown."""
        was_shown = not self.isHidden()
        self.hide()
        return was_shown

    def _on_read(self, found: tuple[Path, QImage]) -> None:
        self._query = None
        if found[0] == self._path:
            self._picture = QPixmap.fromImage(found[1])
            self._picture.setDevicePixelRatio(self.devicePixelRatioF())
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click puts it away."""
        self.hide()
        self.closed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Stage, picture, words."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), palette().stage)
        below = QRect(0, self.height() - px(32), self.width(), px(24))
        if self._picture is not None and not self._picture.isNull():
            size = self._picture.deviceIndependentSize().toSize()
            painter.drawPixmap(
                (self.width() - size.width()) // 2, (below.top() - size.height()) // 2, self._picture
            )
        elif self._picture is not None:
            painter.setPen(palette().danger)
            painter.setFont(font(13))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "This picture cannot be read.")
        painter.setPen(palette().text)
        painter.setFont(font(13))
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, self._words)


def _read(path: Path, room: QSize) -> QImage:
    """The picture scaled into a room, never larger than twice its own size; null when unreadable."""
    if is_held(path):  # Qt opens files past Python
        return QImage()
    reader = QImageReader(str(path))
    reader.setAutoTransform(True)
    image = reader.read()
    if image.isNull():
        return image
    most = room.boundedTo(image.size() * 2)
    mode = Qt.TransformationMode.SmoothTransformation
    return image.scaled(most, Qt.AspectRatioMode.KeepAspectRatio, mode)
