"""Entries of `generators.json`: which model a generator is, and the settings it always runs with.

The four released models stand in `resources/generators.json`. A person's own entries have the same form
and lie in a file of their own (`own_file`): a diffusers folder or a repository on the hub, a LoRA on top,
other settings. A broken file of one's own never hides the released ones; `own_trouble` says what is wrong.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.generation.entry import Entry
from core.generation.entry_rules import entry_from
from core.json_files import read_json
from core.paths import RESOURCES, user_settings
from core.whole_files import make_folder, write_whole

RELEASED = RESOURCES / "generators.json"
OWN_FILE_VARIABLE = "CONTEXTBIAS_GENERATORS"
"""Names another file of own entries, as on a cluster where every node reads the same one."""


def own_file() -> Path:
    """Where this person's own entries lie; the file need not be there."""
    named = os.environ.get(OWN_FILE_VARIABLE)
    return Path(named) if named else user_settings() / "generators.json"


def read_entries(path: Path) -> tuple[Entry, ...]:
    """All entries of a file, in its order; folders in it are relative to the file's own folder.

    Raises
    ------
    BadInput
        When the file is not JSON, an entry lacks something or says something unknown, or two entries
        have one name.
    """
    found = read_json(path, str(path))
    rows = found.get("generators") if isinstance(found, Mapping) else None
    if not isinstance(rows, list):
        raise BadInput(f'{path} has no list "generators".', f"Take {RELEASED.name} as a pattern.")
    entries = tuple(entry_from(row, path) for row in rows)
    names = [entry.name for entry in entries]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadInput(f"{path} has two generators called {twice[0]!r}.", "Give one another name.")
    return entries


def released() -> dict[str, Entry]:
    """The entries that come with this release, by name."""
    return {entry.name: entry for entry in read_entries(RELEASED)}


def own_entries(taken: frozenset[str] = frozenset()) -> dict[str, Entry]:
    """This person's own entries, by name; BadInput for a broken file and for a name of another's."""
    path = own_file()
    if not path.is_file():
        return {}
    entries = {entry.name: entry for entry in read_entries(path)}
    for name in entries:
        if name in taken:
            raise BadInput(f"{path}: there is another generator called {name!r}.", "Choose another name.")
    return entries


def add_own(row: Mapping[str, Any], taken: frozenset[str]) -> Entry:
    """Keep one more own entry and return it; BadInput when it cannot be one or its name is taken."""
    path = own_file()
    entry = entry_from(row, path)
    rows = _rows_of(path)
    if entry.name in taken or any(one.get("name") == entry.name for one in rows):
        raise BadInput(f"There is a generator called {entry.name!r} already.", "Choose another name.")
    make_folder(path.parent)
    text = json.dumps({"generators": [*rows, dict(row)]}, indent=2, ensure_ascii=False)
    write_whole(path, lambda place: place.write_text(text + "\n", encoding="utf-8", newline="\n"))
    return entry


def _rows_of(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    read_entries(path)  # says what is wrong with it, rather than writing over it
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8-sig"))["generators"]
    return rows
