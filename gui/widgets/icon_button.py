"""A quiet button that is an icon alone, with its name and key in the tooltip."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from gui import fonts
from gui.icons import draw_icon
from gui.palette import palette
from gui.words import key_words

SIDE, ICON = 32, 20


class IconButton(QAbstractButton):
    """32 px to hit, 20 px to see."""

    def __init__(self, icon: str, name: str, key: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self.setAccessibleName(name)
        self.setToolTip(f"{name} ({key_words(key)})" if key else name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Large enough to hit."""
        return QSize(fonts.px(SIDE), fonts.px(SIDE))

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show that the pointer is over it."""
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Show that the pointer is gone."""
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """A new scale is a new size."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Icon; a field behind it under the pointer; a ring with focus."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        roles = palette()
        whole = QRectF(self.rect())
        if self.isEnabled() and (self.underMouse() or self.isDown()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(roles.sunken if self.isDown() else roles.hover)
            painter.drawRoundedRect(whole, 4, 4)
        side = fonts.px(ICON)
        place = QRectF(0, 0, side, side)
        place.moveCenter(whole.center())
        draw_icon(painter, self._icon, "text" if self.isEnabled() else "faint", place)
        if self.hasFocus():
            painter.setPen(QPen(roles.focus, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(whole.adjusted(1, 1, -1, -1), 4, 4)
