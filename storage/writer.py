"""The one thread that writes: it owns the only read-write connection of this process.

An act is a function of the connection. The thread runs it in one transaction, commits, tells the
listeners what changed and only then resolves the act's future; so whoever waited knows that it is kept.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from core.errors import StoreError
from storage.backup import back_up
from storage.connections import WAIT_SECONDS, connect_writer, data_version
from storage.log_watch import LogWatch, leave_open
from storage.schema import is_pending, migrate, version_of
from storage.trouble import kind_of, put_in_words

T = TypeVar("T")
Act = Callable[[sqlite3.Connection], T]
Listener = Callable[[frozenset[str]], None]

_log = logging.getLogger(__name__)


class Writer:
    """Runs acts one after the other on a thread named `store-writer`."""

    def __init__(self, path: Path, wait_seconds: float = WAIT_SECONDS) -> None:
        self._path = path
        self._wait_seconds = wait_seconds
        self._listeners: list[Listener] = []
        self._thread_id = 0
        self._connection: sqlite3.Connection | None = None
        self._watch = LogWatch(path)
        self._seen_version = 0
        self.moved_from: tuple[int, Path] | None = None
        """File version before opening and the backup of it; None when the file was of this release."""
        self._pool = ThreadPoolExecutor(max_workers=1, initializer=self._name_thread)
        try:
            self._pool.submit(self._open).result()
        except BaseException:
            self.close()
            raise

    def listen(self, listener: Listener) -> None:
        """Call `listener` on the writer thread after each commit, with words for what changed."""
        self._listeners.append(listener)

    def do(self, act: Act[T], *words: str, durable: bool = True) -> T:
        """Run an act, wait until it is committed and return its result."""
        if threading.get_ident() == self._thread_id:
            raise AssertionError("this runs on the writer thread, which would wait for itself")
        return self.start(act, *words, durable=durable).result()

    def start(self, act: Act[T], *words: str, durable: bool = True) -> Future[T]:
        """Queue an act; the future resolves after its commit, or raises what the act raised.

        A callback of that future runs on the writer thread and may queue the next act.
        """
        try:
            return self._pool.submit(self._run, act, frozenset(words), durable)
        except RuntimeError as error:
            raise StoreError("The study has been closed.", "Open it again.") from error

    def has_another_written(self) -> bool:
        """Whether another process committed since the opening, or since this was last asked.

        The one read-write connection of this process is asked, whose number stays as it is while only this
        process writes.
        """
        try:
            return self._pool.submit(self._is_version_new).result()
        except RuntimeError as error:
            raise StoreError("The study has been closed.", "Open it again.") from error

    def _is_version_new(self) -> bool:
        if self._connection is None:
            return False
        with put_in_words(self._path):
            before, self._seen_version = self._seen_version, data_version(self._connection)
        return before != self._seen_version

    def close(self) -> None:
        """Finish what is queued, close the connection and end the thread; again does nothing."""
        try:
            self._pool.submit(self._close)
        except RuntimeError:
            return
        self._pool.shutdown(wait=True)

    def _name_thread(self) -> None:
        threading.current_thread().name = "store-writer"
        self._thread_id = threading.get_ident()

    def _open(self) -> None:
        with put_in_words(self._path):
            connection = self._connection = connect_writer(self._path, self._wait_seconds)
            if is_pending(connection):
                before = version_of(connection)
                self.moved_from = (before, back_up(connection, self._path, before))
                migrate(connection)
                _log.info("moved a study from file version %d to %d", before, version_of(connection))
            self._watch.look()
            self._seen_version = data_version(connection)

    def _close(self) -> None:
        if self._connection is not None:
            if self._watch.is_cut_off:
                leave_open(self._connection)
            else:
                self._connection.close()
            self._connection = None

    def _run(self, act: Act[T], words: frozenset[str], durable: bool) -> T:
        with put_in_words(self._path):
            began = time.monotonic()
            self._watch.look()
            result = self._commit(act, durable)
            self._watch.look()
            _log.info("kept: %s, %.0f ms", " ".join(sorted(words)), 1000 * (time.monotonic() - began))
        for listener in self._listeners:
            try:
                listener(words)
            except Exception:  # noqa: BLE001 (the act is kept, so a listener's fault may not undo its result)
                _log.exception("a listener of the store failed")
        return result

    def _commit(self, act: Act[T], durable: bool) -> T:
        connection = self._connection
        if connection is None:
            raise AssertionError("the writer has no connection")
        connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        self._begin(connection)
        try:
            result = act(connection)
            connection.execute("COMMIT")
        except BaseException:
            # A full disk may have rolled back by itself.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return result

    def _begin(self, connection: sqlite3.Connection) -> None:
        # IMMEDIATE takes the write lock before anything is read, so an act is never refused half-way for
        # a stale snapshot. SQLite itself waits, but gives up at once in a few states (recovery): again.
        deadline = time.monotonic() + self._wait_seconds
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if kind_of(error) != "BUSY" or time.monotonic() >= deadline:
                    raise
                time.sleep(0.01)
            else:
                return
