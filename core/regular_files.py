"""Read only files: a pipe or a device that lies in the place of one is refused, not waited for."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from core.held_files import refuse_held


def regular(path: str, flags: int) -> int:
    """Open a file for `open(…, opener=regular)`; returns its number.

    Raises
    ------
    OSError
        It cannot be opened, is a folder, a pipe, a socket or a device, or belongs to what is open in this
        program; with the path and a reason.
    """
    refuse_held(path)
    # Without O_NONBLOCK the system would wait until somebody writes into a pipe.
    try:
        number = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    except PermissionError:
        if Path(path).is_dir():  # what Windows says of a folder
            raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path)) from None
        raise
    mode = os.fstat(number).st_mode
    if stat.S_ISREG(mode):
        return number
    os.close(number)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    raise OSError(errno.EINVAL, "it is a pipe, a socket or a device, not a file", str(path))


def read_regular(path: Path) -> bytes:
    """The bytes of a file; OSError, as `regular` raises it, for anything else."""
    with open(path, "rb", opener=regular) as file:
        return file.read()
