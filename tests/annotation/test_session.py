from __future__ import annotations

import pytest

from annotation.session import Session
from core.errors import BadInput
from core.records import Annotator, Answer
from tests.annotation.sittings import (
    ADA,
    AGE,
    ITEM,
    POSE,
    QUESTIONS,
    HandClock,
    ListBook,
    answer_all,
    make_question,
    make_session,
    make_set,
)

POSES = POSE.option_ids


# The count


def test_count_is_none_until_an_act() -> None:
    book = ListBook()
    session = make_session(book)

    session.choose("adult")
    session.flag()
    session.comment("two people")

    assert session.answer.slider is None
    assert [event.answer.slider for event in book.events] == [None, None, None]
    assert session.confirm().missing == ("count",)
    assert len(book.events) == 3


@pytest.mark.parametrize("source", ["slider", "key"])
def test_zero_is_an_act_like_any_other(source: str) -> None:
    book = ListBook()
    session = make_session(book)

    assert session.set_count(0, source)

    assert (book.events[-1].answer.slider, book.events[-1].answer.slider_source) == (0, source)
    assert make_session(book).answer.slider == 0


def test_ten_by_every_route_is_ten() -> None:
    by_all, by_marks, by_hand = make_session(), make_session(), make_session()

    by_all.mark_all()
    for place in range(10):
        by_marks.toggle_mark(place)
    by_hand.set_count(10, "key")

    assert by_all.answer.slider == by_marks.answer.slider == by_hand.answer.slider == 10


def test_marks_set_the_count_and_are_kept_in_the_order_of_the_set() -> None:
    session = make_session()

    session.toggle_mark(0)
    session.toggle_mark(4)
    session.toggle_mark(0)
    session.toggle_mark(9)

    order = session.image_order
    assert session.answer.marks == {order[4], order[9]}
    assert session.marked == {4, 9}
    assert (session.answer.slider, session.answer.slider_source) == (2, "marks")


def test_the_hand_wins_and_the_marks_stay() -> None:
    session = make_session()
    session.toggle_mark(1)
    session.toggle_mark(2)

    session.set_count(7, "slider")

    assert (session.answer.slider, session.answer.slider_source) == (7, "slider")
    assert session.marked == {1, 2}


def test_marking_after_the_hand_makes_the_count_follow_the_marks_again() -> None:
    session = make_session()
    session.toggle_mark(1)
    session.set_count(7, "key")

    session.toggle_mark(2)

    assert (session.answer.slider, session.answer.slider_source) == (2, "marks")


def test_the_same_count_by_hand_as_by_marks_is_an_act_of_the_hand() -> None:
    session = make_session()
    session.toggle_mark(1)

    assert session.set_count(1, "slider")
    assert session.answer.slider_source == "slider"
    assert not session.set_count(1, "slider")


def test_a_count_out_of_range_is_refused() -> None:
    session = make_session()

    for n in (-1, 11):
        with pytest.raises(BadInput, match="from 0 to 10"):
            session.set_count(n)
    with pytest.raises(BadInput, match="comes from"):
        session.set_count(3, "marks")
    assert session.answer == Answer()


def test_clearing_the_count_makes_it_unset() -> None:
    session = make_session()
    session.toggle_mark(1)
    session.set_count(4)

    assert session.clear_count()

    assert session.answer == Answer()
    assert not session.clear_count()


def test_none_of_the_ten_is_asked_once_and_then_counts_zero() -> None:
    book = ListBook()
    session = make_session(book)

    asked = session.clear_marks()

    assert (asked.kind, asked.sentence) == ("ask", "None of the ten?")
    assert session.answer.slider is None
    assert book.events == []
    assert session.clear_marks().kind == "done"
    assert (session.answer.slider, session.answer.slider_source) == (0, "marks")
    assert book.acts == ["none of them"]


def test_none_of_the_ten_is_forgotten_by_any_other_act() -> None:
    session = make_session()

    session.clear_marks()
    session.choose("adult")

    assert session.asking == ()
    assert session.clear_marks().kind == "ask"
    session.go_to_question(1)
    assert session.asking == ()


def test_clearing_marks_that_are_there_asks_nothing() -> None:
    session = make_session()
    session.mark_all()

    assert session.clear_marks().kind == "done"
    assert session.answer.slider == 0
    assert session.clear_marks().kind == "nothing"


