"""Memory of large arrays is kept for the next one, where the C library would give it back each time.

The GNU C library asks the system for every array above 32 MB and gives it back when the array goes; the
system then clears each page anew. With tens of millions of rows that is a fifth of all time.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_LARGEST = 2**31 - 1


def keep_memory() -> bool:
    """From now on, keep what large arrays used until the process ends; whether the system can do so.

    For a program that reads one large table and ends, not for a window that stays.
    """
    if not sys.platform.startswith("linux"):
        return False
    with contextlib.suppress(AttributeError, OSError):  # another C library has no such switch
        library = ctypes.CDLL(None)
        return all(library.mallopt(what, _LARGEST) for what in (_TRIM_THRESHOLD, _MMAP_THRESHOLD))
    return False
