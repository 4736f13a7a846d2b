"""The job that makes the images of a study: resumable, one failure one row, nothing dropped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Protocol

from core.amounts import are_counted
from core.engines.engine import Engine
from core.engines.local import LocalEngine
from core.errors import BadInput
from core.generation.generator import Generator, run_key_of
from core.generation.reports import NotMade, Report, Step, Task, Waiting
from core.jobs import Job, Outcome, Progress
from core.records import NewImage, Prompt

SeedsOf = Callable[[Prompt], Sequence[int]]


class ImageSink(Protocol):
    """Where images go: `storage.Store` in the program, a list in a test."""

    def run_keys(self, generator: str) -> set[str]:
        """Run keys of the images of a generator that are there already."""
        ...

    def add_image(self, image: NewImage) -> int:
        """Keep one image and return its handle."""
        ...


def generate_images(
    prompts: Sequence[Prompt],
    generator: Generator,
    seeds_of: SeedsOf,
    sink: ImageSink,
    limit: int | None = None,
    engine: Engine | None = None,
    before: Callable[[], Job[None]] | None = None,
) -> Job[Outcome]:
    """Make every prompt's images with its seeds and hand them to the sink.

    `limit` takes only the first images of the prompts in their order; the rest is as of `make_tasks`.
    """
    tasks = [(prompt, seed) for prompt in prompts for seed in seeds_of(prompt)][:limit]
    return make_tasks(tasks, generator, sink, engine, before)


def make_tasks(
    tasks: Sequence[Task],
    generator: Generator,
    sink: ImageSink,
    engine: Engine | None = None,
    before: Callable[[], Job[None]] | None = None,
) -> Job[Outcome]:
    """Make the image of every task and hand it to the sink.

    Images whose run key is there already are skipped, so the job continues where it was stopped. An image
    that the generator cannot make is a failure with its reason, and the job goes on. Between two yields at
    most one image is kept; there is a yield at least four times a second, and closing the job stops the work
    within one step. The engine is this machine's when left out; `before` is carried out first if there is
    anything to make.
    """
    outcome = Outcome(asked=len(tasks))
    missing = missing_tasks(tasks, generator, sink.run_keys(generator.name))
    outcome.skipped = len(tasks) - len(missing)
    yield _progress(
        outcome, f"{are_counted(outcome.skipped, 'image')} there already" if outcome.skipped else ""
    )
    if missing:
        for progress in before() if before else ():
            yield _progress(outcome, progress.text)
        with closing((engine or LocalEngine()).run(generator, missing)) as reports:
            for report in reports:
                yield _progress(outcome, _taken(report, outcome, sink))
    outcome.check()
    return outcome


def _taken(report: Report, outcome: Outcome, sink: ImageSink) -> str:
    """Take one report; returns what to say of it."""
    if isinstance(report, Waiting):
        return report.text
    if isinstance(report, Step):
        return f"step {report.number} of {report.total}: {report.task[0].text}"
    if isinstance(report, NotMade):
        prompt, seed = report.task
        outcome.fail(f"{prompt.text} (seed {seed})", type(report.error).__name__, str(report.error))
        return prompt.text
    _keep(report, sink, outcome)
    return report.prompt.text


def _keep(image: NewImage, sink: ImageSink, outcome: Outcome) -> None:
    try:
        sink.add_image(image)
    except BadInput as error:
        outcome.fail(f"{image.prompt.text} (seed {image.seed})", "not kept", error.sentence)
    else:
        outcome.done += 1


def missing_tasks(tasks: Sequence[Task], generator: Generator, known: set[str]) -> list[Task]:
    """The tasks whose image is not there yet; of equal tasks the first."""
    seen = set(known)
    missing = []
    for prompt, seed in tasks:
        key = run_key_of(generator, prompt, seed)
        if key not in seen:
            seen.add(key)
            missing.append((prompt, seed))
    return missing


def _progress(outcome: Outcome, text: str) -> Progress:
    seen = outcome.done + outcome.failed + outcome.skipped
    return Progress(seen, outcome.asked, text, outcome.failed, outcome)
