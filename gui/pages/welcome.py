"""What is shown while no study is open: what this is, the sample study, open, new, recent ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from core.paths import STUDY_FILE
from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.card import Card, empty_layout

WHAT_IT_IS = (
    "Audits text-to-image generators for biases that change, or do not, when a role is placed in a context; "
    "and runs the human study that says how far a pipeline's labels can be trusted."
)
WHAT_THE_SAMPLE_IS = (
    "Drawn pictures with known labels, records, and simulated annotators, so that every page has something "
    "to show. Nothing is downloaded."
)


class WelcomePage(QWidget):
    """The first thing a person sees. Signals carry what was asked for; the window acts."""

    sample_asked_for = Signal()
    open_asked_for = Signal()
    new_asked_for = Signal()
    recent_asked_for = Signal(object)

    def __init__(self, sample_folder: Path | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sample_folder = sample_folder
        self.setAccessibleName("Welcome")
        self.sample = Button("", "primary")
        self._said = Caption("", "muted", wraps=True)
        self.open, self.new = Button("Open study…", icon="folder"), Button("New study…", icon="plus")
        self._recent = QVBoxLayout()
        self._recent.setSpacing(px(2))
        self._recent_card = Card("Recent studies")
        self._recent_card.body.addLayout(self._recent)
        self._lay_out()
        self.sample.clicked.connect(self.sample_asked_for)
        self.open.clicked.connect(self.open_asked_for)
        self.new.clicked.connect(self.new_asked_for)
        self.set_busy("")

    def show_recent(self, folders: Sequence[Path]) -> None:
        """List the studies opened last."""
        empty_layout(self._recent)
        for folder in folders:
            row = QHBoxLayout()
            opener = Button(folder.name, "link")
            opener.setProperty("folder", str(folder))
            opener.setAccessibleName(f"Open {folder.name}")
            opener.clicked.connect(self._on_recent)
            row.addWidget(opener)
            row.addWidget(Caption(str(folder.parent), "muted"), 1)
            self._recent.addLayout(row)
        self._recent_card.setVisible(bool(folders))

    def set_busy(self, said: str) -> None:
        """Say what is being done and take no other order meanwhile; "" is ready again."""
        is_there = self._sample_folder is not None and (self._sample_folder / STUDY_FILE).exists()
        self.sample.setText("Open the sample study" if is_there else "Make the sample study")
        self.sample.setAccessibleName(self.sample.text())
        self.sample.setVisible(self._sample_folder is not None)
        for button in (self.sample, self.open, self.new):
            button.setEnabled(not said)
            button.setToolTip(said)
        self._said.setText(said or (WHAT_THE_SAMPLE_IS if self._sample_folder else ""))

    def _lay_out(self) -> None:
        inner = QVBoxLayout()
        inner.setSpacing(px(12))
        inner.addWidget(Caption("ContextBias Studio", "page_title"))
        inner.addWidget(Caption(WHAT_IT_IS, wraps=True))
        inner.addSpacing(px(8))
        first = Card()
        row = QHBoxLayout()
        row.setSpacing(px(8))
        for button in (self.sample, self.open, self.new):
            row.addWidget(button)
        row.addStretch(1)
        first.body.addLayout(row)
        first.body.addSpacing(px(2))
        first.body.addWidget(self._said)
        inner.addWidget(first)
        inner.addWidget(self._recent_card)
        self._recent_card.hide()
        inner.addStretch(1)
        holder = QWidget()
        holder.setLayout(inner)
        holder.setFixedWidth(px(640))
        page = QWidget()
        page.setProperty("kind", "scrolled")
        middle = QVBoxLayout(page)
        middle.setContentsMargins(px(20), px(72), px(20), px(20))
        middle.addWidget(holder, 1, Qt.AlignmentFlag.AlignHCenter)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(page)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def _on_recent(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.recent_asked_for.emit(Path(str(sender.property("folder"))))
