"""What stands in the rail: the study at the top, and one entry a page with what is going on there."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QTextOption
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy

from gui.fonts import font, px
from gui.icons import draw_icon
from gui.palette import palette
from gui.widgets.ring import draw_ring

WIDE, NARROW = 168, 84


@dataclass(frozen=True, slots=True)
class RailState:
    """What stands beside a page's word: a count in words, a warning, or the share of a running job."""

    count: str = ""
    warning: str = ""
    running: float | None = None


class RailButton(QAbstractButton):
    """One page in the rail, painted by hand: icon, word, and what is going on there."""

    def __init__(self, name: str, word: str, icon: str, key: str) -> None:
        super().__init__()
        self.name = name
        self._icon_name = icon
        self._key = key
        self._state = RailState()
        self.is_wide = True
        self.setText(word)
        self.setCheckable(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setMaximumHeight(px(52))
        self.set_state(self._state)

    @property
    def state(self) -> RailState:
        """What stands beside the word."""
        return self._state

    def set_state(self, state: RailState) -> None:
        """Show a count, a warning or a ring; the accessible name says the same."""
        self._state = state
        running = "" if state.running is None else f"running, {int(state.running * 100)} %"
        said = ", ".join(part for part in (self.text(), running, state.warning, state.count) if part)
        self.setAccessibleName(said)
        self.setToolTip(f"{said} ({self._key})" if self._key else said)
        self.update()

    def sizeHint(self) -> QSize:
        """A row of 32 px with words, of 52 px with the icon over the word."""
        return QSize(px(WIDE), px(32)) if self.is_wide else QSize(px(NARROW), px(52))

    def minimumSizeHint(self) -> QSize:
        """In a low window rows stand closer before anything is cut off."""
        return QSize(px(NARROW), px(26) if self.is_wide else px(38))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint box, icon, word and state."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_box(painter)
        if self.is_wide:
            self._paint_wide(painter)
        else:
            self._paint_narrow(painter)

    def _paint_box(self, painter: QPainter) -> None:
        roles = palette()
        box = QRectF(self.rect()).adjusted(px(8), 0, -px(8), 0)
        painter.setPen(Qt.PenStyle.NoPen)
        if self.isChecked() or self.underMouse():
            painter.setBrush(roles.surface if self.isChecked() else roles.hover)
            painter.drawRoundedRect(box, px(4), px(4))
        if self.isChecked():
            painter.setBrush(roles.accent)
            height = box.height() * 0.6
            bar = QRectF(box.left(), box.center().y() - height / 2, px(3), height)
            painter.drawRoundedRect(bar, 1.5, 1.5)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(roles.focus, 2))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), px(4), px(4))

    def _ink(self) -> str:
        return "text" if self.isChecked() else "muted"

    def _paint_wide(self, painter: QPainter) -> None:
        middle = self.height() / 2
        draw_icon(painter, self._icon_name, self._ink(), QRectF(px(20), middle - px(9), px(18), px(18)))
        painter.setPen(palette().role(self._ink()))
        painter.setFont(font(13, self.isChecked()))
        words = QRectF(px(48), 0, self.width() - px(48), self.height())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
        right = self.width() - px(20)
        self._paint_state(painter, QRectF(right - px(16), middle - px(8), px(16), px(16)), right)

    def _paint_narrow(self, painter: QPainter) -> None:
        centre, top = self.width() / 2, (self.height() - px(38)) // 2
        draw_icon(painter, self._icon_name, self._ink(), QRectF(centre - px(10), top, px(20), px(20)))
        painter.setPen(palette().role(self._ink()))
        painter.setFont(font(11, self.isChecked()))
        words = QRectF(0, top + px(20), self.width(), px(18))
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, self.text())
        corner = QRectF(centre + px(13), max(top - px(3), 1), px(13), px(13))
        self._paint_state(painter, corner, None)

    def _paint_state(self, painter: QPainter, place: QRectF, right: float | None) -> None:
        """Ring before warning before count; the narrow rail has no room for the count."""
        if self._state.running is not None:
            draw_ring(painter, place, self._state.running)
        elif self._state.warning:
            draw_icon(painter, "warn", "warn", place)
        elif self._state.count and right is not None:
            painter.setPen(palette().muted)
            painter.setFont(font(12))
            area = QRectF(0, 0, right, self.height())
            painter.drawText(
                area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._state.count
            )


class StudyButton(QAbstractButton):
    """The study's name and facts at the top of the rail; a press opens the menu of the window."""

    def __init__(self) -> None:
        super().__init__()
        self.is_wide = True
        self.menu: QMenu | None = None
        self._facts = ""
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFixedHeight(px(44))
        self.clicked.connect(self._on_clicked)

    def set_study(self, name: str, facts: str) -> None:
        """Show another study."""
        self.setText(name)
        self._facts = facts
        self.setAccessibleName(f"Study {name}, {facts}; opens the menu")
        self.setToolTip(f"{name}\n{facts}".strip())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the name, the facts where there is room, and that there is a menu."""
        painter, roles = QPainter(self), palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(px(8), 0, -px(8), 0)
        if self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(roles.hover)
            painter.drawRoundedRect(box, px(4), px(4))
        if self.hasFocus():
            painter.setPen(QPen(roles.focus, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), px(4), px(4))
        if not self.is_wide:
            painter.setFont(font(12, True))
            painter.setPen(roles.text)
            between_words = QTextOption(Qt.AlignmentFlag.AlignCenter)
            between_words.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
            painter.drawText(box.adjusted(px(2), 0, -px(2), 0), self.text(), between_words)
            return
        words = box.adjusted(px(8), px(3), -px(20), -px(3))
        self._line(painter, words.adjusted(0, 0, 0, -words.height() / 2), self.text(), 13, True)
        self._line(painter, words.adjusted(0, words.height() / 2, px(14), 0), self._facts, 12, False)
        corner = QRectF(box.right() - px(20), words.top(), px(14), words.height() / 2)
        draw_icon(painter, "down", "muted", corner)

    def _line(self, painter: QPainter, place: QRectF, text: str, size: int, is_strong: bool) -> None:
        painter.setFont(font(size, is_strong))
        painter.setPen(palette().text if is_strong else palette().muted)
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(place.width()))
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)

    def _on_clicked(self) -> None:
        if self.menu is not None:
            self.menu.popup(self.mapToGlobal(self.rect().bottomLeft()))
