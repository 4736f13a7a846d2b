"""A packet whose file was deleted, moved or replaced while it was open: all of it, in a new file.

Such a file has no name any more, but its open connection still reads and writes it. What was reported as
saved is copied from there at once, before anything else is said or done.
"""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
import uuid
from pathlib import Path

from core.errors import StoreError
from core.whole_files import put_in_place, sync_file, sync_folder


def keep_copy(connection: sqlite3.Connection, path: Path) -> Path:
    """Copy a packet from its open connection; returns the new file.

    It stands beside `path`; where nothing can be written there any more, in the home folder, else among the
    temporary files.

    Raises
    ------
    StoreError
        It can be written nowhere.
    """
    for folder in (path.absolute().parent, Path.home(), Path(tempfile.gettempdir())):
        place = _free_name(folder, path)
        try:
            _copy(connection, place)
        except (OSError, sqlite3.Error):
            continue
        return place
    raise StoreError(
        f"{path} {WHAT}, and a copy of what was saved could be written nowhere.",
        "Make room, or put the file back, and save again; keep this window open.",
        blind=f"The packet {WHAT}, and a copy of what was saved could be written nowhere.",
    )


WHAT = "was deleted, moved or replaced while it was open here"


def lost(path: Path, kept: Path) -> StoreError:
    """What to say once everything that was saved is in another file."""
    is_beside = kept.parent == path.absolute().parent
    where = "beside it" if is_beside else f"in the folder {kept.parent}"
    return StoreError(
        f"{path} {WHAT}.",
        f"Everything saved until then is in {kept.name} {where}. Save again to go on in that file, and send "
        "that one.",
        blind=f"The packet {WHAT}.",
    )


def _free_name(folder: Path, path: Path) -> Path:
    place, number = folder / f"{path.stem}-kept{path.suffix}", 1
    while place.exists():
        number += 1
        place = folder / f"{path.stem}-kept-{number}{path.suffix}"
    return place


def _copy(connection: sqlite3.Connection, place: Path) -> None:
    unfinished = place.with_name(f".{place.name}.{uuid.uuid4().hex}.part")
    try:
        with contextlib.closing(sqlite3.connect(unfinished, isolation_level=None)) as target:
            connection.backup(target)
        sync_file(unfinished)
        put_in_place(unfinished, place)
        sync_folder(place.parent)
    finally:
        with contextlib.suppress(OSError):
            for ending in ("", "-journal"):
                unfinished.with_name(unfinished.name + ending).unlink(missing_ok=True)
