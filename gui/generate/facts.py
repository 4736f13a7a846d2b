"""What the Generate page reads in one go, off the GUI thread: generators, what is made, what failed."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import UserError
from core.keys import canonical_json
from core.records import ImageStatus, Prompt, StoredImage
from core.seeds import SeedRule, seed_rule, seeds_of
from gui.models.coverage import in_words
from gui.models.failures import failure_class
from gui.models.overview import pace_of

if TYPE_CHECKING:
    from core.generation.generator import Generator
    from storage.listing import GeneratorFacts
    from storage.store import Store
    from storage.study import GeneratorInfo, JobInfo, StudyInfo

IMPORTED = "imported"
MEASURED = 40
"""Newest images whose files are looked at to see how much disk one takes."""


@dataclass(frozen=True, slots=True)
class Maker:
    """A generator and what the study has of it.

    `is_here` says that this release can run it. `trouble` is why it cannot run now. `asked` is None for
    pictures that were imported. `bytes_an_image` is what file and thumbnail take, `pace` images a second,
    each None where nothing was measured; `odd_seeds` are images with other seeds than the study's.
    """

    name: str
    kind: str
    settings: Mapping[str, Any]
    is_here: bool
    asked: int | None
    images: int = 0
    left_out: int = 0
    unmade: int = 0
    bytes_an_image: float | None = None
    measured: int = 0
    pace: float | None = None
    odd_seeds: int = 0
    trouble: str = ""

    @property
    def present(self) -> int:
        """Images that are there, whatever their status."""
        return self.images + self.left_out

    @property
    def missing(self) -> int:
        """Images still to make; 0 for one that makes none."""
        return max((self.asked or 0) - self.present, 0)


@dataclass(frozen=True, slots=True)
class Unmade:
    """One image or file that failed: where it comes from, which, the class in words, and the reason."""

    source: str
    item: str
    title: str
    reason: str
    image: StoredImage | None = None


@dataclass(frozen=True, slots=True)
class Making:
    """Everything the page shows but the images themselves; `own_trouble` of one's own generators."""

    prompts: int
    roles: int
    images_per_prompt: int
    seed: int
    seed_rule: SeedRule
    free_bytes: int
    makers: tuple[Maker, ...]
    failures: tuple[Unmade, ...] = ()
    own_trouble: str = ""

    def maker(self, name: str) -> Maker | None:
        """The generator of this name."""
        return next((one for one in self.makers if one.name == name), None)


@dataclass(frozen=True, slots=True)
class _Study:
    """What of the study every maker is looked at with."""

    seed: int
    per_prompt: int
    prompts: int
    generators: Mapping[str, GeneratorInfo]
    facts: Mapping[str, GeneratorFacts]
    jobs: Sequence[JobInfo]
    unmade: Mapping[str, int]
    allowed: Mapping[str, set[int]]


def read_making(store: Store) -> Making:
    """Read it; slow enough to be kept off the GUI thread."""
    from core.generation.registry import own_trouble
    from storage.listing import generator_facts

    worded = [prompt for prompt in store.prompts() if prompt.wording]
    failures = tuple(_failures(store))
    unmade: dict[str, int] = {}
    for failure in failures:
        if failure.image is None:
            unmade[failure.source] = unmade.get(failure.source, 0) + 1
    known = {info.name: info for info in store.generators()}
    study = _Study(
        seed=store.study.seed,
        per_prompt=store.study.images_per_prompt,
        prompts=len(worded),
        generators=known,
        facts=generator_facts(store),
        jobs=store.jobs(),
        unmade=unmade,
        allowed=_seeds_allowed(store.study, worded),
    )
    return Making(
        prompts=len(worded),
        roles=len({prompt.role for prompt in worded}),
        images_per_prompt=store.study.images_per_prompt,
        seed=store.study.seed,
        seed_rule=seed_rule(store.study.settings),
        free_bytes=shutil.disk_usage(store.folder).free,
        makers=tuple(_maker(store, study, name) for name in _names(known)),
        failures=failures,
        own_trouble=own_trouble(),
    )


