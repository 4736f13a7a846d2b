"""One comparison in full: both sides, each answer, the ten images, a tag and a note."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from annotation.compare import Comparison
from core.records import UNKNOWN, StoredImage
from gui.compare.facts import TAGS, CompareFacts, count_words, detail_words, label_words, side_words
from gui.compare.tiles import CompareTiles
from gui.fonts import px
from gui.models.coverage import in_words
from gui.models.people import short_names
from gui.studio import Studio
from gui.widgets.caption import Caption
from gui.widgets.choice_box import ChoiceBox
from gui.widgets.image_details import ImageDetails
from gui.widgets.scroll_column import ScrollColumn

NO_TAG = "no tag"
SIGNS = (
    "Filled letter: marked by that annotator. Diamond: the pipeline's label, filled where it is the people's."
)


class CompareDetail(QFrame):
    """`noted(tag, note)` when a person tagged or noted what is shown."""

    noted = Signal(str, str)

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.one: Comparison | None = None
        self._facts: CompareFacts | None = None
        self.title = Caption("", "strong", wraps=True)
        self.people, self.pipeline = Caption("", "", wraps=True), Caption("", "", wraps=True)
        self.said = Caption("", "muted", wraps=True)
        self.tiles = CompareTiles(studio)
        self.signs = Caption(SIGNS, "muted", wraps=True)
        self.details = ImageDetails(studio)
        self.tag = ChoiceBox([NO_TAG, *TAGS], "Tag")
        self.note = QLineEdit()
        self.note.setAccessibleName("Note")
        self.note.setPlaceholderText("Note, kept with Enter")
        self._lay_out()
        self.tiles.chosen.connect(self._on_image)
        self.tag.chosen.connect(self._on_tag)
        self.note.editingFinished.connect(self.keep_note)

    def show_comparison(self, facts: CompareFacts, one: Comparison, note: tuple[str, str]) -> None:
        """Show another comparison; what was typed into the note is kept first."""
        self.keep_note()
        self._facts, self.one = facts, one
        self.details.close_it()
        where, name = one.image_set, facts.view.names.get(one.question.id, one.question.id)
        origin = ", ".join([in_words(where.role), str(where.condition or "no condition"), where.generator])
        self.title.setText(f"Set {facts.number(one)}, {name}: {origin}")
        for caption, who, is_pipeline in ((self.people, "People", False), (self.pipeline, "Pipeline", True)):
            detail = detail_words(one, is_pipeline=is_pipeline)
            label = side_words(one, is_pipeline=is_pipeline) if _label(one, is_pipeline) else ""
            label = label_words(one, _label(one, is_pipeline)) if label else "no single label"
            caption.setText(f"{who}: {label} ({detail})" if detail else f"{who}: {label}")
        self._say_answers(facts, one)
        own = {said.annotator for said in facts.said(one) if _counts(one, said.label)}
        self.tiles.show_images(one, facts.images(one), facts.letters(), frozenset(own))
        self._show_note(note)

    def take_note(self) -> None:
        """Put the keyboard into the note."""
        self.note.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def choose_tag(self, number: int) -> None:
        """Choose a tag by its number, 0 for none."""
        self.tag.choose([NO_TAG, *TAGS][number])

    def _lay_out(self) -> None:
        scroll = ScrollColumn()
        for widget in (self.title, self.people, self.pipeline, self.said, self.tiles, self.signs):
            scroll.column.addWidget(widget)
        scroll.column.addStretch(1)
        foot = QHBoxLayout()
        foot.setSpacing(px(8))
        foot.addWidget(self.tag)
        foot.addWidget(self.note, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(12), px(8), px(12))
        column.setSpacing(px(8))
        column.addWidget(scroll, 1)
        column.addWidget(self.details)
        holder = QWidget()
        holder.setLayout(foot)
        foot.setContentsMargins(0, 0, px(8), 0)
        column.addWidget(holder)

    def _say_answers(self, facts: CompareFacts, one: Comparison) -> None:
        short, letters = short_names(facts.view.people), facts.letters()
        parts = []
        for said in facts.said(one):
            count = "" if said.count is None else f" {count_words(said.count)}"
            who = short.get(said.annotator, said.annotator)
            letter = letters.get(said.annotator, "")
            head = who if who == letter else f"{letter} {who}"
            parts.append(f"{head}: {label_words(one, said.label)}{count}")
        self.said.setText("; ".join(parts) or "Nobody answered.")

    def _show_note(self, note: tuple[str, str]) -> None:
        self.tag.blockSignals(True)
        if self.tag.findText(note[0]) < 0 and note[0]:
            self.tag.addItem(note[0])
        self.tag.choose(note[0] or NO_TAG)
        self.tag.blockSignals(False)
        self.note.setText(note[1])
        self.note.setModified(False)

    @property
    def chosen_tag(self) -> str:
        """The tag, "" for none."""
        tag = self.tag.currentText()
        return "" if tag == NO_TAG else tag

    def _on_tag(self, _tag: str) -> None:
        if self.one is not None:
            self.note.setModified(False)
            self.noted.emit(self.chosen_tag, self.note.text())

    def keep_note(self) -> None:
        """Keep what was typed, if anything was."""
        if self.one is not None and self.note.isModified():
            self.note.setModified(False)
            self.noted.emit(self.chosen_tag, self.note.text())

    def _on_image(self, image: StoredImage) -> None:
        if self.one is not None:
            self.details.show_image(image, self.one.question.dimension)


def _label(one: Comparison, is_pipeline: bool) -> str:
    return one.pipeline.label if is_pipeline else one.people.label


def _counts(one: Comparison, label: str) -> bool:
    """Whether marks of who chose a label are shown: those for the people's label, or all without one."""
    return label == one.people.label or one.people.label in ("", UNKNOWN)
