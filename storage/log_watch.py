"""Whether the log that this process writes to is still the one beside the study.

SQLite's locks belong to the process, not to the connection: whoever opens and closes `study.sqlite` in this
process by other means drops them all, and the next program that opens the study believes to be alone, and
deletes the log in use (https://www.sqlite.org/howtocorrupt.html, section 2.2). What is committed then goes
into a file without a name. So the writer looks before and after each act, which costs two looks at names.

The other program copies the log into the study some time before it deletes it; what is committed in between
was looked at in time, and yet is gone. No look can tell, so the sentence does not promise it. That this
program drops its locks is prevented in `core.held_files`; this watch is for what comes from outside.
"""

from __future__ import annotations

import ctypes
import sqlite3
from pathlib import Path

from core.errors import StoreError
from core.held_files import Identity, identity_of

_cut_off: set[Path] = set()
"""Studies whose log went away under this process; SQLite would go on with what it knows of them."""


class LogWatch:
    """Remembers study file and log as they were, and compares.

    Parameters
    ----------
    path : Path
        `study.sqlite`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()
        self._log = self._path.with_name(f"{path.name}-wal")
        self._known: Identity | None = None
        self._raise_if_cut_off()

    @property
    def is_cut_off(self) -> bool:
        """Whether the log went away."""
        return self._path in _cut_off

    def look(self) -> None:
        """Raise StoreError when the log is another or gone while the study file is there.

        That the study itself was moved or deleted is left for SQLite to say.
        """
        self._raise_if_cut_off()
        found = identity_of(self._log)
        if self._known is None:
            self._known = found
        elif found != self._known and self._path.exists():
            _cut_off.add(self._path)
            self._raise_if_cut_off()

    def _raise_if_cut_off(self) -> None:
        if self.is_cut_off:
            sentence = "The log of {} was taken away by another program while it was open here."
            remedy = "Close this program, start it again, and look whether what was done last is there."
            raise StoreError(sentence.format(self._path), remedy, blind=sentence.format("the study file"))


def leave_open(connection: sqlite3.Connection) -> None:
    """Never close a connection, not even at the end of the program.

    Closing the last one would copy the log that has no name over what others have written since.
    """
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
