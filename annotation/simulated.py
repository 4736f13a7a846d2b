"""Simulated annotators: stand-ins whose error rates are stated, for the sample study and for tests.

They answer from the known truth of drawn pictures and are named "simulated …" wherever an answer of theirs
shows. How one answers a question about one image set:

1. With `unknown_rate`, or when no image has a known label: unknown.
2. Else with `accuracy`, the label that most images show (of tied ones any); otherwise another label of the
   vocabulary, each as likely as the next, but for a stated bias: of the errors in a question, the share
   that `leans_to` names falls on one label. Another descriptor of an open question is one that is true of
   some other image.
3. An image with that label is marked but for `missed_mark_rate`, one without it with `false_mark_rate`; a
   category with no mark at all gets one, since an answer with a count of 0 cannot be confirmed.
4. The count is the number of marks, or with `by_hand_rate` set by hand, and that one off by one with
   `hand_error_rate`.

Every draw has its own seed (round seed, annotator, set, question), so an answer depends on nothing else
that is asked, and a job that was cut short goes on with the same answers.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from annotation.acts import Act
from annotation.answering import BY_POINTER, FROM_MARKS
from core.errors import BadInput
from core.jobs import Job, Outcome, Progress
from core.json_files import read_json
from core.keys import seed_of
from core.paths import RESOURCES
from core.questions import Question, image_label
from core.records import UNKNOWN, Annotator, Answer, AnswerEvent, DimensionReading, ImageSet, Status

Truth: TypeAlias = Mapping[int, Mapping[str, tuple[str, ...]]]
"""Image id -> dimension -> labels."""

Labels: TypeAlias = Sequence[frozenset[str]]
"""For each image of a set, what it shows in the words of one question; empty when unknown."""


class SimulatedBook(Protocol):
    """What the job needs of a store."""

    def answer_events(self, annotator_id: int) -> list[AnswerEvent]:
        """Every event of one annotator."""

    def append_answers(self, events: Sequence[AnswerEvent]) -> None:
        """Append many events in one transaction."""


@dataclass(frozen=True)
class SimulatedAnnotator:
    """The stated error rates of one simulated annotator; every rate is a share from 0 to 1."""

    name: str
    default_accuracy: float
    accuracy_of: Mapping[str, float]
    unknown_rate: float
    missed_mark_rate: float
    false_mark_rate: float
    by_hand_rate: float
    hand_error_rate: float
    seconds_per_answer: float
    leans_to: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Question -> label -> share of the errors that fall on it; the rest falls on the others alike."""

    def accuracy(self, question_id: str) -> float:
        """Probability of answering with the set's most common label, where there is one to know."""
        return (1 - self.unknown_rate) * self.accuracy_of.get(question_id, self.default_accuracy)

    def _errors(self, question_id: str, wrong: float, others: Sequence[str]) -> dict[str, float]:
        """How the chance of an error is spread over the labels that it can take."""
        stated = self.leans_to.get(question_id, {})
        leans = {label: share for label, share in stated.items() if label in others}
        if not leans:
            return _spread(wrong, others)
        rest = [label for label in others if label not in leans]
        # With no other label to take what is left, all errors lean.
        all_of_it = 1.0 if rest else sum(leans.values())
        found = {label: wrong * share / all_of_it for label, share in leans.items()}
        return found | _spread(wrong - sum(found.values()), rest)

    def chances(self, question_id: str, top: Sequence[str], others: Sequence[str]) -> dict[str, float]:
        """Exact distribution of the answer.

        Parameters
        ----------
        question_id : str
            The question.
        top : sequence of str
            The most common label of the set, or several tied ones; none gives unknown for certain.
        others : sequence of str
            The labels that an error can take. Without any, there is no error but unknown.

        Returns
        -------
        dict
            Label or "unknown" -> probability; sums to 1.
        """
        if not top:
            return {UNKNOWN: 1.0}
        right = self.accuracy(question_id) if others else 1 - self.unknown_rate
        wrong = 1 - self.unknown_rate - right
        chances = {label: right / len(top) for label in top}
        chances |= self._errors(question_id, wrong, others)
        return chances | {UNKNOWN: self.unknown_rate}


def _spread(whole: float, over: Sequence[str]) -> dict[str, float]:
    return {label: whole / len(over) for label in over}


