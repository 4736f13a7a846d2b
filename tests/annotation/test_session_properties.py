"""What holds for any sequence of acts: nothing lost, nothing invented, undo to the start, restart as live."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.answering import QuestionState
from annotation.session import ConfirmResult, Session
from core.records import Answer
from tests.annotation.sittings import QUESTIONS, ListBook, make_session

Act = tuple[str, Any]

BARE_ACTS = [
    *("choose_unknown", "mark_all", "clear_marks", "clear_count", "flag"),
    *("confirm", "confirm", "keep", "change", "back", "next_set", "previous_set", "undo", "undo", "redo"),
]

acts = st.one_of(
    st.tuples(st.just("choose"), st.integers(0, 3)),
    st.tuples(st.just("describe"), st.sampled_from(["", "x", "lamp", "Lampe", "unknown"])),
    st.tuples(st.just("toggle_mark"), st.integers(0, 10)),
    st.tuples(st.just("set_count"), st.tuples(st.integers(0, 10), st.sampled_from(["slider", "key"]))),
    st.tuples(st.just("comment"), st.sampled_from(["", "odd"])),
    st.tuples(st.just("go_to_question"), st.integers(0, 2)),
    st.tuples(
        st.sampled_from(BARE_ACTS),
        st.none(),
    ),
)

answers = st.integers(0, 2).map(
    lambda n: [("choose", n), ("describe", "lamp"), ("mark_all", None), ("confirm", None), ("keep", None)]
)
walks_back = st.integers(1, 4).flatmap(
    lambda n: st.integers(0, n).map(lambda m: [("undo", None)] * n + [("redo", None)] * m)
)
parts = st.one_of(acts.map(lambda act: [act]), acts.map(lambda act: [act]), answers, walks_back)
scripts: st.SearchStrategy[list[Act]] = st.integers(0, 20).flatmap(
    lambda n: st.lists(parts, min_size=n, max_size=n + 5).map(
        lambda found: [act for part in found for act in part]
    )
)
modes = st.sampled_from(["marks+slider", "slider only", "marks only"])


def do(session: Session, act: Act) -> bool:
    """Do one act if it fits the question; whether it says that something was appended."""
    name, value = act
    if name == "choose":
        if session.question.is_open:
            return False
        return session.choose(session.options[min(value, len(session.options) - 1)].id)
    if name == "describe" and not session.question.is_open:
        return False
    method: Callable[..., bool | ConfirmResult] = getattr(session, name)
    result = method(*value) if name == "set_count" else method() if value is None else method(value)
    return result if isinstance(result, bool) else result.kind == "done"


def everything(session: Session) -> tuple[Any, ...]:
    """All that a restart has to bring back."""
    history = session._history
    states = {place: state for place, state in history.states().items() if state != _empty(state)}
    stacks = [
        [(change.place, change.before, change.after, change.entry.event_id) for change in stack]
        for stack in (history.done, history.undone)
    ]
    dots = [session.dots_of(index) for index in range(session.set_total)]
    return states, stacks, dots, session.progress, session._kept


def _empty(state: QuestionState) -> QuestionState:
    return QuestionState(is_open=state.is_open)


@settings(deadline=None, max_examples=50)
@given(scripts, modes)
def test_a_restart_at_any_point_is_as_if_nothing_had_happened(script: list[Act], mode: str) -> None:
    book = ListBook()
    session = make_session(book, mode=mode)

    for act in script:
        do(session, act)

    assert everything(make_session(book, mode=mode)) == everything(session)


@settings(deadline=None, max_examples=50)
@given(scripts, scripts)
def test_a_sitting_goes_on_after_a_restart_as_it_would_have(before: list[Act], after: list[Act]) -> None:
    book, other_book = ListBook(), ListBook()
    session, twin = make_session(book), make_session(other_book)
    for act in before:
        do(session, act)
        do(twin, act)

    again = make_session(book)
    again.go_to_set(twin.set_index)
    again.go_to_question(twin.question_index)
    twin._asked = None  # what was being asked is not kept over a restart
    for act in after:
        do(again, act)
        do(twin, act)

    assert everything(again) == everything(twin)
    assert book.acts == other_book.acts


@settings(deadline=None, max_examples=50)
@given(scripts)
def test_undo_leads_back_to_the_beginning_and_redo_to_the_end(script: list[Act]) -> None:
    session = make_session()
    for act in script:
        do(session, act)
    end = everything(session)[0]
    steps = len(session._history.done)

    while session.undo():
        pass
    assert all(dot == "unseen" for index in range(session.set_total) for dot in session.dots_of(index))
    assert everything(session)[0] == {}
    for _ in range(steps):
        assert session.redo()

    assert everything(session)[0] == end


@settings(deadline=None, max_examples=50)
@given(scripts, modes)
def test_one_act_is_one_event(script: list[Act], mode: str) -> None:
    book = ListBook()
    session = make_session(book, mode=mode)

    for act in script:
        before, undone = len(book.events), session.answer
        appended = do(session, act)
        new = len(book.events) - before
        assert new in (0, 1)
        if act[0] in ("confirm", "keep"):
            continue
        if act[0] in ("back", "next_set", "previous_set", "go_to_question"):
            assert new == 0
        else:
            assert new == appended
            assert new == 1 or session.answer == undone


@settings(deadline=None, max_examples=50)
@given(scripts, modes)
def test_every_event_is_an_answer_that_the_store_takes(script: list[Act], mode: str) -> None:
    book = ListBook()
    session = make_session(book, mode=mode)
    for act in script:
        do(session, act)

    for event in book.events:
        answer = event.answer
        assert answer.slider is None or 0 <= answer.slider <= 10
        assert (answer.slider is None) == (answer.slider_source is None)
        assert answer.marks <= set(range(10))
        assert answer.slider_source != "marks" or answer.slider == len(answer.marks)
        assert not (answer.is_unknown and (answer.label is not None or answer.slider is not None))
        assert mode != "slider only" or not answer.marks
        assert mode != "marks only" or answer.slider_source in (None, "marks")
        assert (event.undoes is not None) == (event.act in ("undo", "redo"))


@settings(deadline=None, max_examples=50)
@given(scripts)
def test_confirmed_is_complete(script: list[Act]) -> None:
    book = ListBook()
    session = make_session(book)
    for act in script:
        do(session, act)

    for event in book.events:
        if event.answer.is_confirmed:
            assert event.answer.is_unknown or (event.answer.label and event.answer.slider)


COUNTING = {"toggle_mark", "mark_all", "clear_marks", "set_count", "undo", "redo", "keep", "confirm"}


@settings(deadline=None, max_examples=50)
@given(scripts)
def test_no_count_without_an_act_of_counting(script: list[Act]) -> None:
    session = make_session()

    for act in script:
        if act[0] not in COUNTING:
            do(session, act)

    states = session._history.states().values()
    assert all(state.answer.slider is None and not state.answer.marks for state in states)


@settings(deadline=None, max_examples=50)
@given(scripts, st.lists(st.booleans(), max_size=50))
def test_slow_and_failing_saves_change_neither_the_screen_nor_the_log(
    script: list[Act], bad: list[bool]
) -> None:
    slow_book, book = ListBook(), ListBook()
    slow_book.is_slow = True
    slow, plain = make_session(slow_book), make_session(book)

    for number, act in enumerate(script):
        do(slow, act)
        do(plain, act)
        slow_book.broken = "The disk is full." if number < len(bad) and bad[number] else ""
        if number % 3 == 0:
            slow_book.release()
            slow.retry()
        assert slow.answer == plain.answer
    slow_book.broken = ""
    slow_book.release()
    slow.retry()
    slow_book.release()

    assert slow.pending == 0
    assert [(e.act, e.question, e.answer, e.undoes) for e in slow_book.events] == [
        (e.act, e.question, e.answer, e.undoes) for e in book.events
    ]


def test_the_initial_state_is_the_empty_answer() -> None:
    session = make_session()

    for index in range(len(QUESTIONS)):
        session.go_to_question(index)
        assert session.answer == Answer()
