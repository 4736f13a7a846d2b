"""Quick stand-ins for generators, and pages that are shown on a study of one role."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pytestqt.qtbot import QtBot

from core.errors import BadInput, GeneratorError
from core.generation import registry
from core.generation.generator import run_key_of
from core.jobs import run_here
from core.keys import seed_of
from core.plan import choose_roles, plan_study
from core.records import NewImage, Prompt
from core.running import generate_in
from gui.pages.page import Page
from gui.studio import Studio
from storage.making import make_study
from storage.store import Store

Settle = Callable[[Studio], None]
NAMES = ("drawn-a", "drawn-b")
PROMPTS = 18


class QuickGenerator:
    """Makes small pictures of one colour; `refuses` are seeds it cannot do, `seconds` how long one takes."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.settings: dict[str, Any] = {"kind": "drawn", "size": 16}
        self.refuses: set[int] = set()
        self.seconds = 0.0
        self.turn = 0

    def make(self, prompt: Prompt, seed: int) -> NewImage:
        """One picture; its colour depends on generator, prompt, seed and turn."""
        time.sleep(self.seconds)
        if seed in self.refuses:
            raise GeneratorError("The paint ran out.")
        number = seed_of(self.name, prompt.text, seed, self.turn)
        data = io.BytesIO()
        colour = (number % 256, number // 256 % 256, number // 65536 % 256)
        Image.new("RGB", (16, 16), colour).save(data, "PNG")
        truth = {"mood": ("calm",), "age_range": ("middle_aged",), "pose": ("standing",)}
        return NewImage(
            *(self.name, prompt, seed, run_key_of(self, prompt, seed), data.getvalue(), 16, 16, "png"),
            truth=truth,
        )


@pytest.fixture
def generators(monkeypatch: pytest.MonkeyPatch) -> dict[str, QuickGenerator]:
    """Quick generators in the place of the embedded ones."""
    made = {name: QuickGenerator(name) for name in NAMES}

    def by_name(name: str) -> QuickGenerator:
        if name not in made:
            raise BadInput(f"There is no generator {name!r}.")
        return made[name]

    monkeypatch.setattr(registry, "by_name", by_name)
    monkeypatch.setattr(registry, "names", lambda: NAMES)
    return made


@pytest.fixture
def planned(generators: dict[str, QuickGenerator], tmp_path: Path) -> Path:
    """A study of one role with two images a prompt and none made yet."""
    plan = plan_study("audit", choose_roles("baker"), seed=7, unrelated="everyday", images_per_prompt=2)
    make_study(tmp_path / "planned", plan).close()
    return tmp_path / "planned"


@pytest.fixture
def made(planned: Path, generators: dict[str, QuickGenerator]) -> Path:
    """The study of one role with all images of the first generator."""
    with Store.open(planned) as store:
        run_here(generate_in(store, "drawn-a"))
    return planned


@pytest.fixture
def shown(qtbot: QtBot, studio: Studio, settle: Settle) -> Callable[[type[Page], Path], Any]:
    """Open a study and show a page on it."""

    def show(kind: type[Page], folder: Path, width: int = 1280) -> Page:
        studio.open_study(folder)
        settle(studio)
        page = kind(studio)
        qtbot.addWidget(page)
        page.show_pages(frozenset({"generate", "extract", "annotate"}))
        page.resize(width, 720)
        page.show()
        settle(studio)
        return page

    return show
