"""Read-only connections, one per thread, closed when their thread ends or the store does."""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import StoreError
from storage.connections import WAIT_SECONDS, connect_reader
from storage.trouble import put_in_words


class Readers:
    """Answers queries on the calling thread's own connection."""

    def __init__(self, path: Path, wait_seconds: float = WAIT_SECONDS) -> None:
        self._path = path
        self._wait_seconds = wait_seconds
        self._own = threading.local()
        self._open: weakref.WeakSet[_Reader] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._is_closed = False

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        with put_in_words(self._path):
            return self._reader().rows(sql, values)

    def row(self, sql: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """The first row of a query, or None."""
        found = self.rows(sql, values)
        return found[0] if found else None

    def close(self) -> None:
        """Close every thread's connection, each after its running query; again does nothing."""
        with self._lock:
            self._is_closed = True
            readers = list(self._open)
        for reader in readers:
            reader.close()

    def _reader(self) -> _Reader:
        reader: _Reader | None = getattr(self._own, "reader", None)
        if reader is None:
            with self._lock:
                if self._is_closed:
                    raise StoreError("The study has been closed.", "Open it again.")
                reader = _Reader(connect_reader(self._path, self._wait_seconds))
                self._open.add(reader)
            self._own.reader = reader
        return reader


class _Reader:
    """One thread's connection. The lock makes `close` wait for a query that another thread runs."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection: sqlite3.Connection | None = connection
        self._lock = threading.Lock()

    def rows(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        with self._lock:
            if self._connection is None:
                raise StoreError("The study has been closed.", "Open it again.")
            return self._connection.execute(sql, values).fetchall()

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def __del__(self) -> None:
        # The thread has ended and took its local values with it.
        self.close()
