"""Ray with two made-up graphics cards: every image once, also when an actor is killed."""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from core.engines.ray_engine import RayEngine
from core.errors import GeneratorError, MissingPart
from core.generation.device_check import title_of
from core.generation.diffusers.generator import DiffusersGenerator
from core.generation.job import generate_images
from core.generation.reports import NotMade, Report
from core.generation.worker import Finish, OnStep
from core.jobs import run_here
from core.records import NewImage, Prompt
from tests.contracts.generator_contract import make_prompt
from tests.core.engines.stand_in import Stepping, SteppingWorker, picture
from tests.core.generation.test_job import ListSink

HAS_RAY = importlib.util.find_spec("ray") is not None
needs_ray = pytest.mark.skipif(not HAS_RAY, reason="Ray is an optional extra: requirements-cluster.txt")
TASKS = [(make_prompt(), seed) for seed in range(8)]


class Slow:
    """Makes plain pictures slowly, and says by which process and card; refuses the seeds told."""

    name = "slow"
    settings: ClassVar[dict[str, Any]] = {}

    def __init__(
        self, seconds: float = 0.0, notes: Path | None = None, refuses: tuple[int, ...] = ()
    ) -> None:
        self.seconds = seconds
        self.notes = notes
        self.refuses = refuses

    def make(self, prompt: Prompt, seed: int) -> NewImage:
        if self.notes is not None:
            (self.notes / f"{os.getpid()}-{seed}").touch()
        time.sleep(self.seconds)
        if seed in self.refuses:
            raise GeneratorError(f"Seed {seed} is refused.")
        return picture(self, prompt, seed, f"{os.getpid()} {os.environ.get('CUDA_VISIBLE_DEVICES')}")


class ByCard(Stepping):
    """Says by its card what kind of device it is on."""

    def devices(self) -> tuple[str, ...]:
        return (f"card {os.environ.get('CUDA_VISIBLE_DEVICES')}",)

    def title_of(self, device: str) -> str:
        return device

    def open(self, device: str) -> SteppingWorker:
        return Titled(self, device)


class Titled(SteppingWorker):
    """Makes images that say where they were made."""

    def sample(self, prompt: Prompt, seed: int, on_step: OnStep) -> Finish:
        image = super().sample(prompt, seed, on_step)()
        return lambda: replace(image, provenance={"device": {"title": self._device}})


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Ray on this machine, with two cards that are not there."""
    import ray

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    ray.init(num_cpus=2, num_gpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield
    ray.shutdown()


def images(reports: list[Report]) -> list[NewImage]:
    return [one for one in reports if isinstance(one, NewImage)]


@pytest.mark.skipif(HAS_RAY, reason="Ray is here")
def test_without_ray_the_sentence_says_how_to_get_it() -> None:
    with pytest.raises(MissingPart, match=r"Ray is not installed.*requirements-cluster.txt"):
        list(RayEngine().run(Slow(), TASKS))


@needs_ray
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("cluster")
class TestWithRay:
    """Two actors, one a card."""

    def test_two_actors_have_a_card_each_and_share_the_tasks(self) -> None:
        made = images(list(RayEngine().run(Slow(0.05), TASKS)))

        assert sorted(one.seed for one in made) == list(range(8))
        workers = {one.provenance["device"]["name"] for one in made}
        assert {name.split()[1] for name in workers} == {"0", "1"}
        assert len({name.split()[0] for name in workers}) == 2

    def test_a_refused_image_is_one_report(self) -> None:
        reports = list(RayEngine().run(Slow(refuses=(3,)), TASKS))

        (refused,) = [one for one in reports if isinstance(one, NotMade)]
        assert refused.task[1] == 3
        assert len(images(reports)) == 7

    def test_a_killed_actor_is_started_again_and_no_image_is_lost_or_made_twice(self, tmp_path: Path) -> None:
        killed: list[int] = []

        def kill_one() -> None:
            while not killed:
                time.sleep(0.02)
                begun = sorted(tmp_path.iterdir(), key=lambda path: path.stat().st_mtime)
                if len(begun) >= 3:
                    killed.append(int(begun[-1].name.split("-")[0]))
                    os.kill(killed[0], signal.SIGKILL)

        killer, sink = threading.Thread(target=kill_one), ListSink()
        killer.start()
        outcome = run_here(
            generate_images(
                [make_prompt()], Slow(0.3, tmp_path), lambda role: range(8), sink, engine=RayEngine()
            )
        )
        killer.join()

        assert (outcome.done, outcome.failed) == (8, 0)
        assert sorted(one.seed for one in sink.images) == list(range(8))
        workers = {int(one.provenance["device"]["name"].split()[0]) for one in sink.images}
        begun = {int(path.name.split("-")[0]) for path in tmp_path.iterdir()}
        assert len(begun) >= 3, "another process took the place of the killed one"
        assert killed[0] in begun
        assert workers <= begun

    def test_each_kind_of_device_makes_the_images_that_devices_are_compared_by(self) -> None:
        both = images(list(RayEngine().on_each_kind(()).run(ByCard(), TASKS[:2])))
        new = images(list(RayEngine().on_each_kind(("card 0",)).run(ByCard(), TASKS[:2])))
        one_kind = images(list(RayEngine(1).on_each_kind(()).run(ByCard(), TASKS[:2])))

        assert sorted((title_of(one), one.seed) for one in both) == [
            *(("card 0", 0), ("card 0", 1), ("card 1", 0), ("card 1", 1))
        ]
        assert [title_of(one) for one in new] == ["card 1"] * 2
        assert not one_kind

    def test_closing_ends_the_actors(self) -> None:
        import ray

        reports = RayEngine().run(Slow(20.0), TASKS)
        next(reports)
        began = time.monotonic()

        reports.close()

        assert time.monotonic() - began < 10
        assert ray.is_initialized(), "a cluster that was there before stays"

    def test_real_pipelines_in_actors_make_the_same_bytes(
        self, generator_of: Callable[..., DiffusersGenerator]
    ) -> None:
        here = generator_of("flux")

        (made,) = images(list(RayEngine(1).run(generator_of("flux"), TASKS[:1])))

        assert made.data == here.make(*TASKS[0]).data
