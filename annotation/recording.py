"""How acts reach the log: times, one event an act, saving, breaks.

The half of `session.Session` that writes; what the acts mean is in `session`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

from annotation.acts import Act
from annotation.clock import ActiveClock, Times
from annotation.history import Place
from annotation.outbox import AnswerBook, Entry, Outbox
from annotation.pacing import BreakHint
from annotation.sitting import Sitting
from core.questions import Question
from core.records import Annotator, Answer, AnswerEvent, ImageSet


class Recording(Sitting):
    """A sitting that appends events to a book. Parameters: see `session.Session`."""

    def __init__(
        self,
        book: AnswerBook,
        annotator: Annotator,
        image_sets: Iterable[ImageSet],
        questions: Sequence[Question],
        seed: int,
        count_mode: str,
        clock: ActiveClock | None,
        on_saved: Callable[[], None] | None,
    ) -> None:
        events = book.answer_events(annotator.annotator_id)
        super().__init__(annotator, image_sets, questions, seed, count_mode, events)
        self.theme = ""
        self.unseen: frozenset[int] = frozenset()
        self.clock = clock or ActiveClock()
        self._outbox = Outbox(book, on_saved)
        self._outbox.note_saved(self._read_at)
        self._break = BreakHint()
        self.clock.show()

    @property
    def break_hint(self) -> str:
        """Shown in the bar once a set boundary finds a break due; empty otherwise."""
        return self._break.sentence

    def answer_break(self, *, is_taken: bool) -> bool:
        """Take the break or dismiss the hint; either is logged."""
        if not self._break.sentence:
            return False
        self._append(self._place, Act.TAKE_BREAK if is_taken else Act.DISMISS_BREAK, self.answer)
        self._break.answered(self.clock.sitting_seconds)
        return True

    @property
    def last_saved_at(self) -> datetime | None:
        """When the last act became durable (UTC)."""
        return self._outbox.last_saved_at

    @property
    def pending(self) -> int:
        """Number of acts that are not durable yet."""
        return self._outbox.pending

    @property
    def unsaved(self) -> tuple[AnswerEvent, ...]:
        """The acts that are not durable yet, oldest first."""
        return self._outbox.waiting

    @property
    def trouble(self) -> str:
        """Why saving stopped, in a sentence; empty while it works."""
        return self._outbox.trouble

    def retry(self) -> None:
        """Try again to save what is waiting."""
        self._outbox.retry()

    def wait_saved(self, timeout: float = 5.0) -> bool:
        """Block until every act is durable; False when it is not in time or saving is in trouble."""
        return self._outbox.wait(timeout)

    def _append(self, place: Place, act: str, answer: Answer, undoes: Entry | None = None) -> Times:
        entry = Entry()
        if undoes is None:
            self._history.record(place, answer, entry)
        times = self.clock.act() if place == self._place else Times(0.0, 0.0, None)
        event = AnswerEvent(
            annotator_id=self.annotator.annotator_id,
            image_set_id=place[0],
            question=place[1],
            act=str(act),
            answer=answer,
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            wall_seconds=times.wall_seconds,
            active_seconds=times.active_seconds,
            first_act_seconds=times.first_act_seconds,
            theme=self.theme,
        )
        self._outbox.put(event, entry, undoes)
        return times
