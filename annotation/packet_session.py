"""The session of an annotator on a packet, and the practice before it.

A packet says itself in which order its sets and pictures come, so nothing is shuffled here. Practice is a
session like any other, on sets of its own and in a run of its own; after each answer it stays where it is
until the study lead's answer has been seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from annotation.acts import ConfirmResult
from annotation.clock import ActiveClock
from annotation.outbox import AnswerBook
from annotation.session import Session
from core.packets import STUDY, TRAINING, KeyAnswer, PacketContent, PacketSet
from core.questions import Question
from core.records import Annotator, Answer, AnswerEvent, ImageSet, ImageStatus, StoredImage

PACKET_ANNOTATOR = 1
COUNT_MAY_MISS_BY = 1
"""A count is right when it is off by no more."""


class PacketSession(Session):
    """One annotator on one part of a packet, in the packet's own order."""

    def __init__(
        self,
        content: PacketContent,
        book: AnswerBook,
        part: str = STUDY,
        *,
        clock: ActiveClock | None = None,
        on_saved: Callable[[], None] | None = None,
    ) -> None:
        self.content = content
        annotator = Annotator(PACKET_ANNOTATOR, content.annotator, content.is_simulated)
        sets = [image_set_of(one, content.side) for one in content.of_part(part)]
        super().__init__(
            *(book, annotator, sets, content.questions, 0, content.count_mode),
            clock=clock,
            on_saved=on_saved,
        )

    @property
    def image_order(self) -> tuple[int, ...]:
        """The packet's pictures come in the order in which they are shown."""
        return tuple(range(self.image_count))

    def _are_options_reversed(self) -> bool:
        return self.content.is_reversed

    def _set_order(self, keys: Sequence[str]) -> Sequence[str]:
        return keys


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the study lead answered, beside an annotator's answer.

    `missed` and `extra` are places whose pictures the lead marked and the annotator did not, and the other
    way round.
    """

    key: KeyAnswer
    label: str
    is_label_right: bool
    is_count_right: bool
    missed: tuple[int, ...] = ()
    extra: tuple[int, ...] = ()

    @property
    def is_right(self) -> bool:
        """Whether category and count are right."""
        return self.is_label_right and self.is_count_right


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """How one attempt went: right answers of those that have a key, and whether that is enough."""

    attempt: int
    right: int
    asked: int
    needed: float
    is_whole: bool

    @property
    def share(self) -> float:
        """Share of right answers."""
        return self.right / self.asked if self.asked else 1.0

    @property
    def is_passed(self) -> bool:
        """Whether everything was answered, and enough of it right."""
        return self.is_whole and self.share >= self.needed


class TrainingSession(PacketSession):
    """Practice: `confirm` stays on a question until its feedback was seen, then goes on."""

    def __init__(
        self,
        content: PacketContent,
        book: AnswerBook,
        attempt: int,
        *,
        clock: ActiveClock | None = None,
        on_saved: Callable[[], None] | None = None,
    ) -> None:
        self.attempt = attempt
        self.is_over = False
        """Whether the last answer's feedback was seen too."""
        self._seen: set[tuple[int, str]] = set()
        super().__init__(content, book, TRAINING, clock=clock, on_saved=on_saved)
        self._seen |= {place for place in content.keys if self._history.state(place).answer.is_confirmed}

    @property
    def shown_feedback(self) -> Feedback | None:
        """The feedback that stands on the screen; None where none is due."""
        return self.feedback if self._place in self._seen else None

    @property
    def feedback(self) -> Feedback | None:
        """The lead's answer to the question on the screen; None before it is confirmed, or without a key."""
        key = self.content.keys.get((self.image_set.image_set_id, self.question.id))
        if key is None or not self.answer.is_confirmed:
            return None
        return feedback_of(self.question, self.answer, key)

    def result(self) -> TrainingResult:
        """How the attempt stands."""
        answers = {
            place: state.answer
            for place, state in self._history.states().items()
            if state.answer.is_confirmed
        }
        return result_of(self.content, answers, self.attempt, is_whole=self.is_complete)

    def undo(self) -> bool:
        """Take back the latest act, unless its right answer was seen already."""
        done = self._history.done
        return bool(done) and done[-1].place not in self._seen and super().undo()

    def _act(self, act: str, answer: Answer) -> bool:
        return self._place not in self._seen and super()._act(act, answer)

    def _go_on(self) -> ConfirmResult:
        if self._place not in self._seen and self.feedback is not None:
            self._seen.add(self._place)
            return ConfirmResult("done")
        result = super()._go_on()
        self.is_over = result.is_at_end
        return result


def feedback_of(question: Question, answer: Answer, key: KeyAnswer) -> Feedback:
    """An answer beside the study lead's."""
    names = {option.id: option.name for option in question.options}
    if key.label is None:
        return Feedback(key, "unknown", answer.is_unknown, is_count_right=True)
    is_right = not answer.is_unknown and key.accepts(answer.label or "")
    slider = -99 if answer.slider is None else answer.slider
    is_near = key.slider is None or (is_right and abs(slider - key.slider) <= COUNT_MAY_MISS_BY)
    marks = answer.marks if is_right else frozenset()
    return Feedback(
        *(key, " or ".join(names.get(word, word) for word in key.words), is_right, is_near),
        missed=tuple(sorted(key.marks - marks)),
        extra=tuple(sorted(marks - key.marks)) if key.marks else (),
    )


def result_of(
    content: PacketContent,
    answers: Mapping[tuple[int, str], Answer],
    attempt: int,
    *,
    is_whole: bool,
) -> TrainingResult:
    """How many of the answers that have a key are right."""
    by_id = {question.id: question for question in content.questions}
    right = sum(
        place in answers and feedback_of(by_id[place[1]], answers[place], key).is_right
        for place, key in content.keys.items()
    )
    return TrainingResult(attempt, right, len(content.keys), content.training.pass_share, is_whole)


def confirmed_of(events: Sequence[AnswerEvent]) -> dict[tuple[int, str], Answer]:
    """The confirmed answers of a log, by set and question."""
    latest = {(event.image_set_id, event.question): event.answer for event in events}
    return {place: answer for place, answer in latest.items() if answer.is_confirmed}


def image_set_of(one: PacketSet, side: int) -> ImageSet:
    """A showing as the annotation screen takes it; there is nothing about it to be told."""
    images = tuple(
        StoredImage(number, "", "", None, "", 0, "", "", "", side, side, ImageStatus.OK)
        for number in one.pictures
    )
    return ImageSet(one.number, one.key, one.role, None, "", images)
