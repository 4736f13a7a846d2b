"""A server on loopback that speaks the OpenAI protocol and misbehaves as it is told to.

It answers chat completions and responses; `tests/fake_batches.py` adds files and batches. What it
reads off a picture follows from the bytes of the picture alone, so a test knows what a right label is.
`misbehave(call)` decides what happens to a call: return a `Mischief`, or None for a proper answer. As a
module (`--latency 0.4`) it runs by itself and prints its address.
"""

from __future__ import annotations

import argparse
import base64
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

from core.schema import Schema, load_schema

TOKENS_IN, TOKENS_OUT = 5000, 400


@dataclass(frozen=True)
class Call:
    """One request as it arrived."""

    number: int
    path: str
    body: dict[str, Any]
    headers: Mapping[str, str]
    picture: bytes
    try_number: int
    """How often this picture was asked about before, plus one."""


@dataclass(frozen=True)
class Mischief:
    """What is sent instead of a proper answer; the rest of an answer stays proper.

    `content` replaces the text of the answer, `finish` how it ended, `message` adds keys to the message,
    `envelope` replaces the whole JSON body, `raw` the bytes.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content: Any = None
    finish: str = "stop"
    message: Mapping[str, Any] = field(default_factory=dict)
    model: str = ""
    usage: Any = "proper"
    envelope: Any = None
    raw: bytes | None = None
    content_type: str = "application/json"
    delay: float = 0.0
    hang: bool = False
    cut_connection: bool = False
    reset: bool = False
    drip: float = 0.0


def error(status: int, message: str, code: str = "", param: str = "", **headers: str) -> Mischief:
    """An error in the form that OpenAI sends."""
    body = {"error": {"message": message, "type": "invalid_request_error", "code": code, "param": param}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Mischief(status=status, envelope=body, headers=named)


def true_reading(picture: bytes, schema: Schema) -> dict[str, Any]:
    """What this server reads off a picture: labels drawn from its hash."""
    draw = sha256(picture).digest() * 4
    reading: dict[str, Any] = {"n_persons": draw[0] % 4}
    for place, dimension in enumerate(schema.dimensions):
        words = (
            [*dimension.label_ids, "unknown"] if dimension.is_closed else ["red apron", "wooden spoon", "pan"]
        )
        word = words[draw[place + 1] % len(words)]
        reading[dimension.id] = [word] if dimension.is_list else word
    return reading


class Cabinet(Protocol):
    """What keeps files and batches; see `tests/fake_batches.py`."""

    def handle(self, method: str, path: str, data: bytes, content_type: str) -> Mischief:
        """Answer a request about files or batches."""


class FakeServer:
    """The server with its record of everything that it was asked.

    Parameters
    ----------
    misbehave : callable, optional
        Call -> Mischief or None.
    latency : float
        Seconds before every answer.
    schema : Schema, optional
        What it reads for.
    """

    def __init__(
        self,
        misbehave: Callable[[Call], Mischief | None] | None = None,
        latency: float = 0.0,
        schema: Schema | None = None,
        key: str = "",
    ) -> None:
        self.misbehave = misbehave or (lambda call: None)
        self.latency = latency
        self.schema = schema or load_schema()
        self.key = key
        self.model = "fake-vision-1-2026-01-01"
        self.calls: list[Call] = []
        self.paid: Counter[str] = Counter()
        """How often a whole answer about a picture (its SHA-256) was sent."""
        self.cabinet: Cabinet | None = None
        """Files and batches; None on a server that has none."""
        self.under_way = 0
        self.most_under_way = 0
        self.stopping = threading.Event()
        self._tries: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.fake = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    @property
    def base_url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def start(self) -> FakeServer:
        """Listen in a thread."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Stop listening; calls that hang come to an end."""
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def note(self, path: str, body: dict[str, Any], headers: Mapping[str, str]) -> Call:
        """Keep a call."""
        picture = picture_in(body)
        with self._lock:
            digest = sha256(picture).hexdigest()
            self._tries[digest] += 1
            call = Call(len(self.calls) + 1, path, body, headers, picture, self._tries[digest])
            self.calls.append(call)
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
            return call

    def done(self) -> None:
        """A call has come to its end."""
        with self._lock:
            self.under_way -= 1

    def pay(self, call: Call) -> None:
        """Note that a whole answer was sent."""
        with self._lock:
            self.paid[sha256(call.picture).hexdigest()] += 1

    def pictures_paid(self) -> dict[str, int]:
        """How often each picture was answered, without that of the preflight (the first call's)."""
        first = sha256(self.calls[0].picture).hexdigest() if self.calls else ""
        return {digest: count for digest, count in self.paid.items() if digest != first}


@contextmanager
def fake_server(
    misbehave: Callable[[Call], Mischief | None] | None = None, **options: Any
) -> Iterator[FakeServer]:
    """A running server that is stopped at the end."""
    server = FakeServer(misbehave, **options).start()
    try:
        yield server
    finally:
        server.stop()


