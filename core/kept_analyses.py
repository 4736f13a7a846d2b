"""Results that were computed before, kept beside the study by a key of everything they rest on.

A key that is the same means the same numbers, so nothing is ever out of date; a folder that cannot be
written, or a file that cannot be read, only costs computing again.
"""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.analysis import Analysis

FOLDER, RUN = "kept", "run.json"
MOST_KEPT = 6


class KeptAnalyses:
    """The results that are kept in a study's folder.

    Parameters
    ----------
    study : Path
        The study's folder.
    """

    def __init__(self, study: Path) -> None:
        self._folder = study / FOLDER

    def read(self, key: str) -> Analysis | None:
        """The result of a key, None when it was not kept or cannot be read."""
        from pyarrow import ArrowException, feather

        place = self._folder / key
        try:
            run: dict[str, Any] = json.loads((place / RUN).read_text(encoding="utf-8"))
            names = list(run["table_rows"])
            tables = {name: feather.read_feather(place / f"{name}.feather") for name in names}
        except (OSError, ValueError, KeyError, TypeError, ArrowException):
            return None
        if any(len(tables[name]) != rows for name, rows in run["table_rows"].items()):
            return None
        return Analysis(tables, run)

    def write(self, key: str, tables: Mapping[str, Any], run: Mapping[str, Any]) -> bool:
        """Keep a result, whole or not at all; returns whether it is kept. The oldest ones make room."""
        from pyarrow import ArrowException, feather

        unfinished = self._folder / f".{uuid.uuid4().hex}"
        try:
            unfinished.mkdir(parents=True)
            for name, table in tables.items():
                feather.write_feather(table, str(unfinished / f"{name}.feather"), compression="lz4")
            (unfinished / RUN).write_text(json.dumps(dict(run)), encoding="utf-8", newline="\n")
            shutil.rmtree(self._folder / key, ignore_errors=True)
            unfinished.rename(self._folder / key)
            self._make_room()
        except (OSError, ValueError, TypeError, ArrowException):
            return False
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
        return True

    def _make_room(self) -> None:
        found = [one for one in self._folder.iterdir() if one.is_dir() and not one.name.startswith(".")]
        found.sort(key=lambda one: one.stat().st_mtime, reverse=True)
        for old in found[MOST_KEPT:]:
            shutil.rmtree(old, ignore_errors=True)