def load_simulated(path: Path | None = None) -> tuple[SimulatedAnnotator, ...]:
    """The simulated annotators of this release, or of a file of the same form."""
    path = path or RESOURCES / "simulated_annotators.json"
    try:
        return tuple(_profile(item) for item in read_json(path)["annotators"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"The simulated annotators in {path.name} cannot be read: {error}.") from error


def simulate_answers(
    image_sets: Sequence[ImageSet],
    truth: Truth,
    questions: Sequence[Question],
    annotators: Sequence[Annotator],
    seed: int,
    book: SimulatedBook,
    profiles: Sequence[SimulatedAnnotator] | None = None,
) -> Job[Outcome]:
    """Answer every question on every set as each of the simulated annotators; one step a set.

    Parameters
    ----------
    image_sets, questions, annotators
        What is answered, and who does. An annotator is matched by name with `profiles`.
    truth : mapping
        What each image shows, by image id and dimension. Images without truth count as unknown.
    seed : int
        Seed of the round.
    book : SimulatedBook
        Where the answers go. What an annotator has answered there already is skipped.
    profiles : sequence of SimulatedAnnotator, optional
        Default: those of this release.
    """
    by_name = {profile.name: profile for profile in profiles or load_simulated()}
    _check(annotators, by_name)
    outcome = Outcome(asked=len(annotators) * len(image_sets) * len(questions))
    sheets = [_Sheet(question, image_sets, truth) for question in questions]
    steps = len(annotators) * len(image_sets)
    step = 0
    for annotator in annotators:
        answered = {(e.image_set_id, e.question) for e in book.answer_events(annotator.annotator_id)}
        for image_set in image_sets:
            yield Progress(step, steps, annotator.name, outcome=outcome)
            open_sheets = [one for one in sheets if (image_set.image_set_id, one.question.id) not in answered]
            at = datetime.now(UTC).isoformat(timespec="milliseconds")
            profile = by_name[annotator.name]
            events = [one.event(profile, annotator, image_set, seed, at) for one in open_sheets]
            book.append_answers(events)
            outcome.done += len(events)
            outcome.skipped += len(sheets) - len(events)
            step += 1
    yield Progress(steps, steps)
    outcome.check()
    return outcome


class _Sheet:
    """One question with what all images show for it."""

    def __init__(self, question: Question, image_sets: Iterable[ImageSet], truth: Truth) -> None:
        self.question = question
        self._labels = {one.image_set_id: labels_of(question, one, truth) for one in image_sets}
        seen = {label for labels in self._labels.values() for image in labels for label in image}
        self._pool = sorted(seen) if question.is_open else list(question.option_ids)

    def event(
        self, profile: SimulatedAnnotator, annotator: Annotator, image_set: ImageSet, seed: int, at: str
    ) -> AnswerEvent:
        rng = random.Random(
            seed_of("simulated", seed, profile.name, image_set.key, self.question.id, bits=64)
        )
        answer = draw_answer(profile, self.question.id, self._labels[image_set.image_set_id], self._pool, rng)
        seconds = round(profile.seconds_per_answer * rng.uniform(0.5, 1.5), 1)
        return AnswerEvent(
            annotator_id=annotator.annotator_id,
            image_set_id=image_set.image_set_id,
            question=self.question.id,
            act=str(Act.CONFIRM),
            answer=answer,
            at=at,
            wall_seconds=seconds,
            active_seconds=seconds,
            first_act_seconds=round(seconds / 2, 1),
        )


def labels_of(question: Question, image_set: ImageSet, truth: Truth) -> Labels:
    """What each image of a set shows, in the words of the question."""
    return [_labels(question, truth.get(image.image_id, {})) for image in image_set.images]


def most_common(labels: Labels) -> list[str]:
    """The label that most images show; several when they tie, none when nothing is known."""
    counts = Counter(label for image in labels for label in image)
    most = max(counts.values(), default=0)
    return sorted(label for label, count in counts.items() if count == most)


def draw_answer(
    profile: SimulatedAnnotator, question_id: str, labels: Labels, pool: Sequence[str], rng: random.Random
) -> Answer:
    """One confirmed answer; the label is drawn from `profile.chances`."""
    top = most_common(labels)
    others = [label for label in pool if label not in top]
    chances = profile.chances(question_id, top, others)
    (label,) = rng.choices(list(chances), list(chances.values()))
    if label == UNKNOWN:
        return Answer(is_unknown=True, is_confirmed=True)
    marks = frozenset(
        position
        for position, image in enumerate(labels)
        if rng.random() < (1 - profile.missed_mark_rate if label in image else profile.false_mark_rate)
    )
    marks = marks or frozenset({rng.randrange(len(labels))})
    slider, source = len(marks), FROM_MARKS
    if rng.random() < profile.by_hand_rate:
        off = rng.choice((-1, 1)) if rng.random() < profile.hand_error_rate else 0
        slider, source = min(max(slider + off, 1), len(labels)), BY_POINTER
    return Answer(label=label, slider=slider, slider_source=source, marks=marks, is_confirmed=True)


def _labels(question: Question, truth: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    readings = {dimension: _reading(labels) for dimension, labels in truth.items()}
    reading = image_label(question, readings)
    return frozenset(reading.labels) if reading.status is Status.OK else frozenset()


def _reading(labels: tuple[str, ...]) -> DimensionReading:
    known = tuple(label for label in labels if label != UNKNOWN)
    return DimensionReading(known) if known else DimensionReading(status=Status.UNKNOWN)


def _check(annotators: Sequence[Annotator], profiles: Mapping[str, SimulatedAnnotator]) -> None:
    for annotator in annotators:
        if not annotator.is_simulated:
            raise BadInput(f"{annotator.name} is a person; only simulated annotators are simulated.")
        if annotator.name not in profiles:
            names = ", ".join(profiles)
            raise BadInput(f"No error rates are stated for {annotator.name!r}.", f"There are: {names}.")


def _profile(item: Mapping[str, Any]) -> SimulatedAnnotator:
    rest = {"default_accuracy": item["accuracy"], "leans_to": {}, **item}
    profile = SimulatedAnnotator(**{one.name: rest[one.name] for one in fields(SimulatedAnnotator)})
    rates = [value for key, value in rest.items() if key.endswith("rate") or key.endswith("accuracy")]
    if not all(0 <= rate <= 1 for rate in [*rates, *profile.accuracy_of.values()]):
        raise BadInput(f"The rates of {profile.name!r} must lie between 0 and 1.")
    for question, leans in profile.leans_to.items():
        if not all(0 < share <= 1 for share in leans.values()) or sum(leans.values()) > 1:
            raise BadInput(
                f"What {profile.name!r} leans to in {question} must be shares that add up to at most 1."
            )
    return profile
