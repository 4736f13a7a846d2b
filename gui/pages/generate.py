"""The Generate page: who makes images, what was checked before a run, and images as they arrive."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from core.jobs import Outcome
from core.records import StoredImage
from gui.fonts import px
from gui.generate.cards import ChecksCard
from gui.generate.checks import checks_for, settings_in_words
from gui.generate.facts import Maker, Making, read_making
from gui.generate.groups import Groups
from gui.generate.model_checks import KIND, ModelChecks, as_checks
from gui.generate.new_images import NewImagesCard
from gui.generate.running import LANE, making_images, task_of
from gui.generate.states import act_of, blocked_by, state_of
from gui.generate.trial import may_try, try_again
from gui.paced_read import PacedRead
from gui.pages.page import Page
from gui.studio import Studio
from gui.tasks import Task
from gui.widgets.button import Button
from gui.widgets.check_rows import Check, FactsCard
from gui.widgets.choice_card import ChoiceCards
from gui.widgets.drop_hint import DropHint, dropped_folder
from gui.widgets.scrolled import scrolled
from gui.words import counted

if TYPE_CHECKING:
    from gui.generate.import_dialog import ImportDialog
    from gui.generate.new_generator import NewGeneratorDialog

WIDE_FROM, NARROW_BELOW = 1500, 1180
CARDS_WIDE, CHECKS_WIDE = 340, 440
CARDS, CHECKS, BOTH_NARROW = 270, 320, 300
Arrived = tuple[str, tuple[StoredImage, ...]]


class GeneratePage(Page):
    """Cards, checks and settings, new images; side by side, or the first two stacked when narrow."""

    name = "generate"
    title = "Generate"
    icon = "generate"
    words = frozenset({"image", "generator", "prompt", "job"})

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(studio, parent)
        self._making: Making | None = None
        self._shown = ""
        self._groups = Groups()
        self._trials: dict[str, Check] = {}
        self._pages: frozenset[str] = frozenset()
        self.dialog: ImportDialog | None = None
        self.adding: NewGeneratorDialog | None = None
        self.cards = ChoiceCards("Generators", are_generators=True)
        self.checks_card, self.settings_card = ChecksCard(), FactsCard("Settings, kept with every image")
        self.new_images = NewImagesCard(studio)
        self.models = ModelChecks(studio, self)
        self._facts_read = PacedRead(studio, self._on_making, 1000, self)
        self._images_read = PacedRead(studio, self._on_images, 250, self)
        self._drop_hint = DropHint("Drop to import this folder", self)
        self.setAcceptDrops(True)
        self._lay_out()
        self._connect()

    def header_acts(self) -> list[QWidget]:
        """Import pictures made elsewhere; add a generator of one's own."""
        importer = Button("Import images", "quiet", "folder")
        importer.clicked.connect(self._on_import)
        adder = Button("Add generator", icon="plus")
        adder.clicked.connect(self.ask_for_generator)
        return [importer, adder]

    def refresh(self, *, now: bool = False) -> None:
        """Read generators and images that are new."""
        store = self.studio.store
        if store is not None:
            self._facts_read.ask(lambda: read_making(store), now=now)
            self._read_images(now=now)
            self.new_images.refresh_gallery()

    def show_pages(self, pages: frozenset[str]) -> None:
        """Whether there is a page that an image can be opened on."""
        self._pages = pages

    def show_item(self, what: object) -> None:
        """Something failed and a person wants to see what."""
        self.new_images.show_failed_part()

    def close_drawer(self) -> bool:
        """Close the image of the gallery."""
        return self.new_images.gallery.close_drawer()

    def keys(self) -> list[tuple[str, str]]:
        """Keys of this page."""
        return [
            ("↑ ↓", "from generator to generator"),
            ("← → ↑ ↓", "from image to image"),
            ("Enter", "open the image with its records"),
        ]

    # -- parts ------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._columns.setContentsMargins(0, 0, 0, 0)
        self._columns.setSpacing(px(12))
        self._middle = QWidget()
        middle = QVBoxLayout(self._middle)
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(px(12))
        for card in (self.checks_card, self.settings_card):
            middle.addWidget(card)
        middle.addStretch(1)
        for part in (self.cards, self._middle):
            self._columns.addWidget(part)
        self._columns.addStretch(1)
        self._left = scrolled(self._columns)
        row = QHBoxLayout(self)
        row.setContentsMargins(px(20), 0, px(16), px(12))
        row.setSpacing(px(12))
        row.addWidget(self._left)
        row.addWidget(self.new_images, 1)
        self.setFocusProxy(self.cards)

    def _connect(self) -> None:
        self.cards.chosen.connect(self._on_chosen)
        self.checks_card.asked_for.connect(self._on_make)
        self.new_images.opened.connect(self._on_opened)
        self.models.looked.connect(self._on_looked)
        self.models.weights_known.connect(self._show_states)
        self.studio.study_closed.connect(self._on_closed)
        self.studio.runner.task_added.connect(self._on_task)
        self.studio.runner.task_ended.connect(self._on_task_ended)
        for task in self.studio.runner.tasks:
            self._follow(task)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Widths by the window's width."""
        super().resizeEvent(event)
        width = self.window().width()
        is_narrow, is_wide = width < px(NARROW_BELOW), width >= px(WIDE_FROM)
        direction = QBoxLayout.Direction
        self._columns.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        self.cards.set_filling(not is_narrow)
        cards = px(CARDS_WIDE if is_wide else BOTH_NARROW if is_narrow else CARDS)
        checks = px(CHECKS_WIDE if is_wide else BOTH_NARROW if is_narrow else CHECKS)
        self.cards.setFixedWidth(cards)
        self._middle.setFixedWidth(checks)
        self._left.setFixedWidth((cards if is_narrow else cards + checks + px(12)) + px(10))
        self._drop_hint.fit()

    # -- what is read -----------------------------------------------------------------------------

    def _on_making(self, making: Making) -> None:
        self._making = making
        prompts = counted(making.prompts, "prompt")
        facts = f"{prompts}, {counted(making.images_per_prompt, 'image')} each"
        self.set_facts(f"{facts}. {making.own_trouble}" if making.own_trouble else facts)
        self.new_images.show_failures(making.failures)
        self._groups.asked = making.images_per_prompt
        self._show_states()
        self.models.look_for_weights(
            [one.name for one in making.makers if one.kind == KIND and one.is_here and not one.trouble]
        )

    def _show_states(self) -> None:
        making = self._making
        if making is None:
            return
        tasks = self.studio.runner.tasks
        lacking = self.models.lack_weights
        self.cards.show_states(
            {
                one.name: state_of(one, task_of(tasks, one.name), lacks_weights=one.name in lacking)
                for one in making.makers
            }
        )
        maker = making.maker(self.cards.current)
        if maker is not None:
            self._show_maker(making, maker)

    def _show_maker(self, making: Making, maker: Maker) -> None:
        task = task_of(self.studio.runner.tasks, maker.name)
        pace = task.pace.per_second if task is not None else None
        self.checks_card.setVisible(maker.is_here)
        if maker.is_here:
            found = self.models.of(maker.name) if maker.kind == KIND and not maker.trouble else ()
            trial = self._trials.get(maker.name)
            checks = checks_for(maker, making, pace or maker.pace, trial, as_checks(found))
            self.checks_card.show_checks(maker.name, checks)
            self.checks_card.show_act(*act_of(maker, task, blocked_by(checks)))
            if maker.name not in self._trials and task is None and may_try(maker):
                self._try(maker.name)
        self.settings_card.show_facts(
            settings_in_words(maker.settings, making.seed if maker.is_here else None)
        )
        self.new_images.show_nothing_yet(maker, making.prompts)

    def _on_looked(self, _name: str) -> None:
        self._show_states()

    def _try(self, name: str) -> None:
        store = self.studio.store
        if store is not None:
            self._trials[name] = Check("Repeatable", "Being tried on two images …", "open")
            self.studio.query(lambda: (name, try_again(store, name)), self._on_tried)

    def _on_tried(self, found: tuple[str, Check]) -> None:
        name, check = found
        self._trials[name] = check
        self._show_states()

    def _on_chosen(self, name: str) -> None:
        if name != self._shown:
            self._shown = name
            self._groups = Groups(self._making.images_per_prompt if self._making else 0)
            self.new_images.show_groups((), is_other=True)
            self._read_images(now=True)
        self._show_states()

    def _read_images(self, *, now: bool = False) -> None:
        store, name, last = self.studio.store, self._shown, self._groups.last_id
        if store is None or not name:
            return

        def read() -> Arrived:
            from storage.listing import images_after

            return name, tuple(images_after(store, name, last))

        self._images_read.ask(read, now=now)

    def _on_images(self, found: Arrived) -> None:
        name, images = found
        if name != self._shown:
            return
        is_other = not len(self._groups)
        if self._groups.add(images):
            self.new_images.show_groups(self._groups.newest_first(), is_other=is_other)

    def _on_closed(self) -> None:
        self._making, self._shown = None, ""
        self._groups = Groups()
        self._trials.clear()
        self.cards.show_states({})
        self.new_images.show_groups((), is_other=True)
        self.new_images.show_failures(())

    # -- acts -------------------------------------------------------------------------------------

    def _on_make(self) -> None:
        store, name = self.studio.store, self.cards.current
        if store is not None and name and task_of(self.studio.runner.tasks, name) is None:
            task = self.studio.runner.run(
                *(f"Generate, {name}", making_images(store, name)), page=self.name, noun="images", lane=LANE
            )
            task.setProperty("generator", name)
            self._show_states()

    def _on_import(self) -> None:
        self.ask_for_import()

    def ask_for_import(self, folder: Path | None = None) -> None:
        """Let a person say what to bring in; a folder that was dropped is filled in."""
        if self.studio.store is None or self.dialog is not None:
            return
        from gui.generate.import_dialog import ImportDialog

        self.dialog = ImportDialog(self.studio, self.window(), folder)
        self.dialog.finished.connect(self._on_dialog_finished)
        self.dialog.open()

    def ask_for_generator(self) -> None:
        """Let a person add a generator of their own."""
        if self.adding is not None:
            return
        from gui.generate.new_generator import NewGeneratorDialog

        self.adding = NewGeneratorDialog(self.window())
        self.adding.finished.connect(self._on_added)
        self.adding.open()

    def _on_added(self, _result: int) -> None:
        dialog, self.adding = self.adding, None
        if dialog is not None:
            dialog.deleteLater()
            self.refresh(now=True)

    def _on_dialog_finished(self, result: int) -> None:
        dialog, self.dialog = self.dialog, None
        store = self.studio.store
        if dialog is None:
            return
        if result and store is not None and dialog.plan is not None:
            from gui.generate.import_plan import importing

            plan = dialog.plan
            task = self.studio.runner.run(
                *(f"Import, {plan.root.name}", importing(store, plan)),
                page=self.name,
                noun="files",
                lane=LANE,
            )
            task.finished.connect(self._on_imported)
        dialog.deleteLater()

    def _on_imported(self, outcome: Outcome) -> None:
        if outcome.failed:
            self.new_images.show_failed_part()

    def _on_opened(self, image: StoredImage) -> None:
        if "extract" in self._pages:
            self.asked_for.emit("extract", image)

    # -- tasks ------------------------------------------------------------------------------------

    def _on_task(self, task: Task) -> None:
        self._follow(task)
        self._show_states()

    def _follow(self, task: Task) -> None:
        if task.lane == LANE:
            task.progressed.connect(self._show_states)
            task.held.connect(self._show_states)

    def _on_task_ended(self, task: Task) -> None:
        if task.lane == LANE:
            self.models.forget(str(task.property("generator") or ""))
            self._show_states()
            if self.isVisible():
                self.refresh(now=True)
            else:
                self.mark_stale()

    # -- a folder is dropped ----------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take a folder, nothing else."""
        if self.studio.store is not None and dropped_folder(event.mimeData()) is not None:
            event.acceptProposedAction()
            self._drop_hint.show_up()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """It went away again."""
        self._drop_hint.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """The same as choosing that folder in the dialog."""
        self._drop_hint.hide()
        folder = dropped_folder(event.mimeData())
        if folder is not None:
            event.acceptProposedAction()
            self.ask_for_import(folder)
