"""Image sets behind a number: each with its number, what everybody answered, and its ten pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.records import StoredImage
from gui.fonts import font, px, width_of
from gui.palette import palette
from gui.studio import Studio
from gui.widgets.image_strip import (
    draw_thumbnail,
    image_words,
    strip_columns,
    strip_height,
    strip_place,
)
from gui.widgets.thumbnails import Thumbnails

CHIP, CHIP_GAP, BETWEEN = 20, 6, 12


@dataclass(frozen=True, slots=True)
class SetEntry:
    """One image set: "Set 31", what each said as (who, label), and its images."""

    key: str
    title: str
    said: tuple[tuple[str, str], ...]
    images: tuple[StoredImage, ...]


class SetList(QWidget):
    """As high as it needs; paints only what is in sight. `chosen(StoredImage)` on a press or Enter."""

    chosen = Signal(object)
    moved = Signal(QRect)

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self.entries: tuple[SetEntry, ...] = ()
        self._current: tuple[int, int] | None = None
        self._tops: list[int] = []
        self._thumbnails = Thumbnails(studio, self)
        self._thumbnails.arrived.connect(self._on_arrived)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Image sets")

    def show_entries(self, entries: Sequence[SetEntry]) -> None:
        """Show other image sets."""
        self.entries = tuple(entries)
        self._current = None
        self._lay_out()
        self.updateGeometry()
        self.update()

    @property
    def current(self) -> StoredImage | None:
        """The image in focus."""
        if self._current is None:
            return None
        return self.entries[self._current[0]].images[self._current[1]]

    def hasHeightForWidth(self) -> bool:
        """Narrow lists are higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all sets."""
        return sum(self._height_of(entry, width) for entry in self.entries)

    def sizeHint(self) -> QSize:
        """At its width now."""
        return QSize(px(300), self.heightForWidth(max(self.width(), px(200))))

    def image_rect(self, entry: int, image: int) -> QRect:
        """Where a picture is."""
        top = self._tops[entry] + self._head_height(self.entries[entry], self.width())
        return strip_place(0, top, self.width(), image, len(self.entries[entry].images))

    # -- events ---------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Pictures share the width."""
        super().resizeEvent(event)
        self._lay_out()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go from picture to picture, Enter opens it."""
        key = Qt.Key(event.key())
        if not self.entries:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.current is not None:
            self.chosen.emit(self.current)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._step(1 if key == Qt.Key.Key_Right else -1)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step_down(1 if key == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press chooses the picture."""
        place = self._place_at(event.position().toPoint())
        if place is not None:
            self._go(*place)
            self.chosen.emit(self.current)

    def event(self, event: QEvent) -> bool:
        """Name the picture under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            place = self._place_at(event.pos())
            image = self.entries[place[0]].images[place[1]] if place else None
            QToolTip.showText(event.globalPos(), image_words(image) if image else "", self)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The first picture takes the focus when none has it."""
        super().focusInEvent(event)
        if self._current is None and self.entries and self.entries[0].images:
            self._current = (0, 0)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the sets in sight."""
        painter = QPainter(self)
        for number, entry in enumerate(self.entries):
            top = self._tops[number]
            if top > event.rect().bottom():
                break
            if top + self._height_of(entry, self.width()) < event.rect().top():
                continue
            self._paint_head(painter, entry, top)
            for at, image in enumerate(entry.images):
                draw_thumbnail(painter, self.image_rect(number, at), image, self._thumbnails, self._studio)
        if self.hasFocus() and self._current is not None:
            painter.setPen(QPen(palette().focus, 2))
            painter.drawRect(self.image_rect(*self._current).adjusted(-1, -1, 1, 1))

    # -- parts ----------------------------------------------------------------------------------

    def _paint_head(self, painter: QPainter, entry: SetEntry, top: int) -> None:
        roles = palette()
        painter.setFont(font(12, True))
        painter.setPen(roles.text)
        line = QRect(0, top, self.width(), px(CHIP))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, entry.title)
        for box, (who, label) in zip(self._chips(entry, self.width()), entry.said, strict=True):
            place = QRectF(box.translated(0, top))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(roles.edge, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), px(3), px(3))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            inner = place.adjusted(px(6), 0, -px(6), 0)
            left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.setFont(font(12))
            painter.setPen(roles.muted)
            painter.drawText(inner, left, who)
            painter.setPen(roles.text)
            painter.drawText(inner.adjusted(width_of(f"{who}  ", 12), 0, px(6), 0), left, label)

    def _chips(self, entry: SetEntry, width: int) -> list[QRect]:
        """Places of the chips after the title, over as many lines as they need."""
        boxes: list[QRect] = []
        left, top = width_of(entry.title, 12, True) + px(12), 0
        for who, label in entry.said:
            wide = min(width_of(f"{who}  {label}", 12) + px(14), width)
            if left + wide > width and left > 0:
                left, top = 0, top + px(CHIP + 4)
            boxes.append(QRect(left, top, wide, px(CHIP)))
            left += wide + px(CHIP_GAP)
        return boxes

    def _head_height(self, entry: SetEntry, width: int) -> int:
        bottom = max((box.bottom() + 1 for box in self._chips(entry, width)), default=px(CHIP))
        return bottom + px(6)

    def _height_of(self, entry: SetEntry, width: int) -> int:
        return self._head_height(entry, width) + strip_height(width, len(entry.images)) + px(BETWEEN)

    def _lay_out(self) -> None:
        self._tops, top = [], 0
        for entry in self.entries:
            self._tops.append(top)
            top += self._height_of(entry, self.width())

    def _place_at(self, point: QPoint) -> tuple[int, int] | None:
        for number, entry in enumerate(self.entries):
            if (
                not self._tops[number]
                <= point.y()
                < self._tops[number] + self._height_of(entry, self.width())
            ):
                continue
            places = range(len(entry.images))
            found = next((at for at in places if self.image_rect(number, at).contains(point)), None)
            return None if found is None else (number, found)
        return None

    def _step(self, step: int) -> None:
        entry, image = self._current or (0, -1)
        image += step
        if image >= len(self.entries[entry].images) and entry + 1 < len(self.entries):
            entry, image = entry + 1, 0
        elif image < 0 and entry > 0:
            entry, image = entry - 1, len(self.entries[entry - 1].images) - 1
        self._go(entry, image)

    def _step_down(self, step: int) -> None:
        entry, image = self._current or (0, 0)
        count = len(self.entries[entry].images)
        columns = strip_columns(self.width(), count)
        wanted = image + step * columns
        if 0 <= wanted < count:
            self._go(entry, wanted)
        elif 0 <= entry + step < len(self.entries):
            size = len(self.entries[entry + step].images)
            column = image % columns
            self._go(entry + step, min(column if step > 0 else size - columns + column, size - 1))

    def _go(self, entry: int, image: int) -> None:
        last = len(self.entries[entry].images) - 1
        self._current = (entry, min(max(image, 0), last))
        shown = self.entries[entry]
        said = ", ".join(f"{who} {label}" for who, label in shown.said)
        self.setAccessibleDescription(f"{shown.title}, image {self._current[1] + 1}: {said}")
        self.update()
        self.moved.emit(self.image_rect(*self._current))

    def _on_arrived(self, _path: str) -> None:
        self.update()
