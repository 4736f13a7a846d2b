"""What merging hand-ins would do, file by file, before anything is changed; more may be dropped on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from gui.file_dialogs import open_files
from gui.fonts import px
from gui.models.rows import Column, RowsModel
from gui.team.dialog_size import fitting
from gui.team.packets import ENDINGS, FileSaid
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.table import Table
from gui.words import counted, thousands

VERDICTS = ("new", "same", "newer", "conflicting", "quarantined")
WIDTHS = (170, 100, 62, 62, 66, 92, 96)
RULE = (
    "New: not answered before. Same: there already. Newer: given with the earlier answer in sight, so it "
    "takes its place. Conflicting: two computers of one person that did not know of each other; both are "
    "kept and a person decides. Quarantined: cannot be placed, and nothing of it is taken. Every merge can "
    "be undone."
)


def _number(verdict: str) -> Callable[[Any], str]:
    return lambda one: thousands(one.counts[verdict]) if one.counts else "–"


COLUMNS = (
    Column("file", lambda one: one.file_name, tip=lambda one: one.file_name),
    Column("annotator", lambda one: one.annotator or "–"),
    *(Column(verdict, _number(verdict), is_number=True) for verdict in VERDICTS),
    Column("remark", lambda one: one.remark, tip=lambda one: one.remark),
)


class MergeDialog(QDialog):
    """`asked(paths)` when files came and are to be looked at; accepted by the button that merges them."""

    asked = Signal(object)

    def __init__(self, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Merge hand-ins")
        self.setAcceptDrops(True)
        self._folder = folder
        self.paths: tuple[Path, ...] = ()
        self.model = RowsModel(COLUMNS)
        self.table = Table(self.model, "Files and what merging them would do", self)
        self.table.set_widths(*WIDTHS)
        self.said = Caption("", "", wraps=True)
        self.remark = Caption("", "warn", wraps=True)
        self.trouble = Caption("", "danger", wraps=True)
        self.add = Button("Add files", icon="plus")
        self.act, self.stay = Button("Merge", "primary"), Button("Leave it")
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(10))
        column.addWidget(Caption("Merge hand-ins", "drawer_title"))
        column.addWidget(self.table, 1)
        for widget in (self.remark, self.said, self.trouble, Caption(RULE, "muted", wraps=True)):
            column.addWidget(widget)
        row = QHBoxLayout()
        row.setSpacing(px(8))
        row.addWidget(self.add)
        row.addStretch(1)
        row.addWidget(self.stay)
        row.addWidget(self.act)
        column.addLayout(row)
        self.resize(fitting(parent, 900, 440))
        self.act.setEnabled(False)
        self.act.clicked.connect(self.accept)
        self.stay.clicked.connect(self.reject)
        self.add.clicked.connect(self._on_add)
        self.table.moved.connect(self._on_moved)
        self.say_trouble("")
        self._on_moved(None)

    def look_at(self, paths: Sequence[Path]) -> None:
        """Ask what these files, besides those there already, would do."""
        self.paths = tuple(dict.fromkeys((*self.paths, *paths)))
        self.said.setText(f"Reading {counted(len(self.paths), 'file')}")
        self.act.setEnabled(False)
        self.asked.emit(self.paths)

    def show_files(self, files: Sequence[FileSaid]) -> None:
        """Show what each file would do."""
        self.model.set_rows(files)
        useful = sum(one.changes for one in files)
        total = {word: sum(one.counts.get(word, 0) for one in files) for word in VERDICTS}
        told = ", ".join(f"{thousands(number)} {word}" for word, number in total.items() if number)
        more = "" if useful else " Nothing of it would change the study."
        self.said.setText(f"Answers: {told or 'none'}.{more}")
        self.act.setText(f"Merge {counted(useful, 'file')}" if useful else "Merge")
        bad = next((at for at, one in enumerate(files) if one.remark), 0)
        self.table.setCurrentIndex(self.model.index(bad, 0))
        self.act.setEnabled(useful > 0)
        self.act.setToolTip("" if useful else "No file would change anything.")
        if useful:
            self.act.setFocus()

    def _on_moved(self, one: FileSaid | None) -> None:
        """What is wrong with the file that is looked at, in full."""
        self.remark.setText(f"{one.file_name}: {one.remark}" if one is not None and one.remark else "")
        self.remark.setVisible(bool(self.remark.text()))

    def say_trouble(self, sentence: str) -> None:
        """What went wrong."""
        self.trouble.setText(sentence)
        self.trouble.setVisible(bool(sentence))

    def _on_add(self) -> None:
        chosen = open_files(self, "Merge hand-ins", self._folder, ENDINGS)
        if chosen:
            self.look_at(chosen)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped."""
        if dropped_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Look at the files that were dropped."""
        self.look_at(dropped_files(event.mimeData()))
        event.acceptProposedAction()


def dropped_files(data: QMimeData) -> list[Path]:
    """The local files that are dragged, none of them a folder."""
    found = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return [path for path in found if path.is_file()]
