"""A button with its key printed on it: icon, word, cap. In a narrow row it loses the word, never the key."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from gui import fonts
from gui.icons import draw_icon
from gui.palette import Palette, palette
from gui.widgets.key_cap import cap_size, paint_cap

HEIGHT = 36
PADDING = 11
BETWEEN = 9
ICON = 18
RADIUS = 4
RING = 4
"""Room around the button for its focus ring, two px outside."""


class KeyButton(QAbstractButton):
    """Painted by hand, because a cap cannot stand inside a QPushButton.

    `look` is plain, primary (what the screen is about, filled), open (the same, outlined: not complete
    yet), warn (a flag that is set) or noted (a comment that is there).
    """

    def __init__(
        self, word: str, key: str, *, icon: str = "", short_key: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icon = icon
        self._key = key
        self._short_key = short_key or key
        self._look = "plain"
        self._has_word = True
        self._is_short = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_word(word)

    @property
    def look(self) -> str:
        """plain, primary, open, warn or noted."""
        return self._look

    def set_look(self, look: str) -> None:
        """Change how it looks."""
        if look != self._look:
            self._look = look
            self.update()

    def set_key(self, key: str, short_key: str = "") -> None:
        """Change the key it prints."""
        if key != self._key:
            self._key, self._short_key = key, short_key or key
            self._name_it()

    def set_word(self, word: str) -> None:
        """Change its word."""
        if word != self.text():
            self.setText(word)
            self._name_it()

    def _name_it(self) -> None:
        self.setAccessibleName(f"{self.text()}, key {self._key}" if self._key else self.text())
        self.setToolTip(f"{self.text()} ({self._key})" if self._key else "")
        self.updateGeometry()
        self.update()

    def set_room(self, *, has_word: bool, is_short: bool) -> None:
        """Whether there is room for the word, and for the long form of the key."""
        if (has_word, is_short) != (self._has_word, self._is_short):
            self._has_word, self._is_short = has_word, is_short
            self.updateGeometry()
            self.update()

    @property
    def shows_word(self) -> bool:
        """Whether the word is there."""
        return self._has_word or not self._icon

    def width_with(self, word: str, *, has_word: bool, is_short: bool) -> int:
        """Width it would need with this word and room."""
        key = self._short_key if is_short else self._key
        parts = [fonts.px(ICON)] if self._draws_icon(has_word) else []
        if has_word or not self._icon:
            parts.append(fonts.width_of(word, 13, self._is_bold))
        if key:
            parts.append(cap_size(key).width())
        return sum(parts) + fonts.px(BETWEEN) * (len(parts) - 1) + 2 * fonts.px(PADDING)

    def _draws_icon(self, has_word: bool) -> bool:
        return bool(self._icon) and not (has_word and self._icon == "left")

    @property
    def _is_bold(self) -> bool:
        return self._look in ("primary", "open")

    def sizeHint(self) -> QSize:
        """Icon, word and cap in a row, with room for the ring."""
        wide = self.width_with(self.text(), has_word=self._has_word, is_short=self._is_short)
        return QSize(wide, fonts.px(HEIGHT))

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show that the pointer is over it."""
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Show that the pointer is gone."""
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Box, icon, word, cap, ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        roles = palette()
        fill, border, ink = self._colours(roles)
        painter.setPen(QPen(border, 1))
        painter.setBrush(fill)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        self._paint_parts(painter, roles, ink)
        if self.hasFocus():
            painter.setPen(QPen(roles.on_accent if self._look == "primary" else roles.focus, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(3, 3, -3, -3), 3, 3)

    def _colours(self, roles: Palette) -> tuple[QColor, QColor, QColor]:
        is_over = self.underMouse() or self.isDown()
        if self._look == "primary":
            fill = roles.accent_over if is_over else roles.accent
            return fill, fill, roles.on_accent
        plain = roles.sunken if self.isDown() else roles.hover if is_over else roles.surface
        if self._look == "open":
            return plain, roles.accent, roles.accent
        if self._look == "warn":
            return roles.warn_soft, roles.warn, roles.text
        if self._look == "noted":
            return roles.accent_soft, roles.accent, roles.text
        return plain, roles.edge, roles.text

    def _paint_parts(self, painter: QPainter, roles: Palette, ink: QColor) -> None:
        left = float(fonts.px(PADDING))
        low = 1 if self.isDown() and self._look == "primary" else 0
        if self._draws_icon(self._has_word):
            side = fonts.px(ICON)
            role = "warn" if self._look == "warn" else "text"
            draw_icon(painter, self._icon, role, QRectF(left, (self.height() - side) / 2, side, side))
            left += side + fonts.px(BETWEEN)
        if self.shows_word:
            painter.setPen(ink)
            painter.setFont(fonts.font(13, self._is_bold))
            place = QRectF(left, low, self.width() - left, self.height() - 1)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
        key = self._short_key if self._is_short else self._key
        if not key:
            return
        size = cap_size(key)
        right = self.width() - fonts.px(PADDING)
        top = round((self.height() - size.height()) / 2)
        border = ink if self._look in ("primary", "open") else roles.edge
        paint_cap(painter, QRectF(right - size.width(), top, size.width(), size.height()), key, ink, border)
