"""The drawer of one number: what it is, its formula, who said what, and the image sets behind a cell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.records import StoredImage
from gui.agreement.again_panel import AgainPanel
from gui.agreement.counting import (
    CONSENSUS,
    COUNTED_BY,
    PIPELINE,
    apart_from_the_rest,
    differences_on,
    entries_of,
    opinion_on,
)
from gui.agreement.drawer_words import (
    OF_LABELS,
    Shown,
    big_number,
    ends_words,
    note_words,
    rests_on_words,
    spread,
    title_of,
    warning_words,
)
from gui.agreement.repeats import PEOPLE_AGAIN, again_words
from gui.agreement.second_look import DifferencesPanel, LeaveOneOutPanel, SecondOpinionPanel
from gui.agreement.sentences import chance_agreement, meaning
from gui.agreement.view import AgreementView
from gui.fonts import px, width_of
from gui.models.agreement_rows import AXIS, GAP, Level, RowKind
from gui.models.contingency import Contingency
from gui.models.people import short_names
from gui.studio import Studio
from gui.tasks import Query
from gui.widgets.caption import Caption
from gui.widgets.card import empty_layout
from gui.widgets.choice import Choice
from gui.widgets.contingency_grid import ContingencyGrid
from gui.widgets.drawer import Drawer
from gui.widgets.image_details import ImageDetails
from gui.widgets.number_list import NumberList
from gui.widgets.scroll_column import ScrollColumn
from gui.widgets.segmented import Segmented
from gui.widgets.set_list import SetEntry, SetList

if TYPE_CHECKING:
    from annotation.second_opinion import SecondOpinion
    from gui.models.differences import Differences

MOST_SEGMENTS = 3
PIPELINE_WITH = "pipeline with"
OF_PIPELINE = (AXIS, GAP)
DIAGONAL = "Below: who chose what when the other chose what. The diagonal is where both agree."


@dataclass(frozen=True, slots=True)
class Behind:
    """What is behind a number of a question, read off the GUI thread."""

    shown: Shown
    table: Contingency
    opinion: SecondOpinion | None
    differences: Differences | None


class AgreementDrawer(Drawer):
    """Opened with a cell of the grid; `asked_for(question)` when a question of a mean was chosen."""

    asked_for = Signal(str)

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._view: AgreementView | None = None
        self.shown: Shown | None = None
        self._query: Query | None = None
        self._sides: list[tuple[str, str]] = []
        self._side = 0
        self.number, self.ends = Caption("", "number"), Caption("", "muted", wraps=True)
        self.rests_on = Caption("", "muted", wraps=True)
        self.formula = Caption("", "small", wraps=True)
        self.remark = Caption("", "warn", wraps=True)
        self.again = Caption("", "muted", wraps=True)
        self.again_panel = AgainPanel()
        self.note = Caption("", "muted", wraps=True)
        self.pairs = QHBoxLayout()
        self.grid = ContingencyGrid()
        self.heading = Caption("", "strong", wraps=True)
        self.sets = SetList(studio)
        self.left_out, self.second = LeaveOneOutPanel(), SecondOpinionPanel()
        self.differences = DifferencesPanel()
        self.spread = NumberList("Questions, the lowest first")
        self.details = ImageDetails(studio)
        self._scroll = ScrollColumn()
        self._lay_out()
        self.grid.opened.connect(self._on_cell)
        self.grid.folded.connect(self._show_sets)
        for panel in (self.second, self.differences):
            panel.sets_wanted.connect(self._on_sets)
        self.left_out.place_wanted.connect(self._on_place)
        self.again_panel.sets_wanted.connect(self._on_entries)
        self.sets.chosen.connect(self._on_image)
        self.sets.moved.connect(self._on_moved)
        self.spread.chosen.connect(self.asked_for)

    def show_number(self, view: AgreementView, shown: Shown) -> None:
        """Open on a number, or change to it; the pair of people stays."""
        if view is self._view and shown == self.shown and not self.isHidden():
            return
        is_other_question = (
            view is not self._view or self.shown is None or self.shown.row.question != shown.row.question
        )
        self._view, self.shown = view, shown
        self.details.close_it()
        self.open_with(title_of(shown))
        self._say_number(view, shown)
        has_sets = shown.row.kind is RowKind.QUESTION
        self._show_pairs(view, shown)
        self.grid.setVisible(has_sets)
        self.heading.setVisible(has_sets)
        self.sets.setVisible(has_sets)
        self.spread.setVisible(not has_sets)
        self.second.hide()
        self.differences.hide()
        if shown.key in OF_PIPELINE:
            self.left_out.show_question(view, shown.row.question, shown.level)
        else:
            self.left_out.hide()
        if has_sets:
            self._count()
        else:
            self.spread.show_entries(spread(view.rows[shown.level], shown.key))
        if is_other_question:
            self._scroll.to_top()

    def show_again(self) -> None:
        """Open the image sets that people answered twice."""
        entries = self.again_panel.numbers.entries
        if entries:
            keys = [one.key for one in entries]
            self.again_panel.choose(PEOPLE_AGAIN if PEOPLE_AGAIN in keys else keys[0])

    # -- parts ----------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(px(10))
        line.addWidget(self.number)
        line.addWidget(self.ends, 1)
        column = self._scroll.column
        column.addLayout(line)
        for widget in (self.rests_on, self.formula, self.remark, self.note, self.again):
            column.addWidget(widget)
        column.addWidget(self.again_panel)
        column.addWidget(self.left_out)
        column.addLayout(self.pairs)
        for part in (self.differences, self.grid, self.heading, self.sets, self.second, self.spread):
            column.addWidget(part)
        column.addStretch(1)
        self.body.addWidget(self._scroll, 1)
        self.body.addWidget(self.details)

    def _say_number(self, view: AgreementView, shown: Shown) -> None:
        number, parts = shown.number, view.ingredients(shown.row, shown.key, shown.level)
        self.number.setText(big_number(shown))
        self.ends.setText(ends_words(shown))
        chance = chance_agreement(shown.key, number, parts)
        self.rests_on.setText(rests_on_words(view, shown, chance))
        is_of_labels = shown.key in OF_LABELS
        self.formula.setText(DIAGONAL if is_of_labels else meaning(shown.key, number, parts))
        said = (warning_words(shown), note_words(shown), again_words(view, shown.row.question, shown.level))
        for caption, words in zip((self.remark, self.note, self.again), said, strict=True):
            caption.setText(words)
            caption.setVisible(bool(words))
        self.again_panel.show_question(view, shown.row.question, shown.level)
        self.number.setAccessibleName(f"{title_of(shown)}: {self.number.text()} {self.ends.text()}")

    def _show_pairs(self, view: AgreementView, shown: Shown) -> None:
        empty_layout(self.pairs)
        is_pipeline = shown.key in OF_PIPELINE
        names = [person.name for person in view.people]
        short = short_names(view.people)
        if shown.row.kind is not RowKind.QUESTION:
            self._sides = []
            return
        if is_pipeline and view.is_pipeline_open:
            self._sides = [(CONSENSUS, PIPELINE), *((name, PIPELINE) for name in names)]
            words = ["consensus", *(short[name] for name in names)]
            name = "Compare the pipeline with"
        else:
            self._sides = list(combinations(names, 2))
            words = [f"{short[one]} and {short[two]}" for one, two in self._sides]
            name = "Pair of annotators"
        self._side = min(self._side, len(self._sides) - 1)
        room = self.width() - px(40)
        if is_pipeline:
            room -= width_of(PIPELINE_WITH) + px(24)
        wide = sum(width_of(word, is_bold=True) + px(27) for word in words)
        control: Choice | Segmented
        if len(words) <= MOST_SEGMENTS + is_pipeline and wide <= room:
            control = Segmented(words, name)
        else:
            control = Choice(words, name)
        control.choose(self._side)
        control.chosen.connect(self._on_side)
        if is_pipeline:
            self.pairs.addWidget(Caption(PIPELINE_WITH, "muted"))
        self.pairs.addWidget(control)
        self.pairs.addStretch(1)

    def _count(self) -> None:
        view, shown = self._view, self.shown
        if view is None or shown is None or not self._sides:
            return
        question = view.question(shown.row.question)
        if question is None:
            return
        if self._query is not None:
            self._query.drop()
        a, b = self._sides[self._side]
        count = COUNTED_BY[shown.level]
        wants_opinion = shown.level is Level.CATEGORY and shown.key not in OF_PIPELINE

        is_count = shown.level is Level.COUNT

        def read() -> Behind:
            table = count(view, question, a, b)
            opinion = opinion_on(view, question) if wants_opinion else None
            return Behind(shown, table, opinion, differences_on(view, question, a, b) if is_count else None)

        self._query = self._studio.query(read, self._on_counted)

    def _on_counted(self, found: Behind) -> None:
        self._query = None
        if found.shown != self.shown or self._view is None:
            return
        self.grid.show_table(found.table)
        self.differences.show_differences(found.differences)
        self.second.setVisible(found.opinion is not None)
        if found.opinion is not None:
            self.second.show_opinion(self._view, found.opinion)
        self._show_sets()

    def _on_side(self, side: int) -> None:
        self._side = side
        self._count()

    def _on_cell(self, _row: int, _column: int, _table: object) -> None:
        self._show_sets()

    def _show_sets(self) -> None:
        view, shown, table, cell = self._view, self.shown, self.grid.shown, self.grid.current
        if view is None or shown is None or table is None:
            return
        question = view.question(shown.row.question)
        if cell is None or question is None:
            agreed = f"They agree on every {table.unit}; choose a number to see its sets."
            nothing = f"No {table.unit} was {'marked' if table.unit == 'image' else 'answered'} by both."
            self.heading.setText(agreed if table.total else nothing)
            self.sets.show_entries(())
            return
        self.heading.setText(self.grid.cell_words(cell))
        self.sets.show_entries(entries_of(view, question, table.sets.get(cell, ()), shown.level))

    def _on_place(self, name: str, is_pipeline: bool) -> None:
        """Show where a person, or the pipeline in that place, differs from the people who are left."""
        view, shown = self._view, self.shown
        question = view.question(shown.row.question) if view is not None and shown is not None else None
        if view is None or shown is None or question is None:
            return
        if self._query is not None:
            self._query.drop()
        level = shown.level
        read = partial(apart_from_the_rest, view, question, level, name, is_pipeline=is_pipeline)
        self._query = self._studio.query(lambda: (shown, read()), self._on_apart)

    def _on_apart(self, found: tuple[Shown, tuple[str, tuple[str, ...]]]) -> None:
        self._query = None
        shown, (heading, keys) = found
        if shown == self.shown:
            self._on_sets(heading, keys)

    def _on_sets(self, heading: str, keys: tuple[str, ...]) -> None:
        view, shown = self._view, self.shown
        question = view.question(shown.row.question) if view is not None and shown is not None else None
        if view is None or shown is None or question is None:
            return
        self._on_entries(heading, entries_of(view, question, keys, shown.level))

    def _on_entries(self, heading: str, entries: tuple[SetEntry, ...]) -> None:
        """Show image sets below their heading; also of a mean, which has none of its own."""
        self.heading.setText(heading)
        self.sets.show_entries(entries)
        self.heading.show()
        self.sets.show()
        self._scroll.keep_in_sight(self.heading, self.heading.rect())

    def _on_image(self, image: StoredImage) -> None:
        if self.shown is not None:
            self.details.show_image(image, self.shown.row.question)

    def _on_moved(self, place: QRect) -> None:
        self._scroll.keep_in_sight(self.sets, place)
        if self.details.image is not None and self.sets.current is not None:
            self._on_image(self.sets.current)
