"""A written report in a browser: it asks for nothing but itself, and nothing in it is complained about."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image

from core.jobs import run_here
from core.report.material import Material
from core.report.writing import write_report
from tests.core.report.conftest import HOSTILE

pytestmark = pytest.mark.skipif(shutil.which("chromium") is None, reason="no Chromium on this machine")

OUTSIDE = "https://example.org/a.png"
ALONE = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr"),
)


class Opened(NamedTuple):
    """What became of a page: its elements, what the console said, and every address it asked for."""

    elements: str
    console: list[str]
    asked_for: set[str]


def opened_in_chromium(page: Path, folder: Path) -> Opened:
    """Open a file without a network; what the browser asks for on its own account is not counted."""
    log = folder / f"{page.stem}.json"
    command = ["chromium", *ALONE, f"--user-data-dir={folder / page.stem}", f"--log-net-log={log}"]
    done = subprocess.run(
        [*command, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=120, check=True
    )
    asked = [event.get("params", {}) for event in json.loads(log.read_text(encoding="utf-8"))["events"]]
    own = {one["url"] for one in asked if one.get("initiator", "not an origin") != "not an origin"}
    return Opened(done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line], own)


def test_it_asks_for_nothing_and_has_no_complaint(
    hostile: Material, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Names in it are addresses of pictures and scripts; a page that does load one is seen to do so."""
    grey = io.BytesIO()
    Image.new("L", (40, 20), 128).save(grey, "PNG")
    monkeypatch.setattr("core.report.html.figure_bytes", lambda drawing, kind, **more: grey.getvalue())
    (report,) = run_here(write_report(hostile, tmp_path / "report.html"))
    loud = tmp_path / "loud.html"
    loud.write_text(f'<img src="{OUTSIDE}"><script>console.log("heard")</script>', encoding="utf-8")

    with ThreadPoolExecutor() as both:
        found, heard = both.map(partial(opened_in_chromium, folder=tmp_path), (report, loud))

    assert (heard.asked_for, len(heard.console)) == ({OUTSIDE}, 1)
    assert found.asked_for == set()
    assert found.console == []
    assert "Limits of what may be concluded" in found.elements
    assert HOSTILE not in found.elements
    loaded = re.findall(r'<[^>]*?\s(?:src|srcset|href)="([^"]*)"', found.elements)
    assert len(loaded) > 8
    assert all(one.startswith(("data:image/", "#")) for one in loaded)
