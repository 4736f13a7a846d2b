"""Where an annotator is: which set, which question, and where to go from there.

Only movement, no answers: whether a question is done is asked of the caller. Sets come in the annotator's
order, questions in the study's.
"""

from __future__ import annotations

from collections.abc import Callable

IsDone = Callable[[int, int], bool]
"""Whether the question at (set index, question index) is done."""


class Walk:
    """A place among `sets` × `questions`, both at least 1."""

    def __init__(self, sets: int, questions: int, is_done: IsDone) -> None:
        self.sets, self.questions = sets, questions
        self._is_done = is_done
        self.set_index = 0
        self.question_index = 0

    @property
    def is_set_done(self) -> bool:
        """Whether every question of the set here is done."""
        return self.first_open(self.set_index) is None

    def first_open(self, set_index: int) -> int | None:
        """First question of a set that is not done; None when all are."""
        return next((i for i in range(self.questions) if not self._is_done(set_index, i)), None)

    def go(self, set_index: int, question_index: int) -> bool:
        """Go to a place; False when there is no such place or it is this one."""
        if not (0 <= set_index < self.sets and 0 <= question_index < self.questions):
            return False
        if (set_index, question_index) == (self.set_index, self.question_index):
            return False
        self.set_index, self.question_index = set_index, question_index
        return True

    def go_to_set(self, set_index: int) -> bool:
        """Go to a set where it was left: its first question not done, else its first."""
        if not 0 <= set_index < self.sets or set_index == self.set_index:
            return False
        return self.go(set_index, self.first_open(set_index) or 0)

    def back(self) -> bool:
        """One question back, over the boundary of sets; False at the very first."""
        if self.question_index > 0:
            return self.go(self.set_index, self.question_index - 1)
        return self.go(self.set_index - 1, self.questions - 1)

    def advance(self) -> bool:
        """On from a confirmed question; False when nothing anywhere is left to do.

        The next question of this set that is not done, else the first one; a finished set leads to the
        next set that is not done, from the last one round to the first.
        """
        here = range(self.question_index + 1, self.questions)
        later = next((i for i in here if not self._is_done(self.set_index, i)), None)
        following = later if later is not None else self.first_open(self.set_index)
        if following is not None:
            return self.go(self.set_index, following)
        return self._to_open_set(self.set_index + 1)

    def resume(self, set_index: int) -> None:
        """Open where it was left: in the set touched last, or in the next one if that is finished."""
        self.set_index, self.question_index = set_index, 0
        first = self.first_open(set_index)
        if first is not None:
            self.question_index = first
        elif not self._to_open_set(set_index + 1):
            self.question_index = self.questions - 1

    def _to_open_set(self, start: int) -> bool:
        for step in range(self.sets):
            number = (start + step) % self.sets
            first = self.first_open(number)
            if first is not None:
                self.set_index, self.question_index = number, first
                return True
        return False
