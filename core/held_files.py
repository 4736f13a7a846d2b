"""SQLite files that this program holds open: nothing else in it may open them.

SQLite's locks belong to the process: whoever opens and closes such a file by other means drops them all, the
next program believes to be alone, and acts that were kept afterwards are gone
(https://www.sqlite.org/howtocorrupt.html, section 2.2). A person can name such a file anywhere: in a folder
of pictures, as a map, through a link. So Python itself is told to refuse it, before it is opened, whoever
asks; a reader that would not go through Python's own door (Arrow, Qt) asks first.
"""

from __future__ import annotations

import errno
import os
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

Identity = tuple[int, int]
"""Disk and number of a file, which stay as they are under another name or link."""

SHARED_MEMORY = "-shm"
"""Ending of the file beside a study in which SQLite's locks on its log are; the log itself has none."""

_held: Counter[tuple[Identity, str]] = Counter()
_lock = threading.Lock()
_is_watching = False


def identity_of(path: Path | str | bytes) -> Identity | None:
    """Disk and number of the file that a path leads to, which is not opened; None when there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


class Hold:
    """One connection's hold on a file, from now until `release`."""

    def __init__(self, path: Path) -> None:
        found = identity_of(path)
        self._key = None if found is None else (found, str(path.absolute()))
        if self._key is not None:
            _watch()
            with _lock:
                _held[self._key] += 1

    def release(self) -> None:
        """The connection is closed; again does nothing."""
        key, self._key = self._key, None
        if key is not None:
            with _lock:
                _held[key] -= 1
                if _held[key] <= 0:
                    del _held[key]


def is_held(path: Path | str | bytes) -> bool:
    """Whether a path leads to a file that an open connection of this program has locks on."""
    if not _held:
        return False
    found = identity_of(path)
    if found is None:
        return False
    return any(found in (one, identity_of(name + SHARED_MEMORY)) for one, name in list(_held))


class HeldHere(OSError):
    """Somebody wants to open a file that this program holds."""


def refuse_held(path: Path | str | bytes) -> None:
    """Raise HeldHere, with a reason in words, for a file that is held."""
    if is_held(path):
        why = "it belongs to the study or packet that is open in this program"
        raise HeldHere(errno.EBUSY, why, os.fsdecode(path))


def _watch() -> None:
    """Have Python ask before it opens any file; once for the whole life of the program."""
    global _is_watching
    with _lock:
        is_first, _is_watching = not _is_watching, True
    if is_first:
        sys.addaudithook(_on_event)


def _on_event(event: str, what: tuple[Any, ...]) -> None:
    if event == "open" and _held and isinstance(what[0], str | bytes):
        refuse_held(what[0])
