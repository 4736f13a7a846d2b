"""A log of everything a program asks of the disk below one folder: writes, syncs and names, in order.

SQLite's own requests are seen where it makes them, in its layer for the operating system (VFS): two of
its functions are replaced for the time of the recording, and each opened file gets a table of methods
whose write, truncate and sync note the request and then do it. Other files are seen where Python asks:
`os.fsync`, `os.replace` and their kin. Linux only, because paths of open files are read from /proc.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ADDRESS, NUMBER, LONG = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
WRITE, TRUNCATE, SYNC = 3, 4, 5
"""Places in SQLite's table of methods of a file (`sqlite3_io_methods`), of 19 words."""

METHODS = 19
OPEN, DELETE = 5, 6
"""Places in its table of functions (`sqlite3_vfs`), in words of eight bytes."""

FUNCTIONS = {
    OPEN: ctypes.CFUNCTYPE(NUMBER, ADDRESS, ADDRESS, ADDRESS, NUMBER, ADDRESS),
    DELETE: ctypes.CFUNCTYPE(NUMBER, ADDRESS, ADDRESS, NUMBER),
}
OF_FILES = {
    WRITE: ctypes.CFUNCTYPE(NUMBER, ADDRESS, ADDRESS, NUMBER, LONG),
    TRUNCATE: ctypes.CFUNCTYPE(NUMBER, ADDRESS, LONG),
    SYNC: ctypes.CFUNCTYPE(NUMBER, ADDRESS, NUMBER),
}


@dataclass(frozen=True, slots=True)
class Request:
    """One request: what, of which file, and with what.

    `kind` is create, write, truncate, content (a whole plain file), sync, unlink, rename, link, mkdir,
    sync names (of a folder), or kept (the program said that something is safe: `other`).
    """

    kind: str
    path: str
    offset: int = 0
    data: bytes = b""
    other: Any = None


class DiskLog:
    """The requests below a folder, oldest first; use `recording`."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder.resolve())
        self.requests: list[Request] = []
        self.synced: set[str] = set()
        self._lock = threading.Lock()

    def note(self, kind: str, path: str, *rest: Any, other: Any = None) -> None:
        """Add a request unless it is about another place, or about a file that needs not last (-shm)."""
        path = os.path.abspath(path)
        if path.startswith(self.folder) and not path.endswith("-shm"):
            with self._lock:
                self.requests.append(Request(kind, path, *rest, other=other))

    def keep(self, what: Any) -> None:
        """The program said that this is safe."""
        with self._lock:
            self.requests.append(Request("kept", self.folder, other=what))


def can_record() -> bool:
    """Whether this system and this Python's SQLite can be listened to."""
    return Path("/proc/self/fd").is_dir() and _library() is not None


@contextlib.contextmanager
def recording(folder: Path) -> Iterator[DiskLog]:
    """Log what this process asks of the disk below a folder until the block ends."""
    log = DiskLog(folder)
    with _sqlite_heard(log), _python_heard(log):
        yield log


def _library() -> Any:
    import sqlite3

    try:
        library = ctypes.CDLL("libsqlite3.so.0")
        library.sqlite3_libversion.restype = ctypes.c_char_p
        library.sqlite3_vfs_find.restype = ADDRESS
        return library if library.sqlite3_libversion().decode() == sqlite3.sqlite_version else None
    except (OSError, AttributeError):
        return None


