"""The drawer of one sum of the Study page: its images, or its image sets, and the one that is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from core.records import StoredImage
from gui.generate.gallery_sheet import GallerySheet
from gui.models.behind import Asked, Behind, Sum, read_behind
from gui.studio import Studio
from gui.widgets.caption import Caption
from gui.widgets.drawer import Drawer
from gui.widgets.image_details import ImageDetails
from gui.widgets.scroll_column import ScrollColumn
from gui.widgets.set_list import SetEntry, SetList

if TYPE_CHECKING:
    from gui.tasks import Query

SIDE = 84
"""Three of them stand side by side in the narrowest drawer."""


class BehindDrawer(Drawer):
    """Opened on a sum; a press or Enter on a picture shows its prompt and its records below."""

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._query: Query | None = None
        self.asked: Asked | None = None
        self.sheet, self.sets = GallerySheet(studio, side=SIDE), SetList(studio)
        self.nothing = Caption("Nothing is here any more.", "muted", wraps=True)
        self.details = ImageDetails(studio)
        self._scroll = ScrollColumn()
        self._scroll.column.addWidget(self.sets)
        self._scroll.column.addStretch(1)
        self.body.addWidget(self.nothing)
        for widget in (self.sheet, self._scroll):
            self.body.addWidget(widget, 1)
        self.body.addWidget(self.details)
        self.sheet.opened.connect(self._on_image)
        self.sheet.moved.connect(self._on_moved)
        self.sets.chosen.connect(self._on_image)
        self.sets.moved.connect(self._on_set_moved)

    def show_sum(self, asked: Asked) -> None:
        """Open on a sum, or change to it."""
        self.asked = asked
        self.details.close_it()
        self.sheet.show_images((), is_other=True)
        self.sets.show_entries(())
        self._show_parts(Behind(asked), is_read=False)
        self.open_with(asked.title, "reading …")
        (self.sets if asked.sum is Sum.ANSWERED else self.sheet).setFocus()
        self.refresh()

    def refresh(self) -> None:
        """Read what the sum counts again."""
        store, asked = self._studio.store, self.asked
        if store is None or asked is None:
            return
        if self._query is not None:
            self._query.drop()
        self._query = self._studio.query(lambda: read_behind(store, asked), self._on_read)

    def close_it(self) -> bool:
        """Esc closes the picture first, then the drawer."""
        return self.details.close_it() or super().close_it()

    def _on_read(self, found: Behind) -> None:
        self._query = None
        if found.asked != self.asked:
            return
        self.open_with(self.title, found.facts)
        is_other = len(found.images) != len(self.sheet.images)
        self.sheet.show_images(found.images, is_other=is_other)
        entries = tuple(
            SetEntry(one.image_set.key, one.title, one.said, one.image_set.images) for one in found.sets
        )
        if entries != self.sets.entries:
            self.sets.show_entries(entries)
        self._show_parts(found, is_read=True)

    def _show_parts(self, found: Behind, *, is_read: bool) -> None:
        is_of_sets = found.asked.sum is Sum.ANSWERED
        self.sheet.setVisible(not is_of_sets)
        self._scroll.setVisible(is_of_sets)
        self.nothing.setVisible(is_read and not found.images and not found.sets)

    def _on_image(self, image: StoredImage) -> None:
        self.details.show_image(image)

    def _on_moved(self, image: StoredImage) -> None:
        if self.details.image is not None:
            self._on_image(image)

    def _on_set_moved(self, place: QRect) -> None:
        self._scroll.keep_in_sight(self.sets, place)
        if self.details.image is not None and self.sets.current is not None:
            self._on_image(self.sets.current)
