"""The annotator's program as one file: built and started. By name only: `pytest -m bundle`, three minutes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests import team

ROOT = Path(__file__).resolve().parents[2]
SPEC = ROOT / "resources" / "packaging" / "annotator.spec"
MOST_BYTES = 80_000_000

pytestmark = [
    pytest.mark.bundle,
    pytest.mark.skipif(find_spec("PyInstaller") is None, reason="needs pip install pyinstaller"),
]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("bundle")
    folders = ["--distpath", str(place / "dist"), "--workpath", str(place / "work")]
    build = [sys.executable, "-m", "PyInstaller", *folders, str(SPEC)]
    subprocess.run(build, check=True, capture_output=True)
    (found,) = (place / "dist").iterdir()
    return found


def test_it_is_one_file_of_a_size_that_can_be_sent(program: Path) -> None:
    assert program.stat().st_size < MOST_BYTES


def test_it_starts_without_python_and_opens_a_packet(program: Path, tmp_path: Path) -> None:
    with team.new_study(tmp_path / "study", roles=1, generators=("sdxl-turbo",), roomy=0) as store:
        team.open_round(store, training=0)
        team.packet_for(store, "Ana", tmp_path / "ana.packet")
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    environment |= {"QT_QPA_PLATFORM": "offscreen", "CONTEXTBIAS_LOGS": str(tmp_path / "logs")}

    # A group of its own: the one file starts a second process, and both are to end.
    started = subprocess.Popen(
        [str(program), str(tmp_path / "ana.packet")], env=environment, start_new_session=True
    )
    try:
        deadline = time.monotonic() + 60
        while not _is_open(tmp_path / "ana.packet") and time.monotonic() < deadline:
            assert started.poll() is None
            time.sleep(0.2)
        assert _is_open(tmp_path / "ana.packet")
    finally:
        os.killpg(started.pid, signal.SIGTERM)
        started.wait(30)


def test_it_says_how_it_is_used(program: Path) -> None:
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "CONTEXTBIAS_LOGS": ""}
    asked = [str(program), "--help"]
    done = subprocess.run(asked, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 0
    assert "PACKET" in done.stdout


def _is_open(packet: Path) -> bool:
    """Whether a window holds the packet, which it does for as long as it shows it."""
    from core.errors import StoreError
    from storage.packet_book import PacketBook

    try:
        PacketBook(packet, is_sitting=False).close()
    except StoreError as error:
        return "open in another window" in error.sentence
    return False
