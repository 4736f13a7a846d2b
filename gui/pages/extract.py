"""The Extract page: what reads labels off images, what failed, and each record beside its image."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from core.file_names import plain_name
from core.records import Status, StoredImage
from core.schema import Schema
from gui.export import ask_for_file
from gui.extract.batches import BATCH_LANE
from gui.extract.cards import FailedCard
from gui.extract.export import exporting
from gui.extract.facts import (
    ImageRecord,
    Reader,
    Reading,
    read_images,
    read_reading,
    read_record,
    schema_of,
)
from gui.extract.filters import FAILED, Listed, listed, words_of
from gui.extract.image_list import FilterRow, ImageList
from gui.extract.outcomes_dialog import OutcomesDialog
from gui.extract.serving import SERVED, Serving, can_retry
from gui.extract.states import LANE, act_of, reading_images, state_of, task_of
from gui.extract.viewer import Viewer
from gui.fonts import px
from gui.generate.checks import value_in_words
from gui.labels.review import ReviewDialog
from gui.models.failures import FailureClass
from gui.paced_read import PacedRead
from gui.pages.page import Page
from gui.studio import Studio
from gui.tasks import Query, Task
from gui.validation.dialog import ValidationDialog
from gui.widgets.button import Button, in_slot
from gui.widgets.check_rows import FactsCard
from gui.widgets.choice_card import ChoiceCards
from gui.widgets.empty_page import EmptyPage
from gui.widgets.scrolled import scrolled
from gui.widgets.study_cards import column_of
from gui.words import counted, thousands

if TYPE_CHECKING:
    from storage.store import Store

WIDE_FROM, NARROW_BELOW = 1500, 1180
SIDE_WIDE, SIDE, SIDE_NARROW = 320, 270, 230
LIST_WIDE, LIST, LIST_NARROW = 470, 310, 230
FIRST = 200
"""Images that are listed at once when the page is opened, before the others are read."""

Arrived = tuple[str, Listed]
LANES = (LANE, BATCH_LANE)


class ExtractPage(Page):
    """Extractors and failures at the left; the list of images, and the one that is looked at."""

    name = "extract"
    title = "Extract"
    icon = "extract"
    words = frozenset({"image", "record", "extractor", "job"})

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(studio, parent)
        self._reading: Reading | None = None
        self._schema: Schema | None = None
        self._shown = ""
        self._query: Query | None = None
        self.go = Button("", "primary")
        self._export = Button("Export", "quiet", "export")
        self.serve = Button("Read with a server…")
        self.outcomes = Button("Outcomes", "quiet")
        self.labels = Button("Label map", "quiet")
        self.validation = Button("Validation", "quiet")
        self.retry = Button("", icon="retry")
        self.serving = Serving(studio, self, self.name)
        self._failure: FailureClass | None = None
        self._asked: FailureClass | None = None
        self._unlisted: FailureClass | None = None
        self.cards = ChoiceCards("Extractors")
        self.cards.set_filling(False)
        self.failed_card, self.parameters_card = FailedCard(), FactsCard("Kept with every record")
        self.filters = FilterRow()
        self.list = ImageList(studio, self.filters)
        self.viewer = Viewer(studio)
        self.empty_page = EmptyPage()
        self._facts_read = PacedRead(studio, self._on_reading, 1000, self)
        self._list_read = PacedRead(studio, self._on_list, 1000, self)
        self._lay_out()
        self._connect()

    # -- what the window asks for -----------------------------------------------------------------

    def header_acts(self) -> list[QWidget]:
        """Export what is listed; read what is unread."""
        return [self.labels, self.validation, self.outcomes, self._export, self.serve, in_slot(self.go)]

    def refresh(self, *, now: bool = False) -> None:
        """Read extractors, images and statuses."""
        store = self.studio.store
        if store is not None:
            self._facts_read.ask(lambda: _read(store), now=now)
            self._read_list(now=now)

    def show_item(self, what: object) -> None:
        """Show an image with its record, or what failed."""
        if isinstance(what, StoredImage):
            self.list.select(what)
        elif isinstance(what, FailureClass):
            self._asked = what
            self._show_asked()

    def focus_filter(self) -> None:
        """Put the keyboard into the filter."""
        self.filters.role.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filters.role.selectAll()

    def keys(self) -> list[tuple[str, str]]:
        """Keys of this page."""
        return [("↑ ↓", "from image to image, or extractor to extractor"), ("Ctrl F", "filter roles")]

    # -- parts ------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._side = scrolled(column_of(self.cards, self.failed_card, self.retry, self.parameters_card))
        card = QFrame()
        card.setProperty("kind", "card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(px(8), px(4), px(4), px(4))
        inside.addWidget(self.list)
        self._list_card = card
        both = QHBoxLayout()
        both.setSpacing(px(12))
        both.addWidget(card)
        both.addWidget(self.viewer, 1)
        right = QVBoxLayout()
        right.setSpacing(px(8))
        right.addWidget(self.filters)
        right.addLayout(both, 1)
        full = QWidget()
        row = QHBoxLayout(full)
        row.setContentsMargins(px(20), 0, px(16), px(12))
        row.setSpacing(px(12))
        row.addWidget(self._side)
        row.addLayout(right, 1)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(full)
        self._stack.addWidget(self.empty_page)
        self.setFocusProxy(self.list)

    def _connect(self) -> None:
        self.go.clicked.connect(self._on_go)
        self.serve.clicked.connect(self._on_serve)
        self.outcomes.clicked.connect(self._on_outcomes)
        self.labels.clicked.connect(self._on_labels)
        self.validation.clicked.connect(self._on_validation)
        self.retry.clicked.connect(self._on_retry)
        self.serving.started.connect(self._show_states)
        self.retry.hide()
        self._export.clicked.connect(self._on_export)
        self.cards.chosen.connect(self._on_chosen)
        self.failed_card.chosen.connect(self._on_failure)
        self.list.moved.connect(self._on_moved)
        self.list.listed.connect(self._on_listed)
        self.empty_page.acted.connect(self._on_generate)
        self.studio.study_closed.connect(self._on_closed)
        self.studio.runner.task_added.connect(self._on_task)
        self.studio.runner.task_ended.connect(self._on_task_ended)
        for task in self.studio.runner.tasks:
            self._follow(task)
        self._show_act(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Widths by the window's width."""
        super().resizeEvent(event)
        width = self.window().width()
        at = 2 if width >= px(WIDE_FROM) else 0 if width < px(NARROW_BELOW) else 1
        self._side.setFixedWidth(px((SIDE_NARROW, SIDE, SIDE_WIDE)[at]) + px(10))
        self._list_card.setFixedWidth(px((LIST_NARROW, LIST, LIST_WIDE)[at]))

    # -- what is read -----------------------------------------------------------------------------

    def _on_reading(self, found: tuple[Reading, Schema]) -> None:
        self._reading, self._schema = found
        self._stack.setCurrentIndex(0 if self._reading.images else 1)
        if not self._reading.images:
            self.empty_page.say(
                "No images yet.", "Their records will be here, beside the images.", "Go to Generate"
            )
        self._show_states()
        self._show_asked()
        if self.viewer.shown is None and self.list.current is not None:
            self._on_moved(self.list.current)

    def _show_states(self) -> None:
        reading = self._reading
        if reading is None:
            return
        tasks = self.studio.runner.tasks
        self.cards.show_states({one.name: state_of(one, task_of(tasks, one.name)) for one in reading.readers})
        reader = reading.reader(self.cards.current)
        self.set_facts(_facts(reading, reader))
        self._show_act(reader)
        if reader is not None:
            self.failed_card.show_failures(reader.failures)
            self.parameters_card.show_facts(_parameters(reader))

    def _show_act(self, reader: Reader | None) -> None:
        task = task_of(self.studio.runner.tasks, reader.name) if reader else None
        caption, why_not = act_of(reader, task)
        self.go.setText(caption)
        self.go.setAccessibleName(f"{caption} with {reader.name}" if reader and caption else caption)
        self.go.setVisible(bool(caption))
        self.go.setEnabled(not why_not)
        self.go.setToolTip(why_not or (f"with {reader.name}" if reader else ""))
        self.serve.setEnabled(bool(self._reading and self._reading.images))
        self.serve.setToolTip("" if self.serve.isEnabled() else "There are no images yet.")
        self.outcomes.setEnabled(bool(reader and (reader.read or reader.failed)))
        self.outcomes.setToolTip("" if self.outcomes.isEnabled() else "This extractor has read nothing yet.")
        self._show_retry(reader)
        self._allow_export()

    def _show_retry(self, reader: Reader | None) -> None:
        """Offer to read again what is listed: one class of failures."""
        failure = self._failure
        known = {one.kind: one for one in reader.failures} if reader else {}
        found = known.get(failure.kind) if failure is not None else None
        is_offered = bool(reader and found and can_retry(reader.name, found.kind, reader.is_here))
        self.retry.setVisible(is_offered)
        if found is not None:
            self.retry.setText(f"Retry {thousands(found.count)}")
            self.retry.setAccessibleName(f"Retry {counted(found.count, 'image')}: {found.title}")

    def _allow_export(self) -> None:
        self._export.setEnabled(bool(self.list.rows) and self.list.is_whole)
        self._export.setToolTip("" if self.list.rows else "No image is listed.")

    def _on_chosen(self, name: str) -> None:
        if name != self._shown:
            if self._shown:  # what another page asked to see stays when the page is opened for it
                self._failure = self._unlisted = None
            self._shown = name
            self._read_list(now=True)
        self._show_states()

    def _read_list(self, *, now: bool = False) -> None:
        store, name = self.studio.store, self._shown
        if store is None or not name:
            return
        number = FIRST if self.list.is_untouched else None  # a screen of them at once, then all

        def read() -> Arrived:
            images = read_images(store, name, number)
            return name, listed(images, is_part=len(images) == number)

        self._list_read.ask(read, now=now)

    def _on_list(self, found: Arrived) -> None:
        name, images = found
        if name != self._shown:
            return
        self.list.show_images(images)
        if images.is_part:
            self._read_list(now=True)
        elif self._unlisted is not None:
            self._on_failure(self._unlisted)

    def _on_listed(self) -> None:
        self._allow_export()
        self._ask_record()

    def _on_moved(self, image: StoredImage | None) -> None:
        if image is None:
            self.viewer.show_nothing()
        self._ask_record()

    def _ask_record(self) -> None:
        store, schema, image, name = self.studio.store, self._schema, self.list.current, self._shown
        if self._query is not None:
            self._query.drop()
            self._query = None
        if store is not None and schema is not None and image is not None:
            read = self.studio.query(lambda: read_record(store, schema, image, name), self._on_record)
            self._query = read

    def _on_record(self, found: ImageRecord) -> None:
        self._query = None
        if found.extractor == self._shown and found.image == self.list.current:
            self.viewer.show_record(found)

    def _on_closed(self) -> None:
        self._reading, self._schema, self._shown = None, None, ""
        self._query = self._failure = self._unlisted = self._asked = None
        self.cards.show_states({})
        self.list.clear()
        self.viewer.show_nothing()
        self._show_act(None)

    # -- acts -------------------------------------------------------------------------------------

    def _on_go(self) -> None:
        store, schema, name = self.studio.store, self._schema, self.cards.current
        if store is None or schema is None or task_of(self.studio.runner.tasks, name) is not None:
            return
        reader = self._reading.reader(name) if self._reading else None
        if reader is not None and reader.waiting.requests:
            self.serving.fetch(schema, name)
            return
        job = reading_images(store, name, schema)
        task = self.studio.runner.run(f"Extract, {name}", job, page=self.name, noun="images", lane=LANE)
        task.setProperty("extractor", name)
        self._show_states()

    def _on_failure(self, failure: FailureClass | None) -> None:
        """List what failed: one class of it, or everything."""
        self.filters.clear()
        self._failure = failure
        self._unlisted = None if self.list.is_whole else failure
        self._show_states()
        kinds = {status.value: status for status in Status}
        wanted = words_of(kinds[failure.kind]) if failure is not None and failure.kind in kinds else FAILED
        self.filters.status.choose(wanted)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_asked(self) -> None:
        """List what another page asked to see, of the extractor that failed, once it is known."""
        asked = self._asked
        if asked is None or self._reading is None:
            return
        self._asked, before = None, self._shown
        self.cards.choose(asked.reader)
        self._on_failure(asked)
        if self._shown != before:  # what is listed is of another extractor still
            self._unlisted = asked

    def _on_serve(self) -> None:
        if self._schema is not None and self._reading is not None:
            self.serving.ask(self._schema, self._reading.images)

    def _on_outcomes(self) -> None:
        if self._shown:
            OutcomesDialog(self.studio, self._shown, self).open()

    def _on_labels(self) -> None:
        if self.studio.store is not None:
            ReviewDialog(self.studio, self).open()

    def _on_validation(self) -> None:
        if self.studio.store is not None:
            ValidationDialog(self.studio, self._shown, self).open()

    def _on_retry(self) -> None:
        """Read the images of the listed class again."""
        schema, failure, name = self._schema, self._failure, self._shown
        reader = self._reading.reader(name) if self._reading else None
        if schema is None or failure is None or reader is None:
            return
        images = [one.image for one in self.list.rows if one.status == failure.kind]
        if not images:
            return
        if name.startswith(SERVED):
            self.serving.ask_again(schema, name, failure.kind, images)
        else:
            self.serving.retry_here(schema, name, images)

    def _on_generate(self) -> None:
        self.asked_for.emit("generate", None)

    def _on_export(self) -> None:
        if self.studio.folder is not None and self.list.rows:
            path = ask_for_file(self, self.studio.folder / f"records_{plain_name(self._shown)}.csv")
            if path is not None:
                self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write the records that are listed as CSV."""
        store, schema, reading = self.studio.store, self._schema, self._reading
        reader = reading.reader(self._shown) if reading else None
        if store is None or schema is None or reader is None:
            return
        images = [one.image for one in self.list.rows]
        job = exporting(store, schema, reader.name, reader.is_simulated, images, path)
        task = self.studio.runner.run("Export records", job, page=self.name, noun="records")
        task.finished.connect(self._on_exported)

    def _on_exported(self, path: Path) -> None:
        self.filters.said.setText(f"Exported to {path}")

    # -- tasks ------------------------------------------------------------------------------------

    def _on_task(self, task: Task) -> None:
        self._follow(task)
        self._show_states()

    def _follow(self, task: Task) -> None:
        if task.lane in LANES:
            task.progressed.connect(self._show_states)
            task.held.connect(self._show_states)

    def _on_task_ended(self, task: Task) -> None:
        if task.lane in LANES:
            self._show_states()
            if self.isVisible():
                self.refresh(now=True)
            else:
                self.mark_stale()


def _read(store: Store) -> tuple[Reading, Schema]:
    schema = schema_of(store)
    return read_reading(store, schema), schema


def _facts(reading: Reading, reader: Reader | None) -> str:
    parts = [counted(reading.images, "image")]
    if reader is not None and reader.read:
        parts.append(f"{counted(reader.read, 'record')} of {reader.name}")
    return ", ".join(parts)


def _parameters(reader: Reader) -> list[tuple[str, str]]:
    found = reader.parameters or {}
    return [(name.replace("_", " "), value_in_words(name, value)) for name, value in found.items()]
