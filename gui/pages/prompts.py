"""The Prompts page: every sentence given to a generator, and how evenly places are spread over roles."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from core.errors import UserError
from core.records import Condition, Prompt
from core.sentences import ENGLISH, sentences_from
from core.whole_files import write_whole
from gui.bank.editor import BankDialog
from gui.export import ask_for_file, write_csv
from gui.fonts import px
from gui.models.coverage import in_words
from gui.models.places import PlaceUse, place_uses
from gui.models.rows import Column, RowsModel
from gui.pages.page import Page
from gui.studio import Studio
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.prompt_cards import PlacesCard, PromptCard
from gui.widgets.segmented import Segmented
from gui.widgets.study_cards import column_of
from gui.widgets.table import Table
from gui.words import counted, thousands

if TYPE_CHECKING:
    from storage.store import Store

CONDITIONS: tuple[Condition | None, ...] = (None, *Condition)
SIDE_WIDTH, SIDE_WIDTH_NARROW, WIDE_FROM = 360, 300, 1500

COLUMNS = (
    Column("role", lambda prompt: in_words(prompt.role)),
    Column(
        "condition",
        lambda prompt: prompt.condition or "none",
        marker=lambda prompt: prompt.condition,
        tip=lambda prompt: prompt.condition.in_words if prompt.condition else "nobody stated one",
    ),
    Column("kind", lambda prompt: prompt.kind.value),
    Column("text", lambda prompt: prompt.text, tip=lambda prompt: prompt.text),
)


@dataclass(frozen=True, slots=True)
class _Read:
    prompts: tuple[Prompt, ...]
    uses: tuple[PlaceUse, ...]
    design: str
    unrelated: str
    language: str


def _read(store: Store) -> _Read:
    prompts = tuple(store.prompts())
    said = store.study.settings.get("sentences")
    language = sentences_from(said).language if said else ENGLISH.language
    return _Read(prompts, place_uses(prompts), store.study.design, store.study.unrelated, language)


class PromptsPage(Page):
    """Table of prompts at the left; the chosen prompt and the places at the right."""

    name = "prompts"
    title = "Prompts"
    icon = "prompts"
    words = frozenset({"prompt", "role"})

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(studio, parent)
        self._all: tuple[Prompt, ...] = ()
        self.condition = Segmented(["All", *(condition.value for condition in Condition)], "Condition")
        self.filter = QLineEdit()
        self._count = Caption("", "muted")
        self.model = RowsModel(COLUMNS, self)
        self.table = Table(self.model, "Prompts")
        self._chosen = PromptCard()
        self._places = PlacesCard()
        self._side = QScrollArea()
        self._lay_out()
        self.condition.chosen.connect(self._show_rows)
        self.filter.textChanged.connect(self._show_rows)
        self.table.moved.connect(self._chosen.show_prompt)
        studio.study_closed.connect(self._on_closed)

    def header_acts(self) -> list[QWidget]:
        """Export the prompts that are shown; build contexts for roles."""
        export = Button("Export", "quiet", "export")
        export.clicked.connect(self._on_export)
        contexts = Button("Contexts for roles")
        contexts.clicked.connect(self._on_contexts)
        return [export, contexts]

    def refresh(self) -> None:
        """Read all prompts."""
        store = self.studio.store
        if store is not None:
            self.studio.query(lambda: _read(store), self._on_read)

    def focus_filter(self) -> None:
        """Put the keyboard into the filter."""
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    def keys(self) -> list[tuple[str, str]]:
        """Keys of this page."""
        return [("↑ ↓", "from prompt to prompt"), ("Ctrl F", "filter")]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The column at the right is narrower in a narrow window."""
        super().resizeEvent(event)
        is_wide = self.window().width() >= px(WIDE_FROM)
        width = px(SIDE_WIDTH) if is_wide else min(px(SIDE_WIDTH_NARROW), self.width() // 3)
        self._side.setFixedWidth(width)
        self.table.set_widths(*((170, 110, 110) if is_wide else (124, 86, 98)))

    def _lay_out(self) -> None:
        self.filter.setPlaceholderText("Filter role or text")
        self.filter.setAccessibleName("Filter prompts by role or text")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMinimumWidth(px(110))
        self.filter.setMaximumWidth(px(220))
        tools = QHBoxLayout()
        tools.setSpacing(px(12))
        tools.addWidget(self.condition)
        tools.addWidget(self._count)
        tools.addStretch(1)
        tools.addWidget(self.filter, 2)
        card = QFrame()
        card.setProperty("kind", "card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(px(8), px(4), px(4), px(4))
        inside.addWidget(self.table)
        left = QVBoxLayout()
        left.setSpacing(px(8))
        left.addLayout(tools)
        left.addWidget(card, 1)
        inner = QWidget()
        inner.setProperty("kind", "scrolled")
        inner.setLayout(column_of(self._chosen, self._places))
        self._side.setFrameShape(QFrame.Shape.NoFrame)
        self._side.setWidgetResizable(True)
        self._side.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._side.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._side.setWidget(inner)
        self.setMinimumSize(px(560), px(320))  # what is inside follows the width, see `resizeEvent`
        row = QHBoxLayout(self)
        row.setContentsMargins(px(20), 0, px(16), px(12))
        row.setSpacing(px(16))
        row.addLayout(left, 1)
        row.addWidget(self._side)

    def _on_read(self, found: _Read) -> None:
        self._all = found.prompts
        roles = len({prompt.role for prompt in found.prompts})
        language = [] if found.language == ENGLISH.language else [f"in {found.language}"]
        facts = [
            counted(len(found.prompts), "prompt"),
            counted(roles, "role"),
            f"{found.design} design",
            *language,
        ]
        self.set_facts(", ".join([*facts, f"unrelated contexts {found.unrelated}"]))
        self._places.show_uses(found.uses)
        self._show_rows()

    def _show_rows(self) -> None:
        wanted, text = CONDITIONS[self.condition.index], self.filter.text().strip().lower()
        rows = [
            prompt
            for prompt in self._all
            if (wanted is None or prompt.condition is wanted)
            and text in f"{in_words(prompt.role)} {prompt.text}".lower()
        ]
        self.model.set_rows(rows)
        self._count.setText(
            "" if len(rows) == len(self._all) else f"{thousands(len(rows))} of {thousands(len(self._all))}"
        )
        self._chosen.show_prompt(None)

    def _on_closed(self) -> None:
        self._all = ()
        self._show_rows()

    def _on_contexts(self) -> None:
        if self.studio.store is not None:
            BankDialog(self.studio, self).open()

    def _on_export(self) -> None:
        if self.studio.folder is not None:
            kinds = "CSV (*.csv);;JSON (*.json)"
            path = ask_for_file(self, self.studio.folder / "prompts.csv", kinds)
            if path is not None:
                self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write the prompts that are shown as CSV, or as JSON where the name ends so."""
        rows = [_row(prompt) for prompt in self.model.rows]
        write = _write_json if path.suffix == ".json" else write_csv
        self.studio.query(lambda: write(path, rows), self._on_exported)

    def _on_exported(self, path: Path) -> None:
        self._count.setText(f"Exported to {path}")


def _write_json(path: Path, rows: list[dict[str, object]]) -> Path:
    text = json.dumps(rows, indent=1, ensure_ascii=False) + "\n"
    try:
        write_whole(path, lambda place: place.write_text(text, encoding="utf-8", newline="\n"))
    except OSError as error:
        raise UserError(f"{path} could not be written: {error.strerror}.", "Choose another place.") from error
    return path


def _row(prompt: Prompt) -> dict[str, object]:
    return {
        "role": prompt.role,
        "condition": prompt.condition.value if prompt.condition else "",
        "kind": prompt.kind.value,
        "place": prompt.place or "",
        "activity": prompt.activity or "",
        "wording": prompt.wording,
        "text": prompt.text,
    }
