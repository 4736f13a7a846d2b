"""A copy of the study file before it is moved to a newer schema.

`VACUUM INTO` and never a file copy: the newest rows may still be in the log beside the file.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from storage.images import sync_folder


def back_up(connection: sqlite3.Connection, path: Path, version: int) -> Path:
    """Write the whole file as it is now to `study.v<version>.backup.sqlite` beside it; return where.

    An earlier backup of the same version is kept: the new one gets a number.
    """
    target = path.with_name(f"{path.stem}.v{version}.backup{path.suffix}")
    number = 1
    while target.exists():
        number += 1
        target = path.with_name(f"{path.stem}.v{version}.backup-{number}{path.suffix}")
    connection.execute("VACUUM INTO ?", (str(target),))
    with target.open("rb+") as file:
        os.fsync(file.fileno())
    sync_folder(path.parent)
    return target
