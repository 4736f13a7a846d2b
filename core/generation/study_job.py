"""The images of a study: which are asked for, by which generator, on which devices; as one recorded job."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from core.engines.engine import Engine
from core.engines.local import LocalEngine
from core.errors import BadInput
from core.generation import registry
from core.generation.device_check import COMPARED, DeviceCheck, MadeImages, check_devices, title_of
from core.generation.generator import Generator
from core.generation.job import ImageSink, SeedsOf, generate_images
from core.generation.reports import Task
from core.jobs import Job, JobBook, Outcome, recorded
from core.records import NewImage, Prompt
from core.seeds import seed_rule, seeds_of


class GeneratingStudy(ImageSink, MadeImages, JobBook, Protocol):
    """A study in which images can be made."""

    study: Any

    def add_generator(self, name: str, kind: str, settings: Mapping[str, Any]) -> None:
        """Note the generator with its settings, unless it is there; BadInput for other settings."""


def generate_in(
    study: GeneratingStudy,
    name: str,
    limit: int | None = None,
    engine: Engine | None = None,
    *,
    accepts_device: bool = False,
) -> Job[Outcome]:
    """Make every image of the study that the generator has not made yet.

    Parameters
    ----------
    study : GeneratingStudy
        Whose prompts, in their order; pictures that were imported have prompts of their own, which
        state no wording and are left alone.
    name : str
        A generator of the registry; an unknown one raises BadInput.
    limit : int, optional
        Take only the first so many images of all prompts in their order.
    engine : Engine, optional
        Who carries it out; this machine when left out.
    accepts_device : bool
        Whether images of a device that makes other pictures than those there are to count.
    """
    generator = registry.by_name(name)
    prompts, seeds = plan_of(study)
    study.add_generator(name, str(generator.settings.get("kind", name)), generator.settings)
    planned = tasks_of(prompts, seeds, COMPARED)
    guard = _Guard(study, generator, engine or LocalEngine(), accepts_device, planned)
    job = generate_images(prompts, generator, seeds, guard, limit, engine, guard.check)
    asked = min(len(prompts) * study.study.images_per_prompt, limit if limit is not None else sys.maxsize)
    settings = {"generator": name, **generator.settings, **_carried_out(engine, accepts_device)}
    return recorded(job, study, "generate", asked, settings)


def _carried_out(engine: Engine | None, accepts_device: bool) -> dict[str, Any]:
    """What the book has to know of a run besides the generator, where it is not this machine's own choice."""
    how: dict[str, Any] = {"accepts_device": True} if accepts_device else {}
    if isinstance(engine, LocalEngine):
        return how | ({"devices": list(engine.devices)} if engine.devices else {})
    return how if engine is None else how | {"engine": "elsewhere"}


def plan_of(study: GeneratingStudy) -> tuple[list[Prompt], SeedsOf]:
    """The prompts that images are made of, and the seeds of each; BadInput when there is no prompt."""
    prompts = [prompt for prompt in study.prompts() if prompt.wording]
    if not prompts:
        raise BadInput("This study has no prompts to make images from.", "Make one with `main.py new`.")
    plan = study.study
    rule = seed_rule(plan.settings)
    return prompts, lambda prompt: seeds_of(rule, plan.seed, prompt, plan.images_per_prompt)


def tasks_of(prompts: Sequence[Prompt], seeds: SeedsOf, limit: int | None = None) -> list[Task]:
    """All images asked for, in their order."""
    return [(prompt, seed) for prompt in prompts for seed in seeds(prompt)][:limit]


class _Guard:
    """The study as a sink that notes with each image how its device compared with those before.

    An image of a device that nobody compared, such as a worker that joined later, is not taken.
    """

    def __init__(
        self,
        study: GeneratingStudy,
        generator: Generator,
        engine: Engine,
        accepts: bool,
        planned: Sequence[Task],
    ) -> None:
        self._study = study
        self._generator = generator
        self._engine = engine
        self._accepts = accepts
        self._planned = planned
        self._checks: dict[str, DeviceCheck] = {}
        self._known: set[str] = set()

    def check(self) -> Job[None]:
        """Compare devices that are new to the study."""
        found = yield from check_devices(
            *(self._study, self._generator, self._engine), accepts=self._accepts, planned=self._planned
        )
        self._checks = {check.device: check for check in found}
        self._known = {*self._study.devices_of(self._generator.name), *self._checks}
        self._known.update(title for check in found for title in check.elsewhere)

    def run_keys(self, generator: str) -> set[str]:
        """Run keys of the images that are there."""
        return self._study.run_keys(generator)

    def add_image(self, image: NewImage) -> int:
        """Keep an image, with the comparison of its device if there was one."""
        title = title_of(image)
        if title and self._known and title not in self._known and not self._accepts:
            raise BadInput(
                f"It was made on {title}, which was not compared with {' and '.join(sorted(self._known))}.",
                "Run again: devices are compared when a run begins.",
            )
        self._known |= {title} - {""}
        check = self._checks.get(title)
        if check is not None:
            image = replace(image, provenance={**image.provenance, "device_check": check.as_row()})
        return self._study.add_image(image)
