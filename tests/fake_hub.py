"""A server on loopback that gives out a model folder as the hub does, or refuses in the hub's own ways."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

REPOSITORY, COMMIT = "lab/tiny", "c0ffee" + 34 * "0"


class FakeHub(ThreadingHTTPServer):
    """`refusal` is an HTTP status with the hub's word for it; `cut` ends every weights file early."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folder = folder
        self.refusal: tuple[int, str] | None = None
        self.sent: list[str] = []

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def running(folder: Path) -> Iterator[FakeHub]:
    """A hub with one repository, while the block lasts."""
    hub = FakeHub(folder)
    thread = threading.Thread(target=hub.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.shutdown()
        hub.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: FakeHub

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def _answer(self, *, with_body: bool) -> None:
        path = self.path.partition("?")[0]
        if self.server.refusal is not None:
            status, word = self.server.refusal
            self._send(status, b"{}", {"X-Error-Code": word}, with_body)
        elif path == f"/api/models/{REPOSITORY}/tree/{COMMIT}":
            rows = [_row(self.server.folder, file) for file in _files(self.server.folder)]
            self._send(200, json.dumps(rows).encode(), {"Content-Type": "application/json"}, with_body)
        elif path.startswith(f"/api/models/{REPOSITORY}"):
            names = [file.relative_to(self.server.folder).as_posix() for file in _files(self.server.folder)]
            facts = {"id": REPOSITORY, "modelId": REPOSITORY, "sha": COMMIT, "private": False, "gated": False}
            facts |= {"siblings": [{"rfilename": name} for name in names], "tags": [], "downloads": 0}
            self._send(200, json.dumps(facts).encode(), {"Content-Type": "application/json"}, with_body)
        else:
            self._file(path, with_body)

    def _file(self, path: str, with_body: bool) -> None:
        begin = f"/{REPOSITORY}/resolve/{COMMIT}/"
        file = self.server.folder / path.removeprefix(begin)
        if not path.startswith(begin) or not file.is_file():
            self._send(404, b"", {"X-Error-Code": "EntryNotFound"}, with_body)
            return
        data = file.read_bytes()
        if with_body:
            self.server.sent.append(file.relative_to(self.server.folder).as_posix())
        etag = hashlib.sha256(data).hexdigest()
        self._send(200, data, {"ETag": f'"{etag}"', "X-Repo-Commit": COMMIT}, with_body)

    def _send(self, status: int, data: bytes, headers: dict[str, str], with_body: bool) -> None:
        self.send_response(status)
        for name, value in (headers | {"Content-Length": str(len(data))}).items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(data)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _row(folder: Path, file: Path) -> dict[str, Any]:
    data = file.read_bytes()
    name = file.relative_to(folder).as_posix()
    return {"type": "file", "path": name, "size": len(data), "oid": hashlib.sha1(data).hexdigest()}
