"""What signs mean: each with its words, in a line that wraps where there is little room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.fonts import font, px, width_of
from gui.palette import Palette, palette

LINE, SIGN, AFTER_SIGN, BETWEEN = 22, 22, 6, 22

DrawSign = Callable[[QPainter, QRectF, Palette], None]


@dataclass(frozen=True, slots=True)
class LegendItem:
    """Words, with a sign before them or without."""

    words: str
    draw: DrawSign | None = None

    @property
    def width(self) -> int:
        """Width of sign and words."""
        return (px(SIGN + AFTER_SIGN) if self.draw is not None else 0) + width_of(self.words, 12)


def item_places(items: Sequence[LegendItem], width: float) -> list[tuple[int, int]]:
    """Left and top of each item."""
    places, left, top = [], 0, 0
    for item in items:
        if left and left + item.width > width:
            left, top = 0, top + px(LINE)
        places.append((left, top))
        left += item.width + px(BETWEEN)
    return places


def draw_items(painter: QPainter, items: Sequence[LegendItem], place: QRectF, roles: Palette) -> None:
    """Paint the items from the top left of a place."""
    for item, (left, top) in zip(items, item_places(items, place.width()), strict=True):
        at = QRectF(place.left() + left, place.top() + top, px(SIGN), px(LINE))
        if item.draw is not None:
            item.draw(painter, at, roles)
        painter.setFont(font(12))
        painter.setPen(roles.muted)
        indent = px(SIGN + AFTER_SIGN) if item.draw is not None else 0
        words = QRectF(at.left() + indent, at.top(), 4000, px(LINE))
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, item.words)


class SignLegend(QWidget):
    """`show_items` replaces what it says."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.items: tuple[LegendItem, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_items(self, items: Sequence[LegendItem]) -> None:
        """Show other items."""
        self.items = tuple(items)
        self.setAccessibleName("; ".join(item.words for item in items))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        """It wraps."""
        return True

    def heightForWidth(self, width: int) -> int:
        """As many lines as the items need."""
        return (item_places(self.items, width)[-1][1] if self.items else 0) + px(LINE)

    def sizeHint(self) -> QSize:
        """All in one line."""
        wide = sum(item.width + px(BETWEEN) for item in self.items)
        return QSize(max(wide - px(BETWEEN), 0), px(LINE))

    def minimumSizeHint(self) -> QSize:
        """One item."""
        return QSize(max((item.width for item in self.items), default=0), px(LINE))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the items."""
        draw_items(QPainter(self), self.items, QRectF(self.rect()), palette())
