"""A connection that says which file it holds, for as long as it is open (see `core.held_files`)."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from core.held_files import Hold


class HeldConnection(sqlite3.Connection):
    """Give it to `sqlite3.connect` as `factory`, and call `hold` before the first statement."""

    _hold: Hold | None = None

    def hold(self, path: Path) -> None:
        """From now on nothing but SQLite may open this file here."""
        self._hold = Hold(path)

    def close(self) -> None:
        """Close, and let others open the file."""
        super().close()
        self._let_go()

    def __del__(self) -> None:
        self._let_go()

    def _let_go(self) -> None:
        if self._hold is not None:
            self._hold.release()


def connect_held(path: Path, address: str, wait_seconds: float) -> HeldConnection:
    """A connection to the file at `address`, which is `path` in SQLite's words; any thread may use it."""
    connection = sqlite3.connect(
        *(address, wait_seconds),
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        factory=HeldConnection,
    )
    connection.hold(path)
    return connection