def test_slider_only_knows_no_marks() -> None:
    book = ListBook()
    session = make_session(book, mode="slider only")

    assert not session.toggle_mark(0)
    assert not session.mark_all()
    assert session.clear_marks().kind == "nothing"
    assert book.events == []
    assert session.set_count(4)


def test_marks_only_knows_no_hand() -> None:
    session = make_session(mode="marks only")

    assert not session.set_count(4)
    assert session.toggle_mark(3)
    assert session.answer.slider == 1


def test_an_unknown_count_mode_is_refused() -> None:
    with pytest.raises(BadInput, match="count mode"):
        make_session(mode="guess")


def test_a_set_of_six_counts_to_six() -> None:
    session = make_session(sets=[make_set(1, n=6)])

    assert sorted(session.image_order) == list(range(6))
    assert not session.toggle_mark(6)
    session.mark_all()
    assert session.answer.slider == 6
    with pytest.raises(BadInput, match="from 0 to 6"):
        session.set_count(7)


# The category


def test_a_label_of_another_question_is_refused() -> None:
    session = make_session()

    with pytest.raises(BadInput, match="no answer to"):
        session.choose("standing")
    with pytest.raises(BadInput, match="one of its options"):
        session.describe("lamp")


def test_marks_made_before_the_category_go_with_the_first_one() -> None:
    session = make_session()
    session.toggle_mark(2)

    session.choose("adult")

    assert session.marked == {2}
    assert session.answer.slider == 1


def test_marks_made_before_unknown_go_with_the_first_category_after_it() -> None:
    session = make_session()
    session.toggle_mark(2)

    session.choose_unknown()
    assert (session.marked, session.answer.slider) == (frozenset(), None)
    session.choose("adult")

    assert (session.marked, session.answer.slider) == ({2}, 1)


@pytest.mark.parametrize("goes_by_unknown", [False, True])
def test_marks_made_before_the_category_go_with_no_second_one(goes_by_unknown: bool) -> None:
    session = make_session()
    session.toggle_mark(2)
    if goes_by_unknown:
        session.choose_unknown()
    session.choose("adult")

    session.choose("old")

    assert session.answer == Answer(label="old")


def test_another_category_starts_unmarked_and_going_back_restores() -> None:
    session = make_session()
    session.choose("adult")
    session.toggle_mark(2)
    session.set_count(5, "key")

    session.choose("old")
    assert (session.marked, session.answer.slider) == (frozenset(), None)
    session.toggle_mark(7)
    session.choose("adult")
    assert (session.marked, session.answer.slider, session.answer.slider_source) == ({2}, 5, "key")
    session.choose("old")

    assert (session.marked, session.answer.slider) == ({7}, 1)


def test_the_marks_of_a_category_that_was_left_survive_a_restart() -> None:
    book = ListBook()
    session = make_session(book)
    session.choose("adult")
    session.toggle_mark(2)
    session.choose("old")

    again = make_session(book)
    again.choose("adult")

    assert (again.marked, again.answer.slider) == ({2}, 1)


def test_unknown_needs_no_count_and_stores_none() -> None:
    book = ListBook()
    session = make_session(book)
    session.choose("adult")
    session.mark_all()

    session.choose_unknown()

    answer = book.events[-1].answer
    assert (answer.label, answer.is_unknown, answer.slider, answer.slider_source) == (None, True, None, None)
    assert answer.marks == frozenset()
    assert not session.set_count(4)
    assert session.missing == ()
    assert session.confirm().kind == "moved"


def test_the_count_comes_back_with_the_category_after_unknown() -> None:
    session = make_session()
    session.choose("adult")
    session.mark_all()

    session.choose_unknown()
    session.choose("adult")

    assert (session.answer.slider, session.answer.slider_source) == (10, "marks")


def test_unknown_can_be_chosen_like_an_option() -> None:
    session = make_session()

    assert session.options[-1].id == "unknown"
    assert session.choose("unknown")
    assert session.answer.is_unknown


def test_choosing_the_same_again_is_no_act() -> None:
    book = ListBook()
    session = make_session(book)
    session.choose("adult")

    assert not session.choose("adult")
    session.choose_unknown()
    assert not session.choose_unknown()
    assert book.acts == ["choose", "unknown"]


