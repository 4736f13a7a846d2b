"""A key and what holding it does, at the right of the question; a click pins what it would show."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from gui import fonts
from gui.palette import palette
from gui.widgets.key_cap import cap_size, paint_cap


class HoldHint(QAbstractButton):
    """Quiet: a cap and words in muted."""

    def __init__(self, key: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = key
        self.setText(words)
        self.setAccessibleName(f"{words}, key {key}")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def set_hint(self, key: str, words: str) -> None:
        """Another key and words."""
        if (key, words) != (self._key, self.text()):
            self._key = key
            self.setText(words)
            self.setAccessibleName(f"{words}, key {key}" if key else words)
            self.update()

    def sizeHint(self) -> QSize:
        """Cap and words; 32 px high to be hit."""
        cap = cap_size(self._key).width() + fonts.px(9) if self._key else 0
        return QSize(cap + fonts.width_of(self.text(), 12) + 2, fonts.px(32))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Cap, words."""
        painter = QPainter(self)
        roles = palette()
        left = 0.0
        if self._key:
            size = cap_size(self._key)
            top = (self.height() - size.height()) // 2
            paint_cap(painter, QRectF(0, top, size.width(), size.height()), self._key, roles.text, roles.edge)
            left = size.width() + fonts.px(9)
        is_strong = self.underMouse() or self.hasFocus()
        painter.setPen(roles.text if is_strong else roles.muted)
        painter.setFont(fonts.font(12))
        place = QRectF(left, 0, self.width() - left, self.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
