"""The Agreement page: people with people, and people with the pipeline once the round is locked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from gui.agreement.drawer import AgreementDrawer
from gui.agreement.drawer_words import Shown
from gui.agreement.grid_panel import GridPanel
from gui.agreement.publishing import publish
from gui.agreement.reading import Situation, compute, read_situation, round_facts, what_locking_needs
from gui.agreement.view import ALL, AgreementView, Settings
from gui.agreement.words import lock_consequences, what_is_missing
from gui.figures import write_figure
from gui.fonts import px
from gui.labels.words import map_words
from gui.models.agreement_rows import AgreementRow, Level
from gui.pages.computed_page import ComputedPage, in_a_row
from gui.plain_text import short_name
from gui.studio import Studio
from gui.widgets.button import Button
from gui.widgets.choice import Choice
from gui.widgets.computed_stack import ComputedStack
from gui.widgets.consequence import ConsequenceDialog
from gui.widgets.export_button import ExportButton
from gui.widgets.flow import Flow
from gui.widgets.segmented import Segmented

if TYPE_CHECKING:
    from gui.compare.panel import ComparePanel
    from storage.study import Round

LEVELS = (Level.CATEGORY, Level.COUNT, Level.IMAGE)
UNKNOWNS = ("label", "left out")


class AgreementPage(ComputedPage):
    """Grid at the left, the drawer of one number at the right; computed by a job, kept until it changes."""

    name = "agreement"
    title = "Agreement"
    icon = "agreement"
    words = frozenset({"annotator", "answer", "image_set", "record", "round"})
    drawer_widths = (520, 350)

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(studio, parent)
        self.situation: Situation | None = None
        self.dialog: ConsequenceDialog | None = None
        self.part = Segmented(["Numbers", "Image sets"], "Show")
        self.level = Segmented([level.value.capitalize() for level in LEVELS], "Compare")
        self.unknown = Segmented(["Unknown is a label", "Unknown left out"], "Unknown")
        self.lock = Button("Lock round", "", "lock")
        self.export = ExportButton(lambda: studio.folder, "agreement")
        self.rounds, self.extractors = Choice([], "Round"), Choice([], "Extractor")
        self.grid = GridPanel(self.rounds, self.extractors)
        self.drawer = AgreementDrawer(studio)
        self._compare: ComparePanel | None = None
        self.parts = QStackedWidget()
        self.stack = ComputedStack(studio, "Agreement", self.name, self.parts)
        self._lay_out()
        self.parts.addWidget(self.grid)
        self._connect()

    # -- what the window asks for ---------------------------------------------------------------

    def header_acts(self) -> list[QWidget]:
        """Level, lock, export."""
        return [in_a_row(self.level, self.lock, self.export)]

    def refresh(self) -> None:
        """Read the round as it stands; then compute, or say that something came in since."""
        store, which = self.studio.store, self.round
        if store is not None:
            round_id = which.round_id if which is not None else None
            self._read(lambda: read_situation(store, round_id), self._on_situation)

    def close_drawer(self) -> bool:
        """Esc closes the image first, then the drawer."""
        if self.part.index:
            return self.compare.close_detail()
        return self.drawer.details.close_it() or self.drawer.close_it()

    def keys(self) -> list[tuple[str, str]]:
        """Keys of this page."""
        return [
            ("← → ↑ ↓", "move from number to number; the drawer follows"),
            ("Enter", "open the number: formula, counts, image sets"),
            ("Esc", "close the image, then the drawer"),
            ("↑ ↓", "image sets: step from difference to difference"),
            ("0 to 5", "image sets: tag the difference, 0 for no tag; Enter goes to the note"),
        ]

    # -- parts ----------------------------------------------------------------------------------

    @property
    def compare(self) -> ComparePanel:
        """People and pipeline side by side; made when it is first wanted."""
        if self._compare is None:
            from gui.compare.panel import ComparePanel

            self._compare = ComparePanel(self.studio)
            self.parts.addWidget(self._compare)
        return self._compare

    def _lay_out(self) -> None:
        choices = Flow(gap=12)
        choices.addWidget(self.part)
        choices.addWidget(self.unknown)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), 0, px(16), px(12))
        column.setSpacing(px(8))
        column.addLayout(choices)
        row = QHBoxLayout()
        row.setSpacing(px(16))
        column.addLayout(row, 1)
        row.addWidget(self.stack, 1)
        row.addWidget(self.drawer)

    def _connect(self) -> None:
        self.stack.arrived.connect(self._on_view)
        self.stack.wanted.connect(self._compute)
        self.stack.page_wanted.connect(self._on_page_wanted)
        self.stack.emptied.connect(self._on_emptied)
        self.studio.study_closed.connect(self._on_closed)
        self.part.chosen.connect(self._show_part)
        self.level.chosen.connect(self._show_rows)
        self.unknown.chosen.connect(self._compute)
        self.rounds.chosen.connect(self._on_round)
        self.extractors.chosen.connect(self._on_extractor)
        self.lock.clicked.connect(self._on_lock)
        self.grid.lock_wanted.connect(self._on_lock)
        self.grid.moved.connect(self._follow)
        self.grid.opened.connect(self._on_opened)
        self.grid.again_wanted.connect(self._on_again)
        self.drawer.closed.connect(self.grid.table.setFocus)
        self.drawer.asked_for.connect(self._on_question)
        self.export.tables_wanted.connect(self.export_tables)
        self.export.figure_wanted.connect(self.export_figure)
        self.export.paper_wanted.connect(self.export_paper)

    # -- reading and computing ------------------------------------------------------------------

    @property
    def view(self) -> AgreementView | None:
        """The result that is shown."""
        return self.stack.result if isinstance(self.stack.result, AgreementView) else None

    @property
    def closed_words(self) -> str:
        """What stands over the pipeline half, "" while that is open."""
        return "" if self.grid.closed.isHidden() else self.grid.closed.text

    @property
    def round(self) -> Round | None:
        """The round that is shown."""
        if self.situation is None or not self.situation.rounds:
            return None
        return self.situation.rounds[max(self.rounds.currentIndex(), 0)]

    @property
    def settings(self) -> Settings | None:
        """What is to be computed, None while there is nothing to compare."""
        which, situation = self.round, self.situation
        if which is None or situation is None or what_is_missing(situation, which, self._pages) is not None:
            return None
        extractor = None
        if situation.is_pipeline_open(which):
            extractor = situation.extractors[max(self.extractors.currentIndex(), 0)]
        return Settings(which.round_id, UNKNOWNS[self.unknown.index], extractor)

    def _on_situation(self, situation: Situation) -> None:
        self._query = None
        was_locked = self.round.is_locked if self.round is not None else False
        self.situation = situation
        self.rounds.set_words([one.name for one in situation.rounds], len(situation.rounds) - 1)
        self._offer_extractors(self.extractors, situation.extractors)
        self.rounds.setVisible(len(situation.rounds) > 1)
        self._show_round()
        which = self.round
        is_now_locked = which is not None and which.is_locked and not was_locked
        self._compute_if_due("Answers or records", is_due=is_now_locked)

    def _show_round(self) -> None:
        which, situation = self.round, self.situation
        if situation is None or which is None:
            self.set_facts("")
            self.lock.hide()
            return
        is_open = situation.is_pipeline_open(which)
        self.extractors.setVisible(is_open and len(situation.extractors) > 1)
        self.lock.setText(f"Lock {short_name(which.name, 12)}")
        self.lock.setVisible(not which.is_locked and bool(situation.answering))
        self.set_facts(round_facts(which, situation, len(situation.answering)))
        self.grid.show_round(situation, which, self._shown_level())

    def _compute(self) -> None:
        store, settings, situation = self.studio.store, self.settings, self.situation
        if store is None or situation is None:
            return
        self.part.setVisible(settings is not None)
        for control in (self.level, self.unknown):
            control.setVisible(settings is not None and not self.part.index)
        if settings is not None:
            self.stack.ask(settings, lambda: compute(store, settings))
            return
        missing = what_is_missing(situation, self.round, self._pages)
        if missing is not None:
            self.stack.say_missing(missing)

    def _on_emptied(self) -> None:
        self.export.offer(False)
        self.drawer.close_it()

    def _on_view(self, view: AgreementView) -> None:
        self.export.offer(True)
        if self.situation is not None and self.round is not None:
            facts = round_facts(self.round, self.situation, len(view.people))
            reader = view.settings.extractor
            pipeline = [f"pipeline {reader}"] if reader is not None else []
            self.set_facts(", ".join([facts, *pipeline, *map_words(view.run)]))
        self._show_rows()
        self._show_part()

    # -- showing --------------------------------------------------------------------------------

    def _show_part(self) -> None:
        """Numbers with their drawer, or people and pipeline side by side."""
        is_compare = bool(self.part.index)
        self.parts.setCurrentWidget(self.compare if is_compare else self.grid)
        for control in (self.level, self.unknown):
            control.setVisible(self.view is not None and not is_compare)
        if is_compare:
            self.drawer.close_it()
            view, which, situation = self.view, self.round, self.situation
            if view is not None and which is not None and situation is not None:
                needs = what_locking_needs(which, situation)
                self.compare.show_view(view, needs, has_records=bool(situation.extractors))

    def _shown_level(self) -> Level:
        return LEVELS[self.level.index]

    def _show_rows(self) -> None:
        view = self.view
        if view is None:
            return
        self.grid.show_rows(view, self._shown_level())
        self._follow()

    def _follow(self) -> None:
        if not self.drawer.isHidden() and self.grid.current is not None:
            self._on_opened(*self.grid.current)

    def _on_opened(self, row: AgreementRow, key: str) -> None:
        if self.view is not None:
            self.drawer.show_number(self.view, Shown(row, key, self._shown_level()))

    def _on_again(self) -> None:
        """Open the mean, with the image sets that people answered twice."""
        self.grid.go_to(ALL)
        if self.grid.current is not None:
            self._on_opened(*self.grid.current)
            self.drawer.show_again()

    def _on_question(self, question: str) -> None:
        self.grid.go_to(question)
        self._follow()

    # -- acts -----------------------------------------------------------------------------------

    def _on_round(self) -> None:
        self._has_come = True
        self.refresh()

    def _on_extractor(self) -> None:
        self._has_come = True
        self.studio.choose_extractor(self.extractors.currentText())
        self._compute()

    def _on_lock(self) -> None:
        which, situation = self.round, self.situation
        if which is not None and situation is not None:
            act = f"Lock {short_name(which.name)}"
            lines = lock_consequences(which, situation)
            self.dialog = ConsequenceDialog(act, lines, act, "Keep it open", "primary", self.window())
            self.dialog.accepted.connect(self._on_lock_accepted)
            self.dialog.open()

    def _on_lock_accepted(self) -> None:
        store, which = self.studio.store, self.round
        if store is not None and which is not None:
            self.studio.query(lambda: store.lock_round(which.round_id), self._on_locked)

    def _on_locked(self, _nothing: object) -> None:
        self.refresh()

    def _on_closed(self) -> None:
        self.situation = None
        self.rounds.set_words([])
        self.extractors.set_words([])

    # -- export ---------------------------------------------------------------------------------

    def export_tables(self, folder: Path) -> None:
        """Write all tables of the result, with the account of the run, into a folder."""
        view = self.view
        if view is not None:
            self._write_tables(folder, view.tables, view.run, self._on_exported)

    def export_figure(self, path: Path) -> None:
        """Write the axis as a figure, light."""
        view = self.view
        if view is None:
            return
        figure = self.grid.figure(view, self._shown_level())
        self.studio.query(
            lambda: write_figure(path, figure.size, figure.paint, "Agreement"), self._on_exported
        )

    def export_paper(self, folder: Path) -> None:
        """Write all figures of the result with their data into a folder."""
        store, view = self.studio.store, self.view
        if store is None or view is None:
            return
        job = publish(store, view, folder)
        task = self.studio.runner.run("Figures", job, page=self.name)
        task.finished.connect(self._on_published)

    def _on_published(self, written: list[Path]) -> None:
        self._on_exported(written[0].parent)

    def _on_exported(self, path: Path) -> None:
        self.grid.foot.say_written(path)
