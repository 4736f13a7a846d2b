"""Every reader of a text file that a stranger may have written, by name, as a function of a path."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from annotation.adjudication import decisions_from
from annotation.design_opening import keys_from_rows
from annotation.simulated import load_simulated
from core.bank import load_contexts, load_roles
from core.bank_builder.files import read_acts
from core.bank_builder.roles import own_bank
from core.csv_rows import read_rows
from core.generation.entries import read_entries
from core.importing.folders import read_manifests
from core.importing.map_file import read_map
from core.labels.files import map_from, read_changes
from core.plan import choose_roles
from core.questions import load_questions
from core.schema import load_schema
from core.tables import read_answers, read_counts, read_labels
from core.validation.sheet import read_sheet

SCHEMA = load_schema()


def _manifest(path: Path) -> Any:
    folder = path.parent / "manifests"
    folder.mkdir(exist_ok=True)
    (folder / "manifest.json").write_bytes(path.read_bytes() if path.is_file() else b"")
    return read_manifests(folder)


READERS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "label table": (".csv", read_labels),
    "count table": (".csv", read_counts),
    "answer table": (".csv", read_answers),
    "label table, Parquet": (".parquet", read_labels),
    "label map": (".csv", lambda path: map_from(path, SCHEMA)),
    "label decisions": (".csv", lambda path: read_changes(path, SCHEMA)),
    "rows": (".csv", read_rows),
    "right answers": (".csv", lambda path: keys_from_rows(read_rows(path), [], load_questions(), path.name)),
    "adjudications": (".csv", lambda path: decisions_from(read_rows(path), [], load_questions(), "Eve")),
    "validation sheet": (".csv", lambda path: read_sheet(path, SCHEMA)),
    "map of pictures": (".csv", read_map),
    "bank as CSV": (".csv", lambda path: read_acts(path, [], "Eve")),
    "bank as JSON": (".json", lambda path: read_acts(path, [], "Eve")),
    "contexts": (".json", load_contexts),
    "roles": (".json", load_roles),
    "own bank": (".json", own_bank),
    "list of roles": (".txt", lambda path: choose_roles(str(path))),
    "schema": (".json", load_schema),
    "questions": (".json", load_questions),
    "generators": (".json", read_entries),
    "simulated annotators": (".json", load_simulated),
    "manifest of pictures": (".json", _manifest),
}