def test_options_run_one_way_for_an_annotator_and_unknown_is_last() -> None:
    orders = set()
    for number in range(12):
        session = Session(ListBook(), Annotator(1, f"annotator {number}"), [make_set(1)], QUESTIONS, 7)
        ids = tuple(option.id for option in session.options)
        assert ids[-1] == "unknown"
        orders.add(ids[:-1])

    assert orders == {AGE.option_ids, AGE.option_ids[::-1]}


# Open questions


def make_item_session(book: ListBook | None = None, sets: int = 2) -> Session:
    return make_session(book, sets=sets, questions=[ITEM])


def test_a_descriptor_is_stored_trimmed_and_composed_with_its_case() -> None:
    session = make_item_session()

    session.describe("  Cafe\u0301 table ")

    assert session.answer.label == "Caf\u00e9 table"


def test_a_descriptor_of_one_letter_is_kept_and_stays_missing() -> None:
    session = make_item_session()
    session.set_count(4)

    session.describe("x")

    assert session.answer.label == "x"
    result = session.confirm()
    assert (result.kind, result.missing) == ("open", ("descriptor",))
    assert "2 to 40 characters" in result.sentence


def test_a_corrected_descriptor_keeps_its_marks() -> None:
    session = make_item_session()
    session.describe("gogles")
    session.toggle_mark(1)

    session.describe("goggles")
    assert session.marked == {1}
    session.describe(" ")

    assert (session.answer.label, session.marked) == (None, {1})


def test_the_descriptor_unknown_is_unknown() -> None:
    session = make_item_session()

    session.describe("Unknown")

    assert (session.answer.label, session.answer.is_unknown) == (None, True)


def test_suggestions_are_the_own_words_of_other_sets_after_three_letters() -> None:
    book = ListBook()
    session = make_item_session(book, sets=3)
    session.describe("Laptop")
    session.next_set()
    session.describe("lamp")
    session.next_set()

    assert session.suggestions("la") == ()
    assert session.suggestions("LAP") == ("Laptop",)
    assert session.suggestions("lam") == ("lamp",)
    other = Session(book, Annotator(2, "Ben"), [make_set(1)], [ITEM], 7)
    assert other.suggestions("lam") == ()


def test_taking_a_suggestion_is_logged() -> None:
    book = ListBook()
    session = make_item_session(book)

    session.describe("lamp", is_suggestion=True)

    assert book.acts == ["accept suggestion"]


# Confirming and moving on


def test_an_open_answer_is_not_confirmed_and_says_what_is_missing() -> None:
    book = ListBook()
    session = make_session(book)

    result = session.confirm()

    assert (result.kind, result.missing) == ("open", ("category", "count"))
    assert result.sentence == "Still open: category, count."
    assert book.events == []
    assert session.question_index == 0


def test_a_category_with_count_zero_stays_open() -> None:
    session = make_session()
    session.choose("adult")
    session.set_count(0)

    assert session.confirm().missing == ("count",)


def test_confirm_goes_to_the_next_question() -> None:
    session = make_session()

    answer_all(session, 1)

    assert session.question_index == 1
    assert session.dots == ("done", "unseen", "unseen")


def test_the_end_of_a_set_leads_to_its_first_incomplete_question() -> None:
    session = make_session()
    session.go_to_question(1)

    answer_all(session, 2)

    assert (session.set_index, session.question_index) == (0, 0)


def test_a_finished_set_leads_to_the_next() -> None:
    session = make_session()

    answer_all(session)

    assert (session.set_index, session.question_index) == (1, 0)
    assert (session.progress.done, session.progress.total) == (1, 2)


def test_the_last_set_leads_back_to_one_left_open() -> None:
    session = make_session()
    session.next_set()

    answer_all(session)

    assert (session.set_index, session.question_index) == (0, 0)


def test_the_last_answer_says_that_it_is_the_end() -> None:
    session = make_session(sets=1)
    answer_all(session, 2)
    session.describe("lamp")
    session.mark_all()

    result = session.confirm()

    assert (result.kind, result.is_at_end, session.is_complete) == ("moved", True, True)
    assert session.confirm().is_at_end


