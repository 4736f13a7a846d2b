"""Files that are whole or not there, also after a crash or a power cut.

A file is written under another name, forced to the disk, renamed, and its folder is forced too: only then
may anybody be told that it is written. Without the first force, a file system may keep the new name and
lose what is in it.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from core.held_files import refuse_held

HAVE_NO_FOLDER_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
"""What network and user-space disks answer that cannot force a folder; they keep names by themselves."""

FULL_SYNC = 51
"""`F_FULLFSYNC` of macOS; other systems do not name it."""

HELD = (32, 33)
"""What Windows answers of a file that another program holds open, or a part of it."""

WAITS = (0.01, 0.03, 0.1, 0.3, 1.0)
"""Seconds between tries: on Windows a virus scanner or an indexer holds a new file for a moment."""


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
    refuse_held(place)
    unfinished = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        write(unfinished)
        sync_file(unfinished)
        put_in_place(unfinished, place)
        sync_folder(place.parent)
    finally:
        unfinished.unlink(missing_ok=True)
    return place


def put_in_place(finished: Path, place: Path, platform: str = sys.platform) -> None:
    """Give a finished file its name, over a file that has it.

    Elsewhere that is one act; Windows refuses while any program holds either file open, so it is tried again
    for a second and a half.

    Raises
    ------
    OSError
        The name cannot be given: with the place and, where another program holds the file, saying so; or it
        belongs to what is open in this program.
    """
    refuse_held(place)
    for wait in WAITS if platform == "win32" else ():
        try:
            os.replace(finished, place)
        except PermissionError:
            if place.is_dir():
                raise IsADirectoryError(errno.EISDIR, "it is a folder", str(place)) from None
            time.sleep(wait)
        else:
            return
    try:
        os.replace(finished, place)
    except PermissionError as error:
        if platform != "win32" or not place.exists():
            raise
        why = "it is open in another program, or write-protected"
        raise PermissionError(errno.EACCES, why, str(place)) from error


def make_folder(folder: Path) -> None:
    """Make a folder and those above it that are not there, their names forced to the disk."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)  # the new folder's own name is kept by the one above


def sync_file(path: Path) -> None:
    """Force the content of a file to the disk."""
    with path.open("rb+") as file:
        force(file.fileno())


def force(number: int, platform: str = sys.platform) -> None:
    """Force an open file to the disk; on macOS `fsync` alone leaves it in the disk's own memory."""
    if platform == "darwin":
        from fcntl import fcntl  # type: ignore[attr-defined,unused-ignore]

        try:
            fcntl(number, FULL_SYNC)
            return
        except OSError as error:  # a network share, which knows only the usual way
            if error.errno not in HAVE_NO_FOLDER_SYNC:
                raise
    os.fsync(number)


def sync_folder(folder: Path) -> None:
    """Force the names in a folder to the disk, as after a file in it was renamed."""
    if os.name == "nt":  # Windows cannot open a folder, and keeps its names safe by itself
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        force(number)
    except OSError as error:
        if error.errno not in HAVE_NO_FOLDER_SYNC:
            raise
    finally:
        os.close(number)
