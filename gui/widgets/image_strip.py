"""Ten small pictures in a row, or in two rows where there is little room; a picture is never painted on."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter

from core.records import StoredImage
from gui.fonts import font, px
from gui.palette import palette
from gui.studio import Studio
from gui.widgets.thumbnails import Thumbnails

GAP, LEAST_SIDE, LARGEST_SIDE, IN_A_ROW = 4, 36, 56, 10


def strip_columns(width: int, count: int = IN_A_ROW) -> int:
    """How many pictures stand side by side: all ten, or five."""
    wanted = max(count, 1)
    return wanted if (width + px(GAP)) // wanted - px(GAP) >= px(LEAST_SIDE) else -(-wanted // 2)


def strip_side(width: int, count: int = IN_A_ROW) -> int:
    """Side of one picture."""
    columns = strip_columns(width, count)
    return min((width + px(GAP)) // columns - px(GAP), px(LARGEST_SIDE))


def strip_height(width: int, count: int = IN_A_ROW) -> int:
    """Height of the whole strip."""
    rows = -(-max(count, 1) // strip_columns(width, count))
    return rows * (strip_side(width, count) + px(GAP)) - px(GAP)


def strip_place(left: int, top: int, width: int, at: int, count: int = IN_A_ROW) -> QRect:
    """Where one picture is."""
    row, column = divmod(at, strip_columns(width, count))
    side = strip_side(width, count)
    step = side + px(GAP)
    return QRect(left + column * step, top + row * step, side, side)


def draw_thumbnail(
    painter: QPainter, place: QRect, image: StoredImage, thumbnails: Thumbnails, studio: Studio
) -> None:
    """Paint one picture, a sunken square until it has arrived, a word where it cannot be read."""
    roles, folder = palette(), studio.folder
    picture = None
    if folder is not None:
        side = round(place.width() * painter.device().devicePixelRatioF())
        picture = thumbnails.get(folder / image.thumbnail, side)
    if picture is None:
        painter.fillRect(place, roles.sunken)
    elif picture.isNull():
        painter.fillRect(place, roles.danger_soft)
        painter.setPen(roles.danger)
        painter.setFont(font(11))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, "unreadable")
    else:
        painter.drawPixmap(place, picture)


def image_words(image: StoredImage) -> str:
    """An image in words, for tooltips and screen readers."""
    parts: Sequence[str] = (
        image.role.replace("_", " "),
        str(image.condition or "no condition"),
        image.generator,
        f"seed {image.seed}",
    )
    return f"{image.prompt}\n{', '.join(parts)}"
