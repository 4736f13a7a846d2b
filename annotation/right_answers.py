"""What is right about a set of known pictures, by the rule that annotators are given.

Practice and gold sets are judged by it. The rule is that of the screen: the answer is what most images show,
and *unknown* is for what is not visible in most of them. Where the pictures do not settle it, or nobody
knows, there is no right answer, and nobody is judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from annotation.simulated import Labels, Truth, labels_of, most_common
from core.packets import TRAINING, KeyAnswer
from core.questions import Question
from core.records import ImageSet

TRUTH = "truth"
"""Source of a right answer that comes from what was drawn."""


class KeyedStudy(Protocol):
    """What the right answers of a round need of a store."""

    def image_sets(self, round_id: int, purpose: str = "study") -> list[ImageSet]:
        """The image sets of a round."""

    def key_answers(self, round_id: int) -> dict[tuple[int, str], KeyAnswer]:
        """The right answers that are kept with a round."""

    def truth_of(self, image_ids: Iterable[int]) -> dict[int, dict[str, tuple[str, ...]]]:
        """Known true labels by image and dimension."""


def key_answers(image_set: ImageSet, truth: Truth, questions: Sequence[Question]) -> dict[str, KeyAnswer]:
    """The right answers about a set whose images are all known; of any other set there is none.

    Unknown is right where more than half of the images do not show it; otherwise the label that most images
    show is, if more images show it than show nothing. There is no right answer

    * when no image has a truth for the dimension: what nobody planted cannot be told from what is not shown;
    * when labels tie, or as many images show nothing as show the label;
    * when an image truly shows a label that the question does not offer;
    * to an open question: its words are free, so it is scored only by accepted words given in a file.
    """
    if not all(image.image_id in truth for image in image_set.images):
        return {}
    found = {}
    for question in questions:
        labels = labels_of(question, image_set, truth)
        known = [bool(truth[image.image_id].get(question.dimension)) for image in image_set.images]
        is_worded = all(shown or not is_known for shown, is_known in zip(labels, known, strict=True))
        key = _settled(labels) if is_worded and not question.is_open else None
        if key is not None:
            found[question.id] = key
    return found


def _settled(labels: Labels) -> KeyAnswer | None:
    """The right answer, given what each image shows; None where that does not settle it."""
    nothing = sum(not shown for shown in labels)
    if nothing == len(labels):
        return None
    if 2 * nothing > len(labels):
        return KeyAnswer(None, source=TRUTH)
    top = most_common(labels)
    marks = frozenset(place for place, shown in enumerate(labels) if top[0] in shown)
    is_most = len(top) == 1 and len(marks) > nothing
    return KeyAnswer(top[0], len(marks), marks, TRUTH) if is_most else None


def right_answers(
    study: KeyedStudy, round_id: int, questions: Sequence[Question]
) -> dict[tuple[int, str], KeyAnswer]:
    """The right answers of a round that hold, by image set and question.

    What the study lead gave stands as it is. What comes from the drawn truth is derived again, since earlier
    releases kept *unknown* for what the truth says nothing about.
    """
    kept = study.key_answers(round_id)
    given = {place: key for place, key in kept.items() if key.source != TRUTH}
    judged = {number for number, _ in kept.keys() - given.keys()}
    sets = [one for purpose in ("study", TRAINING) for one in study.image_sets(round_id, purpose)]
    drawn = [one for one in sets if one.image_set_id in judged]
    truth: Mapping[int, Mapping[str, tuple[str, ...]]] = study.truth_of(
        image.image_id for one in drawn for image in one.images
    )
    derived = {
        (one.image_set_id, question): key
        for one in drawn
        for question, key in key_answers(one, truth, questions).items()
        if (one.image_set_id, question) in kept
    }
    return derived | given
