"""Right answers to training and gold sets: a form to fill in, and taking it in again."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.file_dialogs import open_file, save_file
from gui.fonts import px
from gui.studio import Studio
from gui.team.packets import take_keys, write_key_form
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.words import counted

TABLES = "Tables (*.csv)"


class RightAnswers(QWidget):
    """Shown while right answers are wanted; `changed(sentence)` when some came or the form was written."""

    changed = Signal(str)

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self.said = Caption("", "", wraps=True)
        self.form, self.take = Button("Write the form", icon="export"), Button("Take it in")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(6))
        column.addWidget(self.said)
        row = QHBoxLayout()
        row.setSpacing(px(8))
        for button in (self.form, self.take):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        row.addStretch(1)
        column.addLayout(row)
        self.form.clicked.connect(self._on_form)
        self.take.clicked.connect(self._on_take)
        self.hide()

    def show_wanted(self, number: int) -> None:
        """Say how many are wanted; none hides it."""
        self.setVisible(number > 0)
        have = counted(number, "question", "questions") + (" has" if number == 1 else " have")
        self.said.setText(
            f"{have} no right answer in sets to practise on and gold sets; without one, nobody is judged. "
            "A form takes yours."
        )

    def _on_form(self) -> None:
        folder = self._studio.folder
        if folder is not None:
            chosen = save_file(self, "Write the form", folder.parent / "right answers.csv", TABLES)
            if chosen is not None:
                self.write_to(chosen)

    def write_to(self, path: Path) -> None:
        """Write the form."""
        store = self._studio.store
        if store is not None:
            self._studio.query(
                lambda: (write_key_form(store, path), path), self._on_written, self._on_trouble
            )

    def _on_written(self, found: tuple[int, Path]) -> None:
        self.changed.emit(f"{found[1]}: {counted(found[0], 'row')} to fill in.")

    def _on_take(self) -> None:
        folder = self._studio.folder
        if folder is not None:
            chosen = open_file(self, "Take right answers in", folder.parent, TABLES)
            if chosen is not None:
                self.take_from(chosen)

    def take_from(self, path: Path) -> None:
        """Take a filled form in."""
        store = self._studio.store
        if store is not None:
            self._studio.query(lambda: take_keys(store, path), self._on_taken, self._on_trouble)

    def _on_taken(self, number: int) -> None:
        self.changed.emit(f"{counted(number, 'right answer')} kept.")

    def _on_trouble(self, error: Exception) -> None:
        self.changed.emit(str(error))
