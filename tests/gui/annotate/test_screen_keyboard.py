"""One annotator with a keyboard alone."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from gui.annotate.screen import AnnotateScreen
from tests.annotation.sittings import ListBook
from tests.gui.annotate.conftest import MakeScreen, go_to, hold, let_go, press, type_text


def answer_here(screen: AnnotateScreen, marks: str = "QWERT") -> None:
    """Answer the question on the screen with keys and confirm it."""
    if screen.session.question.is_open:
        press("Shift+Enter")
        type_text("lamp")
        press("Enter")
    else:
        press("1")
    press(*marks)
    press("Enter")
    if screen.session.asking:
        press("Enter")


def test_a_whole_set_is_answered_without_a_pointer(make_screen: MakeScreen) -> None:
    book = ListBook()
    screen = make_screen(book)

    for _ in range(23):
        answer_here(screen)

    assert screen.session.set_index == 1
    done = [event for event in book.events if event.act == "confirm" or event.act.startswith("asked: kept")]
    assert len({event.question for event in done}) == 23
    assert all(event.answer.slider == 5 for event in done)
    assert all(event.answer.slider_source == "marks" for event in done)


def test_an_act_is_one_event(make_screen: MakeScreen) -> None:
    book = ListBook()
    make_screen(book)

    press("1", "Q", "W", "Q", "M", "=", "-")

    assert book.acts == ["choose", "mark", "mark", "unmark", "flag", "mark all", "clear marks"]


def test_the_tenth_option_has_key_0(make_screen: MakeScreen) -> None:
    screen = make_screen()

    press("0")

    assert screen.session.answer.label == screen.session.options[9].id


def test_digits_choose_also_when_the_count_has_the_focus(make_screen: MakeScreen) -> None:
    screen = make_screen()
    screen.parts.bar.slider.setFocus()

    press("Right", "Right", "Right", "2")

    assert screen.session.answer.slider == 2
    assert screen.session.answer.slider_source == "key"
    assert screen.session.answer.label == screen.session.options[1].id


def test_home_and_end_set_0_and_10(make_screen: MakeScreen) -> None:
    screen = make_screen()
    screen.parts.bar.slider.setFocus()

    press("End")
    assert screen.session.answer.slider == 10
    press("Home")
    assert screen.session.answer.slider == 0


def test_tab_reaches_pictures_options_count_and_acts(make_screen: MakeScreen) -> None:
    make_screen()
    names = []

    for _ in range(9):
        press("Tab")
        focus = QApplication.focusWidget()
        assert focus is not None
        names.append(focus.accessibleName().split(",")[0])

    assert names[0] == "image 1"
    assert "count" in names
    assert {"Flag", "Comment", "Back", "Confirm"} <= set(names)


def test_arrows_walk_among_the_pictures(make_screen: MakeScreen) -> None:
    screen = make_screen()
    press("Tab", "Right", "Right", "Down", "Down", "Left")

    assert screen.parts.grid.position_in_focus() == 6


def test_backspace_and_alt_left_go_back(make_screen: MakeScreen) -> None:
    screen = make_screen()
    answer_here(screen)
    answer_here(screen)

    press("Backspace")
    assert screen.session.question_index == 1
    press("Alt+Left")
    assert screen.session.question_index == 0


def test_page_keys_change_the_set(make_screen: MakeScreen) -> None:
    screen = make_screen(sets=3)

    press("PgDn", "PgDn", "PgUp")

    assert screen.session.set_index == 1


def test_undo_goes_back_across_questions_and_sets(make_screen: MakeScreen) -> None:
    screen = make_screen()
    press("1", "PgDn", "2", "Q")

    press("Ctrl+Z", "Ctrl+Z", "Ctrl+Z")

    assert screen.session.set_index == 0
    assert screen.session.answer.label is None
    press("Ctrl+Shift+Z")
    assert screen.session.answer.label is not None


def test_undo_survives_a_restart(make_screen: MakeScreen) -> None:
    book = ListBook()
    first = make_screen(book)
    press("1", "Q")
    first.hide()

    again = make_screen(ListBook(book.events))
    press("Ctrl+Z", "Ctrl+Z")

    assert again.session.answer.label is None
    assert again.session.answer.slider is None


def test_confirm_with_nothing_answered_goes_to_what_is_missing(make_screen: MakeScreen) -> None:
    screen = make_screen()

    press("Enter")
    focus = QApplication.focusWidget()
    assert focus is screen.parts.bar.options.options[0]
    assert screen.session.answer.label is None

    press("1", "Enter")
    assert QApplication.focusWidget() is screen.parts.bar.slider


def test_moving_on_leaves_no_focus_that_looks_like_a_choice(make_screen: MakeScreen) -> None:
    screen = make_screen()
    press("Enter", "1", "Q", "W", "E", "R", "T", "Enter")

    assert screen.session.question_index == 1
    assert QApplication.focusWidget() is screen


def test_none_of_the_ten_asks_once(make_screen: MakeScreen) -> None:
    screen = make_screen()

    press("-")
    assert screen.parts.ask.isVisible()
    assert screen.session.answer.slider is None
    press("-")
    assert not screen.parts.ask.isVisible()
    assert screen.session.answer.slider == 0


def test_a_doubtful_answer_is_asked_about_and_kept_by_enter(make_screen: MakeScreen) -> None:
    screen = make_screen()
    go_to(screen, "age_range")

    press("1", "Q", "Enter")
    assert screen.parts.ask.isVisible()
    assert screen.session.question.id == "age_range"
    press("Enter")
    assert not screen.parts.ask.isVisible()
    assert screen.session.question.id != "age_range"


def test_esc_changes_a_doubtful_answer(make_screen: MakeScreen) -> None:
    book = ListBook()
    screen = make_screen(book)
    go_to(screen, "age_range")

    press("1", "Q", "Enter", "Esc")

    assert not screen.parts.ask.isVisible()
    assert screen.session.question.id == "age_range"
    assert not screen.session.answer.is_confirmed
    assert book.acts[-1].startswith("asked: changed")


def test_unknown_needs_no_count(make_screen: MakeScreen) -> None:
    screen = make_screen()

    press("U", "Enter")

    assert screen.session.question_index == 1


def test_the_guide_is_there_while_its_key_is_held(make_screen: MakeScreen) -> None:
    screen = make_screen()

    hold("H")
    assert screen.parts.guide.isVisible()
    assert screen.session.question.wording in screen.parts.guide.words
    let_go("H")
    assert not screen.parts.guide.isVisible()


def test_space_peeks_and_lets_go(make_screen: MakeScreen) -> None:
    screen = make_screen()
    press("Tab", "Right")

    hold("Space")
    assert screen.parts.zoom.positions == (1,)
    let_go("Space")
    assert screen.parts.zoom.positions == ()
    assert not screen.parts.zoom.isVisible()


def test_marking_works_while_zoomed(make_screen: MakeScreen) -> None:
    screen = make_screen()

    press("Z")
    assert screen.parts.zoom.is_locked
    press("E")
    assert screen.session.marked == {2}
    press("Tab")
    assert screen.parts.zoom.positions == (1,)
    press("Z")
    assert screen.parts.zoom.positions == ()


def test_two_pictures_are_compared_with_one_zoom(make_screen: MakeScreen) -> None:
    screen = make_screen()

    press("X", "W", "G")
    assert screen.parts.zoom.positions == (1, 9)
    assert screen.session.marked == frozenset()
    screen.parts.zoom.zoom_to(2)
    one, other = (closer.view for closer in screen.parts.zoom.closers)
    assert one == other
    assert one.width() == 0.5
    press("A")
    assert screen.session.marked == {5}
    press("Esc")
    assert screen.parts.zoom.positions == ()


def test_the_sheet_of_keys_swallows_acts(make_screen: MakeScreen) -> None:
    screen = make_screen()

    press("?", "1")
    assert screen.parts.sheet.isVisible()
    assert screen.session.answer.label is None
    press("Esc", "1")
    assert screen.session.answer.label is not None


def test_a_comment_is_kept_when_the_box_is_left(make_screen: MakeScreen) -> None:
    screen = make_screen()

    press("C")
    type_text("Two lamps: 1 or 2?")
    press("Esc")

    assert screen.session.answer.comment == "Two lamps: 1 or 2?"
    assert screen.session.answer.label is None
    assert QApplication.focusWidget() is screen


def test_where_nothing_is_marked_the_image_keys_count(make_screen: MakeScreen) -> None:
    screen = make_screen(mode="slider only")

    press("T")
    assert (screen.session.answer.slider, screen.session.answer.slider_source) == (5, "key")
    press("=")
    assert screen.session.answer.slider == 10
    press("-")
    assert screen.session.answer.slider == 0
    assert screen.session.marked == frozenset()


def test_in_a_study_of_marks_only_the_slider_is_a_meter(make_screen: MakeScreen) -> None:
    screen = make_screen(mode="marks only")
    screen.parts.bar.slider.setFocus()

    press("Right")

    assert screen.session.answer.slider is None
    press("Q")
    assert screen.session.answer.slider == 1


def test_an_eleventh_option_is_found_by_typing(make_screen: MakeScreen) -> None:
    screen = make_screen()
    go_to(screen, "dominant_colors")
    wanted = screen.session.options[15]
    assert screen.parts.bar.options.options[15].key == ""

    press("Shift+Enter")
    type_text(wanted.name)
    press("Enter")

    assert screen.session.answer.label == wanted.id
    assert QApplication.focusWidget() is screen


def test_when_all_is_done_the_screen_says_so_quietly(make_screen: MakeScreen) -> None:
    screen = make_screen(sets=1)

    for _ in range(23):
        answer_here(screen)

    assert screen.session.is_complete
    assert screen.parts.end.isVisible()
    assert "23" in screen.parts.end.words
    press("Backspace")
    assert not screen.parts.end.isVisible()


def test_picking_two_pictures_says_what_to_press(make_screen: MakeScreen) -> None:
    screen = make_screen()
    hint = screen.parts.bar.hint

    press("X")
    assert hint.text() == "compare: press two image keys"
    assert hint.width() >= hint.sizeHint().width()
    assert hint.geometry().right() < screen.width()
    press("Esc")
    assert hint.text() == "hold for the guide"


def test_a_break_hides_the_pictures_and_stops_the_clock(make_screen: MakeScreen) -> None:
    book = ListBook()
    screen = make_screen(book, sets=12)
    for _ in range(10):
        for _ in range(23):
            press(*(["Esc"] if screen.session.question.is_open else []), "U", "Enter")
    assert screen.parts.top.break_note.isVisible()

    screen.parts.top.break_note.take_button.click()
    assert screen.parts.pause.isVisible()
    assert book.acts[-1] == "take a break"
    before = screen.session.clock.times().active_seconds
    press("1")
    assert book.acts[-1] == "take a break"
    assert screen.session.clock.times().active_seconds == before
    press("Enter")
    assert not screen.parts.pause.isVisible()
    assert not screen.parts.top.break_note.isVisible()


def test_letters_on_an_open_question_are_typing_until_esc(make_screen: MakeScreen) -> None:
    screen = make_screen()
    go_to(screen, "items")
    assert QApplication.focusWidget() is screen.parts.bar.options.box

    type_text("we")
    assert screen.session.marked == frozenset()
    press("Esc", "Q")
    assert screen.session.answer.label == "we"
    assert screen.session.marked == {0}


def test_shift_enter_leads_into_the_box_and_never_out(make_screen: MakeScreen) -> None:
    screen = make_screen()
    go_to(screen, "items")
    press("Esc", "Shift+Enter", "Shift+Enter")

    assert QApplication.focusWidget() is screen.parts.bar.options.box
    type_text("we")
    assert screen.session.marked == frozenset()


def test_an_open_question_with_its_descriptor_leaves_the_keys_to_marks(make_screen: MakeScreen) -> None:
    screen = make_screen()
    go_to(screen, "items")
    type_text("lamp")
    press("Enter")
    go_to(screen, "activities")
    go_to(screen, "items")

    press("W")

    assert screen.session.marked == {1}
