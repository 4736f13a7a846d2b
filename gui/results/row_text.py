"""One row of the persistence table as text for a spreadsheet: titles, then values, with tabs between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gui.models.persistence_table import PersistenceRow

if TYPE_CHECKING:
    from gui.results.view import ResultsView


def table_row(view: ResultsView, row: PersistenceRow) -> str:
    """The row as the table `persistence` has it, with its titles; undefined is empty."""
    line = view.tables["persistence"].iloc[row.at]
    names = [str(name) for name in line.index]
    return "\t".join(names) + "\n" + "\t".join(_cell(line[name]) for name in names) + "\n"


def _cell(value: Any) -> str:
    text = str(value)
    return "" if text in ("nan", "<NA>", "None") else text
