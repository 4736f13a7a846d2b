"""A key that is used in a full run is nowhere afterwards: study, log, exports, packet, report, details."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import main
from core.errors import ExtractorError
from core.log_file import stop_log, told_traceback
from core.schema import load_schema
from tests.fake_server import Call, Mischief, error, fake_server, true_reading

KEY = "sk-lab-Zx81QwertY-7788aa"
PIECES = [KEY[start : start + 8].encode() for start in range(len(KEY) - 7)]


def echo(call: Call) -> Mischief | None:
    """A server that repeats the key wherever it can."""
    if call.number % 3 == 0:
        return error(400, f"Header was Authorization: Bearer {KEY}", x_echo=KEY)
    if call.number % 3 == 1:
        reading = true_reading(call.picture, load_schema()) | {"items": [KEY[:20]]}
        return Mischief(content=json.dumps(reading), headers={"x-echo": KEY})
    return None


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("CONTEXTBIAS_LOGS", str(tmp_path / "all" / "logs"))
    monkeypatch.setenv("LAB_KEY", KEY)
    yield tmp_path / "all" / "logs"
    stop_log()


def test_after_a_full_run_with_a_marked_key_it_is_nowhere(
    tmp_path: Path, logs: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "all"
    study, out = str(place / "study"), place / "out"
    with fake_server(echo, key=KEY) as server:
        asking = ["--extractor", "vlm", "--model", "m", "--base-url", server.base_url]
        asking += ["--key-variable", "LAB_KEY"]
        for line in (
            ["new", study, "--roles", "2", "--unrelated", "everyday", "--generators", "drawn-a"],
            ["generate", study, "--generator", "drawn-a", "--limit", "6"],
            ["extract", study, *asking],
            ["doctor", study, "--contents"],
            ["round", study, "--images", "4", "--gold", "0", "--repeats", "0", "--training", "0"],
            ["packet", study, "--annotator", "Ana", "--out", str(out / "ana.packet")],
            ["handin", str(out / "ana.packet"), "--out", str(out / "ana.handin")],
            ["export", study, "--out", str(out / "answers")],
            ["export", study, "--format", "imagefolder", "--out", str(out / "pictures")],
            ["report", study, "--bootstrap", "0", "--out", str(out / "report.html")],
        ):
            assert main.main(line) in (0, 1), line
        assert any(KEY in call.headers.get("authorization", "") for call in server.calls)
    said = capfd.readouterr()
    details = told_traceback(ExtractorError(f"The server said: Incorrect key {KEY}."))

    assert (out / "report.html").stat().st_size > 10_000
    assert "extract ended with code" in (logs / "contextbias-studio.log").read_text(encoding="utf-8")
    for piece in PIECES:
        assert piece.decode() not in said.out + said.err + details
    for path in place.rglob("*"):
        if path.is_file():
            content = everything_in(path)
            assert not any(piece in content for piece in PIECES), path


def everything_in(path: Path) -> bytes:
    """The bytes of a file, with what is packed inside its cells unpacked."""
    content = path.read_bytes()
    if not content.startswith(b"SQLite format 3"):
        return content
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        for table in tables:
            for row in connection.execute(f"SELECT * FROM {table}"):
                content += b"".join(_unpacked(cell) for cell in row if isinstance(cell, bytes))
    return content


def _unpacked(cell: bytes) -> bytes:
    try:
        return zlib.decompress(cell)
    except zlib.error:
        return b""