def test_a_change_takes_the_confirmation_back_and_a_remark_does_not() -> None:
    session = make_session()
    answer_all(session, 1)
    session.back()

    session.flag()
    session.comment("a mask")
    assert session.answer.is_confirmed
    session.toggle_mark(0)

    assert not session.answer.is_confirmed
    assert session.progress.answers_done == 0


def test_confirming_what_is_confirmed_only_moves_on() -> None:
    book = ListBook()
    session = make_session(book)
    answer_all(session, 1)
    session.back()
    before = len(book.events)

    assert session.confirm().kind == "moved"

    assert len(book.events) == before
    assert session.question_index == 1


def make_doubtful(book: ListBook | None = None) -> Session:
    session = make_session(book)
    session.choose("adult")
    session.toggle_mark(0)
    return session


def test_a_doubtful_answer_is_asked_about_once_and_confirm_keeps_it() -> None:
    book = ListBook()
    session = make_doubtful(book)

    asked = session.confirm()

    assert (asked.kind, [one.check for one in asked.warnings]) == ("ask", ["count-too-low"])
    assert session.asking == asked.warnings
    assert not session.answer.is_confirmed
    assert len(book.events) == 2
    assert session.confirm().kind == "moved"
    assert book.acts[2:] == ["asked: kept count-too-low"]
    assert book.events[-1].answer.is_confirmed
    assert session.question_index == 1


def test_changing_a_doubtful_answer_is_logged_and_stays_there() -> None:
    book = ListBook()
    session = make_doubtful(book)
    session.confirm()

    assert session.change()

    assert book.acts[2:] == ["asked: changed count-too-low"]
    assert (session.question_index, session.asking, session.answer.is_confirmed) == (0, (), False)
    assert session.confirm().kind == "ask"


def test_an_edit_while_asked_is_one_event_that_says_so() -> None:
    book = ListBook()
    session = make_doubtful(book)
    session.confirm()

    session.mark_all()

    assert book.acts[2:] == ["asked: changed count-too-low"]
    assert book.events[-1].answer.slider == 10
    assert session.confirm().kind == "moved"


def test_what_was_kept_is_not_asked_again_after_a_restart() -> None:
    book = ListBook()
    session = make_doubtful(book)
    session.confirm()
    session.keep()
    session.undo()

    again = make_session(book)

    assert not again.answer.is_confirmed
    assert again.confirm().kind == "moved"
    assert make_doubtful().confirm().kind == "ask"


def test_keep_and_change_without_a_question_do_nothing() -> None:
    book = ListBook()
    session = make_session(book)

    assert session.keep().kind == "nothing"
    assert not session.change()
    assert book.events == []


HAIR = (
    make_question("hair_style", ["short", "long", "none"]),
    make_question("hair_color", ["black", "brown", "gray"]),
)


def make_contradiction(book: ListBook) -> Session:
    session = make_session(book, questions=HAIR)
    session.choose("none")
    session.mark_all()
    session.confirm()
    session.choose("black")
    session.mark_all()
    return session


def test_a_contradiction_between_questions_is_asked_about_at_the_end_of_the_set() -> None:
    book = ListBook()
    session = make_contradiction(book)

    asked = session.confirm()

    assert asked.kind == "ask"
    assert session.is_set_done
    assert session.set_index == 0
    assert session.keep().kind == "moved"
    assert book.acts[-2:] == ["confirm", "asked: kept hair_style-without-hair_color"]
    assert session.set_index == 1
    again = make_session(book, questions=HAIR)
    again.previous_set()
    again.go_to_set(0)
    assert again.confirm().kind == "moved"


def test_a_contradiction_can_be_changed_where_it_is() -> None:
    book = ListBook()
    session = make_contradiction(book)
    session.back()
    session.choose("long")
    session.mark_all()
    session.go_to_question(1)
    session.confirm()
    session.choose("none")
    session.mark_all()

    assert session.question.id == "hair_style"
    assert session.confirm().kind == "ask"
    assert session.change()

    assert session.question.id == "hair_color"
    assert book.acts[-1] == "asked: changed hair_style-without-hair_color"
    assert book.events[-1].question == "hair_color"
    session.choose_unknown()
    assert session.confirm().kind == "moved"


