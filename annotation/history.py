"""The states of all questions and the two stacks of undo and redo, live or replayed from the log.

Undo has no limit, walks across questions and sets, and survives a restart, because nothing is stored for it:
an undo is an event that names the one it takes back, and replaying the events gives the same two stacks.
Events that change no answer (a warning that was kept, a break) are in the log but in no stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from annotation.answering import QuestionState, follow
from annotation.outbox import Entry
from core.records import Answer, AnswerEvent

UNDO, REDO = "undo", "redo"
"""The two acts whose event has `undoes`: what is taken back, or brought back."""

Place: TypeAlias = tuple[int, str]
"""Image set id and question id."""


@dataclass(frozen=True, slots=True)
class Change:
    """One act that changed an answer: where, from which state to which, and its entry in the log."""

    place: Place
    before: QuestionState
    after: QuestionState
    entry: Entry


class History:
    """Every question's state, and what can be undone and redone.

    Parameters
    ----------
    is_open : callable
        Whether the question with this id takes a descriptor.
    """

    def __init__(self, is_open: Callable[[str], bool]) -> None:
        self._is_open = is_open
        self._states: dict[Place, QuestionState] = {}
        self.done: list[Change] = []
        self.undone: list[Change] = []

    def state(self, place: Place) -> QuestionState:
        """The state of one question, touched or not."""
        found = self._states.get(place)
        return found if found is not None else QuestionState(is_open=self._is_open(place[1]))

    def states(self) -> dict[Place, QuestionState]:
        """The state of every question that an act has touched, undone ones included."""
        return dict(self._states)

    def record(self, place: Place, answer: Answer, entry: Entry) -> bool:
        """Take in an act; False when it left the answer as it was. A new act ends what could be redone."""
        before = self.state(place)
        if answer == before.answer:
            return False
        after = follow(before, answer)
        self._states[place] = after
        self.done.append(Change(place, before, after, entry))
        self.undone.clear()
        return True

    def undo(self) -> Change | None:
        """Take back the latest act that stands; None when there is none."""
        if not self.done:
            return None
        change = self.done.pop()
        self._states[change.place] = change.before
        self.undone.append(change)
        return change

    def redo(self) -> Change | None:
        """Bring back the act that was undone last; None when there is none."""
        if not self.undone:
            return None
        change = self.undone.pop()
        self._states[change.place] = change.after
        self.done.append(change)
        return change

    def replay(self, events: Iterable[AnswerEvent]) -> None:
        """Take in the events of a log, oldest first."""
        for event in events:
            place = (event.image_set_id, event.question)
            top = _top(self.done if event.act == UNDO else self.undone, event)
            if event.act == UNDO and top is not None and top.before.answer == event.answer:
                self.undo()
            elif event.act == REDO and top is not None and top.after.answer == event.answer:
                self.redo()
            else:
                self.record(place, event.answer, Entry(event.event_id))


def _top(stack: list[Change], event: AnswerEvent) -> Change | None:
    """The change that an event takes back or brings back, if the log is one unbroken sitting here.

    Two windows on one annotator, or a merge, may have come between; then the answer in the event counts.
    """
    top = stack[-1] if stack else None
    place = (event.image_set_id, event.question)
    return top if top and top.place == place and top.entry.event_id == event.undoes else None
