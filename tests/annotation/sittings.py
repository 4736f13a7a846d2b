"""Image sets, questions, books and clocks for the tests of annotation, one line each."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from annotation.clock import ActiveClock
from annotation.session import Session
from core.errors import StoreError
from core.questions import Question
from core.records import Annotator, AnswerEvent, Condition, ImageSet, ImageStatus, StoredImage
from core.schema import LabelDefinition

ADA = Annotator(1, "Ada")


def make_image(image_id: int, **changes: Any) -> StoredImage:
    """A stored image of a baker; `changes` replace fields."""
    image = StoredImage(
        image_id=image_id,
        generator="drawn-a",
        role="baker",
        condition=Condition.CF,
        prompt="a photo of a baker",
        seed=image_id,
        sha256=f"{image_id:064x}",
        path=f"images/{image_id}.png",
        thumbnail=f"thumbnails/{image_id}.jpg",
        width=256,
        height=256,
        status=ImageStatus.OK,
    )
    return replace(image, **changes)


def make_set(number: int, n: int = 10) -> ImageSet:
    """An image set of `n` images with the opaque key "set-<number>"."""
    images = tuple(make_image(100 * number + position) for position in range(n))
    return ImageSet(number, f"set-{number}", "baker", Condition.CF, "drawn-a", images)


def make_question(name: str, labels: Sequence[str] = (), kind: str = "closed") -> Question:
    """A question; without labels it is open."""
    options = tuple(LabelDefinition(label, label, f"It is {label}.") for label in labels)
    return Question(name, name, "People", f"Which {name}?", kind if labels else "open_list", options, "")  # type: ignore[arg-type]


AGE = make_question("age", ["child", "adult", "old"])
POSE = make_question("pose", ["standing", "sitting", "kneeling", "lying", "bending", "leaning"])
ITEM = make_question("item")
QUESTIONS = (AGE, POSE, ITEM)


class ListBook:
    """An answer book in memory. `is_slow` holds futures back until `release`; `broken` makes them fail."""

    def __init__(self, events: Sequence[AnswerEvent] = ()) -> None:
        self.events = list(events)
        self.is_slow = False
        self.broken = ""
        self._held: list[tuple[Future[AnswerEvent], AnswerEvent]] = []

    def answer_events(self, annotator_id: int) -> list[AnswerEvent]:
        return [event for event in self.events if event.annotator_id == annotator_id]

    def append_answer(self, event: AnswerEvent) -> Future[AnswerEvent]:
        future: Future[AnswerEvent] = Future()
        if self.is_slow:
            self._held.append((future, event))
        else:
            self._land(future, event)
        return future

    def append_answers(self, events: Sequence[AnswerEvent]) -> None:
        for event in events:
            self.append_answer(event)

    def release(self) -> None:
        """Let everything held back land, and what follows from that."""
        while self._held:
            self._land(*self._held.pop(0))

    def _land(self, future: Future[AnswerEvent], event: AnswerEvent) -> None:
        if self.broken:
            future.set_exception(StoreError(self.broken))
            return
        saved = replace(event, event_id=len(self.events) + 1)
        self.events.append(saved)
        future.set_result(saved)

    @property
    def acts(self) -> list[str]:
        """What was done, in order."""
        return [event.act for event in self.events]


class HandClock:
    """Seconds that pass only when told to."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def wait(self, seconds: float) -> None:
        self.seconds += seconds


def make_session(
    book: ListBook | None = None,
    *,
    sets: int | Sequence[ImageSet] = 2,
    questions: Sequence[Question] = QUESTIONS,
    mode: str = "marks+slider",
    now: HandClock | None = None,
) -> Session:
    """Ada's session on a few sets."""
    image_sets = [make_set(number) for number in range(1, sets + 1)] if isinstance(sets, int) else sets
    clock = ActiveClock(now or HandClock())
    return Session(book or ListBook(), ADA, image_sets, questions, 7, mode, clock=clock)


def answer_all(session: Session, questions: int = 3) -> None:
    """Answer and confirm so many questions from here on, each with all images marked."""
    for _ in range(questions):
        if session.question.is_open:
            session.describe("lamp")
        else:
            session.choose(session.question.options[0].id)
        session.mark_all()
        assert session.confirm().kind == "moved"
