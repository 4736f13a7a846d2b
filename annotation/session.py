"""One annotator's sitting as a state machine: the acts of the annotation screen and what each of them does.

One act appends exactly one event; an act that would change nothing appends none and returns False; moving
about appends none. The state in memory changes at once; saving follows in order (`outbox`), and a failure
shows as `trouble` with everything kept for `retry`. The state is never stored: it is the replay of the log,
so that closing, a crash and a restart need no dialog. Rules of the answer: `answering`; of confirming:
`checks`; of undo: `history`; of moving: `places`. No threads, no Qt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from annotation import answering, checks
from annotation.acts import CHANGED, KEPT, Act, Asked, ConfirmResult, kept_of
from annotation.answering import BY_KEY, BY_POINTER
from annotation.checks import SoftWarning
from annotation.clock import ActiveClock
from annotation.descriptors import normal_descriptor
from annotation.history import Change, Place
from annotation.outbox import AnswerBook
from annotation.recording import Recording
from core.errors import BadInput
from core.questions import Question
from core.records import UNKNOWN, Annotator, Answer, ImageSet

__all__ = ["AnswerBook", "ConfirmResult", "Session", "SoftWarning"]


class Session(Recording):
    """One annotator at work. Call `wait_saved` before the book is closed.

    Parameters
    ----------
    book : AnswerBook
        Where events come from and go to. Read once, here; this may take a moment with a long log.
    annotator, image_sets, questions
        Who answers what. Sets are put into the annotator's own order; questions keep theirs.
    seed : int
        Seed of the round, for all orders.
    count_mode : str
        "marks+slider", "slider only" (marks do nothing) or "marks only" (the slider does nothing).
    clock : ActiveClock, optional
        The window feeds its `input`, `focus` and `tick`.
    on_saved : callable, optional
        Called without arguments when something became durable or failed, maybe in the book's thread.
    """

    def __init__(
        self,
        book: AnswerBook,
        annotator: Annotator,
        image_sets: Iterable[ImageSet],
        questions: Sequence[Question],
        seed: int,
        count_mode: str = "marks+slider",
        *,
        clock: ActiveClock | None = None,
        on_saved: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(book, annotator, image_sets, questions, seed, count_mode, clock, on_saved)
        self._asked: Asked | None = None

    # Acts on the answer -------------------------------------------------------------------------------

    def choose(self, label_id: str) -> bool:
        """Choose a category of a closed question, or unknown; True when this changed the answer."""
        if label_id == UNKNOWN:
            return self.choose_unknown()
        if label_id not in self.question.option_ids:
            raise BadInput(f"{label_id!r} is no answer to “{self.question.wording}”")
        return self._act(Act.CHOOSE, answering.chosen(self._state, label_id))

    def choose_unknown(self) -> bool:
        """Answer "unknown / not visible", which needs no count."""
        return self._act(Act.UNKNOWN, answering.unknown(self._state))

    def describe(self, text: str, *, is_suggestion: bool = False) -> bool:
        """Give the descriptor of an open question; an empty one takes it back.

        One too short or too long is kept as typed and shows as missing; the word "unknown" is unknown.
        """
        if not self.question.is_open:
            raise BadInput(f"“{self.question.wording}” is answered by one of its options.")
        descriptor = normal_descriptor(text)
        if descriptor.casefold() == UNKNOWN:
            return self.choose_unknown()
        if not descriptor:
            return self._act(Act.DESCRIBE, answering.undescribed(self._state))
        act = Act.ACCEPT_SUGGESTION if is_suggestion else Act.DESCRIBE
        return self._act(act, answering.chosen(self._state, descriptor))

    def toggle_mark(self, screen_position: int) -> bool:
        """Mark or unmark the image at a place on the screen (from 0); the count follows the marks."""
        if not 0 <= screen_position < self.image_count:
            return False
        position = self.image_order[screen_position]
        act = Act.UNMARK if position in self.answer.marks else Act.MARK
        return self._mark(act, self.answer.marks ^ {position})

    def mark_all(self) -> bool:
        """Mark every image of the set."""
        return self._mark(Act.MARK_ALL, frozenset(range(self.image_count)))

    def clear_marks(self) -> ConfirmResult:
        """Unmark every image. Untouched, this asks once whether none of them is meant, then counts 0."""
        if self.count_mode == "slider only":
            return ConfirmResult("nothing")
        answer = self.answer
        if answer.marks or answer.slider is not None:
            return _done(self._mark(Act.CLEAR_MARKS, frozenset()))
        if answer.is_unknown:
            return ConfirmResult("nothing")
        if self._asked is not None and self._asked.about == "none":
            return self.keep()
        warning = SoftWarning("none-of-them", f"None of the {_in_words(self.image_count)}?", self.question.id)
        self._asked = Asked("none", (warning,))
        return self._asked.result

    def set_count(self, n: int, source: str = BY_POINTER) -> bool:
        """Set the count by hand, with the pointer ("slider") or by key ("key"); the marks stay."""
        if source not in (BY_POINTER, BY_KEY):
            raise BadInput(f"A count set by hand comes from {BY_POINTER!r} or {BY_KEY!r}, not {source!r}.")
        if not 0 <= n <= self.image_count:
            raise BadInput(f"The count is a number from 0 to {self.image_count}, not {n}.")
        if self.count_mode == "marks only":
            return False
        return self._act(Act.SET_COUNT, answering.counted(self._state, n, source))

    def clear_count(self) -> bool:
        """Make the count unset again, and the marks with it."""
        return self._act(Act.CLEAR_COUNT, answering.uncounted(self._state))

    def flag(self) -> bool:
        """Flag the question for the study lead, or take the flag off; a confirmed answer stays confirmed."""
        act = Act.UNFLAG if self.answer.is_flagged else Act.FLAG
        return self._remark(act, replace(self.answer, is_flagged=not self.answer.is_flagged))

    def comment(self, text: str) -> bool:
        """Leave a comment on the question; an empty one takes it off."""
        return self._remark(Act.COMMENT, replace(self.answer, comment=text.strip()))

    # Confirming ---------------------------------------------------------------------------------------

    @property
    def asking(self) -> tuple[SoftWarning, ...]:
        """What waits for `keep` or `change`; empty when nothing does."""
        return self._asked.warnings if self._asked is not None else ()

    def confirm(self) -> ConfirmResult:
        """Confirm the answer and go on; open answers stay, doubtful ones ask once. Asked, this keeps."""
        if self._asked is not None and self._asked.about != "none":
            return self.keep()
        self._asked = None
        missing = self.missing
        if missing:
            return ConfirmResult("open", missing, self.open_sentence)
        if self.answer.is_confirmed:
            return self._go_on()
        doubts = checks.question_warnings(self.question, self._state, self.image_count)
        unseen = checks.unseen_warning(self.question, self.unseen, self.image_order)
        doubts += [unseen] if unseen is not None else []
        doubts = [doubt for doubt in doubts if not self._is_kept(doubt)]
        if doubts:
            self._asked = Asked("question", tuple(doubts))
            return self._asked.result
        times = self._append(self._place, Act.CONFIRM, replace(self.answer, is_confirmed=True))
        self._paces.append(times.active_seconds)
        return self._go_on()

    def keep(self) -> ConfirmResult:
        """Answer what was asked with "as it is"."""
        asked, self._asked = self._asked, None
        if asked is None:
            return ConfirmResult("nothing")
        if asked.about == "none":
            return _done(self._mark(Act.NONE_OF_THEM, frozenset()))
        place = (self.image_set.image_set_id, asked.warnings[0].question)
        answer = replace(self._history.state(place).answer, is_confirmed=True)
        self._append(place, KEPT + asked.checks, answer)
        self._kept |= kept_of(*place, [doubt.check for doubt in asked.warnings], answer)
        return self._go_on()

    def change(self) -> bool:
        """Answer what was asked with "let me change it": logs it and goes to the question concerned."""
        asked, self._asked = self._asked, None
        if asked is None or asked.about == "none":
            return False
        question = asked.warnings[0].question
        self._show((self.image_set.image_set_id, question))
        self._append(self._place, CHANGED + asked.checks, self.answer)
        return True

    # Moving about -------------------------------------------------------------------------------------

    def back(self) -> bool:
        """The question before this one, also over the boundary of sets; False at the very first."""
        return self._moved(self._walk.back())

    def go_to_question(self, index: int) -> bool:
        """Another question of this set."""
        return self._moved(self._walk.go(self.set_index, index))

    def go_to_set(self, index: int) -> bool:
        """Another set, where it was left."""
        return self._moved(self._walk.go_to_set(index))

    def next_set(self) -> bool:
        """The set after this one; False at the last."""
        return self.go_to_set(self.set_index + 1)

    def previous_set(self) -> bool:
        """The set before this one; False at the first."""
        return self.go_to_set(self.set_index - 1)

    # Undo ---------------------------------------------------------------------------------------------

    def undo(self) -> bool:
        """Take back the latest act that stands, wherever it was, and go there."""
        change = self._history.undo()
        return change is not None and self._restored(Act.UNDO, change, change.before.answer)

    def redo(self) -> bool:
        """Bring back the act that was undone last, and go there."""
        change = self._history.redo()
        return change is not None and self._restored(Act.REDO, change, change.after.answer)

    # Inside -------------------------------------------------------------------------------------------

    def _act(self, act: str, answer: Answer) -> bool:
        if answer == self.answer:
            return False
        if self._asked is not None and self._asked.about == "question":
            act = CHANGED + self._asked.checks  # one act, one event; what was changed is in the answer
        self._asked = None
        self._append(self._place, act, answer)
        return True

    def _mark(self, act: str, marks: frozenset[int]) -> bool:
        if self.count_mode == "slider only":
            return False
        return self._act(act, answering.marked(self._state, marks))

    def _remark(self, act: str, answer: Answer) -> bool:
        if answer == self.answer:
            return False
        self._append(self._place, act, answer)
        return True

    def _restored(self, act: Act, change: Change, answer: Answer) -> bool:
        self._asked = None
        self._show(change.place)
        self._append(change.place, act, answer, undoes=change.entry)
        return True

    def _go_on(self) -> ConfirmResult:
        is_set_done = self.is_set_done
        doubt = self._doubt_between_questions() if is_set_done else None
        if doubt is not None:
            self._asked = Asked("set", (doubt,))
            return self._asked.result
        if is_set_done:
            self._break.set_finished(self.image_set.key, self.clock.sitting_seconds)
        return ConfirmResult("moved", is_at_end=not self._moved(self._walk.advance()))

    def _doubt_between_questions(self) -> SoftWarning | None:
        set_id = self.image_set.image_set_id
        answers = {one.id: self._history.state((set_id, one.id)).answer for one in self.questions}
        doubts = checks.set_warnings(self.questions, answers, self.image_count)
        return next((doubt for doubt in doubts if not self._is_kept(doubt)), None)

    def _is_kept(self, doubt: SoftWarning) -> bool:
        set_id = self.image_set.image_set_id
        answer = self._history.state((set_id, doubt.question)).answer
        return kept_of(set_id, doubt.question, [doubt.check], answer) <= self._kept

    def _show(self, place: Place) -> None:
        questions = [question.id for question in self.questions]
        self._moved(self._walk.go(self._set_index_of[place[0]], questions.index(place[1])))

    def _moved(self, has_moved: bool) -> bool:
        if has_moved:
            self._asked = None
            self.clock.show()
        return has_moved


def _done(has_changed: bool) -> ConfirmResult:
    return ConfirmResult("done" if has_changed else "nothing")


def _in_words(number: int) -> str:
    return "ten" if number == 10 else str(number)