def test_moving_about_appends_no_event() -> None:
    book = ListBook()
    session = make_session(book)

    moves = [
        session.go_to_question(2),
        session.back(),
        session.next_set(),
        session.back(),
        session.previous_set(),
        session.go_to_question(99),
        session.next_set(),
        session.next_set(),
    ]

    assert moves == [True, True, True, True, False, False, True, False]
    assert book.events == []


def test_back_goes_over_the_boundary_of_sets() -> None:
    session = make_session()
    session.next_set()

    assert session.back()
    assert (session.set_index, session.question_index) == (0, 2)
    session.go_to_question(0)
    assert not session.back()


# Undo and restart


def test_undo_takes_back_one_act_and_names_it() -> None:
    book = ListBook()
    session = make_session(book)
    session.choose("adult")
    session.toggle_mark(0)

    assert session.undo()

    assert session.answer == Answer(label="adult")
    assert (book.events[-1].act, book.events[-1].undoes) == ("undo", 2)
    assert book.events[-1].answer == Answer(label="adult")


def test_redo_brings_back_and_names_it() -> None:
    book = ListBook()
    session = make_session(book)
    session.choose("adult")
    session.undo()

    assert session.redo()

    assert session.answer == Answer(label="adult")
    assert (book.events[-1].act, book.events[-1].undoes) == ("redo", 1)
    assert not session.redo()


def test_a_new_act_ends_redo() -> None:
    session = make_session()
    session.choose("adult")
    session.undo()

    session.choose("old")

    assert not session.can_redo
    assert not session.redo()


def test_undo_goes_to_the_question_it_changes_across_sets() -> None:
    session = make_session()
    answer_all(session)
    session.choose("adult")
    session.next_set()
    session.go_to_question(2)

    session.undo()
    assert (session.set_index, session.question_index) == (1, 0)
    session.undo()

    assert (session.set_index, session.question_index) == (0, 2)
    assert session.dots == ("done", "done", "begun")


def test_undo_restores_what_other_categories_had() -> None:
    session = make_session()
    session.choose("adult")
    session.toggle_mark(2)
    session.choose("old")
    session.toggle_mark(5)

    session.undo()
    session.undo()
    assert session.marked == {2}
    session.choose("old")

    assert (session.marked, session.answer.slider) == (frozenset(), None)


def test_undo_and_redo_go_on_after_a_restart() -> None:
    book = ListBook()
    session = make_session(book)
    session.choose("adult")
    session.toggle_mark(2)
    session.set_count(4)
    session.undo()

    again = make_session(book)

    assert again.redo()
    assert again.answer.slider == 4
    for _ in range(3):
        assert again.undo()
    assert not again.undo()
    assert again.answer == Answer()


def test_nothing_to_undo_appends_nothing() -> None:
    book = ListBook()
    session = make_session(book)

    assert not session.can_undo
    assert not session.undo()
    assert book.events == []


def test_undo_of_an_act_that_is_not_durable_yet() -> None:
    book = ListBook()
    book.is_slow = True
    session = make_session(book)
    session.choose("adult")

    session.undo()

    assert session.answer == Answer()
    assert session.pending == 2
    book.release()
    assert [(event.act, event.undoes) for event in book.events] == [("choose", None), ("undo", 1)]


def test_a_log_that_breaks_off_before_an_undo_is_still_read() -> None:
    book = ListBook()
    session = make_session(book)
    session.choose("adult")
    session.toggle_mark(1)
    session.undo()
    del book.events[1]

    again = make_session(book)

    assert again.answer == Answer(label="adult")


def test_restart_opens_the_set_touched_last_at_its_first_open_question() -> None:
    book = ListBook()
    session = make_session(book, sets=3)
    session.next_set()
    session.go_to_question(1)
    answer_all(session, 1)

    again = make_session(book, sets=3)

    assert (again.set_index, again.question_index) == (1, 0)
    assert again.image_order == session.image_order


def test_restart_after_a_finished_set_opens_the_next_one() -> None:
    book = ListBook()
    session = make_session(book, sets=3)
    session.next_set()
    answer_all(session)

    again = make_session(book, sets=3)

    assert again.set_index == 2


def test_a_session_reads_only_its_own_sets_and_questions() -> None:
    book = ListBook()
    other_round = make_session(book, sets=[make_set(9)])
    other_round.choose("adult")

    session = make_session(book)

    assert not session.can_undo
    assert session.progress.answers_done == 0


