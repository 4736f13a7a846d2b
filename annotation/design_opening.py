"""Put a round into a study: one over all images, or a designed one; and the study lead's own answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from annotation.design import DesignPlan, RoundDesign, plan_design
from annotation.filled_cells import Said, count_in, marks_in, must_not_contradict
from annotation.rounds import PlannedSet, RoundPlan, design_round, sets_from_images
from core.errors import BadInput
from core.keys import seed_of
from core.packets import KeyAnswer
from core.questions import Question
from core.records import UNKNOWN, Condition, ImageSet, StoredImage

NewImageSet = tuple[str, str, Condition | None, str, Sequence[int]]


class DesignStudy(Protocol):
    """What designing needs of a store."""

    study: Any

    def images(self) -> Sequence[StoredImage]:
        """All images, whatever their status."""

    def truth_of(self, image_ids: Iterable[int]) -> dict[int, dict[str, tuple[str, ...]]]:
        """Known true labels by image and dimension."""

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
        training: Sequence[NewImageSet] = (),
        keys: Mapping[str, Mapping[str, KeyAnswer]] | None = None,
    ) -> int:
        """Add a round with everything in it and return its id."""


class RoundStudy(DesignStudy, Protocol):
    """A study in which a round over all images can be opened."""

    def add_image_sets(self, round_id: int, image_sets: Sequence[NewImageSet]) -> list[int]:
        """Add image sets to a round."""

    def image_sets(self, round_id: int, purpose: str = "study") -> list[ImageSet]:
        """The image sets of a round."""


class KeyStudy(Protocol):
    """What key answers need of a store."""

    def image_sets(self, round_id: int, purpose: str = "study") -> list[ImageSet]:
        """The image sets of a round."""

    def put_key_answers(self, rows: Iterable[tuple[int, str, KeyAnswer]]) -> None:
        """Keep the study lead's answers."""


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


def next_seed(study: DesignStudy) -> int:
    """Seed of the next round: the study's own for the first, then another for each."""
    number = len(study.rounds())
    return int(study.study.seed) if number == 0 else seed_of("round", study.study.seed, number)


def next_name(study: DesignStudy) -> str:
    """What the next round is called when nobody names it."""
    taken = {found.name for found in study.rounds()}
    number = len(taken) + 1
    while f"Round {number}" in taken:
        number += 1
    return f"Round {number}"


def plan_for(study: DesignStudy, questions: Sequence[Question], design: RoundDesign) -> DesignPlan:
    """What the design would make of the study's images; changes nothing."""
    images = study.images()
    truth = study.truth_of(image.image_id for image in images)
    return plan_design(images, truth, questions, design)


def open_designed(study: DesignStudy, questions: Sequence[Question], plan: DesignPlan, name: str = "") -> int:
    """Add the round to the study, whole or not at all; returns its id.

    Any number of rounds may be there, open or locked; the newest is the one that is worked on.
    """
    design = plan.design
    return study.add_round(
        *(name or next_name(study), design.seed, [one.id for one in questions], design.count_mode),
        plan.settings(),
        show_role=design.show_role,
        image_sets=_rows(plan.sets),
        training=_rows(plan.training),
        keys=plan.keys,
    )


def keys_from_rows(
    rows: Iterable[Mapping[str, str]],
    sets: Sequence[ImageSet],
    questions: Sequence[Question],
    source: str,
) -> list[tuple[int, str, KeyAnswer]]:
    """The study lead's answers from a table: image_set, question, label, slider, and perhaps marks.

    A row without a label is not filled in yet and is skipped (`annotation.key_form` makes such a table).

    The label `unknown` is unknown; of an open question it may be several accepted words, parted by a bar.
    The count may be left empty. Marks are positions from 0 in the set's own order, such as `0 3 4`.

    Raises
    ------
    BadInput
        A row that names no set, no question or no option of the round, a count that cannot be,
        or two rows that contradict each other.
    """
    by_key = {one.key: one for one in sets}
    by_id = {one.id: one for one in questions}
    found: list[tuple[int, str, KeyAnswer]] = []
    said: Said = {}
    for number, row in enumerate(rows, start=1):
        if str(row.get("label") or "").strip():
            image_set, question, key = _key_row(number, row, by_key, by_id, source)
            must_not_contradict(said, (image_set, question), number, key)
            found.append((image_set, question, key))
    return found


def _key_row(
    number: int,
    row: Mapping[str, str],
    sets: Mapping[str, ImageSet],
    questions: Mapping[str, Question],
    source: str,
) -> tuple[int, str, KeyAnswer]:
    where = f"{source}, row {number}"
    image_set = sets.get(str(row.get("image_set", "")))
    question = questions.get(str(row.get("question", "")))
    label = str(row.get("label") or "").strip()
    if image_set is None:
        raise BadInput(f"{where}: there is no image set {row.get('image_set')!r} in this round.")
    if question is None:
        raise BadInput(f"{where}: there is no question {row.get('question')!r} in this round.")
    if label == UNKNOWN:
        return image_set.image_set_id, question.id, KeyAnswer(None, source=source)
    if not question.is_open and label not in question.option_ids:
        raise BadInput(f"{where}: {label!r} is no answer to “{question.wording}”.")
    n = len(image_set.images)
    slider = count_in(str(row.get("slider") or ""), n, where)
    marks = marks_in(str(row.get("marks") or ""), n, where)
    return image_set.image_set_id, question.id, KeyAnswer(label, slider, marks, source)


def _rows(sets: Sequence[PlannedSet]) -> list[NewImageSet]:
    return [one.row for one in sets]
