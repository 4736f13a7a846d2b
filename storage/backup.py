"""A copy of the study file before it is moved to a newer schema.

`VACUUM INTO` and never a file copy: the newest rows may still be in the log beside the file.
"""

from __future__ import annotations

import sqlite3
import uuid
from pathlib import Path

from core.whole_files import put_in_place, sync_file, sync_folder


def back_up(connection: sqlite3.Connection, path: Path, version: int) -> Path:
    """Write the whole file as it is now to `study.v<version>.backup.sqlite` beside it; return where.

    It gets that name when it is whole and on the disk, so that a crash leaves no half backup that somebody
    would trust. An earlier backup of the same version is kept: the new one gets a number.
    """
    target = path.with_name(f"{path.stem}.v{version}.backup{path.suffix}")
    number = 1
    while target.exists():
        number += 1
        target = path.with_name(f"{path.stem}.v{version}.backup-{number}{path.suffix}")
    unfinished = path.with_name(f"{target.name}.{uuid.uuid4().hex}.part")
    try:
        connection.execute("VACUUM INTO ?", (str(unfinished),))
        sync_file(unfinished)
        put_in_place(unfinished, target)
        sync_folder(path.parent)
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):
            unfinished.with_name(unfinished.name + ending).unlink(missing_ok=True)
    return target
