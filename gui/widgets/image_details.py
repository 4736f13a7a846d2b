"""One image larger: its picture, its prompt and origin, and what an extractor read off it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from core.records import NewRecord, Status, StoredImage
from core.schema import load_schema
from gui.fonts import px
from gui.models.coverage import in_words, labels_words
from gui.palette import palette
from gui.studio import Studio
from gui.widgets.button import Button
from gui.widgets.caption import Caption, ElidedCaption, rule
from gui.widgets.card import empty_layout
from gui.widgets.thumbnails import decoded

if TYPE_CHECKING:
    from gui.tasks import Query
    from storage.store import Store

SIDE = 132


@dataclass(frozen=True, slots=True)
class _Found:
    image: StoredImage
    picture: QImage
    records: Sequence[NewRecord]
    names: Mapping[str, str]


class ImageDetails(QFrame):
    """Hidden until `show_image`; the close button hides it again and says `closed`."""

    closed = Signal()

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self._studio = studio
        self._image: StoredImage | None = None
        self._dimension = ""
        self._query: Query | None = None
        self._picture = _Picture()
        self._prompt = Caption("", "strong", wraps=True)
        self._origin = Caption("", "muted", wraps=True)
        self._read = QVBoxLayout()
        self._read.setSpacing(px(2))
        self._close = Button("", "quiet", "x", name="Close the image")
        self._close.clicked.connect(self.close_it)
        words = QVBoxLayout()
        words.setSpacing(px(4))
        words.addWidget(self._prompt)
        words.addWidget(self._origin)
        words.addLayout(self._read)
        words.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(px(12))
        row.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        row.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        column.addWidget(rule())
        column.addLayout(row)
        self.hide()

    @property
    def image(self) -> StoredImage | None:
        """The image that is shown."""
        return None if self.isHidden() else self._image

    def show_image(self, image: StoredImage, dimension: str = "") -> None:
        """Show an image; what was read for `dimension` stands first."""
        self._image, self._dimension = image, dimension
        self._picture.show_picture(None)
        self._prompt.setText(image.prompt)
        parts = [in_words(image.role), str(image.condition or "no condition"), image.generator]
        self._origin.setText(", ".join([*parts, f"seed {image.seed}"]))
        self.setAccessibleName(f"Image: {image.prompt}")
        empty_layout(self._read)
        self.show()
        store = self._studio.store
        if store is None:
            return
        if self._query is not None:
            self._query.drop()
        side = round(px(SIDE) * self.devicePixelRatioF())
        self._query = self._studio.query(lambda: _look_up(store, image, side), self._on_found)

    def close_it(self) -> bool:
        """Hide; returns whether it was shown."""
        was_shown = not self.isHidden()
        self.hide()
        if was_shown:
            self.closed.emit()
        return was_shown

    def _on_found(self, found: _Found) -> None:
        self._query = None
        if found.image != self._image:
            return
        self._picture.show_picture(QPixmap.fromImage(found.picture))
        empty_layout(self._read)
        for record in found.records:
            self._add_record(record, found.names)
        if not found.records:
            self._read.addWidget(Caption("No record of this image yet.", "muted"))

    def _add_record(self, record: NewRecord, names: Mapping[str, str]) -> None:
        if record.status is not Status.OK:
            said = f"{record.extractor}: {in_words(record.status)}"
            self._read.addWidget(Caption(f"{said}. {record.reason}".strip(), "danger", wraps=True))
            return
        reading = record.readings.get(self._dimension)
        if reading is not None:
            read = labels_words(reading.labels, names) or in_words(reading.status)
            name = names.get(self._dimension, in_words(self._dimension))
            self._read.addWidget(Caption(f"{record.extractor} read {name}: {read}", "small", wraps=True))
        rest = [
            f"{names.get(one, in_words(one))} {labels_words(reading.labels, names)}"
            for one, reading in record.readings.items()
            if one != self._dimension and reading.labels
        ]
        line = ElidedCaption("; ".join(rest), "muted")
        self._read.addWidget(line)


class _Picture(QWidget):
    """The picture, square, sunken until it has arrived."""

    def __init__(self) -> None:
        super().__init__()
        self._picture: QPixmap | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_picture(self, picture: QPixmap | None) -> None:
        self._picture = picture
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(SIDE), px(SIDE))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._picture is None or self._picture.isNull():
            painter.fillRect(self.rect(), palette().sunken)
        else:
            painter.drawPixmap(self.rect(), self._picture)


def _look_up(store: Store, image: StoredImage, side: int) -> _Found:
    schema = load_schema()
    names = {dimension.id: dimension.name for dimension in schema.dimensions} | dict(schema.label_names)
    path: Path = store.folder / image.path
    return _Found(image, decoded(path, side), store.records_of(image.image_id), names)
