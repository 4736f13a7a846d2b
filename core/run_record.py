"""The record of a folder of results: each command's run under its name, beside those before it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.environment import versions
from core.errors import BadInput
from core.json_files import read_json
from core.tables import write_tables

if TYPE_CHECKING:
    import pandas as pd

KEPT = ("agreement", "analyse")
FILES = "files"
_TABLE = re.compile(r"[a-z0-9_]{1,80}\.csv")


def with_earlier(
    out: Path, command: str, run: Mapping[str, Any], options: Mapping[str, Any]
) -> dict[str, Any]:
    """What goes into `run.json` of a folder: this run under its command's name, beside that of the other."""
    return {**_earlier(out), command: {"versions": versions(), "options": dict(options), **run}}


def write_run(
    tables: Mapping[str, pd.DataFrame],
    out: Path,
    command: str,
    run: Mapping[str, Any],
    options: Mapping[str, Any],
) -> list[Path]:
    """Write the tables of a run with their record into a folder; returns the paths written.

    Tables that the same command wrote there before and does not write now are removed, as they would stand
    beside a record that is not theirs: only such as the record names, and none of the other command.
    """
    earlier, names = _earlier(out), [f"{name}.csv" for name in tables]
    written = write_tables(tables, out, with_earlier(out, command, {**run, FILES: sorted(names)}, options))
    others = {name for one, record in earlier.items() if one != command for name in _names(record)}
    for name in set(_names(earlier.get(command))) - {*names, *others}:
        if (out / name).is_file():
            (out / name).unlink()
    return written


def _earlier(out: Path) -> dict[str, Any]:
    """The runs that the record of a folder holds, by command."""
    path = out / "run.json"
    if not path.is_file():
        return {}
    try:
        kept = read_json(path)
    except BadInput:
        return {}
    return {name: kept[name] for name in KEPT if isinstance(kept, dict) and name in kept}


def _names(record: Any) -> list[str]:
    """The tables that a record says it is of: names of files beside it, and nothing else."""
    names = record.get(FILES) if isinstance(record, dict) else None
    found = names if isinstance(names, list) else []
    return [name for name in found if isinstance(name, str) and _TABLE.fullmatch(name)]