@contextlib.contextmanager
def _sqlite_heard(log: DiskLog) -> Iterator[None]:
    library = _library()
    functions = (ADDRESS * 12).from_address(library.sqlite3_vfs_find(None))
    really = {place: FUNCTIONS[place](functions[place]) for place in (OPEN, DELETE)}
    names: dict[int, str] = {}
    tables: dict[int, Any] = {}  # by the table that they stand in for; kept for as long as SQLite may call
    heard: list[Any] = []

    def table_for(address: int) -> Any:
        if address not in tables:
            table = (ADDRESS * METHODS)(*(ADDRESS * METHODS).from_address(address))
            for place, about in ((WRITE, "write"), (TRUNCATE, "truncate"), (SYNC, "sync")):
                one = _noting(log, names, about, OF_FILES[place](table[place]), OF_FILES[place])
                heard.append(one)
                table[place] = ctypes.cast(one, ADDRESS)
            tables[address] = table
        return tables[address]

    def opened(vfs: int, name: int | None, file: int, flags: int, out: int | None) -> int:
        path = _text_at(name) if name else ""  # SQLite keeps the address: it is passed on as it is
        is_new = bool(path) and not os.path.exists(path)
        code: int = really[OPEN](vfs, name, file, flags, out)
        if code == 0 and path:
            names[file] = path
            methods = (ADDRESS * 1).from_address(file)
            methods[0] = ctypes.addressof(table_for(methods[0]))
            if is_new:
                log.note("create", names[file])
        return code

    def deleted(vfs: int, name: int, syncs: int) -> int:
        path = _text_at(name)
        was_there = os.path.exists(path)
        code: int = really[DELETE](vfs, name, syncs)
        if was_there and code == 0:
            log.note("unlink", path)
            if syncs:
                log.note("sync names", os.path.dirname(path))
        return code

    before = (functions[OPEN], functions[DELETE])
    heard += [FUNCTIONS[OPEN](opened), FUNCTIONS[DELETE](deleted)]
    functions[OPEN], functions[DELETE] = (ctypes.cast(one, ADDRESS).value for one in heard[:2])
    try:
        yield
    finally:
        functions[OPEN], functions[DELETE] = before
        _still_called.append((heard, tables, really))


_still_called: list[Any] = []
"""What SQLite may go on calling for files that are open when a recording ends."""


def _text_at(address: int) -> str:
    return os.path.abspath(os.fsdecode(ctypes.string_at(address)))


def _noting(log: DiskLog, names: dict[int, str], about: str, really: Any, make: Any) -> Any:
    def write(file: int, data: int, size: int, offset: int) -> int:
        log.note("write", names[file], offset, ctypes.string_at(data, size))
        code: int = really(file, data, size, offset)
        return code

    def truncate(file: int, size: int) -> int:
        log.note("truncate", names[file], size)
        code: int = really(file, size)
        return code

    def sync(file: int, flags: int) -> int:
        code: int = really(file, flags)
        log.note("sync", names[file])
        if names[file].endswith(("-wal", "-journal")):
            # SQLite syncs the folder too when it has made one of these.
            log.note("sync names", os.path.dirname(names[file]))
        return code

    return make({"write": write, "truncate": truncate, "sync": sync}[about])


@contextlib.contextmanager
def _python_heard(log: DiskLog) -> Iterator[None]:
    """Listen at the functions of `os` that `pathlib`, `shutil` and our own code call."""
    kinds: dict[str, Callable[..., None]] = {
        "fsync": lambda number: _synced(log, number),
        "replace": lambda old, new, **_: _renamed(log, old, new),
        "rename": lambda old, new, **_: _renamed(log, old, new),
        "link": lambda old, new, **_: log.note("link", os.fspath(old), other=os.path.abspath(new)),
        "unlink": lambda path, dir_fd=None: log.note("unlink", _whole(path, dir_fd)),
        "remove": lambda path, dir_fd=None: log.note("unlink", _whole(path, dir_fd)),
        "mkdir": lambda path, *_, **__: log.note("mkdir", os.fspath(path)),
    }
    before = {name: getattr(os, name) for name in kinds}

    def listening(name: str) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            if name in ("replace", "rename") and os.path.abspath(given[0]) not in log.synced:
                _plain(log, os.fspath(given[0]))
            done = before[name](*given, **named)
            kinds[name](*given, **named)
            return done

        return call

    for name in kinds:
        setattr(os, name, listening(name))
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(os, name, function)


def _synced(log: DiskLog, number: int) -> None:
    path = os.readlink(f"/proc/self/fd/{number}")
    if os.path.isdir(path):
        log.note("sync names", path)
        return
    _plain(log, path)
    log.note("sync", path)
    log.synced.add(path)


def _renamed(log: DiskLog, old: Any, new: Any) -> None:
    log.note("rename", os.fspath(old), other=os.path.abspath(new))


def _plain(log: DiskLog, path: str) -> None:
    """The content of a file of Python's, as it is now; SQLite's files are known write by write."""
    path = os.path.abspath(path)
    if not path.startswith(log.folder) or not os.path.isfile(path):
        return
    with open(path, "rb") as file:
        if file.read(16) != b"SQLite format 3\0":
            file.seek(0)
            log.note("content", path, 0, file.read())


def _whole(path: Any, folder: int | None) -> str:
    if folder is None:
        return os.fspath(path)
    return os.path.join(os.readlink(f"/proc/self/fd/{folder}"), os.fspath(path))
