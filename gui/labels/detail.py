"""The label that is looked at: what is proposed, its nearest neighbours, images with it, and the acts."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from core.labels.board import MAPPED, OPEN, Row
from core.records import StoredImage
from gui.fonts import px
from gui.labels.examples import Examples
from gui.labels.facts import read_examples
from gui.models.coverage import in_words
from gui.studio import Studio
from gui.tasks import Query
from gui.widgets.button import Button
from gui.widgets.caption import Caption, rule
from gui.widgets.scrolled import scrolled
from gui.words import counted

WHY = {
    "spelling": "The same words in another spelling.",
    "alias": "The table of aliases says that it is the same thing.",
    "meaning": "The two are alike in meaning. Look at the images before accepting.",
    "modifier": "They differ in a modifier, so they may be different things. Look at the images.",
    "none": "Nothing is proposed for this label.",
}


class Detail(QFrame):
    """One label. The acts are signals; who decides what they do is the dialog."""

    accepted = Signal()
    rejected = Signal()
    taken_out = Signal()
    renamed = Signal(str)

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.row: Row | None = None
        self.why_nothing = ""
        self._studio = studio
        self._query: Query | None = None
        self.title, self.facts = Caption("", "card_title", wraps=True), Caption("", "muted", wraps=True)
        self.proposed, self.why = Caption("", "strong", wraps=True), Caption("", "muted", wraps=True)
        self.neighbours = Caption("", "", wraps=True)
        self.own, self.others = Examples(studio), Examples(studio)
        self._others_title = Caption("", "muted", wraps=True)
        self.accept = Button("Accept", "primary", key="A")
        self.reject = Button("Keep as said", key="R")
        self.split = Button("Take out", key="S")
        self.name = QLineEdit()
        self.name.setAccessibleName("Canonical label")
        self.name.setPlaceholderText("another canonical label, then Enter (N)")
        self._lay_out()
        self.accept.clicked.connect(self.accepted)
        self.reject.clicked.connect(self.rejected)
        self.split.clicked.connect(self.taken_out)
        self.name.returnPressed.connect(self._on_name)
        self.show_row(None)

    def _lay_out(self) -> None:
        told = QVBoxLayout()
        told.setContentsMargins(0, 0, px(8), 0)
        told.setSpacing(px(8))
        for widget in (self.title, self.facts, self.own, rule(), self.proposed, self.why):
            told.addWidget(widget)
        for widget in (self._others_title, self.others, rule(), Caption("Nearest neighbours", "muted")):
            told.addWidget(widget)
        told.addWidget(self.neighbours)
        told.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(14), px(8), px(14))
        column.setSpacing(px(8))
        column.addWidget(scrolled(told), 1)
        acts = QHBoxLayout()
        acts.setSpacing(px(8))
        for button in (self.accept, self.reject, self.split):
            acts.addWidget(button)
        acts.addStretch(1)
        column.addLayout(acts)
        column.addWidget(self.name)

    def show_row(self, row: Row | None) -> None:
        """Show another label; None shows nothing."""
        self.row = row
        if row is None:
            self._show_nothing()
            return
        self.title.setText(row.label)
        self.facts.setText(f"{in_words(row.dimension)}, {counted(row.images, 'image')}")
        to = row.shown_canonical
        decided = {OPEN: "Proposed: counts as", MAPPED: "Counts as"}.get(row.decision, "Kept as said:")
        self.proposed.setText(f"{decided} {to}" if row.proposal.is_merge or row.decision != OPEN else "")
        likeness = row.proposal.likeness
        said = f" Likeness {likeness:.2f}." if likeness is not None else ""
        self.why.setText(WHY[row.proposal.kind] + said)
        near = [f"{one.label} {one.likeness:.2f}" for one in row.proposal.neighbours]
        self.neighbours.setText(", ".join(near) or "not known: proposals were made without a model")
        self._others_title.setText(f"Images with {to}" if to != row.label else "")
        self.accept.setEnabled(
            row.proposal.is_merge and not (row.decision == MAPPED and to == row.proposal.target)
        )
        self.accept.setToolTip("" if row.proposal.is_merge else "Nothing is proposed.")
        self.reject.setEnabled(row.decision != "kept")
        self.split.setEnabled(row.decision == MAPPED)
        self.split.setToolTip("" if row.decision == MAPPED else "It is not mapped to another label.")
        self.name.setEnabled(True)
        self.name.clear()
        self._ask(row)

    def begin_rename(self) -> None:
        """Put the keyboard into the line for another name."""
        if self.row is not None:
            self.name.setText(self.row.shown_canonical)
            self.name.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.name.selectAll()

    def _show_nothing(self) -> None:
        self.title.setText(self.why_nothing)
        for caption in (self.facts, self.proposed, self.why, self.neighbours, self._others_title):
            caption.setText("")
        for button in (self.accept, self.reject, self.split):
            button.setEnabled(False)
        self.name.setEnabled(False)
        self.own.show_images(())
        self.others.show_images(())

    def _ask(self, row: Row) -> None:
        store = self._studio.store
        if self._query is not None:
            self._query.drop()
        if store is None:
            return
        keys = [row.key, (row.dimension, row.shown_canonical)]
        self.own.show_images(())
        self.others.show_images(())
        self._query = self._studio.query(
            lambda: [read_examples(store, key) for key in keys], self._on_examples
        )

    def _on_examples(self, found: list[tuple[tuple[str, str], tuple[StoredImage, ...]]]) -> None:
        self._query = None
        (key, own), (_, others) = found
        if self.row is not None and self.row.key == key:
            self.own.show_images(own)
            self.others.show_images(others if self.row.shown_canonical != self.row.label else ())

    def _on_name(self) -> None:
        if self.name.text().strip():
            self.renamed.emit(self.name.text().strip())
