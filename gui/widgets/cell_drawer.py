"""The drawer of one cell: its images, and beneath them what an extractor read off the chosen one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from core.records import ImageStatus, NewRecord, Status, StoredImage
from core.schema import load_schema
from gui.fonts import px
from gui.models.coverage import Key, in_words, labels_words
from gui.studio import Studio
from gui.widgets.caption import Caption
from gui.widgets.card import empty_layout
from gui.widgets.contact_sheet import ContactSheet
from gui.widgets.drawer import Drawer
from gui.words import counted

if TYPE_CHECKING:
    from gui.tasks import Query
    from storage.store import Store


@dataclass(frozen=True, slots=True)
class CellImages:
    """The images of a cell."""

    key: Key
    images: tuple[StoredImage, ...]


@dataclass(frozen=True, slots=True)
class ImageRecords:
    """The records of one image, with the names of the dimensions as they are read."""

    image: StoredImage
    records: list[NewRecord]
    names: Mapping[str, str]


class CellDrawer(Drawer):
    """Opened on a cell; arrows choose an image, whose prompt, seed and records stand below."""

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._key: Key | None = None
        self._query: Query | None = None
        self.sheet = ContactSheet(studio)
        self._details = QVBoxLayout()
        self._details.setSpacing(px(2))
        inner = QWidget()
        inner.setProperty("kind", "scrolled")
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, px(8), 0)
        column.addLayout(self._details)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inner)
        self.body.addWidget(self.sheet)
        self.body.addWidget(scroll, 1)
        self.sheet.moved.connect(self._on_image)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The pictures take their share of the height."""
        super().resizeEvent(event)
        self.sheet.fit_into(self.height())

    @property
    def key(self) -> Key | None:
        """The cell that is shown."""
        return self._key

    def show_cell(self, key: Key) -> None:
        """Open on a cell, or change to it."""
        if key == self._key and not self.isHidden():
            return
        self._key = key
        parts = [str(part) for part in (key.condition, key.generator) if part]
        self.open_with(", ".join([in_words(key.role), *parts]), "reading …")
        self.sheet.show_images(())
        empty_layout(self._details)
        self.refresh()

    def refresh(self) -> None:
        """Read the cell's images again."""
        store, key = self._studio.store, self._key
        if store is None or key is None:
            return
        if self._query is not None:
            self._query.drop()
        self._query = self._studio.query(lambda: images_of(store, key), self._on_images)

    def _on_images(self, found: CellImages) -> None:
        self._query = None
        if found.key != self._key:
            return
        left_out = sum(image.status is not ImageStatus.OK for image in found.images)
        facts = counted(len(found.images), "image")
        self.open_with(self.title, f"{facts}, {left_out} left out" if left_out else facts)
        self.sheet.show_images(found.images)
        if not found.images:
            empty_layout(self._details)
            self._details.addWidget(Caption("No images here yet.", "muted"))

    def _on_image(self, image: StoredImage) -> None:
        store = self._studio.store
        if store is not None:
            self._studio.query(lambda: read_records(store, image), self._on_records)

    def _on_records(self, found: ImageRecords) -> None:
        image, records = found.image, found.records
        if image != self.sheet.current:
            return
        empty_layout(self._details)
        self._details.addWidget(Caption(image.prompt, "strong", wraps=True))
        facts = f"seed {image.seed}, {image.width} × {image.height}"
        if image.status is not ImageStatus.OK:
            facts += f", {in_words(image.status)}"
        self._details.addWidget(Caption(facts, "muted"))
        for record in records:
            self._add_record(record, found.names)
        if not records:
            self._details.addWidget(Caption("No record of this image yet.", "muted"))

    def _add_record(self, record: NewRecord, names: Mapping[str, str]) -> None:
        self._details.addSpacing(px(8))
        self._details.addWidget(Caption(record.extractor, "strong"))
        if record.status is not Status.OK:
            said = f"{in_words(record.status)}: {record.reason}" if record.reason else record.status
            self._details.addWidget(Caption(said, "danger", wraps=True))
            return
        grid = QGridLayout()
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(3))
        grid.setColumnStretch(1, 1)
        for row, (dimension, reading) in enumerate(record.readings.items()):
            name = names.get(dimension, in_words(dimension))
            grid.addWidget(Caption(name, "muted"), row, 0, Qt.AlignmentFlag.AlignTop)
            read = labels_words(reading.labels, names) or in_words(reading.status)
            grid.addWidget(Caption(read, "small" if reading.labels else "muted", wraps=True), row, 1)
        holder = QWidget()
        holder.setLayout(grid)
        grid.setContentsMargins(0, px(2), 0, 0)
        self._details.addWidget(holder)


def images_of(store: Store, key: Key) -> CellImages:
    """The images of one cell in the order they arrived."""
    images = store.images(generator=key.generator) if key.generator else store.images()
    here = [image for image in images if image.role == key.role and image.condition == key.condition]
    return CellImages(key, tuple(here))


def read_records(store: Store, image: StoredImage) -> ImageRecords:
    """The records of one image."""
    schema = load_schema()
    names = {dimension.id: dimension.name for dimension in schema.dimensions} | dict(schema.label_names)
    return ImageRecords(image, store.records_of(image.image_id), names)
