"""What our loop costs beside a bare loop of diffusers, and whether a window stays live while a model works.

Run by name: `python tests/benchmarks/bench_generate.py`. A tiny pipeline is set to about 200 ms an image;
bare and ours are interleaved in one run. Ours stores every image in a study: checked, encoded, with its
thumbnail, forced to the disk. With Ray installed, two workers are compared with one.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path
from statistics import mean, median
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.engines.local import LocalEngine
from core.generation.diffusers.generator import DiffusersGenerator
from core.generation.entry_rules import entry_from
from core.generation.job import make_tasks
from core.generation.reports import Task
from core.jobs import run_here
from core.plan import choose_roles, plan_study
from storage.making import make_study
from storage.store import Store
from tests import tiny_models
from tests.contracts.generator_contract import make_prompt

MILLISECONDS = 200
ROUNDS, IMAGES = 7, 12


def generator(folder: Path, steps: int = 2) -> DiffusersGenerator:
    """The tiny SDXL with so many steps."""
    if not folder.exists():
        tiny_models.save("sdxl", folder)
    return DiffusersGenerator(entry_from(tiny_models.row("sdxl", folder, steps=steps), folder / "own.json"))


def bare(pipe: Any, seeds: range, steps: int) -> float:
    """Seconds an image of a plain loop that keeps nothing, in torch's fastest mode as ours."""
    import torch

    begun = time.perf_counter()
    with torch.inference_mode():
        for seed in seeds:
            pipe(
                prompt="a photo of a baker",
                negative_prompt="",
                guidance_scale=5.0,
                generator=torch.Generator("cpu").manual_seed(seed),
                width=64,
                height=64,
                num_inference_steps=steps,
            )
    return (time.perf_counter() - begun) / len(seeds)


class Loaded:
    """A generator whose pipeline is there already, so that loading is not counted."""

    def __init__(self, inner: DiffusersGenerator, worker: Any) -> None:
        self.inner, self.worker = inner, worker
        self.name, self.settings = inner.name, inner.settings
        self.prepare, self.devices, self.title_of = inner.prepare, inner.devices, inner.title_of
        self.make = inner.make

    def open(self, device: str) -> Any:
        return self

    def sample(self, *values: Any) -> Any:
        return self.worker.sample(*values)

    def close(self) -> None:
        """Stays loaded."""


def ours(store: Store, made: Loaded, tasks: list[Task]) -> float:
    """Seconds an image of our job, with everything that it keeps."""
    begun = time.perf_counter()
    outcome = run_here(make_tasks(tasks, made, store, LocalEngine()))
    assert outcome.done == len(tasks)
    return (time.perf_counter() - begun) / len(tasks)


def overhead(folder: Path) -> None:
    """Bare and ours, one after the other, several times."""
    first = generator(folder / "model")
    worker: Any = first.open("cpu")
    bare(worker._pipe, range(3), 2)
    a_step = (bare(worker._pipe, range(5), 12) - bare(worker._pipe, range(5), 2)) / 10
    steps = max(int(MILLISECONDS / 1000 / a_step), 2)
    made = generator(folder / "model", steps)
    loaded = Loaded(made, made.open("cpu"))
    plain = made.open("cpu")._pipe  # type: ignore[attr-defined]
    plan = plan_study("bench", choose_roles("baker"), unrelated="everyday")
    with make_study(folder / "study", plan) as store:
        store.add_generator(made.name, "diffusers", made.settings)
        prompt = store.prompts()[0]
        times: list[tuple[float, float]] = []
        for number in range(ROUNDS + 1):
            seeds = range(number * IMAGES, (number + 1) * IMAGES)
            tasks: list[Task] = [(prompt, seed) for seed in seeds]
            times.append((bare(plain, seeds, steps), ours(store, loaded, tasks)))
    without, with_all = (median(column) for column in zip(*times[1:], strict=True))
    ratio = median(later / before for before, later in times[1:])
    print(
        f"{steps} steps: bare {1000 * without:.1f} ms an image, ours {1000 * with_all:.1f} ms "
        f"({ROUNDS} pairs of {IMAGES} images, starting and ending included): "
        f"{1000 * (with_all - without):+.1f} ms, median ratio of the pairs {ratio:.3f} (wanted ≤ 1.03)"
    )


def liveness(folder: Path) -> None:
    """How late a timer of 10 ms fires in the window's thread while a model works in another."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from gui.tasks import TaskRunner

    application = QApplication.instance() or QApplication([])
    made = generator(folder / "model", 20)
    loaded = Loaded(made, made.open("cpu"))
    late: list[float] = []
    due = [time.perf_counter() + 0.01]

    def fired() -> None:
        now = time.perf_counter()
        late.append(max(now - due[0], 0.0))
        due[0] = now + 0.01

    timer = QTimer()
    timer.setInterval(10)
    timer.timeout.connect(fired)
    plan = plan_study("bench", choose_roles("baker"), unrelated="everyday")
    with make_study(folder / "live", plan) as store:
        store.add_generator(made.name, "diffusers", made.settings)
        prompt = store.prompts()[0]
        runner = TaskRunner()
        runner.run("bench", make_tasks([(prompt, seed) for seed in range(40)], loaded, store, LocalEngine()))
        due[0] = time.perf_counter() + 0.01
        timer.start()
        while not runner.is_idle:
            application.processEvents()
            time.sleep(0.0005)
        timer.stop()
        runner.close()
    late.sort()
    print(
        f"timer of the window while a model works: median {1000 * median(late):.1f} ms late, "
        f"99 % within {1000 * late[int(len(late) * 0.99)]:.1f} ms, worst {1000 * late[-1]:.1f} ms "
        "(wanted ≤ 25)"
    )


def ray_workers() -> None:
    """Two Ray workers against one, on a generator that only sleeps."""
    if importlib.util.find_spec("ray") is None:
        print("Ray is not installed: two workers against one not measured")
        return
    import ray

    from core.engines.ray_engine import RayEngine
    from tests.core.engines.test_ray import Slow

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    ray.init(num_cpus=2, num_gpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    tasks: list[Task] = [(make_prompt(), seed) for seed in range(20)]
    seconds: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(2):
        for workers, found in seconds.items():
            reports = RayEngine(workers).run(Slow(0.5), tasks)
            arrived = [time.perf_counter() for report in reports if hasattr(report, "data")]
            found.append((arrived[-1] - arrived[0]) / (len(arrived) - 1))
    ray.shutdown()
    print(
        f"Ray, 500 ms an image: one worker {mean(seconds[1]):.3f} s an image, two {mean(seconds[2]):.3f} s, "
        f"{mean(seconds[1]) / mean(seconds[2]):.2f} times as fast (wanted ≥ 1.8)"
    )


def main() -> None:
    """Measure and print."""
    warnings.simplefilter("ignore")
    threading.current_thread().name = "bench"
    with tempfile.TemporaryDirectory() as place:
        overhead(Path(place))
        liveness(Path(place))
    ray_workers()


if __name__ == "__main__":
    main()
