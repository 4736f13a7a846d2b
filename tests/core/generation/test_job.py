"""Making the images of a study: resumable, counted, stoppable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from core.errors import GeneratorError
from core.generation.drawn.generator import DrawnGenerator
from core.generation.generator import Generator, run_key
from core.generation.job import generate_images
from core.generation.left_out import left_out_lines
from core.jobs import Outcome, Progress, run_here
from core.records import Condition, ImageStatus, NewImage, Prompt, StoredImage
from tests.contracts.generator_contract import make_prompt

PROMPTS = [make_prompt("baker"), make_prompt("baker", Condition.CA_R, place="a bakery"), make_prompt("nurse")]


class ListSink:
    """A sink that keeps images in a list."""

    def __init__(self) -> None:
        self.images: list[NewImage] = []

    def run_keys(self, generator: str) -> set[str]:
        return {image.run_key for image in self.images if image.generator == generator}

    def add_image(self, image: NewImage) -> int:
        self.images.append(image)
        return len(self.images)


class Balky:
    """A generator that refuses odd seeds, and makes one image at a time."""

    name = "balky"
    settings: Mapping[str, Any] = {}

    def make(self, prompt: Prompt, seed: int) -> NewImage:
        if seed % 2:
            raise GeneratorError("The seed is odd.", "Use an even one.")
        key = run_key(self.name, self.settings, prompt.text, seed)
        return NewImage(self.name, prompt, seed, key, b"", 1, 1, "png")


def four(role: str) -> Sequence[int]:
    return (1, 2, 3, 4)


def run(generator: Generator, sink: ListSink, prompts: Sequence[Prompt] = PROMPTS) -> Outcome:
    return run_here(generate_images(prompts, generator, four, sink))


def test_every_prompt_gets_an_image_of_every_seed_of_its_role() -> None:
    sink = ListSink()

    outcome = run(DrawnGenerator("drawn-a", size=64), sink)

    assert (outcome.asked, outcome.done, outcome.skipped, outcome.failed) == (12, 12, 0, 0)
    assert [(image.prompt, image.seed) for image in sink.images] == [
        (prompt, seed) for prompt in PROMPTS for seed in four(prompt.role)
    ]


def test_images_that_are_there_are_skipped() -> None:
    sink = ListSink()
    run(DrawnGenerator("drawn-a", size=64), sink, PROMPTS[:1])

    outcome = run(DrawnGenerator("drawn-a", size=64), sink)

    assert (outcome.done, outcome.skipped) == (8, 4)
    assert len(sink.images) == 12


def test_other_settings_are_other_images() -> None:
    sink = ListSink()
    run(DrawnGenerator("drawn-a", size=64), sink, PROMPTS[:1])

    assert run(DrawnGenerator("drawn-a", size=80), sink, PROMPTS[:1]).done == 4


def test_task_asked_twice_is_made_once_and_counted_twice() -> None:
    outcome = run(Balky(), ListSink(), [PROMPTS[0], PROMPTS[0]])

    assert (outcome.asked, outcome.done, outcome.failed, outcome.skipped) == (8, 2, 2, 4)


def test_failure_is_a_row_with_its_reason_and_the_job_goes_on() -> None:
    sink = ListSink()

    outcome = run(Balky(), sink)

    assert (outcome.done, outcome.failed) == (6, 6)
    assert outcome.failures[0].item == "a photo of a baker (seed 1)"
    assert outcome.failures[0].kind == "GeneratorError"
    assert "The seed is odd." in outcome.failures[0].reason


def test_progress_counts_to_the_number_asked() -> None:
    seen: list[Progress] = []

    run_here(generate_images(PROMPTS, Balky(), four, ListSink()), seen.append)

    assert [progress.done for progress in seen] == list(range(13))
    assert seen[-1].total == 12
    assert seen[-1].failed == 6


@pytest.mark.parametrize("generator", [Balky(), DrawnGenerator("drawn-a", size=64)], ids=["balky", "drawn"])
def test_closed_job_keeps_what_was_made_and_can_be_continued(generator: Generator) -> None:
    sink = ListSink()
    job = generate_images(PROMPTS, generator, four, sink)
    for _ in range(5):
        next(job)

    job.close()

    kept = len(sink.images)
    assert 0 < kept < 12
    outcome = run(generator, sink)
    assert outcome.done + outcome.skipped + outcome.failed == 12
    assert outcome.skipped == kept


def test_nothing_asked_is_nothing_done() -> None:
    outcome = run(Balky(), ListSink(), [])

    assert outcome.sentence("images") == "0 images asked: 0 done, 0 failed, 0 skipped"


def test_what_is_left_out_is_counted_by_role_condition_and_why() -> None:
    def stored(number: int, role: str, condition: Condition | None, status: ImageStatus) -> StoredImage:
        return StoredImage(number, "g", role, condition, "", number, "", "", "", 8, 8, status)

    images = [
        stored(1, "baker", Condition.CF, ImageStatus.FLAGGED),
        stored(2, "baker", Condition.CA_R, ImageStatus.BLACK),
        stored(3, "baker", Condition.CA_R, ImageStatus.BLACK),
        stored(4, "nurse", None, ImageStatus.WRONG_SIZE),
        stored(5, "nurse", Condition.CF, ImageStatus.OK),
    ]

    assert left_out_lines(images) == [
        "left out: 2 black: baker, CA-R",
        "left out: 1 flagged: baker, CF",
        "left out: 1 wrong size: nurse, no condition",
    ]
