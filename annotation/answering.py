"""What an act does to an answer: pure functions from one state of a question to the next.

A question's state is the answer as it stands plus, for every category that was chosen before, the marks and
the count it had. The rules:

* A category belongs to its marks. Another category starts unmarked and uncounted, and going back restores
  what was there. Marks made before any category was chosen go with the first one chosen. A descriptor is
  retyped to correct it, so an open question has one set of marks whatever the words.
* An act on the marks sets the count to their number; an act on the count keeps the marks ("the hand won").
  Whichever came last holds: marking again after a hand-set count makes the count follow the marks again.
* Unknown needs no count and stores none; the count of the category before it comes back with the category.
* The count is None until an act, and 0 is an act. `uncounted` takes marks and count back together, since
  marks beside an unset count would say two things.
* A change of category, marks or count takes the confirmation back: what is confirmed is then always what
  the annotator looked at when pressing Confirm. Flag and comment are remarks and leave it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from core.records import UNKNOWN, Answer

FROM_MARKS, BY_POINTER, BY_KEY = "marks", "slider", "key"
"""How a count came about: `Answer.slider_source`."""

UNANSWERED = Answer()

NO_CATEGORY = ""
DESCRIBED = "\0described"
"""Keys of `kept` beside the label ids; no label id looks like either."""


@dataclass(frozen=True, slots=True)
class Count:
    """What a category keeps while another one is chosen."""

    slider: int | None = None
    source: str | None = None
    marks: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class QuestionState:
    """One question of one image set: the answer, and the counts of categories that were left."""

    answer: Answer = UNANSWERED
    kept: Mapping[str, Count] = field(default_factory=lambda: MappingProxyType({}))
    is_open: bool = False

    @property
    def category(self) -> str:
        """Key under which the marks and the count are kept."""
        return _category(self.answer, self.is_open)

    @property
    def is_untouched(self) -> bool:
        """Whether no act has left anything in the answer."""
        return self.answer == UNANSWERED


def follow(state: QuestionState, answer: Answer) -> QuestionState:
    """The state after an act that led to this answer; live and from the log by the same rule."""
    before, now = state.category, _category(answer, state.is_open)
    if before == now:
        return replace(state, answer=answer)
    kept = dict(state.kept)
    kept[before] = _count_of(state.answer)
    if now != UNKNOWN and now not in kept:
        kept.pop(NO_CATEGORY, None)  # the first category has taken over what was marked before it
    kept.pop(now, None)
    return QuestionState(answer, MappingProxyType(kept), state.is_open)


def chosen(state: QuestionState, label: str) -> Answer:
    """The answer with a category of a closed vocabulary, or with a descriptor of an open one."""
    named = replace(state.answer, label=label, is_unknown=False, is_confirmed=False)
    now = _category(named, state.is_open)
    if now == state.category:
        return _unless_same(state.answer, named)
    count = _count_of(state.answer) if state.category == NO_CATEGORY else Count()
    count = state.kept.get(now, state.kept.get(NO_CATEGORY, count))
    return _with_count(named, count)


def undescribed(state: QuestionState) -> Answer:
    """The answer of an open question with its descriptor emptied; marks and count stay."""
    if state.answer.is_unknown:
        return state.answer
    return _unless_same(state.answer, replace(state.answer, label=None, is_confirmed=False))


def unknown(state: QuestionState) -> Answer:
    """The answer "unknown / not visible", which has no count."""
    if state.answer.is_unknown:
        return state.answer
    named = replace(state.answer, label=None, is_unknown=True, is_confirmed=False)
    return _with_count(named, state.kept.get(UNKNOWN, Count()))


def marked(state: QuestionState, marks: Iterable[int]) -> Answer:
    """The answer with exactly these images marked, the count following them.

    Under unknown the marks are kept as a remark without a count; `checks` asks about them.
    """
    marks = frozenset(marks)
    slider, source = (None, None) if state.answer.is_unknown else (len(marks), FROM_MARKS)
    answer = replace(state.answer, marks=marks, slider=slider, slider_source=source, is_confirmed=False)
    return _unless_same(state.answer, answer)


def counted(state: QuestionState, slider: int, source: str) -> Answer:
    """The answer with a count set by hand; the marks stay. Unknown takes no count."""
    if state.answer.is_unknown:
        return state.answer
    answer = replace(state.answer, slider=slider, slider_source=source, is_confirmed=False)
    return _unless_same(state.answer, answer)


def uncounted(state: QuestionState) -> Answer:
    """The answer with neither count nor marks, as before the first act on them."""
    return _unless_same(state.answer, _with_count(replace(state.answer, is_confirmed=False), Count()))


def _category(answer: Answer, is_open: bool) -> str:
    if answer.is_unknown:
        return UNKNOWN
    return DESCRIBED if is_open else answer.label or NO_CATEGORY


def _count_of(answer: Answer) -> Count:
    return Count(answer.slider, answer.slider_source, answer.marks)


def _with_count(answer: Answer, count: Count) -> Answer:
    return replace(answer, slider=count.slider, slider_source=count.source, marks=count.marks)


def _unless_same(before: Answer, after: Answer) -> Answer:
    """`after`, or `before` untouched (still confirmed) when nothing else would change."""
    return before if replace(after, is_confirmed=before.is_confirmed) == before else after
