"""The process is killed without warning in the middle of a set; what was said to be saved is there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.records import Condition, NewImage, Prompt, PromptKind, Role
from storage.store import Store
from storage.study import NewStudy
from tests.gui.annotate.conftest import encoded

SCRIPT = Path(__file__).with_name("annotator_process.py")
ROOT = Path(__file__).parents[3]
LINES_BEFORE_DEATH = 11


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A study with one image set's worth of pictures for each condition."""
    made = tmp_path / "study"
    with Store.create(made, NewStudy("audit", 7)) as store:
        store.add_roles([Role("baker", "baker", "a", "bakers")])
        prompts = [
            Prompt("baker", condition, PromptKind.BASE, f"a photo of a baker, {condition}")
            for condition in Condition
        ]
        store.add_prompts(prompts)
        store.add_generator("drawn-a", "drawn-a", {})
        store.add_images(
            [
                NewImage(
                    *("drawn-a", prompt, seed, f"{prompt.condition} {seed}"),
                    *(encoded(64, 31 * seed + 97 * number), 64, 64, "png"),
                )
                for number, prompt in enumerate(prompts)
                for seed in range(10)
            ]
        )
    return made


def start(folder: Path, wish: str) -> subprocess.Popen[str]:
    """An annotator at work."""
    return subprocess.Popen(
        [sys.executable, str(SCRIPT), str(folder), wish],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_every_acknowledged_answer_survives_a_kill(folder: Path) -> None:
    process = start(folder, "be killed")
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(LINES_BEFORE_DEATH)]
    process.send_signal(signal.SIGKILL)
    # What was written to the pipe before the kill counts as well: it was said.
    said = [*lines, *process.communicate(timeout=30)[0].splitlines()]
    acknowledged = int(said[-1].split()[1])
    assert process.returncode == -signal.SIGKILL

    with Store.open(folder) as store:
        events = store.answer_events(1)
    assert len(events) >= acknowledged > 0
    confirmed = {event.question for event in events if event.answer.is_confirmed}
    assert len(confirmed) >= len(said) - 1

    again = start(folder, "finish")
    output, errors = again.communicate(timeout=120)
    assert again.returncode == 0, errors
    assert int(output.splitlines()[0].split()[1]) == len(events)
    with Store.open(folder) as store:
        after = store.answer_events(1)
    assert after[: len(events)] == events
    done = {(event.image_set_id, event.question) for event in after if event.answer.is_confirmed}
    first = after[0].image_set_id
    assert sum(1 for image_set, _ in done if image_set == first) == 23
