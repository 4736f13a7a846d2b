"""All images of a study, filtered by role, condition, generator and status; a click shows what one is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from core.records import StoredImage
from gui.fonts import px
from gui.generate.gallery_filter import Wanted, conditions_in, generators_in, roles_in, statuses_in
from gui.generate.gallery_sheet import GallerySheet
from gui.generate.image_facts import ImageFacts
from gui.paced_read import PacedRead
from gui.studio import Studio
from gui.widgets.caption import Caption
from gui.widgets.choice_box import ChoiceBox
from gui.widgets.empty_page import EmptyPage
from gui.widgets.flow import Flow
from gui.words import counted, thousands

if TYPE_CHECKING:
    from storage.store import Store

DRAWER_WIDE, BOTH_FROM, WIDEST = 300, 640, 16_777_215
PARTS = ("role", "condition", "generator", "status")


class Gallery(QWidget):
    """`opened(image)` when a person wants an image with its records; `counted` says what is shown."""

    opened = Signal(object)
    said = Signal(str)

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._all: list[StoredImage] = []
        self.sheet = GallerySheet(studio)
        self.drawer = ImageFacts(studio)
        self.nothing = EmptyPage()
        self.boxes = {part: ChoiceBox(["all"], f"Filter by {part}") for part in PARTS}
        self._read = PacedRead(studio, self._on_images, 500, self)
        self._lay_out()
        for box in self.boxes.values():
            box.chosen.connect(self._on_filter)
        self.sheet.opened.connect(self._on_opened)
        self.sheet.moved.connect(self._on_moved)
        self.drawer.wanted_records.connect(self.opened)
        self.drawer.closed.connect(self._on_drawer_closed)
        studio.study_closed.connect(self._on_closed)

    @property
    def wanted(self) -> Wanted:
        """What the boxes say."""
        return Wanted(*(self.boxes[part].currentText() for part in PARTS))

    @property
    def sentence(self) -> str:
        """How many are shown of how many."""
        shown, whole = len(self.sheet.images), len(self._all)
        if shown == whole:
            return counted(whole, "image")
        return f"{thousands(shown)} of {counted(whole, 'image')}"

    def refresh(self, *, now: bool = False) -> None:
        """Read images that are new."""
        store, last = self._studio.store, self._all[-1].image_id if self._all else 0
        if store is not None:
            self._read.ask(lambda: read_images(store, last), now=now)

    def close_drawer(self) -> bool:
        """Close what Esc closes."""
        return self.drawer.close_it()

    def _lay_out(self) -> None:
        filters = Flow(gap=12, line_gap=6)
        for part, box in self.boxes.items():
            pair = QWidget()
            row = QHBoxLayout(pair)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(px(6))
            row.addWidget(Caption(part, "muted"))
            row.addWidget(box)
            filters.addWidget(pair)
        self._left = QWidget()
        left = QVBoxLayout(self._left)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(px(8))
        left.addLayout(filters)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.sheet)
        self._stack.addWidget(self.nothing)
        left.addWidget(self._stack, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(12))
        row.addWidget(self._left, 1)
        row.addWidget(self.drawer)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is no room for both, an image takes the place of the others until it is closed."""
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        is_narrow = self.width() < px(BOTH_FROM)
        self.drawer.setMinimumWidth(0 if is_narrow else px(DRAWER_WIDE))
        self.drawer.setMaximumWidth(WIDEST if is_narrow else px(DRAWER_WIDE))
        self._left.setVisible(not is_narrow or self.drawer.isHidden())

    def _on_opened(self, image: StoredImage) -> None:
        self.drawer.show_image(image)
        self._share_room()

    def _on_drawer_closed(self) -> None:
        self._share_room()
        self.sheet.setFocus()

    def _on_images(self, images: list[StoredImage]) -> None:
        last = self._all[-1].image_id if self._all else 0
        new = [image for image in images if image.image_id > last]
        if not new and self._all:
            return
        self._all += new
        offers = (roles_in, conditions_in, generators_in, statuses_in)
        for part, offer in zip(PARTS, offers, strict=True):
            self.boxes[part].set_captions(offer(self._all))
        self._show(is_other=False)

    def _on_filter(self, _caption: str) -> None:
        self._show(is_other=True)

    def _show(self, *, is_other: bool) -> None:
        shown = self.wanted.of(self._all)
        self.sheet.show_images(shown, is_other=is_other)
        if self._all:
            self.nothing.say("No image is like that.", "Choose all in one of the filters.")
        else:
            self.nothing.say("No images yet.", "Every image of the study appears here, with filters.")
        self._stack.setCurrentWidget(self.sheet if shown else self.nothing)
        self.said.emit(self.sentence)

    def _on_moved(self, image: StoredImage) -> None:
        if not self.drawer.isHidden():
            self.drawer.show_image(image)

    def _on_closed(self) -> None:
        self._all = []
        self.drawer.close_it()
        for box in self.boxes.values():
            box.set_captions(["all"])
        self._show(is_other=True)


def read_images(store: Store, last: int) -> list[StoredImage]:
    """Images that arrived after one, oldest first; off the GUI thread."""
    from storage.listing import all_images_after

    return all_images_after(store, last)
