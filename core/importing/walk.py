"""Walk through a folder, past the studies in it, for as long as somebody wants it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from core.paths import STUDY_FILE


class NotWanted(Exception):
    """Nobody waits for the result any more; not an error."""


@dataclass(slots=True)
class Walked:
    """Files and folders below a folder, sorted, and how many folders of studies were left out."""

    paths: list[Path] = field(default_factory=list)
    studies: int = 0


def walk(root: Path, is_wanted: Callable[[], bool] = lambda: True) -> Walked:
    """Everything below a folder, which is not opened; links are named and not followed.

    A folder that cannot be listed is named and passed over, and so is one that holds a study.

    Raises
    ------
    NotWanted
        `is_wanted`, which is asked at every entry, says no.
    """
    found = Walked()
    folders = [root]
    while folders:
        entries = _entries(folders.pop(), is_wanted)
        if any(entry.name == STUDY_FILE for entry in entries):
            found.studies += 1
            continue
        found.paths += [Path(entry.path) for entry in entries]
        folders += [Path(entry.path) for entry in entries if _is_folder(entry)]
    found.paths.sort()
    return found


def _entries(folder: Path, is_wanted: Callable[[], bool]) -> list[os.DirEntry[str]]:
    entries: list[os.DirEntry[str]] = []
    try:
        with os.scandir(folder) as listed:
            for entry in listed:
                if not is_wanted():
                    raise NotWanted
                entries.append(entry)
    except OSError:
        return []
    return entries


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
