"""Run a study's human half: design its round, and let simulated annotators answer it.

The study is named by the few methods it must have; an open store has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from annotation.rounds import RoundPlan, design_round, sets_from_images
from annotation.simulated import SimulatedBook, load_simulated, simulate_answers
from core.errors import BadInput
from core.jobs import Job, JobBook, Outcome, recorded
from core.questions import Question
from core.records import Annotator, Condition, ImageSet, StoredImage

NewImageSet = tuple[str, str, Condition | None, str, Sequence[int]]


class RoundStudy(Protocol):
    """A study in which a round can be designed."""

    study: Any

    def images(self) -> Sequence[StoredImage]:
        """All images, whatever their status."""

    def rounds(self) -> Sequence[Any]:
        """All rounds, oldest first."""

    def add_round(
        self,
        name: str,
        seed: int,
        questions: Sequence[str],
        count_mode: str,
        settings: Mapping[str, Any] | None = None,
        *,
        show_role: bool = False,
        image_sets: Sequence[NewImageSet] = (),
    ) -> int:
        """Add a round with its image sets in one act and return its id."""

    def add_image_sets(self, round_id: int, image_sets: Sequence[NewImageSet]) -> list[int]:
        """Add image sets to a round."""

    def image_sets(self, round_id: int) -> list[ImageSet]:
        """The image sets of a round."""


class SimulatedStudy(RoundStudy, SimulatedBook, JobBook, Protocol):
    """A study that simulated annotators can answer."""

    def add_annotator(self, name: str, is_simulated: bool) -> Annotator:
        """Add an annotator, or find the one of that name."""

    def truth_of(self, image_ids: Iterable[int]) -> dict[int, dict[str, tuple[str, ...]]]:
        """Known true labels by image and dimension."""


def plan_round(images: Sequence[StoredImage], seed: int) -> RoundPlan:
    """The round that suits the images there are.

    Ten of each role × condition × generator; and of images whose condition nobody stated, all of them in
    sets of up to ten. What makes no set is named with its reason.
    """
    stated = design_round([image for image in images if image.condition is not None], seed=seed)
    rest = sets_from_images([image for image in images if image.condition is None], seed=seed)
    sets = tuple(sorted((*stated.sets, *rest.sets), key=lambda one: one.key))
    return RoundPlan(seed, sets, stated.left_out, stated.unusable + rest.unusable, stated.not_asked)


def open_round(
    study: RoundStudy,
    questions: Sequence[Question],
    *,
    name: str = "Round 1",
    count_mode: str | None = None,
) -> int:
    """The study's first round, designed and added when there is none yet; returns its id."""
    for found in study.rounds():
        if not study.image_sets(found.round_id) and not found.is_locked:
            # An earlier release could be stopped between the round and its sets.
            study.add_image_sets(found.round_id, plan_round(study.images(), found.seed).rows)
        return int(found.round_id)
    plan = plan_round(study.images(), study.study.seed)
    if not plan.sets:
        raise BadInput("No ten images of one kind are there yet, so no image set can be made.")
    mode = count_mode or study.study.count_mode
    asked = [question.id for question in questions]
    left_out = [[each.role, each.condition, each.generator, each.reason] for each in plan.left_out]
    settings = {"left_out": left_out, "unusable": dict(plan.unusable)}
    show_role = bool(study.study.show_role)
    return study.add_round(name, plan.seed, asked, mode, settings, show_role=show_role, image_sets=plan.rows)


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
