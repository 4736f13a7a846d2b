"""The whole window on a real X server, as a person starts it; pictures of all pages stay in `artefacts`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import main
from gui.platform_check import missing_system_packages

PROJECT = Path(__file__).resolve().parents[2]
PAGES = ["study", "prompts", "generate", "extract", "annotate", "team", "agreement", "results"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Xvfb is a Linux program")
@pytest.mark.skipif(not shutil.which("xvfb-run"), reason="Xvfb is not installed; tests/prepare.py does that")
@pytest.mark.skipif(bool(missing_system_packages()), reason="the X11 libraries that Qt needs are missing")
def test_every_page_of_a_study_shows_in_a_real_window(tmp_path: Path) -> None:
    study, out = tmp_path / "study", PROJECT / "artefacts"
    out.mkdir(exist_ok=True)
    roles = "baker,doctor,farmer,mechanic,nurse,teacher"
    assert main.main(["new", str(study), "--roles", roles, "--images-per-prompt", "2"]) == 0
    assert main.main(["generate", str(study), "--generator", "drawn-a"]) == 0
    assert main.main(["extract", str(study), "--extractor", "drawn-reader"]) == 0
    assert main.main(["simulate", str(study)]) == 0
    environment = {name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"}
    environment |= {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    script = str(PROJECT / "tests" / "gui" / "real_window.py")
    command = ["xvfb-run", "-a", "-s", "-screen 0 1920x1080x24", sys.executable, script, str(study), str(out)]

    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    seen = json.loads((out / "seen.json").read_text())
    assert [name for name in seen if name in PAGES] == PAGES
    assert all((out / f"{name}.png").stat().st_size > 10_000 for name in PAGES)
