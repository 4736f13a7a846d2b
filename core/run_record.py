"""The record of a folder of results: each command's run under its name, beside those before it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.environment import versions

KEPT = ("agreement", "analyse")


def with_earlier(
    out: Path, command: str, run: Mapping[str, Any], options: Mapping[str, Any]
) -> dict[str, Any]:
    """What goes into `run.json` of a folder: this run under its command's name, beside that of the other."""
    path, kept = out / "run.json", {}
    if path.is_file():
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            kept = {}
    runs = {name: kept[name] for name in KEPT if isinstance(kept, dict) and name in kept}
    return {**runs, command: {"versions": versions(), "options": dict(options), **run}}
