"""The Export act of a page with tables and a figure: a menu, then where to write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QMenu, QWidget

from gui.export import ask_for_file
from gui.figures import KINDS
from gui.file_dialogs import choose_folder
from gui.widgets.button import Button


class ExportButton(Button):
    """`tables_wanted(folder)`, `figure_wanted(file)`, `paper_wanted(folder)` once a place was chosen.

    Parameters
    ----------
    folder : callable
        Returns the folder to suggest, None while there is no study.
    figure : str
        Name of the figure's file without its ending.
    """

    tables_wanted = Signal(Path)
    figure_wanted = Signal(Path)
    paper_wanted = Signal(Path)

    def __init__(self, folder: Callable[[], Path | None], figure: str, parent: QWidget | None = None) -> None:
        super().__init__("Export", "quiet", "export", parent=parent)
        self._folder, self._figure = folder, figure
        self._menu = QMenu(self)
        self._menu.addAction("Tables as CSV …").triggered.connect(self._on_tables)
        self._menu.addAction("Figure as PNG, SVG or PDF …").triggered.connect(self._on_figure)
        self._menu.addAction("All figures with their data, for a paper …").triggered.connect(self._on_paper)
        self.clicked.connect(self._on_clicked)

    def add_act(self, words: str, act: Callable[[], None]) -> None:
        """Offer one more thing to write."""
        self._menu.addAction(words).triggered.connect(act)

    def offer(self, is_ready: bool) -> None:
        """Offer it only when there is something to export."""
        self.setEnabled(is_ready)
        self.setToolTip("" if is_ready else "Nothing is computed yet")

    def _on_clicked(self) -> None:
        self._menu.popup(self.mapToGlobal(QPoint(0, self.height())))

    def _on_tables(self) -> None:
        folder = self._folder()
        if folder is not None:
            chosen = choose_folder(self.window(), "Export tables into", folder)
            if chosen is not None:
                self.tables_wanted.emit(chosen)

    def _on_paper(self) -> None:
        folder = self._folder()
        if folder is not None:
            chosen = choose_folder(self.window(), "Write figures into", folder)
            if chosen is not None:
                self.paper_wanted.emit(chosen)

    def _on_figure(self) -> None:
        folder = self._folder()
        if folder is not None:
            chosen = ask_for_file(self.window(), folder / f"{self._figure}.png", KINDS)
            if chosen is not None:
                self.figure_wanted.emit(chosen)
