"""The count in words beside the slider: the number, of how many, and where it came from."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui import fonts
from gui.palette import palette
from gui.widgets.count import Count
from gui.widgets.count_slider import HEIGHT


class CountValue(QWidget):
    """Shows a `Count`; its width holds the longest of its phrases, so that nothing beside it moves."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._count = Count()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_count(self, count: Count) -> None:
        """Show a count."""
        if count != self._count:
            self._count = count
            self.setAccessibleName(f"{count.number} of {count.most}, {count.words}")
            self.update()

    def sizeHint(self) -> QSize:
        """Room for the longest phrase."""
        return QSize(fonts.width_of("set by hand, 10 marked", 12) + 2, fonts.px(HEIGHT))

    def changeEvent(self, event: QEvent) -> None:
        """A new scale is a new size."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Number and words on the line of the track, the source below."""
        painter = QPainter(self)
        roles = palette()
        first, second = fonts.px(24), fonts.px(41)
        is_set = self._count.value is not None and self._count.is_needed
        painter.setPen(roles.text if self._count.is_needed else roles.muted)
        painter.setFont(fonts.font(22, True))
        painter.drawText(QPointF(0, first), self._count.number)
        left = fonts.width_of(self._count.number, 22, True) + fonts.px(8)
        painter.setPen(roles.muted)
        painter.setFont(fonts.font(14))
        painter.drawText(QPointF(left, first), f"of {self._count.most}")
        painter.setFont(fonts.font(12))
        painter.setPen(roles.muted if is_set or self._count.is_needed else roles.faint)
        painter.drawText(QPointF(0, second), self._count.words)
