"""A generator that works in steps and needs no model, so that engines can be tried in milliseconds."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Mapping
from typing import Any

from PIL import Image

from core.errors import GeneratorError
from core.generation.generator import run_key
from core.generation.worker import Finish, OnStep
from core.jobs import Job, Progress
from core.keys import seed_of
from core.records import NewImage, Prompt

STEPS = 4


class Stepping:
    """Makes plain pictures in four steps; `refuses` are seeds it cannot do."""

    def __init__(self, seconds_a_step: float = 0.0, refuses: frozenset[int] = frozenset()) -> None:
        self.name = "stepping"
        self.settings: Mapping[str, Any] = {"kind": "stand-in"}
        self.seconds_a_step = seconds_a_step
        self.refuses = refuses
        self.steps_begun = 0
        self.opened: list[str] = []
        self.closed: list[str] = []
        self.shift = 0
        self.shifts: dict[str, int] = {}
        self._lock = threading.Lock()

    def prepare(self) -> Job[None]:
        yield Progress(1, 2, "downloading")

    def devices(self) -> tuple[str, ...]:
        return ("cpu",)

    def title_of(self, device: str) -> str:
        return f"a {device}"

    def open(self, device: str) -> SteppingWorker:
        self.opened.append(device)
        return SteppingWorker(self, device)

    def make(self, prompt: Prompt, seed: int) -> NewImage:
        return self.open("cpu").sample(prompt, seed, lambda *_: None)()

    def __getstate__(self) -> dict[str, Any]:
        """Without the lock, which cannot go to another process."""
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._lock = threading.Lock()

    def count_step(self) -> None:
        with self._lock:
            self.steps_begun += 1


class SteppingWorker:
    """One device of it."""

    def __init__(self, generator: Stepping, device: str) -> None:
        self._generator = generator
        self._device = device

    def sample(self, prompt: Prompt, seed: int, on_step: OnStep) -> Finish:
        generator = self._generator
        if seed in generator.refuses:
            raise GeneratorError(f"Seed {seed} is refused.")
        for number in range(1, STEPS + 1):
            generator.count_step()
            time.sleep(generator.seconds_a_step)
            on_step(number, STEPS)
        shift = generator.shifts.get(self._device, generator.shift)
        return lambda: picture(generator, prompt, seed, self._device, shift)

    def close(self) -> None:
        self._generator.closed.append(self._device)


def picture(generator: Any, prompt: Prompt, seed: int, device: str, shift: int = 0) -> NewImage:
    """A plain picture whose colour follows from prompt and seed; `shift` makes it brighter."""
    number = seed_of(prompt.text, seed)
    colour = tuple(min(number // 256**power % 128 + shift, 255) for power in range(3))
    data = io.BytesIO()
    Image.new("RGB", (16, 16), colour).save(data, "PNG")
    key = run_key(generator.name, generator.settings, prompt.text, seed)
    facts = {"device": {"name": device, "title": f"a {device}"}, "seed": seed, "prompt": prompt.text}
    return NewImage(*(generator.name, prompt, seed, key, data.getvalue(), 16, 16, "png"), provenance=facts)
