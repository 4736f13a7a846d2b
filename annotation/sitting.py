"""What the annotation screen reads: where the annotator is, what was answered, how far it all is.

Read-only half of `session.Session`; nothing here appends an event.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal, TypeAlias

from annotation import checks, order, pacing
from annotation.acts import Act, kept_in
from annotation.answering import QuestionState
from annotation.descriptors import suggest
from annotation.history import History, Place
from annotation.places import Walk
from core.errors import BadInput
from core.questions import Question
from core.records import UNKNOWN, Annotator, Answer, AnswerEvent, ImageSet
from core.schema import LabelDefinition

CountMode: TypeAlias = Literal["marks+slider", "slider only", "marks only"]
COUNT_MODES: tuple[CountMode, ...] = ("marks+slider", "slider only", "marks only")

Dot: TypeAlias = Literal["unseen", "begun", "done", "flagged"]

UNKNOWN_OPTION = LabelDefinition(
    UNKNOWN, "unknown / not visible", "Not visible in most of the images, or not enough to tell."
)


class Sitting:
    """One annotator before the image sets of a round, as read from the log of acts."""

    def __init__(
        self,
        annotator: Annotator,
        image_sets: Iterable[ImageSet],
        questions: Sequence[Question],
        seed: int,
        count_mode: str,
        events: Iterable[AnswerEvent],
    ) -> None:
        by_key = {image_set.key: image_set for image_set in image_sets}
        if not by_key or not questions:
            raise BadInput(
                "There is nothing to annotate: no image set or no question is assigned.",
                "Ask the study lead for a new packet.",
            )
        self.annotator = annotator
        self.questions = tuple(questions)
        self.count_mode: CountMode = _count_mode(count_mode)
        self._seed = seed
        self._is_reversed = self._are_options_reversed()
        self._sets = tuple(by_key[key] for key in self._set_order(list(by_key)))
        self._set_index_of = {one.image_set_id: index for index, one in enumerate(self._sets)}
        self._question_of = {question.id: question for question in self.questions}
        self._history = History(lambda question: self._question_of[question].is_open)
        self._walk = Walk(len(self._sets), len(self.questions), self._is_done_at)
        self._read(sorted(filter(self._is_ours, events), key=lambda event: event.event_id or 0))

    def _are_options_reversed(self) -> bool:
        return order.options_reversed(self._seed, self.annotator.name)

    def _set_order(self, keys: Sequence[str]) -> Sequence[str]:
        return order.set_order(self._seed, self.annotator.name, keys)

    def _read(self, events: list[AnswerEvent]) -> None:
        self._history.replay(events)
        self._kept = kept_in(events)
        if events:
            self._walk.resume(self._set_index_of[events[-1].image_set_id])
        self._paces = [event.active_seconds for event in events if event.act == Act.CONFIRM]
        self._read_at = datetime.fromisoformat(events[-1].at) if events else None

    @property
    def image_set(self) -> ImageSet:
        """The set on the screen."""
        return self._sets[self._walk.set_index]

    @property
    def image_sets(self) -> tuple[ImageSet, ...]:
        """All sets in this annotator's order."""
        return self._sets

    @property
    def set_index(self) -> int:
        """Number of the set on the screen, from 0."""
        return self._walk.set_index

    @property
    def set_total(self) -> int:
        """Number of sets assigned."""
        return len(self._sets)

    @property
    def question(self) -> Question:
        """The question on the screen."""
        return self.questions[self._walk.question_index]

    @property
    def question_index(self) -> int:
        """Number of the question on the screen, from 0."""
        return self._walk.question_index

    @property
    def image_order(self) -> tuple[int, ...]:
        """For each place on the screen, the position of its image in the set; the same on every return."""
        return order.image_order(self._seed, self.annotator.name, self.image_set.key, self.image_count)

    @property
    def image_count(self) -> int:
        """Number of images in the set, ten but for imported ones; the largest count."""
        return len(self.image_set.images)

    @property
    def options(self) -> tuple[LabelDefinition, ...]:
        """Options of the question in this annotator's order, unknown last."""
        options = self.question.options
        return (*(reversed(options) if self._is_reversed else options), UNKNOWN_OPTION)

    @property
    def answer(self) -> Answer:
        """The answer on the screen, as it stands."""
        return self._state.answer

    @property
    def marked(self) -> frozenset[int]:
        """Places on the screen whose image is marked."""
        order_here = self.image_order
        return frozenset(place for place in range(len(order_here)) if order_here[place] in self.answer.marks)

    @property
    def missing(self) -> tuple[str, ...]:
        """Parts of the answer still open: "category" or "descriptor", and "count"."""
        return checks.missing_of(self.question, self.answer)

    @property
    def open_sentence(self) -> str:
        """What stands beside Confirm while the answer is open."""
        return checks.open_sentence(self.question, self.answer)

    @property
    def can_undo(self) -> bool:
        """Whether there is an act to take back."""
        return bool(self._history.done)

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone act to bring back."""
        return bool(self._history.undone)

    @property
    def dots(self) -> tuple[Dot, ...]:
        """State of every question of the set on the screen."""
        return self.dots_of(self.set_index)

    def dots_of(self, set_index: int) -> tuple[Dot, ...]:
        """State of every question of a set. A flag shows before anything else."""
        return tuple(_dot(self._state_at(set_index, number)) for number in range(len(self.questions)))

    @property
    def is_set_done(self) -> bool:
        """Whether every question of the set on the screen is confirmed."""
        return self._walk.is_set_done

    @property
    def is_complete(self) -> bool:
        """Whether every question of every set is confirmed."""
        return self.progress.answers_left == 0

    @property
    def progress(self) -> pacing.SittingProgress:
        """Sets and answers done, of those assigned."""
        per_set = [
            sum(self._is_done_at(one, question) for question in range(len(self.questions)))
            for one in range(len(self._sets))
        ]
        whole = sum(number == len(self.questions) for number in per_set)
        return pacing.SittingProgress(
            whole, len(self._sets), sum(per_set), len(self._sets) * len(self.questions)
        )

    @property
    def seconds_left(self) -> float | None:
        """Active seconds for the rest at the annotator's own pace; None while there is no pace yet."""
        return pacing.seconds_left(self._paces, self.progress.answers_left)

    def suggestions(self, prefix: str) -> tuple[str, ...]:
        """The annotator's own descriptors for this question in other sets that begin so."""
        here = self._place
        own = (
            state.answer.label
            for place, state in self._history.states().items()
            if place[1] == here[1] and place != here and state.answer.label is not None
        )
        return suggest(prefix, own) if self.question.is_open else ()

    @property
    def _place(self) -> Place:
        return (self.image_set.image_set_id, self.question.id)

    @property
    def _state(self) -> QuestionState:
        return self._history.state(self._place)

    def _state_at(self, set_index: int, question_index: int) -> QuestionState:
        return self._history.state((self._sets[set_index].image_set_id, self.questions[question_index].id))

    def _is_done_at(self, set_index: int, question_index: int) -> bool:
        return self._state_at(set_index, question_index).answer.is_confirmed

    def _is_ours(self, event: AnswerEvent) -> bool:
        """Whether an event of this annotator belongs to the sets and questions of this sitting."""
        return event.image_set_id in self._set_index_of and event.question in self._question_of


def _dot(state: QuestionState) -> Dot:
    if state.answer.is_flagged:
        return "flagged"
    if state.answer.is_confirmed:
        return "done"
    return "unseen" if state.is_untouched else "begun"


def _count_mode(text: str) -> CountMode:
    for mode in COUNT_MODES:
        if mode == text:
            return mode
    raise BadInput(f"There is no count mode {text!r}.", f"Use one of: {', '.join(COUNT_MODES)}.")
