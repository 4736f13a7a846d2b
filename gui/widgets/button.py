"""Buttons: a verb and an object, an icon that follows the theme, the key in the tooltip."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from gui import icons
from gui.fonts import px
from gui.palette import palette
from gui.plain_text import shown, tip
from gui.theme import is_restyle, set_kind
from gui.words import key_words

MOST_CAPTION = 320
"""Longest line of a caption."""


class Button(QPushButton):
    """A push button of one `kind`: "" (outlined), primary, quiet, danger, link, link_danger.

    Parameters
    ----------
    caption : str
        Verb + object; empty for an icon alone, which then needs `name`.
    kind : str
        How much weight it has; one primary a view.
    icon : str
        Icon at its left.
    key : str
        Its key, said in the tooltip.
    name : str
        Accessible name and tooltip when the caption is empty.
    """

    def __init__(
        self,
        caption: str = "",
        kind: str = "",
        icon: str = "",
        *,
        key: str = "",
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._whole = ""
        self.setText(caption)
        self._icon_name = icon
        self._kind = kind
        self.setProperty("kind", kind)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAutoDefault(False)
        self.setAccessibleName(name or caption)
        hint = " ".join(part for part in (name, f"({key_words(key)})" if key else "") if part)
        self.setToolTip(hint)
        if kind.startswith("link"):
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._draw_icon()

    def text(self) -> str:
        """The caption, whole."""
        return self._whole

    def setText(self, caption: str) -> None:
        """Show a caption; a line of it that is too long, as names can be, ends in …."""
        self._whole = caption
        metrics, most = QFontMetrics(self.font()), px(MOST_CAPTION)
        lines = shown(caption).split("\n")
        short = [metrics.elidedText(line, Qt.TextElideMode.ElideRight, most) for line in lines]
        if short != lines and not self.toolTip():
            self.setToolTip(caption)
        super().setText("\n".join(short).replace("&", "&&"))

    def setToolTip(self, text: str) -> None:
        """A tooltip in plain words."""
        super().setToolTip(tip(text))

    def set_weight(self, kind: str, key: str = "") -> None:
        """Give it another kind, and the key that presses it in its tooltip."""
        self._kind = kind
        set_kind(self, kind)
        self.setToolTip(f"({key_words(key)})" if key else "")
        self._draw_icon()

    def set_icon(self, name: str) -> None:
        """Show another icon."""
        self._icon_name = name
        self._draw_icon()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A ring on accent needs a gap to be seen."""
        super().paintEvent(event)
        if self._kind == "primary" and self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(palette().surface, 2))
            painter.drawRoundedRect(self.rect().toRectF().adjusted(3, 3, -3, -3), px(2), px(2))

    def changeEvent(self, event: QEvent) -> None:
        """A new theme or scale needs the icon in its new colour and size."""
        super().changeEvent(event)
        if is_restyle(event):
            self._draw_icon()

    def _draw_icon(self) -> None:
        if self._icon_name:
            role = {"primary": "on_accent", "danger": "danger"}.get(self._kind, "text")
            self.setIconSize(QSize(px(16), px(16)))
            self.setIcon(icons.icon(self._icon_name, role, 16))


def in_slot(button: Button) -> QWidget:
    """A place in the header for an act that is not always offered: the header shows every act it is given."""
    slot = QWidget()
    row = QHBoxLayout(slot)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(button)
    return slot
