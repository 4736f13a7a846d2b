"""Let simulated annotators answer a study's round.

The study is named by the few methods it must have; an open store has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from annotation.design_opening import RoundStudy, open_round
from annotation.simulated import SimulatedBook, load_simulated, simulate_answers
from core.errors import BadInput
from core.jobs import Job, JobBook, Outcome, recorded
from core.questions import Question
from core.records import Annotator, ImageSet


class SimulatedStudy(RoundStudy, SimulatedBook, JobBook, Protocol):
    """A study that simulated annotators can answer."""

    def add_annotator(self, name: str, is_simulated: bool) -> Annotator:
        """Add an annotator, or find the one of that name."""

    def truth_of(self, image_ids: Iterable[int]) -> dict[int, dict[str, tuple[str, ...]]]:
        """Known true labels by image and dimension."""


def simulate_in(study: SimulatedStudy, questions: Sequence[Question]) -> Job[Outcome]:
    """Let the three simulated annotators answer the study's round; what they answered is skipped."""
    _, image_sets, truth, unknown = what_is_known(study, questions)
    annotators = [study.add_annotator(profile.name, True) for profile in load_simulated()]
    asked = len(annotators) * len(image_sets) * len(questions)
    settings = simulated_settings(annotators, unknown)
    job = simulate_answers(image_sets, truth, questions, annotators, study.study.seed, study)
    return recorded(job, study, "simulate", asked, settings)


def what_is_known(
    study: SimulatedStudy, questions: Sequence[Question]
) -> tuple[int, list[ImageSet], dict[int, dict[str, tuple[str, ...]]], int]:
    """The round that can be simulated, its sets whose truth is known, that truth, and how many are not.

    A round is opened when there is none. BadInput when it is locked, or nothing of it is known.
    """
    round_id = open_round(study, questions)
    rounds = study.rounds()
    if len(rounds) > 1:  # `open_round` knows the first only, and the newest is the one worked on
        round_id = int(rounds[-1].round_id)
    if any(found.round_id == round_id and found.is_locked for found in rounds):
        raise BadInput("The round is locked, so nobody can answer any more.", "Nothing was added.")
    every = study.image_sets(round_id)
    truth = study.truth_of(image.image_id for each in every for image in each.images)
    image_sets = [each for each in every if all(image.image_id in truth for image in each.images)]
    if not image_sets:
        raise BadInput(
            "Simulated annotators can only answer pictures whose labels are known.",
            "Generate drawn pictures first, with `main.py generate STUDY --generator drawn-a`.",
        )
    return round_id, image_sets, truth, len(every) - len(image_sets)


def simulated_settings(annotators: Sequence[Annotator], unknown: int) -> dict[str, Any]:
    """What is kept with the job."""
    return {"annotators": [each.name for each in annotators], "image_sets_without_truth": unknown}
