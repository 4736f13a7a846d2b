"""The card of images: new ones by prompt, all with filters, or what failed with class and reason."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from core.records import StoredImage
from gui.fonts import px
from gui.generate.facts import Maker, Unmade
from gui.generate.gallery import Gallery
from gui.generate.groups import Group
from gui.generate.prompt_sheet import PromptSheet
from gui.models.coverage import in_words
from gui.models.rows import Column, RowsModel
from gui.studio import Studio
from gui.widgets.caption import Caption, ElidedCaption
from gui.widgets.card import Card
from gui.widgets.empty_page import EmptyPage
from gui.widgets.segmented import Segmented
from gui.widgets.table import Table
from gui.words import counted, thousands

FAILURES = (
    Column("class", lambda one: one.title),
    Column("which", lambda one: one.item or "–", tip=lambda one: one.item),
    Column("from", lambda one: one.source, tip=lambda one: one.source),
    Column("reason", lambda one: one.reason, tip=lambda one: one.reason),
)
FROM_COLUMN, FROM_SHOWN_FROM = 2, 640
GALLERY = 2
"""Number of the gallery's segment."""

HINT = "Arrow keys move, Enter opens the image with its records"


class NewImagesCard(Card):
    """`opened(image)` when a person wants to see one image with its records."""

    opened = Signal(object)

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__("New images", parent)
        self._failures: tuple[Unmade, ...] = ()
        self._said = ""
        self.which = Segmented(["By prompt", "Failed 0", "Gallery"], "Show")
        self.add_to_title(self.which)
        self.sheet = PromptSheet(studio)
        self.empty_page = EmptyPage()
        self.model = RowsModel(FAILURES, self)
        self.table = Table(self.model, "What failed")
        self.table.set_widths(140, 190, 130)
        self._reason = Caption("Choose a row to read it in full.", "muted", wraps=True)
        self._foot = ElidedCaption(HINT, "muted")
        self._stack = QStackedWidget()
        self._stack.addWidget(self._page(self.sheet, self._foot))
        self._stack.addWidget(self.empty_page)
        self._failed = self._page(self.table, self._reason)
        self._stack.addWidget(self._failed)
        self._nothing_failed = EmptyPage()
        self._nothing_failed.say("Nothing failed.", "What cannot be made or brought in is listed here.")
        self._stack.addWidget(self._nothing_failed)
        self.gallery = Gallery(studio)
        self._stack.addWidget(self.gallery)
        self.body.addWidget(self._stack, 1)
        self.which.chosen.connect(self._on_part)
        self.sheet.moved.connect(self._on_moved)
        self.sheet.opened.connect(self.opened)
        self.table.moved.connect(self._on_failure)
        self.table.opened.connect(self._on_failure_opened)
        self.gallery.opened.connect(self.opened)
        self.gallery.said.connect(self._show_facts)

    def show_groups(self, groups: Sequence[Group], *, is_other: bool) -> None:
        """Show images; `is_other` when they are another generator's, which begin at the top."""
        self.sheet.show_groups(groups)
        if is_other:
            self.sheet.scroll_to_top()
            self._foot.setText(HINT)
        images = sum(len(group.images) for group in groups)
        self._said = f"{counted(images, 'image')}, newest first" if images else ""
        self._show_part()

    def show_failures(self, failures: Sequence[Unmade]) -> None:
        """Show what failed; the segment says how much."""
        if tuple(failures) != self._failures:
            self._failures = tuple(failures)
            self.model.set_rows(failures)
        self.which.set_caption(1, f"Failed {thousands(len(failures))}")
        self._show_part()

    def show_nothing_yet(self, maker: Maker, prompts: int) -> None:
        """What stands here while the generator has no image."""
        are = "is" if prompts == 1 else "are"
        ready = f"{counted(prompts, 'prompt')} {are} ready. " if prompts else "This study has no prompts. "
        here = (
            "Images appear here as they are made, newest first." if prompts else "Import pictures to begin."
        )
        self.empty_page.say(f"No images by {maker.name} yet.", ready + here)

    def refresh_gallery(self) -> None:
        """Read images that are new, if the gallery is looked at."""
        if self.which.index == GALLERY:
            self.gallery.refresh()

    def show_failed_part(self) -> None:
        """Bring up what failed."""
        self.which.choose(1)

    def _page(self, *widgets: QWidget) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(6))
        for widget in widgets:
            column.addWidget(widget, 1 if widget in (self.sheet, self.table) else 0)
        return page

    def _show_part(self) -> None:
        if self.which.index == GALLERY:
            self._stack.setCurrentWidget(self.gallery)
        elif self.which.index == 1:
            self._stack.setCurrentWidget(self._failed if self._failures else self._nothing_failed)
        elif self.sheet.groups:
            self._stack.setCurrentIndex(0)
        else:
            self._stack.setCurrentWidget(self.empty_page)
        self.set_title("All images" if self.which.index == GALLERY else "New images")
        self._show_facts()

    def _show_facts(self) -> None:
        facts = {0: self._said, GALLERY: self.gallery.sentence}
        self.set_facts(facts.get(self.which.index, ""))

    def _on_part(self) -> None:
        if self.which.index == GALLERY:
            self.gallery.refresh(now=True)
        self._show_part()

    def _on_moved(self, image: StoredImage) -> None:
        parts = [f"seed {image.seed}", f"{image.width} × {image.height}", in_words(image.status)]
        self._foot.setText(", ".join([*parts, "Enter opens it with its records"]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The least important column goes when there is no room for it; the line below has it."""
        super().resizeEvent(event)
        self.table.setColumnHidden(FROM_COLUMN, self.width() < px(FROM_SHOWN_FROM))

    def _on_failure(self, failure: Unmade | None) -> None:
        if failure is not None:
            which = ", ".join(part for part in (failure.source, failure.item) if part)
            self._reason.setText(f"{which}: {failure.reason}")

    def _on_failure_opened(self, failure: Unmade | None) -> None:
        if failure is not None and failure.image is not None:
            self.opened.emit(failure.image)
