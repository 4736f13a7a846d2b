"""The dialog that adds a generator of one's own: a model folder or hub repository, settings, a LoRA."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from core.errors import BadInput, UserError
from core.generation.diffusers.pickled import WARNING, is_pickled
from core.generation.entries import add_own, released
from core.generation.entry import Entry
from core.generation.entry_rules import DTYPES
from core.generation.registry import names
from gui.file_dialogs import choose_folder, open_file
from gui.fonts import px
from gui.generate.own_row import KINDS, guidance_key, kind_of_folder, row_of, size_of
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.choice_box import ChoiceBox
from gui.widgets.number_box import NumberBox

OWN_FOLDER = "a model folder of mine"


class NewGeneratorDialog(QDialog):
    """Ask for everything an entry states; `added` is the entry once it was accepted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Add generator")
        self.setMinimumWidth(px(620))
        self.added: Entry | None = None
        self._released = released()
        self.start = ChoiceBox([OWN_FOLDER, *self._released], "Start from")
        self.generator_name = _line("Name", "small letters, digits, dot and hyphen")
        self.model = _line("Model", "a folder, or owner/name on the hub")
        self.revision = _line("Revision", "the commit, 40 digits; only for the hub")
        self.kind = ChoiceBox(list(KINDS), "Kind")
        self.width_box = NumberBox(16, 4096, 1024, "Width")
        self.height_box = NumberBox(16, 4096, 1024, "Height")
        self.steps = NumberBox(1, 1000, 30, "Steps")
        self.guidance = _line("Guidance", "as the model's page says")
        self.dtype = ChoiceBox(list(DTYPES), "Numbers")
        self.lora, self.strength = _line("LoRA", "none"), _line("Strength", "1.0")
        self.pickled = QCheckBox("Load pickled weights: I trust who made this model")
        self.pickled.setToolTip(WARNING)
        self.pickled.setVisible(False)
        self._trouble = Caption("", "danger", wraps=True)
        self.add = Button("Add generator", "primary")
        self._lay_out()
        self.start.chosen.connect(self._on_start)
        self.model.textChanged.connect(self._on_model)
        self.add.clicked.connect(self._on_add)

    @property
    def trouble(self) -> str:
        """What is said to be wrong."""
        return self._trouble.text()

    @property
    def row(self) -> dict[str, Any]:
        """What the fields say, in the form of an entry."""
        return row_of(
            self._released.get(self.start.currentText()),
            name=self.generator_name.text().strip(),
            model=self.model.text().strip(),
            revision=self.revision.text().strip(),
            pipeline=KINDS[self.kind.currentText()],
            size=(self.width_box.value(), self.height_box.value()),
            steps=self.steps.value(),
            guidance=self.guidance.text().strip(),
            dtype=self.dtype.currentText(),
            lora=self.lora.text().strip(),
            strength=self.strength.text().strip(),
            allows_pickled=self.pickled.isVisibleTo(self) and self.pickled.isChecked(),
        )

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(px(16))
        form.setVerticalSpacing(px(8))
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.addRow("Start from", self.start)
        form.addRow("Name", self.generator_name)
        form.addRow("Model", _beside(self.model, "Choose…", self._on_folder))
        form.addRow("Revision", self.revision)
        form.addRow("Kind", self.kind)
        form.addRow("Width, height", _row(self.width_box, self.height_box))
        form.addRow("Steps, guidance", _row(self.steps, self.guidance))
        form.addRow("Numbers", self.dtype)
        form.addRow("LoRA", _beside(self.lora, "Choose…", self._on_lora))
        form.addRow("Its strength", self.strength)
        last = QHBoxLayout()
        cancel = Button("Cancel", "quiet")
        cancel.clicked.connect(self.reject)
        last.addStretch(1)
        last.addWidget(cancel)
        last.addWidget(self.add)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(12))
        column.addWidget(Caption("Add generator", "drawer_title"))
        said = "Settings are fixed for a study once it has an image; other settings need another name."
        column.addWidget(Caption(said, "muted", wraps=True))
        column.addLayout(form)
        column.addWidget(self.pickled)
        column.addWidget(self._trouble)
        column.addLayout(last)

    def _on_start(self, name: str) -> None:
        """Fill in what a released generator has."""
        entry = self._released.get(name)
        if entry is None:
            return
        self.model.setText(entry.where)
        self.revision.setText(getattr(entry.source, "revision", ""))
        self.kind.choose(next(word for word, kind in KINDS.items() if kind == entry.pipeline))
        self.width_box.setValue(entry.width)
        self.height_box.setValue(entry.height)
        self.steps.setValue(entry.steps)
        self.guidance.setText(str(getattr(entry, guidance_key(entry.pipeline))))
        self.dtype.choose(entry.dtype)

    def _on_model(self, text: str) -> None:
        """A folder says itself what it is."""
        folder = Path(os.path.expanduser(text.strip()))
        self.pickled.setChecked(False)  # trust in one folder is not trust in the next
        self.pickled.setVisible(is_pickled(folder))
        kind = kind_of_folder(folder)
        if kind is not None:
            self.kind.choose(kind)
        side = size_of(folder)
        if side is not None:
            self.width_box.setValue(side)
            self.height_box.setValue(side)

    def _on_folder(self) -> None:
        chosen = choose_folder(self, "Model folder", self.model.text())
        if chosen is not None:
            self.model.setText(str(chosen))

    def _on_lora(self) -> None:
        chosen = open_file(self, "LoRA", self.lora.text(), "safetensors (*.safetensors)")
        if chosen is not None:
            self.lora.setText(str(chosen))

    def _on_add(self) -> None:
        try:
            if self.pickled.isVisibleTo(self) and not self.pickled.isChecked():
                raise BadInput(
                    "This model has pickled weights, which can hold commands of whoever made them.",
                    "Tick the box if you trust them, or use a model with safetensors files.",
                )
            self.added = add_own(self.row, frozenset(names()))
        except (UserError, OSError) as error:
            self._trouble.setText(str(error))
        else:
            self.accept()


def _line(name: str, hint: str) -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    line.setPlaceholderText(hint)
    return line


def _row(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(px(8))
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch(1)
    return row


def _beside(line: QLineEdit, caption: str, slot: Any) -> QHBoxLayout:
    button = Button(caption)
    button.clicked.connect(slot)
    row = QHBoxLayout()
    row.setSpacing(px(8))
    row.addWidget(line, 1)
    row.addWidget(button)
    return row
