"""Files and batches of the fake server: an order moves on by one status whenever it is looked at.

`fate(number)` says how the order with that number ends, `line_fate(place, request)` what becomes of a
request, and `misbehave(method, path, number)` what happens to a call before it is carried out ("reset after"
carries it out and breaks the connection off, so that nobody learns of it).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from tests.fake_server import Call, FakeServer, Mischief, body_of, error, picture_in

ENDS = ("completed", "failed", "expired", "cancelled")


class FakeBatches:
    """What the server keeps.

    Parameters
    ----------
    server : FakeServer
        Whose answers it gives.
    """

    def __init__(self, server: FakeServer) -> None:
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.uploads: list[bytes] = []
        self.looks: Counter[str] = Counter()
        self.paid: Counter[str] = Counter()
        """How often each request (its custom_id) was answered."""
        self.calls: list[tuple[str, str]] = []
        self.looks_until_over = 2
        self.fate: Callable[[int], str] = lambda number: "completed"
        self.line_fate: Callable[[int, dict[str, Any]], Any] = lambda place, request: "ok"
        self.misbehave: Callable[[str, str, int], Mischief | str | None] = lambda method, path, number: None
        self.errors: list[dict[str, str]] = []
        self.more_lines: list[bytes] = []
        self.has_error_file = True
        self._server = server
        server.cabinet = self

    def handle(self, method: str, path: str, data: bytes, content_type: str) -> Mischief:
        """Answer a request."""
        path = path.split("?")[0].removeprefix("/v1")
        self.calls.append((method, path))
        mischief = self.misbehave(method, path, len(self.calls))
        if isinstance(mischief, Mischief):
            return mischief
        answer = self._carry_out(method, path, data, content_type)
        return Mischief(reset=True) if mischief == "reset after" else answer

    def _carry_out(self, method: str, path: str, data: bytes, content_type: str) -> Mischief:
        if path == "/files":
            return self._upload(data, content_type)
        if path.startswith("/files/") and path.endswith("/content"):
            found = self.files.get(path.split("/")[2])
            return Mischief(raw=found) if found is not None else error(404, "No such File object")
        if path.startswith("/files/"):
            self.files.pop(path.split("/")[2], None)
            return Mischief(envelope={"id": path.split("/")[2], "object": "file", "deleted": True})
        if path == "/batches":
            return self._order(json.loads(data)) if method == "POST" else self._list()
        batch = self.batches.get(path.split("/")[2])
        if batch is None:
            return error(404, "No batch found")
        if path.endswith("/cancel"):
            batch["status"] = "cancelling"
        elif batch["status"] not in ENDS:
            self._move_on(batch)
        return Mischief(envelope=batch)

    def _upload(self, data: bytes, content_type: str) -> Mischief:
        self.uploads.append(data)
        boundary = re.search("boundary=([^;]+)", content_type)
        assert boundary is not None
        parts = data.split(b"--" + boundary[1].encode())
        (content,) = [part.split(b"\r\n\r\n", 1)[1][:-2] for part in parts if b"filename=" in part]
        name = f"file-{len(self.files) + len(self.calls)}"
        self.files[name] = content
        return Mischief(envelope={"id": name, "object": "file", "bytes": len(content), "purpose": "batch"})

    def _order(self, asked: dict[str, Any]) -> Mischief:
        name = f"batch_{len(self.batches) + 1}"
        self.batches[name] = {
            "id": name, "object": "batch", "status": "validating", "created_at": 1, "errors": None,
            "output_file_id": None, "error_file_id": None, "request_counts": None, **asked,
        }  # fmt: skip
        return Mischief(envelope=self.batches[name])

    def _list(self) -> Mischief:
        return Mischief(envelope={"object": "list", "data": list(self.batches.values()), "has_more": False})

    def _move_on(self, batch: dict[str, Any]) -> None:
        number = int(batch["id"].split("_")[1])
        self.looks[batch["id"]] += 1
        fate = self.fate(number)
        if batch["status"] == "cancelling":
            fate = "cancelled"
        elif fate == "stuck":
            return
        elif self.looks[batch["id"]] < self.looks_until_over:
            batch["status"] = "in_progress"
            return
        batch["status"] = fate
        if fate == "failed":
            batch["errors"] = {"object": "list", "data": self.errors} if self.errors else None
        else:
            self._answer(batch, fate)

    def _answer(self, batch: dict[str, Any], fate: str) -> None:
        lines = self.files[batch["input_file_id"]].splitlines()
        answers, errors = [], []
        for place, line in enumerate(lines):
            request = json.loads(line)
            what = self.line_fate(place, request)
            if what == "missing":
                continue
            if what in ("expired", "cancelled"):
                told = {"code": f"batch_{what}", "message": "Not done in time."}
                errors.append({"id": "r", "custom_id": request["custom_id"], "response": None, "error": told})
                continue
            mischief = what if isinstance(what, Mischief) else Mischief()
            reply = self._reply(request, mischief)
            if mischief.status == 200:
                self.paid[request["custom_id"]] += 1
            (answers if mischief.status == 200 else errors).extend([reply] * (2 if what == "twice" else 1))
        text = b"".join(json.dumps(line).encode() + b"\n" for line in reversed(answers))
        self.files["out-" + batch["id"]] = text + b"".join(line + b"\n" for line in self.more_lines)
        batch["output_file_id"] = "out-" + batch["id"] if answers or self.more_lines else None
        if errors and self.has_error_file:
            self.files["err-" + batch["id"]] = b"".join(json.dumps(line).encode() + b"\n" for line in errors)
            batch["error_file_id"] = "err-" + batch["id"]
        batch["request_counts"] = {"total": len(lines), "completed": len(answers), "failed": len(errors)}

    def _reply(self, request: dict[str, Any], mischief: Mischief) -> dict[str, Any]:
        call = Call(0, request["url"], request["body"], {}, picture_in(request["body"]), 1)
        body = json.loads(body_of(self._server, call, mischief))
        digest = sha256(request["custom_id"].encode()).hexdigest()[:8]
        response = {"status_code": mischief.status, "request_id": digest, "body": body}
        return {
            "id": f"batch_req_{digest}",
            "custom_id": request["custom_id"],
            "response": response,
            "error": None,
        }
