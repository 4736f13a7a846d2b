"""The label map as CSV: for a spreadsheet, for another study, for a person without the window."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from core.csv_rows import as_it_was, write_rows
from core.errors import BadInput
from core.file_words import unreadable_table
from core.labels.board import KEPT, MAPPED, OPEN, Row, check_change
from core.labels.label_map import LabelMap
from core.labels.review import Act, Label, LabelAct, settled
from core.regular_files import regular
from core.schema import Schema

COLUMNS = (
    *("dimension", "label", "images", "canonical", "decision", "proposed", "kind", "likeness"),
    "neighbours",
)


def write_map(path: Path, rows: Sequence[Row]) -> Path:
    """Write every label with what was decided; `canonical` is empty while nothing is."""
    return write_rows(path, [_as_row(row) for row in rows], COLUMNS)


def read_changes(path: Path, schema: Schema) -> dict[Label, str]:
    """Decisions in a file: (dimension, label) -> canonical label.

    A row without a canonical label, or whose decision is "open", decides nothing.

    Raises
    ------
    BadInput
        The file cannot be read, lacks a column, decides a label twice, or holds a change that the map never
        holds; with the line.
    """
    found: dict[Label, str] = {}
    for line, row in _rows_in(path):
        key = (row["dimension"], row["label"])
        to = row["canonical"]
        if not to or row.get("decision", "") == OPEN:
            continue
        try:
            plain = check_change(schema, key, to)
        except BadInput as error:
            raise BadInput(f"{path.name}, line {line}: {error.sentence}", error.remedy) from error
        if found.setdefault(key, plain) != plain:
            raise BadInput(f"{path.name}, line {line}: {key[1]!r} is decided twice.", "Keep one of the rows.")
    return found


def map_from(path: Path, schema: Schema) -> LabelMap:
    """A label map that a file holds."""
    return LabelMap(settled(read_changes(path, schema)), source=path.name)


def import_act(changes: dict[Label, str], label_map: LabelMap, author: str, source: str) -> LabelAct:
    """The act that brings a file's decisions in: those that differ from the map as it stands."""
    known = label_map.canonical
    new = {key: to for key, to in changes.items() if key not in known or known[key] != to}
    return LabelAct(Act.IMPORT, author, new, f"from {source}")


def _as_row(row: Row) -> dict[str, object]:
    proposal = row.proposal
    return {
        "dimension": row.dimension,
        "label": row.label,
        "images": row.images,
        "canonical": row.canonical if row.decision in (MAPPED, KEPT) else "",
        "decision": row.decision,
        "proposed": proposal.target if proposal.is_merge else "",
        "kind": proposal.kind if proposal.is_merge else "",
        "likeness": "" if proposal.likeness is None else proposal.likeness,
        "neighbours": "; ".join(f"{one.label} {one.likeness:.2f}" for one in proposal.neighbours),
    }


def _rows_in(path: Path) -> list[tuple[int, dict[str, str]]]:
    try:
        with open(path, encoding="utf-8-sig", newline="", opener=regular) as file:
            reader = csv.DictReader(file)
            missing = [
                name for name in ("dimension", "label", "canonical") if name not in (reader.fieldnames or ())
            ]
            if missing:
                raise BadInput(
                    f"{path.name} has no column {missing[0]}.", "It needs dimension, label and canonical."
                )
            return [
                (
                    reader.line_num,
                    {name: _plain(value) for name, value in row.items() if isinstance(name, str)},
                )
                for row in reader
            ]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise unreadable_table(path, error) from error


def _plain(value: object) -> str:
    """A cell without the apostrophe that keeps spreadsheets from running it."""
    text = str(value or "").strip()
    return as_it_was(text)
