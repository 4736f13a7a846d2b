"""Tables of a page as CSV, where a person wants them: the file dialog, and the writing off the GUI thread."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from core.errors import UserError

Rows = Sequence[Mapping[str, object]]


def ask_for_file(parent: QWidget, suggestion: Path, kinds: str = "CSV (*.csv)") -> Path | None:
    """Ask where to write; None when the person changed their mind."""
    chosen, _ = QFileDialog.getSaveFileName(parent, "Export", str(suggestion), kinds)
    return Path(chosen) if chosen else None


def write_csv(path: Path, rows: Rows) -> Path:
    """Write rows as UTF-8 CSV under another name first, so that a full disk leaves no half file."""
    unfinished = path.with_name(f"{path.name}.part")
    try:
        with unfinished.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]) if rows else [], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        os.replace(unfinished, path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise UserError(f"{path} could not be written: {error.strerror}.", "Choose another place.") from error
    return path


def with_simulated(rows: Rows, simulated: frozenset[str]) -> list[dict[str, object]]:
    """The rows with a column that says what of the study is simulated, if anything is."""
    if not simulated:
        return [dict(row) for row in rows]
    return [{**row, "contains_simulated": " and ".join(sorted(simulated))} for row in rows]
