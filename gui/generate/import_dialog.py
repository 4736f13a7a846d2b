"""The dialog that brings in pictures made elsewhere: nothing is taken before it was shown what would be.

Folders and first bytes say at once what is there; then every picture is decoded in the background, as the
import will, so that what would be refused is listed before anybody presses *Import*.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.importing.plan import ImportPlan, Pending, Stated
from core.jobs import Failure, Progress
from core.records import Condition
from gui.file_dialogs import choose_folder, open_file
from gui.fonts import px
from gui.generate.import_plan import REFUSED, Wish, columns_for, plan_of, rehearsing
from gui.models.rows import RowsModel
from gui.studio import Studio
from gui.tasks import Query, Task, WhenLeft
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.segmented import Segmented
from gui.widgets.table import Table
from gui.words import counted, thousands

if TYPE_CHECKING:
    from core.importing.rehearsal import Rehearsed

CONDITIONS: tuple[Condition | None, ...] = (None, *Condition)
MILLISECONDS_OF_TYPING = 400
CHOOSE_FIRST = "Choose a folder first."


class ImportDialog(QDialog):
    """Folder, map and what nobody states; below, what would be taken and what not, with reasons."""

    def __init__(self, studio: Studio, parent: QWidget | None = None, folder: Path | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Import images")
        self.setMinimumSize(px(760), px(520))
        self.resize(px(960), px(640))
        self.plan: ImportPlan | None = None
        self._studio = studio
        self._query: Query | None = None
        self._decoding: Task | None = None
        self.is_decoded = False
        self.folder, self.map_file = _line("Folder"), _line("Map", "none: folders and file names say it")
        self.role = _line("Role of the others", "unsorted")
        self.generator = _line("Generator of the others", "the folder's name")
        self.condition = Segmented(["None", *(each.value for each in Condition)], "Condition of the others")
        self.which = Segmented(["Would be taken", "Not taken"], "Show")
        self.taken, self.refused = RowsModel(columns_for(Path()), self), RowsModel(REFUSED, self)
        self._tables = QStackedWidget()
        self._said = Caption("", "strong", wraps=True)
        self._trouble = Caption("", "danger", wraps=True)
        self.go = Button("Import pictures", "primary")
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(MILLISECONDS_OF_TYPING)
        self._lay_out()
        self._connect()
        self._show_plan(None)
        if folder is not None:
            self.folder.setText(str(folder))

    # -- parts ------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(px(16))
        form.setVerticalSpacing(px(8))
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.addRow("Folder", _beside(self.folder, "Choose…", self._on_folder))
        form.addRow("Map (CSV)", _beside(self.map_file, "Choose…", self._on_map))
        others = QHBoxLayout()
        others.setSpacing(px(8))
        for word, widget in (("role", self.role), ("generator", self.generator)):
            others.addWidget(Caption(word, "muted"))
            others.addWidget(widget, 1)
        others.addWidget(Caption("condition", "muted"))
        others.addWidget(self.condition)
        form.addRow("Where nothing is said", others)
        for model, name in ((self.taken, "Pictures that would be taken"), (self.refused, "Files not taken")):
            self._tables.addWidget(Table(model, name))
        self._table(0).set_widths(300, 120, 110, 120, 90)
        self._table(1).set_widths(300, 140)
        line = QHBoxLayout()
        line.addWidget(self._said, 1)
        line.addWidget(self.which)
        last = QHBoxLayout()
        cancel = Button("Cancel", "quiet")
        cancel.clicked.connect(self.reject)
        last.addWidget(self._trouble, 1)
        last.addWidget(cancel)
        last.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(12))
        column.addWidget(Caption("Import images", "drawer_title"))
        column.addLayout(form)
        column.addLayout(line)
        column.addWidget(self._tables, 1)
        column.addLayout(last)

    def _table(self, number: int) -> Table:
        table = self._tables.widget(number)
        assert isinstance(table, Table)
        return table

    def _connect(self) -> None:
        for line in (self.folder, self.map_file, self.role, self.generator):
            line.textChanged.connect(self._on_changed)
        self.condition.chosen.connect(self._on_changed)
        self.which.chosen.connect(self._tables.setCurrentIndex)
        self.go.clicked.connect(self.accept)
        self._typing.timeout.connect(self.look)

    @property
    def trouble(self) -> str:
        """What is said to be wrong."""
        return self._trouble.text()

    # -- what is wished for -----------------------------------------------------------------------

    @property
    def wish(self) -> Wish | None:
        """What the fields say; None without a folder."""
        folder, map_file = self.folder.text().strip(), self.map_file.text().strip()
        if not folder:
            return None
        condition = CONDITIONS[self.condition.index]
        said = Stated(_said_in(self.role), condition, _said_in(self.generator))
        return Wish(Path(folder).expanduser(), Path(map_file).expanduser() if map_file else None, said)

    def _on_folder(self) -> None:
        chosen = choose_folder(self, "Folder of pictures", self.folder.text())
        if chosen is not None:
            self.folder.setText(str(chosen))

    def _on_map(self) -> None:
        start = self.map_file.text() or self.folder.text()
        chosen = open_file(self, "Map of the pictures", start, "CSV (*.csv)")
        if chosen is not None:
            self.map_file.setText(str(chosen))

    def _on_changed(self) -> None:
        self._drop()
        self._show_plan(None)
        self._typing.start()

    def look(self) -> None:
        """Look through the folder, off the GUI thread."""
        wish = self.wish
        self._drop()
        if wish is not None:
            self._say(f"Looking through {wish.folder.name} …", is_looking=True)
            stop = threading.Event()
            self._query = self._studio.query(
                lambda: plan_of(wish, lambda: not stop.is_set()), self._on_plan, self._on_failed, stop
            )

    def done(self, result: int) -> None:
        """Want no plan any more."""
        self._typing.stop()
        self._drop()
        super().done(result)

    def _drop(self) -> None:
        if self._query is not None:
            self._query.drop()
            self._query = None
        task, self._decoding = self._decoding, None
        if task is not None:
            task.progressed.disconnect(self._on_progress)
            task.finished.disconnect(self._on_rehearsed)
            task.cancel()

    # -- what would come of it --------------------------------------------------------------------

    def _on_plan(self, plan: ImportPlan) -> None:
        if self._query is not None and self.sender() is self._query:
            self._show_plan(plan)

    def _show_plan(self, plan: ImportPlan | None) -> None:
        self._query, self.plan, self.is_decoded = None, plan, False
        self.taken.set_rows(())  # the rows of before do not fit the columns of another folder
        self.taken.columns = columns_for(plan.root if plan else Path())
        self._show_rows(plan.pictures if plan else (), plan.refused if plan else ())
        if plan is None:
            self._say(CHOOSE_FIRST if self.wish is None else "")
            return
        self._say(f"{self._counts} by their first bytes. Each picture is being decoded …")
        store = self._studio.store
        if store is not None and plan.pictures:
            self._decoding = self._studio.runner.run(
                *(f"Look through {plan.root.name}", rehearsing(store, plan)),
                page="generate",
                noun="pictures",
                when_left=WhenLeft.STOP,
            )
            self._decoding.progressed.connect(self._on_progress)
            self._decoding.finished.connect(self._on_rehearsed)
        else:
            self._say(f"{self._counts}.")

    def _on_progress(self, progress: Progress) -> None:
        if self._decoding is None or self.sender() is not self._decoding:
            return  # it was on its way when another folder was named
        done, total = thousands(progress.done), thousands(progress.total)
        self._say(f"{self._counts} by their first bytes. Decoded {done} of {total} pictures …")

    def _on_rehearsed(self, found: Rehearsed) -> None:
        """Every picture was decoded and looked for in the study: this is what the import will do."""
        if self._decoding is None or self.sender() is not self._decoding:
            return
        self._decoding, self.is_decoded = None, True
        self._show_rows(found.pictures, found.outcome.failures)
        skipped = found.outcome.skipped
        there = f", {thousands(skipped)} {'is' if skipped == 1 else 'are'} there already" if skipped else ""
        self._say(f"{self._counts}{there}. Every picture was decoded.")

    @property
    def _counts(self) -> str:
        pictures, refused = len(self.taken.rows), len(self.refused.rows)
        not_taken = f", {counted(refused, 'file')} not" if refused else ""
        studies = self.plan.studies_left_out if self.plan else 0
        past = f"; {counted(studies, 'study folder')} left out" if studies else ""
        return f"{counted(pictures, 'picture')} would be taken{not_taken}{past}"

    def _show_rows(self, taken: Sequence[Pending], refused_files: Sequence[Failure]) -> None:
        self.taken.set_rows(taken)
        self.refused.set_rows(refused_files)
        pictures, refused = len(taken), len(refused_files)
        self.which.set_caption(0, f"Would be taken {thousands(pictures)}")
        self.which.set_caption(1, f"Not taken {thousands(refused)}")
        self.go.setText(f"Import {counted(pictures, 'picture')}" if pictures else "Import pictures")
        self.go.setAccessibleName(self.go.text())
        self.go.setEnabled(pictures > 0)
        self.go.setToolTip("" if pictures else "There is nothing to import yet.")

    def _on_failed(self, error: Exception) -> None:
        if self._query is None or self.sender() is not self._query:
            return
        self._query = None
        self._say("")
        self._trouble.setText(str(error))

    def _say(self, sentence: str, *, is_looking: bool = False) -> None:
        self._said.setText(sentence)
        self._trouble.setText("")
        self._tables.setEnabled(not is_looking)


def _line(name: str, placeholder: str = "") -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    line.setPlaceholderText(placeholder)
    line.setClearButtonEnabled(True)
    return line


def _said_in(line: QLineEdit) -> str | None:
    return line.text().strip() or None


def _beside(line: QLineEdit, caption: str, slot: Callable[[], None]) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(px(8))
    button = Button(caption)
    button.setAccessibleName(f"{line.accessibleName()}: {caption}")
    button.clicked.connect(slot)
    row.addWidget(line, 1)
    row.addWidget(button)
    return row
