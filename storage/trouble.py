"""Errors of the disk and of SQLite in words: a sentence, and what to do.

Only errors of the world are put in words. Anything else (a broken constraint, wrong SQL) is a fault of
ours and passes through with its traceback.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import StoreError
from core.held_files import HeldHere
from core.whole_files import HELD

_SQLITE = {
    "BUSY": (
        "{path} is being written by another program.",
        "Close the other window or command that has this study open, or try again when it is done.",
    ),
    "HELD": ("{path} is open in another program.", "Close it there, and try again."),
    "OURS": (
        "{path} belongs to the study or packet that is open in this program.",
        "Choose another file.",
    ),
    "TOOLONG": (
        "{path} is a longer path than Windows allows.",
        "Move it to a folder with a shorter name, nearer to the drive, or allow long paths in Windows.",
    ),
    "READONLY": (
        "{path} cannot be written.",
        "Check that the file and its folder belong to you and are not write-protected.",
    ),
    "MOVED": (
        "{path} was moved or deleted while it was open.",
        "Put it back where it was and try again, or open it where it is now.",
    ),
    "PERM": ("{path} may not be opened.", "Check the permissions of the file and its folder."),
    "IOERR": (
        "The disk reported an error while {path} was read or written.",
        "Check the disk and its connection; everything reported as saved until now is kept.",
    ),
    "CORRUPT": (
        "{path} is damaged.",
        "Run `main.py doctor` on the study, and go back to a backup if there is one beside the file.",
    ),
    "FULL": (
        "The disk is full, so {path} cannot grow.",
        "Free some space and try again; everything reported as saved until now is kept.",
    ),
    "CANTOPEN": (
        "{path} cannot be opened.",
        "Check that the folder exists, is not write-protected and is not a network share that went away.",
    ),
    "TOOBIG": (
        "{path} holds a value larger than any that this program writes.",
        "Take it from a backup, or from whoever sent it.",
    ),
    "NOTADB": (
        "{path} is not a study: it is not an SQLite file.",
        "Choose the folder that `main.py new` or the application made.",
    ),
}
"""By the first word of `sqlite_errorname` after SQLITE_; the extended names add more words."""

NO_SUCH_PATH, TOO_LONG, LONGEST_ON_WINDOWS = 3, 206, 248
"""Answers of Windows, and the longest path of a folder, unless long paths are allowed."""

_DISK = {
    errno.ENOSPC: "FULL",
    errno.EDQUOT: "FULL",
    errno.EACCES: "READONLY",
    errno.EPERM: "READONLY",
    errno.EROFS: "READONLY",
    errno.EIO: "IOERR",
}

_DAMAGED = ("decode to UTF-8", "unsupported file format", "unknown database", "malformed")
"""Words for damage that come with no name of their own, from SQLite's first look or from Python's module."""


def in_words(error: sqlite3.Error | OSError, path: Path) -> StoreError | None:
    """The error as a sentence about `path`, or None when it is a fault of ours.

    >>> import sqlite3
    >>> error = sqlite3.OperationalError("database is locked")
    >>> error.sqlite_errorname = "SQLITE_BUSY_SNAPSHOT"
    >>> print(in_words(error, Path("study.sqlite")).sentence)
    study.sqlite is being written by another program.
    """
    kind = _of_disk(error) if isinstance(error, OSError) else kind_of(error)
    if getattr(error, "sqlite_errorname", "") == "SQLITE_READONLY_DBMOVED":
        kind = "MOVED"
    if kind not in _SQLITE:
        return None
    sentence, remedy = _SQLITE[kind]
    blind = sentence.format(path="the study file")
    return StoreError(sentence.format(path=path), remedy, blind=blind[0].upper() + blind[1:])


def _of_disk(error: OSError) -> str:
    if isinstance(error, HeldHere):
        return "OURS"
    of_windows = getattr(error, "winerror", None)
    if of_windows in HELD:
        return "HELD"
    is_long = len(str(error.filename or "")) >= LONGEST_ON_WINDOWS
    if of_windows == TOO_LONG or (of_windows == NO_SUCH_PATH and is_long):
        return "TOOLONG"
    return _DISK.get(error.errno or 0, "")


def kind_of(error: sqlite3.Error) -> str:
    """`BUSY`, `IOERR` … of an error that SQLite itself raised; empty for most of Python's module."""
    name: str = getattr(error, "sqlite_errorname", "")
    if "malformed JSON" in str(error):  # of a value, not of the file: nothing is damaged by it
        return "ERROR"
    if any(words in str(error) for words in _DAMAGED):
        return "CORRUPT"
    return name.removeprefix("SQLITE_").split("_")[0]


@contextmanager
def put_in_words(path: Path) -> Iterator[None]:
    """Raise the world's errors of the block as StoreError and let all others through."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        told = in_words(error, path)
        if told is None:
            raise
        raise told from error
    except UnicodeDecodeError as error:
        # Python's module, which takes every text of a file for one, also those in SQLite's own messages.
        damaged = sqlite3.DatabaseError("malformed text")
        told = in_words(damaged, path)
        assert told is not None
        raise told from error
