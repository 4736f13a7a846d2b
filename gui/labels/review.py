"""The review of the label map: each proposal with its images, decided with a key, taken back with another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QWidget

from core.errors import UserError
from core.extraction.vlm.options import VlmOptions
from core.labels.board import MAPPED, OPEN, Row, accept, reject, rename, split
from core.labels.review import LabelAct
from core.labels.wording import SAFE
from core.labels.work import user_name
from gui.export import ask_for_file
from gui.extract.server_dialog import ServerDialog
from gui.file_dialogs import open_file
from gui.fonts import px
from gui.labels.beside import BesideDialog
from gui.labels.detail import Detail
from gui.labels.facts import (
    Board,
    export_file,
    import_file,
    keep_act,
    proposing,
    read_board,
    step_back,
)
from gui.models.coverage import in_words
from gui.models.rows import Column, RowsModel
from gui.studio import Studio
from gui.tasks import Task
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.choice_box import ChoiceBox
from gui.widgets.flow import Flow
from gui.widgets.segmented import Segmented
from gui.widgets.table import Table
from gui.widgets.table_dialog import TableDialog
from gui.words import counted, thousands

ALL_DIMENSIONS = "all dimensions"
SENT = "Labels that may mean the same go to this address, and no picture. What comes back are proposals."
WAITING, DECIDED, ALL = range(3)
KIND_WORDS = {
    "spelling": "other spelling",
    "alias": "same thing",
    "meaning": "like meaning",
    "modifier": "other modifier",
    "none": "",
}
DECISION_WORDS = {"open": "", "mapped": "mapped", "kept": "kept as said"}

COLUMNS = (
    Column("label", lambda row: row.label, tip=lambda row: row.label),
    Column("images", lambda row: thousands(row.images), lambda row: row.images, is_number=True),
    Column(
        "canonical label",
        lambda row: "–" if row.shown_canonical == row.label else row.shown_canonical,
        tip=lambda row: row.shown_canonical,
    ),
    Column("why", lambda row: KIND_WORDS[row.proposal.kind]),
    Column(
        "likeness",
        lambda row: "" if row.proposal.likeness is None else f"{row.proposal.likeness:.2f}",
        lambda row: row.proposal.likeness or 0.0,
        is_number=True,
    ),
    Column("decided", lambda row: DECISION_WORDS[row.decision]),
    Column("dimension", lambda row: in_words(row.dimension)),
)


class ReviewDialog(TableDialog):
    """A table of labels at the left, the one that is looked at on the right, acts below it."""

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__("Label map", parent)
        self.board: Board | None = None
        self._studio = studio
        self._is_writing = False
        self.asking: ServerDialog | None = None
        self.which = Segmented(["Waiting", "Decided", "All"], "Show")
        self.dimension = ChoiceBox([ALL_DIMENSIONS], "Dimension")
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter labels")
        self.filter.setAccessibleName("Filter labels")
        self.model = RowsModel(COLUMNS, self)
        self.table = Table(self.model, "Labels")
        self.detail = Detail(studio)
        self.propose = Button("Propose merges", icon="search")
        self.names = Button("Propose with names…", "quiet")
        self.names.setToolTip("A server proposes a name for each group of labels, in the study's own words")
        self.safe = Button("Accept spellings")
        self.undo = Button("", "quiet", "undo", name="Undo", key="Ctrl Z")
        self.redo = Button("", "quiet", "redo", name="Redo", key="Ctrl Y")
        self.bring, self.export = Button("Import", "quiet"), Button("Export", "quiet", "export")
        self.beside = Button("Effect on results", "quiet")
        self.said = Caption("", "muted", wraps=True)
        self._lay_out()
        self._connect()
        self._read(read_board)

    @property
    def current(self) -> Row | None:
        """The label that is looked at."""
        return self.detail.row

    # -- parts ------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.filter.setFixedWidth(px(180))
        top = Flow()
        for widget in (self.which, self.dimension, self.filter, self.undo, self.redo):
            top.addWidget(widget)
        for widget in (self.bring, self.export, self.beside, self.safe, self.names, self.propose):
            top.addWidget(widget)
        self.table.set_widths(160, 62, 140, 112, 72, 92)
        self.put_together(top, self.table, self.detail, self.said)

    def _connect(self) -> None:
        self.which.chosen.connect(self._show_rows)
        self.dimension.chosen.connect(self._show_rows)
        self.filter.textChanged.connect(self._show_rows)
        self.table.moved.connect(self._on_moved)
        self.detail.accepted.connect(self.accept_current)
        self.detail.rejected.connect(self.reject_current)
        self.detail.taken_out.connect(self.split_current)
        self.detail.renamed.connect(self.rename_current)
        self.propose.clicked.connect(self._on_propose)
        self.names.clicked.connect(self._on_names)
        self.beside.clicked.connect(self._on_beside)
        self._studio.runner.task_ended.connect(self._on_task_ended)
        self.safe.clicked.connect(self.accept_safe)
        self.undo.clicked.connect(self.take_back)
        self.redo.clicked.connect(self.bring_back)
        self.export.clicked.connect(self._on_export)
        self.bring.clicked.connect(self._on_import)
        for key, slot in (("Ctrl+Z", self.take_back), ("Ctrl+Y", self.bring_back)):
            QShortcut(QKeySequence(key), self, slot)
        # Letters belong to the table alone: in a line of text they are letters.
        for key, slot in (
            ("A", self.accept_current),
            ("R", self.reject_current),
            ("S", self.split_current),
            ("N", self.detail.begin_rename),
        ):
            shortcut = QShortcut(QKeySequence(key), self.table, slot)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)

    # -- what is shown ----------------------------------------------------------------------------

    def _read(self, read: Callable[..., Board], *more: object, **named: object) -> None:
        store = self._studio.store
        if store is not None and not self._is_writing:
            self._is_writing = True
            self.say_trouble("")
            self._studio.query(lambda: read(store, *more, **named), self._on_board, self._on_failed)

    def _on_board(self, board: Board) -> None:
        self._is_writing, self.board = False, board
        self.say_trouble(board.trouble)
        names = dict.fromkeys(row.dimension for row in board.rows)
        self.dimension.set_captions([ALL_DIMENSIONS, *map(in_words, names)])
        waiting = sum(row.is_waiting for row in board.rows)
        decided = sum(row.decision != OPEN for row in board.rows)
        for at, (word, number) in enumerate(
            (("Waiting", waiting), ("Decided", decided), ("All", len(board.rows)))
        ):
            self.which.set_caption(at, f"{word} {thousands(number)}")
        safe = sum(row.is_waiting and row.proposal.kind in SAFE for row in board.rows)
        self.safe.setText(f"Accept {counted(safe, 'spelling')}")
        self.safe.setEnabled(safe > 0)
        self.safe.setToolTip("" if safe else "No other spelling or alias waits.")
        for button, word, does in ((self.undo, "Undo", board.undoes), (self.redo, "Redo", board.redoes)):
            button.setEnabled(bool(does))
            button.setToolTip(f"{word}: {does}" if does else f"There is nothing to {word.lower()}.")
        made = f"Proposed by {board.made_by}." if board.made_by else "Nothing was proposed yet."
        mapped = f"{counted(len(board.label_map.moved), 'label')} mapped"
        self.said.setText(f"Map version {board.label_map.version}, {mapped}. {made}")
        self._show_rows()

    def _show_rows(self, _what: object = None) -> None:
        if self.board is None:
            return
        at, before = self.table.currentIndex().row(), self.current
        wanted, text = self.dimension.currentText(), self.filter.text().strip().casefold()
        tests: tuple[Callable[[Row], bool], ...] = (
            lambda row: row.is_waiting,
            lambda row: row.decision != OPEN,
            lambda row: True,
        )
        rows = [
            row
            for row in self.board.rows
            if tests[self.which.index](row)
            and wanted in (ALL_DIMENSIONS, in_words(row.dimension))
            and (text in row.label.casefold() or text in row.shown_canonical.casefold())
        ]
        self.model.set_rows(rows)
        self._select(rows, before, at)

    def _select(self, rows: list[Row], before: Row | None, at: int) -> None:
        """Stay on the label, or where it was: the next one to decide has come there."""
        keys = [row.key for row in self.model.rows]
        if before is not None and before.key in keys:
            at = keys.index(before.key)
        at = min(max(at, 0), len(rows) - 1)
        if at >= 0:
            self.table.setCurrentIndex(self.model.index(at, 0))
        self.detail.why_nothing = self._why_nothing()
        self.detail.show_row(self.model.rows[at] if at >= 0 else None)

    def _why_nothing(self) -> str:
        if self.filter.text().strip() or self.dimension.currentText() != ALL_DIMENSIONS or not self.board:
            return "No label matches."
        if not self.board.made_by:
            return "Nothing was proposed yet. “Propose merges” looks for labels that may mean the same."
        return "Nothing waits for a decision." if self.which.index == 0 else "No label yet."

    def _on_moved(self, row: Row | None) -> None:
        self.detail.show_row(row)

    def _on_failed(self, error: Exception) -> None:
        self._is_writing = False
        self.say_trouble(str(error))

    # -- acts -------------------------------------------------------------------------------------

    def accept_current(self) -> None:
        """Accept what is proposed for the label."""
        row = self.current
        if row is not None and row.proposal.is_merge:
            self._do(lambda: accept([row], user_name()))

    def accept_safe(self) -> None:
        """Accept all other spellings and aliases that wait, in one act."""
        if self.board is not None:
            rows = [row for row in self.board.rows if row.is_waiting]
            self._do(lambda: accept(rows, user_name(), kinds=SAFE))

    def reject_current(self) -> None:
        """Keep the label as it was said."""
        row = self.current
        if row is not None:
            self._do(lambda: reject([row], user_name()))

    def split_current(self) -> None:
        """Take the label out of the group that it was mapped to."""
        row = self.current
        if row is not None and row.decision == MAPPED:
            self._do(lambda: split([row], user_name()))

    def rename_current(self, to: str) -> None:
        """Give the label, and all that count as the same, another canonical label."""
        row, board = self.current, self.board
        if row is not None and board is not None:
            group = [
                one for one in board.rows if one.decision == MAPPED and one.canonical == row.shown_canonical
            ]
            rows = {one.key: one for one in (*group, row) if one.dimension == row.dimension}
            self._do(lambda: rename(list(rows.values()), to, user_name(), board.schema))

    def take_back(self) -> None:
        """Undo the last act that is shown, whoever did it, also after a restart."""
        self._step_back(is_redo=False)

    def bring_back(self) -> None:
        """Redo what was undone."""
        self._step_back(is_redo=True)

    def _step_back(self, *, is_redo: bool) -> None:
        if self.board is not None:
            self._read(step_back, user_name(), self.board.label_map.version, is_redo=is_redo)

    def _do(self, make: Callable[[], LabelAct]) -> None:
        try:
            act = make()
        except UserError as error:
            self.say_trouble(str(error))
            return
        self._read(keep_act, act)

    def _on_propose(self) -> None:
        self._propose(None)

    def _on_names(self) -> None:
        """Ask which server is to name the groups."""
        if self.board is not None:
            title, act = "Names for groups of labels", "Propose with names"
            self.asking = ServerDialog(
                self._studio, self.board.schema, 1, self, title=title, act=act, sent=SENT
            )
            self.asking.accepted.connect(self._on_server)
            self.asking.open()

    def _on_server(self) -> None:
        asking, self.asking = self.asking, None
        if asking is not None and asking.options is not None:
            self._propose(asking.options)

    def _propose(self, naming: VlmOptions | None) -> None:
        store = self._studio.store
        if store is not None:
            job = proposing(store, naming)
            task = self._studio.runner.run("Propose merges", job, page="extract", noun="labels")
            task.finished.connect(self._on_proposed)
            task.failed.connect(self._on_failed)
            task.setProperty("proposes", True)
            for button in (self.propose, self.names):
                button.setEnabled(False)
            self.said.setText("Proposing; the strip of the window shows how far it is.")

    def _on_proposed(self, _found: object) -> None:
        self._read(read_board)

    def _on_task_ended(self, task: Task) -> None:
        if task.property("proposes"):
            for button in (self.propose, self.names):
                button.setEnabled(True)

    def _on_beside(self) -> None:
        BesideDialog(self._studio, self).open()

    def _on_export(self) -> None:
        if self._studio.folder is not None and self.board is not None:
            path = ask_for_file(self, self._studio.folder / "label_map.csv")
            if path is not None:
                self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write the map as CSV."""
        if self.board is not None:
            rows = self.board.rows
            self._studio.query(lambda: export_file(rows, path), self.said.setText, self._on_failed)

    def _on_import(self) -> None:
        path = open_file(self, "Label map", "", "CSV (*.csv)")
        if path is not None:
            self.import_from(path)

    def import_from(self, path: Path) -> None:
        """Bring the decisions of a CSV file in, as one act that can be undone."""
        self._read(import_file, path, user_name())
