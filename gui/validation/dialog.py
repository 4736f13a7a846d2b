"""Validation in the window: make prompts, images and readings step by step, then see who erred where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QStackedLayout, QVBoxLayout, QWidget

from gui.export import ask_for_file
from gui.figures import write_figure
from gui.file_dialogs import choose_folder, open_file
from gui.fonts import px
from gui.studio import Studio
from gui.tasks import Query
from gui.validation.controls import BY_HAND, JUDGE, NO_JUDGE, PROMPTS, SCORES, Controls
from gui.validation.facts import Situation, read_judging, read_situation, writing_sheet
from gui.validation.figure import figure_of
from gui.validation.judge_panel import JudgePanel
from gui.validation.next_step import NextStep, next_step
from gui.validation.panels import ImagesPanel, PromptsPanel, ScoresPanel
from gui.validation.result import Result, compute, exporting
from gui.validation.runs import ValidationRuns
from gui.widgets.caption import Caption
from gui.widgets.empty_page import EmptyPage

if TYPE_CHECKING:
    from core.validation.judging import Judging

SAID = (
    "Prompts that state an attribute, with the stereotype of the role, against it, neutral and “without”: "
    "does the extractor see what was asked for? One that answers from what is usual fails against it."
)
AT_WORK = "At work; the strip of the window shows how far it is."


class ValidationDialog(QDialog):
    """One extractor's validation: what is to be done next, or its scores with plot and confusion."""

    def __init__(self, studio: Studio, extractor: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Validation")
        self.resize(px(1240), px(700))
        self._studio, self._wanted = studio, extractor
        self.situation: Situation | None = None
        self.scored: Result | None = None
        self.step = NextStep()
        self.sheet: Path | None = None
        self.runs = ValidationRuns(studio, self)
        self._query: Query | None = None
        self.controls = Controls()
        self.empty = EmptyPage()
        self.scores, self.stated = ScoresPanel(), PromptsPanel()
        self.images, self.judging = ImagesPanel(studio), JudgePanel(studio)
        self._has_judged = False
        self.said, self._trouble = Caption("", "muted", wraps=True), Caption("", "danger", wraps=True)
        self._lay_out()
        self._connect()
        self._say_trouble("")
        self.read()

    @property
    def trouble(self) -> str:
        """What is said to be wrong."""
        return self._trouble.text()

    def _say_trouble(self, words: str) -> None:
        self._trouble.setText(words)
        self._trouble.setVisible(bool(words))

    # -- parts ------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.stack = QStackedLayout()
        for panel in (self.empty, self.scores, self.stated, self.images, self.judging):
            self.stack.addWidget(panel)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(12))
        column.setSpacing(px(10))
        column.addWidget(Caption("Validation", "drawer_title"))
        column.addWidget(Caption(SAID, "muted", wraps=True))
        column.addWidget(self.controls)
        column.addLayout(self.stack, 1)
        column.addWidget(self._trouble)
        column.addWidget(self.said)

    def _connect(self) -> None:
        own = self.controls
        own.which.chosen.connect(self._on_which)
        self.judging.changed.connect(self._on_judged)
        self.judging.failed.connect(self._say_trouble)
        self.judging.finished.connect(self._on_judging_done)
        own.extractor.chosen.connect(self._on_choice)
        own.judge.chosen.connect(self._on_choice)
        own.generator.chosen.connect(self._show)
        own.prompts.valueChanged.connect(self._show)
        own.act.clicked.connect(self.do_next)
        self.empty.acted.connect(self.do_next)
        own.write_sheet.clicked.connect(self._on_write_sheet)
        own.bring_sheet.clicked.connect(self._on_bring_sheet)
        own.export.clicked.connect(self._on_export)
        self.runs.begun.connect(self._on_begun)
        self.runs.ended.connect(self.read)
        self.runs.failed.connect(self._say_trouble)

    # -- what is read -----------------------------------------------------------------------------

    def read(self) -> None:
        """Read how far the validation is, then its scores."""
        store = self._studio.store
        if store is not None:
            self._ask(lambda: read_situation(store), self._on_situation)

    def _ask(self, read: Callable[[], object], then: Callable[..., None]) -> None:
        if self._query is not None:
            self._query.drop()
        self._query = self._studio.query(read, then, self._on_failed)

    def _on_situation(self, found: Situation) -> None:
        is_first = self.situation is None
        self._query, self.situation = None, found
        self.controls.offer(self.controls.extractor, found.extractors, self._wanted)
        self.controls.offer(self.controls.generator, found.generators)
        self._offer_judges(BY_HAND if is_first and found.judged else "")
        self.stated.show_prompts(found)
        self._score()

    def _offer_judges(self, chosen: str = "") -> None:
        found, own = self.situation, self._extractor
        others = [name for name in found.judges if name != own] if found else []
        sheet = [self.sheet.name] if self.sheet is not None else []
        if found is not None and (found.judged or self._has_judged):
            sheet.insert(0, BY_HAND)
        self.controls.offer(self.controls.judge, (NO_JUDGE, *sheet, *others), chosen)

    def _on_choice(self, _what: str) -> None:
        self._wanted = self._extractor
        self._offer_judges()
        self._score()

    def _score(self) -> None:
        """Score what was read, if anything was."""
        store, found, name = self._studio.store, self.situation, self._extractor
        if store is None or found is None:
            return
        self.scored = None
        if name and found.images and found.unread_by(name) < found.images:
            judge, sheet = self._judge()
            self._ask(lambda: compute(store, name, judge, sheet), self._on_result)
        self._show()

    def _judge(self) -> tuple[str, Path | None]:
        chosen = self.controls.judge.currentText()
        if chosen == BY_HAND and self.situation is not None and self.situation.folder is not None:
            from core.validation.judging import FILE

            return "", self.situation.folder / FILE
        if self.sheet is not None and chosen == self.sheet.name:
            return "", self.sheet
        return ("" if chosen == NO_JUDGE else chosen), None

    def _on_result(self, found: Result) -> None:
        self._query, self.scored = None, found
        self.scores.show_result(found)
        self.images.show_result(found, self.situation.folder if self.situation else None)
        self._show()

    def _on_failed(self, error: Exception) -> None:
        self._query = None
        self._say_trouble(str(error))
        self._show()

    # -- what is shown ----------------------------------------------------------------------------

    def _show(self, _what: object = None) -> None:
        found, own, is_busy = self.situation, self.controls, self.runs.is_busy
        if found is None:
            return
        drawn_by, most = own.generator.currentText(), own.prompts.value()
        self.step = step = next_step(found, self._extractor, self._judge()[0], drawn_by, most)
        has_result = self.scored is not None
        own.show_for(has_prompts=bool(found.stated), has_images=found.images > 0, has_result=has_result)
        own.act.setText(step.act)
        own.act.setVisible(bool(step.act) and has_result)
        own.act.setEnabled(not is_busy)
        self.empty.say(step.first, step.second, "" if is_busy else step.act)
        at = own.which.index if found.stated else SCORES
        panel = (self.scores, self.stated, self.images, self.judging)[at]
        self.stack.setCurrentWidget(panel if has_result or at in (PROMPTS, JUDGE) else self.empty)
        self.said.setText(AT_WORK if is_busy else step.facts)

    @property
    def _extractor(self) -> str:
        return self.controls.extractor.currentText()

    # -- a person judges --------------------------------------------------------------------------

    def _on_which(self, at: int) -> None:
        """Judging begins where it was left; what was judged since is counted when another part is shown."""
        store, own, found = self._studio.store, self.judging.judging, self.situation
        self._show()
        if at != JUDGE:
            self._score_judged()
        elif own is not None and found is not None and len(own.cases) == found.images:
            self.judging.show_judging(own)  # what is on its way to the disk is in it
        elif store is not None:
            self._studio.query(lambda: read_judging(store), self._on_judging, self._on_failed)

    def _on_judging(self, judging: Judging) -> None:
        self.judging.show_judging(judging)

    def _on_judged(self) -> None:
        self._has_judged = True
        self._say_trouble("")
        if self.controls.which.index != JUDGE:
            self._score_judged()

    def _score_judged(self) -> None:
        if self._has_judged:
            self._offer_judges(BY_HAND)
            self._has_judged = False
            self.read()

    def _on_judging_done(self) -> None:
        self.controls.which.choose(SCORES)

    # -- acts -------------------------------------------------------------------------------------

    def do_next(self) -> None:
        """Do what is next: prompts, images, or readings."""
        step, name, own = self.step, self._extractor, self.controls
        if self._studio.store is None or self.runs.is_busy or not step.act:
            return
        if step.kind == "prompts":
            self.runs.make_prompts(name, own.prompts.value(), own.per_prompt.value())
        elif step.kind == "images":
            self.runs.make_images(own.generator.currentText(), [name, self._judge()[0]])
        else:
            self.runs.read(step, self.situation)

    def _on_begun(self) -> None:
        self._say_trouble("")
        self._show()

    def _on_write_sheet(self) -> None:
        folder = self._studio.folder
        path = ask_for_file(self, folder / "validation_sheet.csv") if folder is not None else None
        if path is not None:
            self.write_sheet_to(path)

    def write_sheet_to(self, path: Path) -> None:
        """Write the sheet in which a person says what was drawn."""
        store = self._studio.store
        if store is not None:
            self._studio.query(lambda: writing_sheet(store, path), self.said.setText, self._on_failed)

    def _on_bring_sheet(self) -> None:
        path = open_file(self, "Sheet of a person", "", "CSV (*.csv)")
        if path is not None:
            self.judge_by_sheet(path)

    def judge_by_sheet(self, path: Path) -> None:
        """Let a person's sheet say what was drawn."""
        self.sheet = path
        self._say_trouble("")
        self._offer_judges(path.name)
        self._score()

    def _on_export(self) -> None:
        folder = choose_folder(self, "Folder for the tables", self._studio.folder or "")
        if folder is not None:
            self.export_to(folder)

    def export_to(self, folder: Path) -> None:
        """Write the tables, the paper's two as LaTeX, and the plot, into a folder."""
        result, found = self.scored, self.situation
        if result is not None and found is not None:
            paint, size = figure_of(result)

            def write() -> Path:
                exporting(result, found.schema, folder)
                for kind in ("png", "svg", "pdf"):
                    write_figure(folder / f"validation.{kind}", size, paint, "Validation")
                return folder

            self._studio.query(write, self._on_exported, self._on_failed)

    def _on_exported(self, folder: Path) -> None:
        self.said.setText(f"Exported to {folder}: tables, LaTeX, and the plot as PNG, SVG and PDF.")

    def done(self, result: int) -> None:
        """Want nothing more; work that was started goes on."""
        if self._query is not None:
            self._query.drop()
            self._query = None
        self.images.picture.show_image(None)
        self.judging.picture.show_image(None)
        self.runs.leave()
        super().done(result)
