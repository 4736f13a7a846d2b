"""A bar of 6 px, done of all. Still bars are pale, moving ones accent; the count always stands beside it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.fonts import px
from gui.palette import palette
from gui.words import percent_down


class ProgressBar(QWidget):
    """A bar of `done` of `total`; it never stands alone, the count is always written beside it."""

    def __init__(self, name: str, *, is_moving: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._is_moving = is_moving
        self._done, self._total = 0, 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)

    @property
    def share(self) -> float:
        """Filled share, 0 to 1."""
        return min(self._done / self._total, 1.0) if self._total > 0 else 0.0

    def set_progress(self, done: int, total: int) -> None:
        """Show that `done` of `total` is behind us."""
        if (done, total) != (self._done, self._total):
            self._done, self._total = done, total
            self.setAccessibleDescription(percent_down(done, total))
            self.update()

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(px(160), px(6))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the trough and what is filled."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        roles = palette()
        trough = QRectF(0, (self.height() - px(6)) / 2, self.width(), px(6))
        radius = px(3)
        painter.setBrush(roles.sunken if not self._is_moving else roles.line)
        painter.drawRoundedRect(trough, radius, radius)
        if self.share > 0:
            filled = QRectF(trough)
            filled.setWidth(max(trough.width() * self.share, px(6)))
            painter.setBrush(roles.accent if self._is_moving else roles.coverage[5])
            painter.drawRoundedRect(filled, radius, radius)
