"""The local engine: every task once, held and stopped within steps, several devices at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from core.engines import local
from core.engines.local import AHEAD, LocalEngine
from core.errors import UserError
from core.generation.diffusers.generator import DiffusersGenerator
from core.generation.generator import Generator
from core.generation.job import generate_images
from core.generation.reports import NotMade, Report, Step, Task, Waiting
from core.jobs import run_here
from core.records import NewImage
from tests.contracts.generator_contract import make_prompt
from tests.core.engines.stand_in import STEPS, Stepping
from tests.core.generation.test_job import ListSink

TASKS: list[Task] = [(make_prompt(role), seed) for role in ("baker", "pilot") for seed in range(1, 6)]


def run(generator: Generator, engine: LocalEngine | None = None) -> list[Report]:
    return list((engine or LocalEngine()).run(generator, TASKS))


def images(reports: list[Report]) -> dict[tuple[str, int], bytes]:
    return {(one.prompt.text, one.seed): one.data for one in reports if isinstance(one, NewImage)}


def workers() -> list[threading.Thread]:
    return [one for one in threading.enumerate() if one.name.startswith(("worker-", "finish-image"))]


@pytest.fixture
def every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step is told, however fast they are."""
    monkeypatch.setattr(local, "SECONDS_BETWEEN_STEPS", 0.0)


@pytest.mark.usefixtures("every_step")
def test_every_task_has_its_steps_and_its_image_in_order() -> None:
    reports = run(Stepping())

    made = [(one.prompt, one.seed) for one in reports if isinstance(one, NewImage)]
    steps = [one for one in reports if isinstance(one, Step)]
    assert made == TASKS
    assert [one.number for one in steps] == list(range(1, STEPS + 1)) * len(TASKS)
    assert reports[0] == Waiting("downloading: 0.0 of 0.0 GB")
    assert not workers()


def test_fast_steps_wake_whoever_waits_only_now_and_then() -> None:
    reports = run(Stepping(0.005))  # forty steps in 0.2 s

    steps = [one for one in reports if isinstance(one, Step)]
    assert len(TASKS) <= len(steps) < 2.5 * len(TASKS)
    assert len([one for one in reports if isinstance(one, NewImage)]) == len(TASKS)


def test_an_image_that_cannot_be_made_is_one_report() -> None:
    reports = run(Stepping(refuses=frozenset({2})))

    refused = [one for one in reports if isinstance(one, NotMade)]
    assert [one.task[1] for one in refused] == [2, 2]
    assert len(images(reports)) == 8


def test_several_devices_share_the_tasks_and_make_the_same_images() -> None:
    generator = Stepping(0.002)

    reports = run(generator, LocalEngine(("cuda:0", "cuda:1")))

    assert images(reports) == images(run(Stepping()))
    assert len([one for one in reports if isinstance(one, NewImage)]) == len(TASKS)
    devices = {one.provenance["device"]["name"] for one in reports if isinstance(one, NewImage)}
    assert devices == {"cuda:0", "cuda:1"}
    assert sorted(generator.closed) == ["cuda:0", "cuda:1"]


def test_whoever_takes_no_reports_holds_the_worker_within_a_few_steps() -> None:
    generator = Stepping()
    reports = LocalEngine().run(generator, TASKS)
    while not isinstance(next(reports), Step):
        pass

    time.sleep(0.3)

    assert generator.steps_begun <= AHEAD + 3
    assert len([one for one in reports if isinstance(one, NewImage)]) == len(TASKS)


@pytest.mark.usefixtures("every_step")
def test_closing_stops_within_one_step_and_nothing_half_made_comes_out() -> None:
    generator, sink = Stepping(0.05), ListSink()
    job = generate_images([make_prompt()], generator, lambda role: (1, 2, 3), sink)
    while not next(job).text.startswith("step 2 of"):
        pass

    before = generator.steps_begun
    job.close()

    assert generator.steps_begun <= before + 1
    assert sink.images == []
    assert not workers()
    assert generator.closed == ["cpu"]


@pytest.mark.usefixtures("every_step")
def test_a_job_tells_every_step() -> None:
    seen: list[str] = []
    sink = ListSink()

    outcome = run_here(
        generate_images([make_prompt()], Stepping(), lambda role: (1, 2), sink),
        lambda one: seen.append(one.text),
    )

    assert outcome.done == len(sink.images) == 2
    assert "step 3 of 4: a photo of a baker" in seen


def test_an_error_that_concerns_all_stops_all_and_comes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    generator, opened = Stepping(), Stepping.open

    def open_one(self: Stepping, device: str) -> Any:
        if device == "cuda:1":
            raise UserError("The second card is full.")
        return opened(self, device)

    monkeypatch.setattr(Stepping, "open", open_one)

    with pytest.raises(UserError, match="The second card is full"):
        run(generator, LocalEngine(("cuda:0", "cuda:1")))

    assert not workers()


def test_a_fault_in_the_last_touches_comes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.core.engines import stand_in

    def broken(*_: Any) -> NewImage:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(stand_in, "picture", broken)

    with pytest.raises(RuntimeError, match="a fault of ours"):
        run(Stepping())

    assert not workers()


def test_two_workers_with_real_pipelines_make_what_one_makes(
    generator_of: Callable[..., DiffusersGenerator],
) -> None:
    one = images(run(generator_of("flux"), LocalEngine(("cpu",))))
    two = images(run(generator_of("flux"), LocalEngine(("cpu", "cpu"))))

    assert one == two
    assert len(one) == len(TASKS)
