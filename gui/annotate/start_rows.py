"""Rows of the start view: an annotator with progress, and the words for the ways of counting."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui import fonts
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.progress_bar import ProgressBar
from gui.words import thousands

if TYPE_CHECKING:
    from gui.annotate.offers import Person

MODES = (
    ("marks+slider", "marks and slider"),
    ("slider only", "slider only"),
    ("marks only", "marks only"),
)


def mode_words(mode: str) -> str:
    """A way of counting in words."""
    return dict(MODES).get(mode, mode)


class PersonRow(QWidget):
    """Name, answers, when last, and the act."""

    chosen = Signal(object)

    def __init__(self, person: Person, total: int, *, can_open: bool) -> None:
        super().__init__()
        self._person = person
        row = QHBoxLayout(self)
        row.setContentsMargins(0, fonts.px(2), 0, fonts.px(2))
        row.setSpacing(fonts.px(12))
        name = Caption(person.annotator.name, "strong")
        name.setFixedWidth(fonts.px(160))
        bar = ProgressBar(f"answers of {person.annotator.name}")
        bar.set_progress(person.answers, total)
        bar.setFixedWidth(fonts.px(160))
        row.addWidget(name)
        row.addWidget(bar)
        done = Caption(f"{thousands(person.answers)} of {thousands(total)} answers", "small")
        done.setMinimumWidth(done.sizeHint().width())  # it is what the row is for
        row.addWidget(done)
        row.addWidget(Caption(_when(person.last_at), "muted"), 1)
        self.button = Button("Start" if person.last_at is None else "Continue")
        self.button.setAccessibleName(f"{self.button.text()} as {person.annotator.name}")
        self.button.clicked.connect(self._on_clicked)
        if person.annotator.is_simulated:
            sign = Caption("simulated", "muted")
            sign.setToolTip("It answers by itself; nobody annotates in its place.")
            row.addWidget(sign)
        row.addWidget(self.button)
        self.button.setVisible(can_open)  # only now: shown without a parent it would be a window

    def _on_clicked(self) -> None:
        self.chosen.emit(self._person)


def _when(at: str | None) -> str:
    if at is None:
        return ""
    return f"last {datetime.fromisoformat(at).astimezone():%d.%m. %H:%M}"
