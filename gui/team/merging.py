"""Merging hand-ins in their dialog, and deciding what contradicts itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gui.studio import Studio
from gui.team.conflict_dialog import ConflictDialog
from gui.team.merge_dialog import MergeDialog
from gui.team.packets import ConflictRow, FileSaid, merge_files_in, preview_files


class Merging(QObject):
    """`done(sentence)` when the study changed, `failed(sentence)` when it did not."""

    done = Signal(str)
    failed = Signal(str)

    def __init__(self, studio: Studio, owner: QWidget) -> None:
        super().__init__(owner)
        self._studio, self._owner = studio, owner
        self.dialog: MergeDialog | None = None
        self.conflict_dialog: ConflictDialog | None = None

    # Hand-ins

    def choose_files(self) -> None:
        """Open the dialog in which hand-ins are chosen, or dropped, and looked at."""
        folder = self._studio.folder
        if folder is not None and self.dialog is None:
            dialog = self.dialog = MergeDialog(folder.parent, self._owner.window())
            dialog.asked.connect(self._on_asked)
            dialog.finished.connect(self._on_finished)
            dialog.open()

    def preview(self, paths: Sequence[Path]) -> None:
        """Say what merging these files would do, and ask."""
        self.choose_files()
        if self.dialog is not None:
            self.dialog.look_at(paths)

    def _on_asked(self, paths: tuple[Path, ...]) -> None:
        store = self._studio.store
        if store is not None:
            self._studio.query(lambda: preview_files(store, paths), self._on_preview, self._on_no_preview)

    def _on_preview(self, files: list[FileSaid]) -> None:
        if self.dialog is not None:
            self.dialog.show_files(files)

    def _on_no_preview(self, error: Exception) -> None:
        if self.dialog is not None:
            self.dialog.say_trouble(str(error))

    def _on_finished(self, result: int) -> None:
        dialog, self.dialog = self.dialog, None
        store = self._studio.store
        if dialog is None:
            return
        paths = dialog.paths
        dialog.deleteLater()
        if result and store is not None:
            self._studio.query(lambda: merge_files_in(store, paths), self._on_merged, self._on_not_merged)

    def _on_merged(self, files: list[FileSaid]) -> None:
        self.done.emit("\n".join(one.sentence for one in files))

    def _on_not_merged(self, error: Exception) -> None:
        self.failed.emit(str(error))

    # Contradictions

    def decide(self, rows: Sequence[ConflictRow]) -> None:
        """Show contradicting answers one after the other."""
        if rows and self.conflict_dialog is None:
            dialog = self.conflict_dialog = ConflictDialog(self._studio, self._owner.window())
            dialog.decided.connect(self._on_decided)
            dialog.finished.connect(self._on_all_decided)
            dialog.show_rows(rows)
            dialog.open()

    def show_conflicts(self, rows: Sequence[ConflictRow]) -> None:
        """What is left to decide now."""
        if self.conflict_dialog is not None:
            self.conflict_dialog.show_rows(rows)

    def _on_decided(self, number: int, which: str, who: str, why: str) -> None:
        store = self._studio.store
        if store is not None:
            self._studio.query(
                lambda: store.decide_conflict(number, which, who, why),
                *(self._on_kept, self._on_not_kept),
            )

    def _on_kept(self, _nothing: object) -> None:
        self.done.emit("")

    def _on_not_kept(self, error: Exception) -> None:
        if self.conflict_dialog is not None:
            self.conflict_dialog.say_trouble(str(error))

    def _on_all_decided(self, _result: int) -> None:
        dialog, self.conflict_dialog = self.conflict_dialog, None
        if dialog is not None:
            dialog.deleteLater()
