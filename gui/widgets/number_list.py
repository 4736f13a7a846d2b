"""A list of named numbers: value with interval, or a share with its bar; one of them can be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gui.fonts import font, px, width_of
from gui.models.number import Number, decimals, interval
from gui.palette import palette
from gui.widgets.interval_cell import draw_interval_cell
from gui.widgets.stepped_lines import SteppedLines

ROW = 28
_MIDDLE_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_MIDDLE_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


@dataclass(frozen=True, slots=True)
class NumberEntry:
    """One line; with `share` it has a bar and `text` in place of the number."""

    key: str
    name: str
    number: Number | None = None
    text: str = ""
    share: float | None = None
    is_bold: bool = False


class NumberList(SteppedLines):
    """`chosen(key)` on a press or Enter; a list that is only read takes no focus."""

    chosen = Signal(str)
    line_height = ROW

    def __init__(self, name: str, *, is_read_only: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.entries: tuple[NumberEntry, ...] = ()
        self.chosen_key = ""
        if is_read_only:
            self.set_read_only()

    @property
    def lines(self) -> tuple[NumberEntry, ...]:
        """The entries."""
        return self.entries

    def choose(self, at: int) -> None:
        """Say which entry was chosen."""
        self.chosen.emit(self.entries[at].key)

    def show_entries(self, entries: Sequence[NumberEntry], chosen_key: str = "") -> None:
        """Show other lines; the chosen one is tinted."""
        self.entries, self.chosen_key = tuple(entries), chosen_key
        keys = [entry.key for entry in entries]
        self._at = keys.index(chosen_key) if chosen_key in keys else 0
        said = [
            f"{one.name} {one.text or decimals(one.number.value if one.number else None)}" for one in entries
        ]
        self.setAccessibleDescription("; ".join(said))
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Name at the left, number or share at the right."""
        painter, roles = QPainter(self), palette()
        for at, entry in enumerate(self.entries):
            place = QRect(0, at * px(ROW), self.width(), px(ROW))
            if not place.intersects(event.rect()):
                continue
            if entry.key and entry.key == self.chosen_key:
                painter.fillRect(place, roles.accent_soft)
            painter.fillRect(place.left(), place.bottom(), place.width(), 1, roles.line)
            self._paint_entry(painter, place.adjusted(px(4), 0, -px(4), -1), entry)
            if at == self._at and self.hasFocus():
                painter.setPen(QPen(roles.focus, 2))
                painter.drawRect(place.adjusted(1, 1, -1, -2))

    def _paint_entry(self, painter: QPainter, place: QRect, entry: NumberEntry) -> None:
        roles = palette()
        right = self._right_width(entry)
        painter.setFont(font(13, entry.is_bold))
        painter.setPen(roles.text)
        room = place.width() - right - px(10)
        bar = place.width() // 4 if entry.share is not None else 0
        name = painter.fontMetrics().elidedText(entry.name, Qt.TextElideMode.ElideRight, room - bar)
        painter.drawText(place, _MIDDLE_LEFT, name)
        value = QRectF(place.right() - right, place.top(), right, place.height())
        if entry.number is not None:
            draw_interval_cell(painter, value, entry.number, roles, is_bold=entry.is_bold)
            return
        if entry.share is not None:
            trough = QRectF(value.left() - px(8) - bar, place.center().y() - px(3), bar, px(6))
            painter.fillRect(trough, roles.sunken)
            trough.setWidth(trough.width() * min(entry.share, 1.0))
            painter.fillRect(trough, roles.coverage[5])
        painter.setFont(font(12))
        painter.setPen(roles.muted)
        painter.drawText(value, _MIDDLE_RIGHT, entry.text)

    def _right_width(self, entry: NumberEntry) -> int:
        """One width for all lines, so that numbers stand below one another."""
        if entry.number is None:
            return max(width_of(one.text, 12) for one in self.entries) + px(4)
        ends = max(width_of(interval(one.number), 12) for one in self.entries if one.number is not None)
        return width_of("−0.00", 13, is_bold=True) + px(8) + ends
