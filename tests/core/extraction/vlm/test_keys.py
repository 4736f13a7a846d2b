"""The key reaches the server and nothing else: no record, no error, no log, no file, no other server."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest

from core.errors import UserError
from core.jobs import run_here
from core.keys import canonical_json
from core.records import Status
from core.running import extract_in
from core.schema import load_schema
from storage.store import Store
from tests.core.extraction.vlm.shelf import SCHEMA, Shelf, images, make_extractor, options, png
from tests.fake_server import Call, Mischief, error, true_reading
from tests.storage.builders import ROLES, make_image, make_prompt, make_study

KEY = "sk-lab-Zx81QwertY-7788aa"
PIECES = [KEY[start : start + 8] for start in range(len(KEY) - 7)]


def holds_key(data: bytes | str) -> bool:
    text = data.decode("latin-1") if isinstance(data, bytes) else data
    return any(piece in text for piece in PIECES)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_KEY", KEY)


def echo(call: Call) -> Mischief | None:
    """A server that repeats the key wherever it can, and then some."""
    if call.number % 3 == 0:
        return error(500, f"Header was Authorization: Bearer {KEY}", x_echo=KEY)
    if call.number % 3 == 1:
        reading = true_reading(call.picture, SCHEMA) | {"items": [KEY[:20]], "comment": f"Your key is {KEY}"}
        return Mischief(content=json.dumps(reading), headers={"x-echo": KEY})
    return None


def test_the_server_gets_it(serve: Any) -> None:
    server = serve(key=KEY)
    run_here(make_extractor(server, key_variable="LAB_KEY").prepare())
    assert server.calls[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_study_holds_no_piece_of_it_although_the_server_echoes_it(serve: Any, tmp_path: Path) -> None:
    server = serve(echo, key=KEY)
    with Store.create(tmp_path / "study", make_study()) as store:
        store.add_roles(ROLES)
        store.add_prompts([make_prompt()])
        store.add_generator("drawn-a", "drawn", {})
        for number in range(12):
            store.add_image(make_image(number, data=png(number)))
        chosen = options(server, key_variable="LAB_KEY", concurrency=3)
        outcome = run_here(extract_in(store, "vlm", load_schema(), options=chosen))

    assert outcome.done == 12
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == "study.sqlite" for path in files)
    assert [path.name for path in files if holds_key(path.read_bytes())] == []


@pytest.mark.parametrize(
    "mischief",
    [
        error(401, f"Incorrect API key provided: {KEY}"),
        error(403, f"{KEY[:10]}**** may not"),
        error(400, f"Bad header Bearer {KEY}"),
        Mischief(404, raw=f"<html>{KEY}</html>".encode()),
        Mischief(raw=KEY.encode()),
        Mischief(envelope={"error": f"key {KEY} is wrong"}),
        Mischief(content=f"I'm sorry, {KEY}."),
        Mischief(reset=True),
    ],
)
def test_no_error_shows_it_however_it_is_printed(
    serve: Any, mischief: Mischief, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    server = serve(lambda call: mischief if call.number > 1 else None)
    shelf = Shelf()
    extractor = make_extractor(server, key_variable="LAB_KEY")
    printed: list[str] = [repr(extractor.options), str(vars(extractor))]
    try:
        outcome = run_here(extractor.read_many(images(3), shelf, shelf))
        printed.append(repr(outcome))
    except UserError as caught:
        printed += [str(caught), repr(caught)]
        told = traceback.TracebackException.from_exception(caught, capture_locals=True).format()
        printed += [text for text in told if "test_keys.py" not in text]

    printed += [canonical_json([record.raw, record.reason]) for record in shelf.records]
    printed += [caplog.text, *capfd.readouterr()]
    assert not [text for text in printed if holds_key(text)]
    assert all(record.status is not Status.OK for record in shelf.records)


def test_it_is_in_no_command_line(serve: Any) -> None:
    server = serve(key=KEY)
    code = (
        "import sys; from core.extraction.vlm import VlmOptions, vlm_extractor;"
        "from core.jobs import run_here; from core.schema import load_schema;"
        "e = vlm_extractor(load_schema(), VlmOptions('m', sys.argv[1], key_variable='LAB_KEY'));"
        "run_here(e.prepare()); print(e.name);"
        "print(open('/proc/self/cmdline').read() if sys.platform == 'linux' else '')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, server.base_url],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": "."},
    )
    assert done.stdout.startswith("vlm-")
    assert not holds_key(done.stdout + done.stderr)
