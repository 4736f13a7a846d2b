"""The job that makes the images of a study: resumable, one failure one row, nothing dropped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Protocol

from core.errors import BadInput, GeneratorError
from core.generation.generator import Generator, MakesMany, Results, Task, run_key_of
from core.jobs import Job, Outcome, Progress
from core.records import NewImage, Prompt

SeedsOfRole = Callable[[str], Sequence[int]]


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
    seeds_of_role: SeedsOfRole,
    sink: ImageSink,
    limit: int | None = None,
) -> Job[Outcome]:
    """Make every prompt's images with the seeds of its role and hand them to the sink.

    Images whose run key is there already are skipped, so the job continues where it was stopped. An image
    that the generator cannot make is a failure with its reason, and the job goes on. Between two yields at
    most one image is kept; closing the job stops the generator's threads. `limit` takes only the first
    images of the prompts in their order.
    """
    tasks = [(prompt, seed) for prompt in prompts for seed in seeds_of_role(prompt.role)][:limit]
    outcome = Outcome(asked=len(tasks))
    missing = _missing(tasks, generator, sink.run_keys(generator.name))
    outcome.skipped = len(tasks) - len(missing)
    yield _progress(outcome, f"{outcome.skipped} images are there already" if outcome.skipped else "")
    with closing(_results(generator, missing)) as results:
        for (prompt, seed), result in zip(missing, results, strict=True):
            if isinstance(result, GeneratorError):
                outcome.fail(f"{prompt.text} (seed {seed})", type(result).__name__, str(result))
            else:
                _keep(result, sink, outcome)
            yield _progress(outcome, prompt.text)
    outcome.check()
    return outcome


def _keep(image: NewImage, sink: ImageSink, outcome: Outcome) -> None:
    try:
        sink.add_image(image)
    except BadInput as error:
        outcome.fail(f"{image.prompt.text} (seed {image.seed})", "not kept", error.sentence)
    else:
        outcome.done += 1


def _missing(tasks: Sequence[Task], generator: Generator, known: set[str]) -> list[Task]:
    """The tasks whose image is not there yet; of equal tasks the first."""
    seen = set(known)
    missing = []
    for prompt, seed in tasks:
        key = run_key_of(generator, prompt, seed)
        if key not in seen:
            seen.add(key)
            missing.append((prompt, seed))
    return missing


def _results(generator: Generator, tasks: Sequence[Task]) -> Results:
    if isinstance(generator, MakesMany):
        return generator.make_many(tasks)
    return _one_by_one(generator, tasks)


def _one_by_one(generator: Generator, tasks: Sequence[Task]) -> Results:
    for prompt, seed in tasks:
        try:
            result: NewImage | GeneratorError = generator.make(prompt, seed)
        except GeneratorError as error:
            result = error
        yield result


def _progress(outcome: Outcome, text: str) -> Progress:
    seen = outcome.done + outcome.failed + outcome.skipped
    return Progress(seen, outcome.asked, text, outcome.failed, outcome)
