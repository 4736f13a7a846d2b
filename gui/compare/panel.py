"""People and pipeline: filters, the table of comparisons, and one of them in full."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from annotation.compare import Wanted, directions_in, pairs_in
from gui.agreement.view import AgreementView
from gui.compare.detail import CompareDetail
from gui.compare.facts import CompareFacts, label_words, read_facts
from gui.compare.table import COLUMNS, CompareModel, CompareTable
from gui.export import ask_for_file, with_simulated, write_csv
from gui.fonts import px
from gui.models.coverage import in_words
from gui.studio import Studio
from gui.tasks import Query
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.choice_box import ChoiceBox
from gui.widgets.empty_page import EmptyPage
from gui.widgets.flow import Flow
from gui.words import counted, thousands

ALL = "all"
PARTS = ("question", "role", "condition", "generator", "difference")
MOST_PAIRS = 12
CLOSED = "People and pipeline are compared once the round is locked."
NO_RECORDS = "There are no records yet, so there is nothing to compare people with."
PIPELINE_AT = [column.key for column in COLUMNS].index("pipeline")


class ComparePanel(QWidget):
    """Shows one result of the Agreement page; closed while that has no pipeline."""

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self.facts: CompareFacts | None = None
        self._query: Query | None = None
        self._values: dict[str, dict[str, Any]] = {}
        self.boxes = {part: ChoiceBox([ALL], f"Filter by {part}") for part in PARTS}
        self.count = Caption("", "muted")
        self.export = Button("Export these as CSV", "quiet", "export")
        self.model = CompareModel(self)
        self.table = CompareTable(self.model)
        self.detail = CompareDetail(studio)
        self.empty = EmptyPage()
        self._stack = QStackedWidget()
        self._lay_out()
        for box in self.boxes.values():
            box.chosen.connect(self._on_filter)
        self.table.moved.connect(self._on_moved)
        self.table.opened.connect(self._on_opened)
        self.table.tagged.connect(self.detail.choose_tag)
        self.detail.noted.connect(self._on_noted)
        self.export.clicked.connect(self._on_export)
        studio.study_closed.connect(self.clear)

    def show_view(self, view: AgreementView, needs: str, *, has_records: bool = True) -> None:
        """Show a result, or what locking needs while people and pipeline are not compared."""
        if not view.is_pipeline_open:
            self.clear()
            self.empty.say(CLOSED if has_records else NO_RECORDS, needs if has_records else "")
            return
        if self.facts is not None and self.facts.view is view:
            return
        self.clear()
        store = self._studio.store
        if store is not None:
            self.empty.say("Reading what was said of each image")
            self._query = self._studio.query(lambda: read_facts(store, view), self._on_facts)

    def clear(self) -> None:
        """Show nothing."""
        if self._query is not None:
            self._query.drop()
        self._query, self.facts = None, None
        self.detail.one = None
        self.empty.say("")
        self._stack.setCurrentWidget(self.empty)

    def close_detail(self) -> bool:
        """Esc closes an opened image, then goes from the note to the table."""
        if self.detail.details.close_it():
            return True
        had_focus = self.detail.note.hasFocus()
        if had_focus:
            self.table.setFocus()
        return had_focus

    @property
    def wanted(self) -> Wanted:
        """What the boxes say."""
        chosen = [self._values.get(part, {}).get(self.boxes[part].currentText(), "") for part in PARTS]
        return Wanted(*chosen)

    # -- parts ----------------------------------------------------------------------------------

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
        filters.addWidget(self.export)
        content = QWidget()
        both = QHBoxLayout()
        both.setSpacing(px(12))
        card = QFrame()
        card.setProperty("kind", "card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(px(8), px(4), px(6), px(4))
        inside.addWidget(self.table)
        both.addWidget(card, 5)
        both.addWidget(self.detail, 5)
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        column.addLayout(filters)
        column.addWidget(self.count)
        column.addLayout(both, 1)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(content)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)

    def _on_facts(self, facts: CompareFacts) -> None:
        self._query, self.facts = None, facts
        self.model.notes = dict(facts.notes)
        self._offer(facts)
        self._stack.setCurrentIndex(1)
        self._show()

    def _offer(self, facts: CompareFacts) -> None:
        sets = [one.image_set for one in facts.comparisons]
        names = facts.view.names
        self._values = {
            "question": {names.get(one.id, one.id): one.id for one in facts.view.questions},
            "role": {in_words(role): role for role in dict.fromkeys(one.role for one in sets)},
            "condition": {str(one.condition): str(one.condition) for one in sets if one.condition},
            "generator": {one.generator: one.generator for one in sets},
        }
        self._offer_differences(facts)
        for part in PARTS[:-1]:
            self.boxes[part].set_captions([ALL, *self._values[part]])

    def _offer_differences(self, facts: CompareFacts) -> None:
        """Directions with their numbers; for one question also its pairs of labels."""
        question = self.wanted.question
        rows = [one for one in facts.comparisons if question in ("", one.question.id)]
        found: dict[str, Any] = {
            f"{direction} ({number})": direction for direction, number in directions_in(rows).items()
        }
        if question and rows:
            for (people, machine), number in list(pairs_in(rows).items())[:MOST_PAIRS]:
                said = f"{label_words(rows[0], people)} → {label_words(rows[0], machine)} ({number})"
                found[said] = (people, machine)
        self._values["difference"] = found
        self.boxes["difference"].set_captions([ALL, *found])

    def _on_filter(self, _caption: str) -> None:
        if self.facts is not None:
            self.detail.keep_note()
            self._offer_differences(self.facts)
            self._show()

    def _show(self) -> None:
        facts = self.facts
        if facts is None:
            return
        wanted, before = self.wanted, self.detail.one
        rows = [one for one in facts.comparisons if wanted.shows(one)]
        self.model.set_rows(facts, rows)
        apart = sum(one.is_apart for one in rows)
        whole = counted(len(facts.comparisons), "question of an image set", "questions of image sets")
        self.count.setText(f"{thousands(len(rows))} of {whole}, {thousands(apart)} differ")
        self.export.setEnabled(bool(rows))
        self.detail.setVisible(bool(rows))
        kept = next(
            (at for at, one in enumerate(rows) if before is not None and one.place == before.place), 0
        )
        if rows:
            # A cell in focus keeps its column where there is room for few.
            self.table.setCurrentIndex(self.model.index(kept, PIPELINE_AT))
            self._on_moved(kept, PIPELINE_AT)

    def _on_moved(self, row: int, _column: int) -> None:
        if self.facts is not None and row < len(self.model.rows):
            one = self.model.rows[row]
            if self.detail.one is not one:
                self.detail.show_comparison(self.facts, one, self.model.notes.get(one.place, ("", "")))

    def _on_opened(self, _row: int, _column: int) -> None:
        self.detail.take_note()

    # -- acts -----------------------------------------------------------------------------------

    def _on_noted(self, tag: str, note: str) -> None:
        store, facts, one = self._studio.store, self.facts, self.detail.one
        if store is None or facts is None or one is None:
            return
        self.model.note(one.place, (tag, note.strip()))
        where = (one.image_set.image_set_id, one.question.id, facts.view.settings.extractor or "")
        # Asked for here and only waited for in the pool, where two notes could overtake each other.
        kept = store.note_comparison(*where, tag=tag, note=note)
        self._studio.query(kept.result, self._on_kept)

    def _on_kept(self, _number: int) -> None:
        """Kept; the table says so already."""

    def _on_export(self) -> None:
        folder = self._studio.folder
        chosen = ask_for_file(self.window(), folder / "people_and_pipeline.csv") if folder else None
        if chosen is not None:
            self.export_to(chosen)

    def export_to(self, path: Path) -> None:
        """Write the rows on the screen, in their order, as CSV."""
        facts, rows = self.facts, self.model.rows
        if facts is None:
            return
        notes, simulated = dict(self.model.notes), self._studio.simulated

        def write() -> Path:
            from annotation.compare_rows import COLUMNS as EXPORTED
            from annotation.compare_rows import compare_rows

            made = compare_rows(rows, facts.answers, facts.readings, notes)
            more = ("contains_simulated",) if simulated else ()
            return write_csv(path, with_simulated(made, simulated), (*EXPORTED, *more))

        self._studio.query(write, self._on_written)

    def _on_written(self, path: Path) -> None:
        self.count.setText(f"Exported to {path}")
