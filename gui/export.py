"""Tables of a page as CSV, where a person wants them: the file dialog, and the writing off the GUI thread."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from core.csv_rows import Rows
from core.csv_rows import write_rows as write_csv
from gui.file_dialogs import save_file

__all__ = ["Rows", "ask_for_file", "with_simulated", "write_csv"]


def ask_for_file(parent: QWidget, suggestion: Path, kinds: str = "CSV (*.csv)") -> Path | None:
    """Ask where to write; None when the person changed their mind."""
    return save_file(parent, "Export", suggestion, kinds)


def with_simulated(rows: Rows, simulated: frozenset[str]) -> list[dict[str, object]]:
    """The rows with a column that says what of the study is simulated, if anything is."""
    if not simulated:
        return [dict(row) for row in rows]
    return [{**row, "contains_simulated": " and ".join(sorted(simulated))} for row in rows]