def _names(known: Mapping[str, GeneratorInfo]) -> Iterable[str]:
    """Those of the study first, in the order they came; then the others that this release can run."""
    from core.generation import registry

    return dict.fromkeys((*known, *registry.names()))


def _maker(store: Store, study: _Study, name: str) -> Maker:
    from core.generation import registry

    info, facts = study.generators.get(name), study.facts.get(name)
    generator: Generator | None = None
    trouble = ""
    if name in registry.names():
        try:
            generator = registry.by_name(name)
        except UserError as error:
            trouble = str(error)
    settings = generator.settings if generator else info.settings if info else {}
    if generator and info and not _is_same(info.settings, settings):
        trouble = "The study has this generator with other settings, and one name keeps one set of them."
    took, measured = _bytes_of(store, name) if facts and facts.images else (None, 0)
    is_here = name in registry.names()
    pace = pace_of([job for job in study.jobs if job.settings.get("generator") == name], "generate")
    return Maker(
        name=name,
        kind=str(settings.get("kind", info.kind if info else name)),
        settings=settings,
        is_here=is_here,
        asked=study.prompts * study.per_prompt if is_here else None,
        images=facts.images - facts.left_out if facts else 0,
        left_out=facts.left_out if facts else 0,
        unmade=study.unmade.get(name, 0),
        bytes_an_image=took,
        measured=measured,
        pace=pace,
        odd_seeds=_odd_seeds(store, name, study.allowed) if is_here and facts else 0,
        trouble=trouble,
    )


def _is_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return canonical_json(dict(one)) == canonical_json(dict(other))


def _bytes_of(store: Store, generator: str) -> tuple[float | None, int]:
    """What the newest images take on the disk with their thumbnails, and how many were looked at."""
    from storage.listing import newest_images

    found = newest_images(store, generator, MEASURED)
    sizes = [_size(store.folder / one.path) + _size(store.folder / one.thumbnail) for one in found]
    return (sum(sizes) / len(sizes), len(sizes)) if sizes else (None, 0)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _odd_seeds(store: Store, generator: str, allowed: Mapping[str, set[int]]) -> int:
    """Images whose seed is none of those that the study has for their role."""
    from storage.listing import seeds_used

    used = seeds_used(store, generator)
    return sum(
        images
        for role, by in used.items()
        for seed, images in by.items()
        if seed not in allowed.get(role, ())
    )


def _seeds_allowed(plan: StudyInfo, prompts: Sequence[Prompt]) -> dict[str, set[int]]:
    """Role -> the seeds that the study has for its images."""
    rule = seed_rule(plan.settings)
    allowed: dict[str, set[int]] = {}
    for prompt in prompts:
        if rule == "per-prompt" or prompt.role not in allowed:
            seeds = seeds_of(rule, plan.seed, prompt, plan.images_per_prompt)
            allowed.setdefault(prompt.role, set()).update(seeds)
    return allowed


def _failures(store: Store) -> Iterable[Unmade]:
    """What the last run of each generator and import could not make, then images that are left out."""
    from storage.progress import left_out_images

    last: dict[tuple[str, str], JobInfo] = {}
    for job in store.jobs():
        if job.ended_at and job.kind in ("generate", "import"):
            last[job.kind, source_of(job)] = job
    for (_, source), job in last.items():
        for failure in store.failures_of(job.job_id) if job.failed else ():
            title = failure_class("generate", failure.kind, 1).title
            yield Unmade(source, failure.item, title, failure.reason)
    order = list(ImageStatus)
    for image in sorted(left_out_images(store), key=lambda one: order.index(one.status)):
        yield _left_out(image)


def source_of(job: JobInfo) -> str:
    """What a job was about: the generator's name, or the folder that was imported."""
    if job.kind == "import":
        return f"import of {job.settings.get('folder', 'a folder')}"
    return str(job.settings.get("generator", job.kind))


def _left_out(image: StoredImage) -> Unmade:
    where = [in_words(image.role), *([image.condition.value] if image.condition else [])]
    words = failure_class("generate", image.status.value, 1)
    item = f"{', '.join(where)}, seed {image.seed}"
    return Unmade(image.generator, item, words.title, words.remedy, image)
