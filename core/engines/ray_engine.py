"""Ray: workers on this machine or on a cluster, each an actor that holds a pipeline on its own device.

An optional extra: `pip install -r requirements-cluster.txt`. Results come back to the one writer as they
are finished. An actor whose process dies is started again and its image is asked for again; nothing is
kept half-made, so no image is lost or made twice.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Collection, Sequence
from typing import Any

from core.engines.engine import Engine
from core.errors import GeneratorError, MissingPart, UserError
from core.generation.generator import Generator
from core.generation.reports import NotMade, Reports, Task, Waiting
from core.generation.worker import OnDevices
from core.records import NewImage, Prompt

MOST_RESTARTS = 3
"""Of one actor; one that dies more often is given up, and its image goes to another."""

SECONDS_BETWEEN_SIGNS = 0.25


class RayEngine:
    """Runs generators in Ray actors.

    Parameters
    ----------
    workers : int, optional
        How many actors; one a graphics card of the cluster when left out, or one without any.
    address : str, optional
        Of a cluster that runs already; without it Ray is started here for as long as a run takes.
    options : dict, optional
        For `ray.init`, such as `num_gpus`.
    """

    def __init__(
        self, workers: int | None = None, address: str | None = None, options: dict[str, Any] | None = None
    ) -> None:
        self._workers = workers
        self._address = address
        self._options = options or {}

    def run(self, generator: Generator, tasks: Sequence[Task]) -> Reports:
        """One image or `NotMade` for every task, in the order in which they are finished."""
        ray = _ray()
        is_ours = not ray.is_initialized()
        if is_ours:
            yield Waiting("starting Ray")
            self._start(ray)
        crew = _Crew(ray, generator, self._count(ray, len(tasks)), self._gpus_each(ray))
        try:
            yield from crew.reports(tasks)
        finally:
            crew.stop()
            if is_ours:
                ray.shutdown()

    def on_each_kind(self, known: Collection[str]) -> Engine:
        """The same, but every task is made once on each kind of device that is not among `known`."""
        return _OnEachKind(self, known)

    def run_on_each_kind(
        self, generator: Generator, tasks: Sequence[Task], known: Collection[str]
    ) -> Reports:
        """As `on_each_kind` says."""
        ray = _ray()
        is_ours = not ray.is_initialized()
        if is_ours:
            yield Waiting("starting Ray")
            self._start(ray)
        crew = _Crew(ray, generator, self._count(ray, sys.maxsize), self._gpus_each(ray))
        try:
            yield from crew.on_each_kind(tasks, known)
        finally:
            crew.stop()
            if is_ours:
                ray.shutdown()

    def _start(self, ray: Any) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody
        where: dict[str, Any] = {"address": self._address} if self._address else {"include_dashboard": False}
        try:
            ray.init(log_to_driver=False, logging_level="ERROR", **where, **self._options)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise UserError(
                f"Ray cannot be reached: {error}", "Start the cluster, or leave out --address."
            ) from error

    def _count(self, ray: Any, tasks: int) -> int:
        wanted = self._workers or int(ray.cluster_resources().get("GPU", 0)) or 1
        return max(min(wanted, tasks), 1)

    def _gpus_each(self, ray: Any) -> int:
        return 1 if ray.cluster_resources().get("GPU", 0) >= 1 else 0


class _Crew:
    """The actors of one run."""

    def __init__(self, ray: Any, generator: Generator, count: int, gpus_each: int) -> None:
        self._ray = ray
        kind = ray.remote(max_restarts=MOST_RESTARTS, max_task_retries=MOST_RESTARTS, num_gpus=gpus_each)(
            Actor
        )
        self._idle = deque(kind.remote(generator) for _ in range(count))
        self._all = list(self._idle)
        self._asked: dict[Any, tuple[Any, Task]] = {}

    def reports(self, tasks: Sequence[Task]) -> Reports:
        """Every result as it comes back."""
        left = deque(tasks)
        while left or self._asked:
            self._ask(left)
            ready, _ = self._ray.wait(list(self._asked), num_returns=1, timeout=SECONDS_BETWEEN_SIGNS)
            if not ready:
                yield Waiting(f"{len(self._asked)} workers")
            for reference in ready:
                result = self._result(reference, left)
                if result is not None:
                    yield result

    def on_each_kind(self, tasks: Sequence[Task], known: Collection[str]) -> Reports:
        """Every task on the first actor of each kind that is new; nothing when there is one kind in all."""
        asked = {actor.title.remote(): actor for actor in self._all}
        yield from self._waiting_for(list(asked))
        kinds: dict[str, Any] = {}
        for reference, actor in asked.items():
            kinds.setdefault(self._ray.get(reference), actor)
        new = [actor for title, actor in kinds.items() if title not in known]
        if not known and len(new) < 2:
            return
        for actor in new:
            self._asked |= {actor.make.remote(*task): (actor, task) for task in tasks}
        left: deque[Task] = deque()
        while self._asked:
            ready, _ = self._ray.wait(list(self._asked), num_returns=1, timeout=SECONDS_BETWEEN_SIGNS)
            if not ready:
                yield Waiting("comparing devices")
            for reference in ready:
                result = self._result(reference, left)
                if result is not None:
                    yield result

    def _waiting_for(self, references: list[Any]) -> Reports:
        while references:
            _, references = self._ray.wait(
                references, num_returns=len(references), timeout=SECONDS_BETWEEN_SIGNS
            )
            yield Waiting("asking workers for their devices")

    def _ask(self, left: deque[Task]) -> None:
        while left and self._idle:
            actor, task = self._idle.popleft(), left.popleft()
            self._asked[actor.make.remote(*task)] = (actor, task)

    def _result(self, reference: Any, left: deque[Task]) -> NewImage | NotMade | None:
        """What came back; None when its actor is gone and the image is asked for again."""
        actor, task = self._asked.pop(reference)
        try:
            found: NewImage | GeneratorError = self._ray.get(reference)
        except self._ray.exceptions.RayActorError as error:
            left.appendleft(task)
            if not self._idle and not self._asked:
                raise UserError(
                    f"Every worker died more than {MOST_RESTARTS} times. What was made is kept.",
                    "Look at Ray's own log; often a machine has too little memory.",
                ) from error
            return None
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause if isinstance(error.cause, UserError) else error from None
        self._idle.append(actor)
        return NotMade(task, found) if isinstance(found, GeneratorError) else found

    def stop(self) -> None:
        """End all actors at once."""
        for actor in self._all:
            self._ray.kill(actor, no_restart=True)


class _OnEachKind:
    """An engine for comparing devices."""

    def __init__(self, engine: RayEngine, known: Collection[str]) -> None:
        self._engine = engine
        self._known = known

    def run(self, generator: Generator, tasks: Sequence[Task]) -> Reports:
        """Each task once on each new kind of device."""
        return self._engine.run_on_each_kind(generator, tasks, self._known)


class Actor:
    """What runs in a process of its own, on one machine of the cluster."""

    def __init__(self, generator: Generator) -> None:
        self._make, self._title = _maker(generator)

    def title(self) -> str:
        """What it works on, such as the name of a graphics card; "" for a generator without a device."""
        return self._title

    def make(self, prompt: Prompt, seed: int) -> NewImage | GeneratorError:
        """One image, or why there is none."""
        try:
            made: NewImage = self._make(prompt, seed)
        except GeneratorError as error:
            return error
        return made


def _maker(generator: Generator) -> tuple[Any, str]:
    """How this process makes an image, with a worker that stays loaded where there is one; and on what."""
    if not isinstance(generator, OnDevices):
        return generator.make, ""
    for _ in generator.prepare():
        pass
    device = generator.devices()[0]
    worker, title = generator.open(device), generator.title_of(device)
    return lambda prompt, seed: worker.sample(prompt, seed, lambda number, total: None)(), title


def _ray() -> Any:
    try:
        import ray
    except ModuleNotFoundError as error:
        raise MissingPart(
            "Ray is not installed.", "Run: pip install -r requirements-cluster.txt, or use --engine local."
        ) from error
    return ray
