"""Which content a model on this machine is: a folder has no revision, so its files say what it is.

Large files are hashed once and remembered with their size and time, in memory and in the user's cache.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from core.generation.diffusers.weights import INDEX, Model
from core.keys import key_of
from core.paths import user_cache
from core.whole_files import make_folder, write_whole

LARGE = 32_000_000
"""Bytes from which a hash is remembered on the disk as well."""

_PARTS = (".json", ".txt", ".model")
_known: dict[tuple[str, int, int], str] = {}


def fingerprint(model: Model) -> str:
    """SHA-256 over everything of a model that shapes pixels; the same wherever the folder lies."""
    weights = {path for paths in model.files.values() for path in paths}
    texts = {
        path for name in model.classes for path in (model.folder / name).iterdir() if path.suffix in _PARTS
    }
    paths = sorted({model.folder / INDEX, *weights, *texts})
    return key_of([[path.relative_to(model.folder).as_posix(), file_hash(path)] for path in paths])


def file_hash(path: Path) -> str:
    """SHA-256 of a file, remembered while its size and time stay."""
    facts = path.stat()
    key = (str(path.resolve()), facts.st_size, facts.st_mtime_ns)
    if key not in _known:
        found = _remembered(key) if facts.st_size >= LARGE else None
        _known[key] = found or _hash(path)
        if found is None and facts.st_size >= LARGE:
            _remember(key, _known[key])
    return _known[key]


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _file() -> Path:
    return user_cache() / "weights.json"


def _all_remembered() -> dict[str, list[int | str]]:
    try:
        found = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _remembered(key: tuple[str, int, int]) -> str | None:
    found = _all_remembered().get(key[0])
    is_same = isinstance(found, list) and len(found) == 3 and found[:2] == list(key[1:])
    return str(found[2]) if is_same and found is not None else None


def _remember(key: tuple[str, int, int], value: str) -> None:
    rows = _all_remembered() | {key[0]: [key[1], key[2], value]}
    try:
        make_folder(_file().parent)
        write_whole(_file(), lambda place: place.write_text(json.dumps(rows), encoding="utf-8", newline="\n"))
    except OSError:
        return  # it is only remembered; it can be found out again
