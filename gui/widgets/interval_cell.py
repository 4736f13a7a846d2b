"""A number with its interval beside it: "0.78 0.72–0.83", the second part muted, or "–" alone."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from gui.fonts import font, px, width_of
from gui.models.number import NO_VALUE, Number, decimals, interval
from gui.palette import Palette

GAP = 6
_MIDDLE_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


def value_width(places: int = 2) -> int:
    """Room for a value of either sign."""
    return width_of(decimals(-1.0, places), 13, is_bold=True)


def cell_width(numbers: Iterable[Number] = (), places: int = 2) -> int:
    """Width of a column of such cells, from the font and the intervals that occur."""
    ends = [width_of(interval(number, places), 12) for number in numbers]
    usual = width_of(interval(Number(1.0, 0.0, 1.0), places), 12)
    return value_width(places) + px(GAP) + max([usual, *ends])


def draw_interval_cell(
    painter: QPainter,
    place: QRectF,
    number: Number,
    roles: Palette,
    *,
    is_bold: bool = False,
    has_interval: bool = True,
    places: int = 2,
) -> None:
    """Paint a number at the left of `place`, its interval after it where there is room for it."""
    text = NO_VALUE if number.value is None else decimals(number.value, places)
    painter.setFont(font(13, is_bold))
    painter.setPen(roles.muted if number.value is None else roles.text)
    painter.drawText(place, _MIDDLE_LEFT, text)
    ends = interval(number, places)
    if not has_interval or not ends or number.value is None:
        return
    left = max(width_of(text, 13, is_bold), width_of(decimals(0.0, places), 13)) + px(GAP)
    if left + width_of(ends, 12) > place.width() + px(2):
        return
    painter.setFont(font(12))
    painter.setPen(roles.muted)
    painter.drawText(place.adjusted(left, 0, 0, 0), _MIDDLE_LEFT, ends)
