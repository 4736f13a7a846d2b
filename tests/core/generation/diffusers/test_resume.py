"""A run that is killed goes on to the pixel: no image twice, none missing, no torn file."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.jobs import run_here
from core.keys import content_hash
from core.paths import PROJECT
from core.plan import choose_roles, plan_study
from core.running import generate_in
from storage.check import check_study
from storage.making import make_study
from storage.store import Store
from tests import tiny_models

IMAGES = 18 * 2


def new_study(folder: Path) -> Path:
    plan = plan_study("audit", choose_roles("baker"), seed=7, unrelated="everyday", images_per_prompt=2)
    make_study(folder, plan).close()
    return folder


def made(folder: Path) -> dict[tuple[str, int], str]:
    with Store.open(folder) as store:
        images = store.images("tiny-sdxl")
        found = {(one.prompt, one.seed): content_hash(store.image_bytes(one)) for one in images}
        assert len(found) == len(images), "no image twice"
        assert all(one.sha256 == found[one.prompt, one.seed] for one in images), "no torn file"
    return found


def test_a_run_killed_in_the_middle_ends_with_the_bytes_of_an_unbroken_one(
    models: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "generators.json"
    own.write_text(json.dumps({"generators": [tiny_models.row("sdxl", models("sdxl"))]}))
    monkeypatch.setenv("CONTEXTBIAS_GENERATORS", str(own))
    broken, whole = new_study(tmp_path / "broken"), new_study(tmp_path / "whole")
    words = [sys.executable, "main.py", "generate", str(broken), "--generator", "tiny-sdxl"]
    process = subprocess.Popen(words, cwd=PROJECT, env=os.environ, stderr=subprocess.PIPE)
    begun = time.monotonic()
    while len(list((broken / "images").glob("?/*.png"))) < 5:
        assert process.poll() is None, process.stderr and process.stderr.read()
        assert time.monotonic() - begun < 240
        time.sleep(0.005)

    process.send_signal(signal.SIGKILL)
    process.wait()
    if process.stderr is not None:
        process.stderr.close()

    with Store.open(broken) as store:
        before = len(store.images())
        assert 0 < before < IMAGES
        outcome = run_here(generate_in(store, "tiny-sdxl"))
    with Store.open(whole) as store:
        assert run_here(generate_in(store, "tiny-sdxl")).done == IMAGES
    assert (outcome.skipped, outcome.done) == (before, IMAGES - before)
    assert made(broken) == made(whole)
    assert len(made(whole)) == IMAGES
    rest = [one for one in check_study(broken) if "part" not in one.sentence and "no row" not in one.sentence]
    assert not rest, rest