def test_a_session_without_sets_says_so() -> None:
    with pytest.raises(BadInput, match="nothing to annotate"):
        make_session(sets=0)


# Saving


def test_a_failed_save_keeps_the_act_and_says_so() -> None:
    book = ListBook()
    session = make_session(book)
    book.broken = "The disk is full."

    session.choose("adult")
    session.toggle_mark(1)

    assert session.answer.slider == 1
    assert session.trouble == "The disk is full. 2 acts are waiting to be saved; none is lost."
    assert (session.pending, session.last_saved_at, session.wait_saved(0)) == (2, None, False)
    book.broken = ""
    session.retry()
    assert (session.trouble, session.pending, book.acts) == ("", 0, ["choose", "mark"])
    assert session.last_saved_at is not None
    assert session.wait_saved(0)


def test_the_saved_time_of_the_last_sitting_is_shown() -> None:
    book = ListBook()
    make_session(book).choose("adult")

    at = make_session(book).last_saved_at

    assert at is not None
    assert at.isoformat(timespec="milliseconds") == book.events[0].at


def test_an_event_says_who_where_when_and_in_which_theme() -> None:
    book, now = ListBook(), HandClock()
    session = make_session(book, now=now)
    session.theme = "dark"

    now.wait(3)
    session.choose("adult")
    now.wait(2)
    session.mark_all()

    event = book.events[1]
    assert (event.annotator_id, event.image_set_id) == (ADA.annotator_id, session.image_set.image_set_id)
    assert (event.question, event.act, event.theme) == ("age", "mark all", "dark")
    assert (event.wall_seconds, event.active_seconds, event.first_act_seconds) == (5, 5, 3)
    assert event.at.endswith("+00:00")


def test_time_of_a_question_starts_when_it_is_shown() -> None:
    book, now = ListBook(), HandClock()
    session = make_session(book, now=now)
    now.wait(8)
    answer_all(session, 1)

    now.wait(2)
    session.choose(POSES[0])

    assert book.events[-1].wall_seconds == 2


# Dots, progress, breaks


def test_every_dot_has_its_state() -> None:
    session = make_session()
    answer_all(session, 1)
    session.choose(POSES[0])

    assert session.dots == ("done", "begun", "unseen")
    session.flag()
    assert session.dots == ("done", "flagged", "unseen")
    session.flag()
    assert session.dots == ("done", "begun", "unseen")


def test_a_flagged_answer_counts_as_done_when_confirmed() -> None:
    session = make_session(sets=1)
    session.flag()
    answer_all(session)

    assert session.dots[0] == "flagged"
    assert session.is_complete


def test_time_left_comes_from_the_own_median() -> None:
    now = HandClock()
    session = make_session(sets=4, now=now)
    assert session.seconds_left is None

    for seconds in (4, 6, 5, 50, 5):
        now.wait(seconds)
        answer_all(session, 1)

    assert session.seconds_left == 5 * (12 - 5)


def test_a_break_is_hinted_at_a_set_boundary_after_25_active_minutes() -> None:
    book, now = ListBook(), HandClock()
    session = make_session(book, sets=4, now=now)
    for _ in range(52):
        now.wait(30)
        session.clock.input()
    assert session.break_hint == ""

    answer_all(session)

    assert session.break_hint == "26 minutes at work."
    assert session.answer_break(is_taken=False)
    assert book.acts[-1] == "no break now"
    assert session.break_hint == ""
    assert not session.answer_break(is_taken=True)
    answer_all(session)
    assert session.break_hint == ""


def test_a_break_is_hinted_after_ten_sets() -> None:
    book = ListBook()
    session = make_session(book, sets=11)

    answer_all(session, 27)
    assert session.break_hint == ""
    answer_all(session, 3)

    assert session.break_hint == "10 sets at a stretch."
    session.answer_break(is_taken=True)
    assert book.acts[-1] == "take a break"


def test_a_break_is_no_act_on_the_answer() -> None:
    session = make_session(sets=11)
    answer_all(session, 30)
    before = session.answer

    session.answer_break(is_taken=True)
    session.undo()

    assert before == Answer()
    assert session.question.is_open
    assert not session.answer.is_confirmed
