"""What a disk may hold after the power was cut at a moment of a `DiskLog`.

What was synced is there. Of what was only asked for, each write may be there, not there, or there in part
(in sectors of 512 bytes); names of files in a folder are kept up to any point since the folder was synced.
That is no more than file systems promise, and the worst that they do.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.safety.disk_log import Request

SECTOR = 512


@dataclass(slots=True)
class Contents:
    """A file without its name: what is on the disk, and what is on its way."""

    safe: bytes = b""
    pending: list[Request] = field(default_factory=list)

    def settle(self) -> None:
        """Everything asked for is on the disk now."""
        if self.pending:
            data = bytearray(self.safe)
            for request in self.pending:
                _apply(data, request, request.data)
            self.safe, self.pending = bytes(data), []

    def after_cut(self, rng: random.Random) -> bytes:
        """One of the things that the disk may hold."""
        if not self.pending:
            return self.safe
        data, temper = bytearray(self.safe), rng.choice(("none", "all", "some", "some", "torn"))
        for request in self.pending:
            fate = {"none": 0.0, "all": 1.0}.get(temper, rng.random())
            if fate >= 0.5 or (temper == "torn" and request.kind != "truncate"):
                _apply(data, request, _torn(request, rng) if temper == "torn" else request.data)
        return bytes(data)


def _apply(data: bytearray, request: Request, new: bytes | list[tuple[int, bytes]]) -> None:
    if request.kind == "truncate":
        del data[request.offset :]
        return
    if request.kind == "content":
        data.clear()
    for offset, piece in [(request.offset, new)] if isinstance(new, bytes) else new:
        if len(data) < offset:
            data.extend(bytes(offset - len(data)))
        data[offset : offset + len(piece)] = piece


def _torn(request: Request, rng: random.Random) -> list[tuple[int, bytes]]:
    pieces = [
        (request.offset + start, request.data[start : start + SECTOR])
        for start in range(0, len(request.data), SECTOR)
    ]
    return [piece for piece in pieces if rng.random() < 0.6]


class Disk:
    """Follows a log and can say at any moment what a cut would leave."""

    def __init__(self, folder: Path) -> None:
        """Begin with the folder as it is, all of it synced."""
        root = str(folder.resolve())
        self.root = root
        self._now: dict[str, Contents | None] = {root: None}
        for place, folders, files in os.walk(root):
            self._now |= {os.path.join(place, name): None for name in folders}
            for name in files:
                if not name.endswith("-shm"):
                    path = os.path.join(place, name)
                    self._now[path] = Contents(Path(path).read_bytes())
        self._safe = dict(self._now)
        self._names: list[Request] = []
        self.kept: list[object] = []

    def follow(self, requests: Iterable[Request]) -> None:
        """Take requests in."""
        for request in requests:
            getattr(self, f"_{request.kind.replace(' ', '_')}")(request)

    def write_after_cut(self, target: Path, rng: random.Random) -> None:
        """Put what a cut now may leave into a folder that is not there yet."""
        names = dict(self._safe)
        lasting = {folder: rng.randint(0, 3) / 3 for folder in {_folder_of(one) for one in self._names}}
        for folder, share in lasting.items():
            asked = [one for one in self._names if _folder_of(one) == folder]
            for request in asked[: round(share * len(asked))]:
                _rename(names, request, self._now)
        target.mkdir()
        for path in sorted(names, key=lambda path: path.count("/")):
            place = target / os.path.relpath(path, self.root)
            contents = names[path]
            if not place.parent.is_dir():
                continue  # its folder did not last
            if contents is None:
                place.mkdir(exist_ok=True)
            else:
                place.write_bytes(contents.after_cut(rng))

    # One method a kind of request

    def _kept(self, request: Request) -> None:
        self.kept.append(request.other)

    def _contents(self, path: str) -> Contents:
        found = self._now.get(path)
        if found is None:
            self._create(Request("create", path))
            found = self._now[path]
        assert found is not None
        return found

    def _create(self, request: Request) -> None:
        if request.path not in self._now:
            made = Contents()
            self._now[request.path] = made
            self._names.append(Request("create", request.path, other=made))

    def _write(self, request: Request) -> None:
        self._contents(request.path).pending.append(request)

    _truncate = _content = _write

    def _sync(self, request: Request) -> None:
        self._contents(request.path).settle()

    def _unlink(self, request: Request) -> None:
        if self._now.pop(request.path, None) is not None:
            self._names.append(request)

    def _name(self, request: Request) -> None:
        _rename(self._now, request, self._now)
        self._names.append(request)

    _rename = _link = _name

    def _mkdir(self, request: Request) -> None:
        if request.path not in self._now:
            self._now[request.path] = None
            self._names.append(request)

    def _sync_names(self, request: Request) -> None:
        for one in [one for one in self._names if _folder_of(one) == request.path]:
            _rename(self._safe, one, self._now)
            self._names.remove(one)


def _folder_of(request: Request) -> str:
    """The folder whose names a request changes; a rename is one act, noted at its target."""
    path = request.other if request.kind in ("rename", "link") else request.path
    return os.path.dirname(path)


def _rename(names: dict[str, Contents | None], request: Request, now: dict[str, Contents | None]) -> None:
    """Carry out a change of names."""
    if request.kind == "create":
        names[request.path] = request.other
    elif request.kind == "mkdir":
        names[request.path] = None
    elif request.kind == "unlink":
        names.pop(request.path, None)
    else:
        # The source's own name may not have lasted, but a rename carries the file along.
        moved = names.get(request.path, now.get(request.other))
        if request.kind == "rename":
            names.pop(request.path, None)
        names[request.other] = moved
