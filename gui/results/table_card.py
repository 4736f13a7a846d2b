"""The lower card of the Results page: filters, the persistence table, and the cell in focus in one line."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QVBoxLayout, QWidget

from core.explained import OF_PERSISTENCE
from gui.fonts import px
from gui.models.persistence_data import PUBLISHED, Filter, PersistenceData, Words, names_in
from gui.models.persistence_table import PREVALENCE, PersistenceModel, rows_words
from gui.results.table import PersistenceTable
from gui.widgets.caption import Caption, rule
from gui.widgets.choice import Choice
from gui.widgets.coverage_legend import Foot
from gui.widgets.flow import Flow
from gui.widgets.meaning import meaning_button
from gui.widgets.verdict_filter import VerdictFilter
from gui.words import counted

MILLISECONDS_OF_TYPING = 120
WORD_COLUMNS = frozenset({"generator", "role", "dimension", "label", "verdict"})
HINT = "Enter opens the images"


class TableCard(QFrame):
    """`opened(int)` and `moved(int)` with the row of the table."""

    opened = Signal(int)
    moved = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.model = PersistenceModel(self)
        self.table = PersistenceTable(self.model)
        self.role, self.generator, self.dimension = (
            Choice([], "Role"),
            Choice([], "Generator"),
            Choice([], "Dimension"),
        )
        self.published = Choice(
            ["any published verdict", *(f"published: {one}" for one in PUBLISHED)], "Published"
        )
        self.text = QLineEdit()
        self.verdicts = VerdictFilter()
        self.foot = Foot()
        self._ids: dict[Choice, list[str | None]] = {}
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(MILLISECONDS_OF_TYPING)
        self._lay_out()
        self._typing.timeout.connect(self.apply_filter)
        self.text.textChanged.connect(self._on_text)
        for choice in (self.role, self.generator, self.dimension, self.published):
            choice.chosen.connect(self.apply_filter)
        self.verdicts.changed.connect(self.apply_filter)
        self.table.moved.connect(self._on_moved)
        self.table.opened.connect(self._on_opened)

    def show_table(self, table: PersistenceData | None) -> None:
        """Show another table; filters that still make sense stay."""
        if table is not None:
            self._offer(self.role, table.role, "role")
            self._offer(self.generator, table.generator, "generator")
            self._offer(self.dimension, table.dimension, "dimension")
        self.model.table = table
        self.apply_filter()

    @property
    def wanted(self) -> Filter:
        """What the controls ask for."""
        return Filter(
            self._chosen(self.generator),
            self._chosen(self.role),
            self._chosen(self.dimension),
            self.text.text(),
            self.verdicts.chosen,
            PUBLISHED[self.published.currentIndex() - 1] if self.published.currentIndex() > 0 else None,
        )

    def show_verdicts(self, verdict: str, published: str) -> None:
        """Show only the labels with this pair of verdicts."""
        for choice in (self.role, self.generator, self.dimension):
            choice.choose(0)
        self.text.clear()
        self.published.choose(PUBLISHED.index(published) + 1)
        for chip in self.verdicts.chips:
            chip.setChecked(chip.verdict == verdict)
        self.apply_filter()
        self.table.setFocus()

    def apply_filter(self) -> None:
        """Show what the controls ask for; the row in focus stays in focus if it passes."""
        self._typing.stop()
        at = self.table.current_data_row()
        self.model.set_filter(self.wanted)
        self.verdicts.show_counts(self.model.counts)
        self.published.setVisible(self.published.currentIndex() > 0)
        total = self.model.table.size if self.model.table is not None else 0
        self.foot.say(rows_words(self.model.rowCount(), total), [], HINT)
        self.table.go_to(at)

    def focus_text(self) -> None:
        """Put the keyboard into the text filter."""
        self.text.setFocus()
        self.text.selectAll()

    def _lay_out(self) -> None:
        self.text.setPlaceholderText("Filter labels")
        self.text.setAccessibleName("Filter by label, dimension or role")
        self.text.setClearButtonEnabled(True)
        self.text.setFixedWidth(px(150))
        head = Flow(gap=8)
        head.addWidget(Caption("Persistence", "card_title"))
        head.addWidget(meaning_button("What CCS, range and verdict mean", OF_PERSISTENCE))
        for widget in (self.role, self.generator, self.dimension, self.text, self.published):
            head.addWidget(widget)
        head.add_right(self.verdicts)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(8), px(8), 0)
        column.setSpacing(px(6))
        column.addLayout(head)
        column.addWidget(self.table, 1)
        column.addWidget(rule())
        column.addWidget(self.foot)

    def _offer(self, choice: Choice, words: Words, noun: str) -> None:
        found = names_in(words)
        before = self._chosen(choice)
        self._ids[choice] = [None, *(one for one, _ in found)]
        plural = f"all {counted(len(found), noun)}" if len(found) != 1 else f"1 {noun}"
        choice.set_words([plural, *(name for _, name in found)])
        choice.blockSignals(True)
        choice.choose(self._ids[choice].index(before) if before in self._ids[choice] else 0)
        choice.blockSignals(False)
        choice.setVisible(len(found) > 1)

    def _chosen(self, choice: Choice) -> str | None:
        ids = self._ids.get(choice, [])
        at = choice.currentIndex()
        return ids[at] if 0 <= at < len(ids) else None

    def _on_text(self) -> None:
        self._typing.start()

    def _on_moved(self, row: int, column: int) -> None:
        at = self.model.data_row(row)
        shown = self.model.row_at(at)
        name = f"{shown.role_name}, {shown.dimension_name}: {shown.label_name}, {shown.generator}"
        key = self.model.columns[column].key
        said = self.model.sentence(at, PREVALENCE if key in WORD_COLUMNS else key)
        self.foot.say(name, [said], HINT)
        self.moved.emit(at)

    def _on_opened(self, row: int, _column: int) -> None:
        self.opened.emit(self.model.data_row(row))