class _Http(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True
    block_on_close = False
    fake: FakeServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away in the middle is what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    # Without these three, every answer on a kept connection comes 44 ms late.
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Http

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Files and batches."""
        self._cabinet(b"")

    def do_DELETE(self) -> None:
        """Files."""
        self._cabinet(b"")

    def do_POST(self) -> None:
        """Answer a question, or take files and orders."""
        fake = self.server.fake
        length = int(self.headers.get("content-length", 0))
        data = self.rfile.read(length)
        if len(data) < length:
            self.close_connection = True  # whoever asked is gone
            return
        if "/files" in self.path or "/batches" in self.path:
            self._cabinet(data)
            return
        body = json.loads(data) if data[:1] == b"{" else {}
        headers = {name.lower(): value for name, value in self.headers.items()}
        if fake.key and headers.get("authorization") != f"Bearer {fake.key}":
            self._send(error(401, "Incorrect API key provided: " + headers.get("authorization", "")[7:]), b"")
            return
        call = fake.note(self.path, body, headers)
        try:
            self._answer(fake, call)
        finally:
            fake.done()

    def _cabinet(self, data: bytes) -> None:
        fake = self.server.fake
        if fake.cabinet is None:
            self._send(error(404, "Not Found"), b"")
            return
        mischief = fake.cabinet.handle(self.command, self.path, data, self.headers.get("content-type", ""))
        if mischief.hang:
            fake.stopping.wait()
        if mischief.hang or mischief.reset:
            self.close_connection = True
            return
        self._send(mischief, mischief.raw or b"")

    def _answer(self, fake: FakeServer, call: Call) -> None:
        mischief = fake.misbehave(call) or Mischief()
        if mischief.hang:
            fake.stopping.wait()
            self.close_connection = True
            return
        if mischief.reset:
            self.close_connection = True
            return
        fake.stopping.wait(fake.latency + mischief.delay) if fake.latency + mischief.delay else None
        data = body_of(fake, call, mischief)
        self._send(mischief, data)
        if mischief.status == 200 and not mischief.cut_connection:
            fake.pay(call)

    def _send(self, mischief: Mischief, data: bytes) -> None:
        if not data and mischief.envelope is not None:
            data = json.dumps(mischief.envelope).encode()
        self.send_response(mischief.status)
        self.send_header("Content-Type", mischief.content_type)
        self.send_header("Content-Length", str(len(data)))
        for name, value in mischief.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if mischief.cut_connection:
            self.wfile.write(data[: len(data) // 2])
            self.wfile.flush()
            self.close_connection = True
            return
        if mischief.drip:
            for place in range(len(data)):
                self.wfile.write(data[place : place + 1])
                self.wfile.flush()
                if self.server.fake.stopping.wait(mischief.drip):
                    return
        else:
            self.wfile.write(data)
            self.wfile.flush()


def body_of(fake: FakeServer, call: Call, mischief: Mischief) -> bytes:
    """The body of the response to a question."""
    if mischief.raw is not None:
        return mischief.raw
    if mischief.envelope is not None:
        return json.dumps(mischief.envelope).encode()
    content = mischief.content
    if content is None:
        content = json.dumps(true_reading(call.picture, fake.schema))
    model = mischief.model or fake.model
    envelope = (_responses if call.path.endswith("/responses") else _chat)(content, model, mischief)
    return json.dumps(envelope).encode()


def _chat(content: Any, model: str, mischief: Mischief) -> dict[str, Any]:
    message = {"role": "assistant", "content": content, "refusal": None, **mischief.message}
    usage = mischief.usage
    if usage == "proper":
        usage = {
            "prompt_tokens": TOKENS_IN,
            "completion_tokens": TOKENS_OUT,
            "total_tokens": TOKENS_IN + TOKENS_OUT,
        }
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "system_fingerprint": "fp_1",
        "choices": [{"index": 0, "message": message, "finish_reason": mischief.finish}],
        "usage": usage,
    }


def _responses(content: Any, model: str, mischief: Mischief) -> dict[str, Any]:
    refusal = mischief.message.get("refusal")
    part = {"type": "refusal", "refusal": refusal} if refusal else {"type": "output_text", "text": content}
    cut = {"length": "max_output_tokens", "content_filter": "content_filter"}.get(mischief.finish)
    usage = mischief.usage
    if usage == "proper":
        usage = {"input_tokens": TOKENS_IN, "output_tokens": TOKENS_OUT}
    return {
        "id": "resp_1",
        "object": "response",
        "model": model,
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": cut} if cut else None,
        "output": [
            {"type": "reasoning", "summary": []},
            {"type": "message", "role": "assistant", "content": [part]},
        ],
        "usage": usage,
    }


def picture_in(body: dict[str, Any]) -> bytes:
    """The picture of a request in either form."""
    for message in body.get("messages") or body.get("input") or []:
        parts = message.get("content")
        for part in parts if isinstance(parts, list) else []:
            url = part.get("image_url")
            url = url.get("url") if isinstance(url, dict) else url
            if isinstance(url, str) and url.startswith("data:"):
                return base64.b64decode(url.split(",", 1)[1])
    return b""


def main() -> None:
    """Run until told to stop by the end of the standard input."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.0)
    chosen = parser.parse_args()
    with fake_server(latency=chosen.latency) as server:
        print(server.base_url, flush=True)  # noqa: T201 - whoever started it reads the address here
        try:
            while input():
                time.sleep(0)
        except EOFError:
            pass


if __name__ == "__main__":
    main()
