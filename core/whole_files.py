"""Files that are whole or not there, also after a crash or a power cut.

A file is written under another name, forced to the disk, renamed, and its folder is forced too: only then
may anybody be told that it is written. Without the first force, a file system may keep the new name and
lose what is in it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

HAVE_NO_FOLDER_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
"""What network and user-space disks answer that cannot force a folder; they keep names by themselves."""


def write_whole(place: Path, write: Callable[[Path], object]) -> Path:
    """Have a file written beside its place, then put it there; on any error what was there stays.

    Two processes may write the same file, also on a shared disk: each writes its own whole, the later stays.

    Parameters
    ----------
    place : Path
        Where it will be; a file that is there is replaced.
    write : callable
        Writes the file at the path that it is given.

    Raises
    ------
    OSError
        The file cannot be written.
    """
    unfinished = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        write(unfinished)
        sync_file(unfinished)
        os.replace(unfinished, place)
        sync_folder(place.parent)
    finally:
        unfinished.unlink(missing_ok=True)
    return place


def make_folder(folder: Path) -> None:
    """Make a folder and those above it that are not there, their names forced to the disk."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)  # the new folder's own name is kept by the one above


def sync_file(path: Path) -> None:
    """Force the content of a file to the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Force the names in a folder to the disk, as after a file in it was renamed."""
    if os.name == "nt":  # Windows cannot open a folder, and keeps its names safe by itself
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    except OSError as error:
        if error.errno not in HAVE_NO_FOLDER_SYNC:
            raise
    finally:
        os.close(number)
