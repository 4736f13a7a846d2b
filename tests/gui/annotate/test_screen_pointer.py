"""One annotator with a pointer alone."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gui.annotate.screen import AnnotateScreen
from tests.annotation.sittings import ListBook
from tests.gui.annotate.conftest import MakeScreen, go_to, press, type_text


def click(widget: QWidget, place: QPoint | None = None) -> None:
    """Click a widget, in its middle if no place is given."""
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=place or widget.rect().center())


def click_pictures(screen: AnnotateScreen, *positions: int) -> None:
    """Click pictures by position."""
    for position in positions:
        tile = screen.parts.grid.tiles[position]
        click(tile, tile.picture_rect.center())


def test_a_whole_set_is_answered_with_pointer_and_marks(make_screen: MakeScreen) -> None:
    book = ListBook()
    screen = make_screen(book)

    for _ in range(23):
        options = screen.parts.bar.options
        if options.is_open:
            click(options.box)
            type_text("lamp")
        else:
            click(options.options[-1])
        click_pictures(screen, 0, 3, 4, 7, 9)
        click(screen.parts.bar.confirm)
        if screen.session.asking:
            click(screen.parts.ask.keep)

    assert screen.session.set_index == 1
    assert screen.session.dots_of(0) == ("done",) * 23


def test_a_press_on_the_margin_of_a_tile_marks_nothing(make_screen: MakeScreen) -> None:
    screen = make_screen()

    click(screen.parts.grid.tiles[0], QPoint(2, 2))

    assert screen.session.marked == frozenset()


def test_marks_reach_the_position_in_the_set_not_on_the_screen(make_screen: MakeScreen) -> None:
    screen = make_screen()

    click_pictures(screen, 6)

    assert screen.session.answer.marks == {screen.session.image_order[6]}
    assert screen.parts.grid.tiles[6].is_marked


def test_the_hand_wins_and_the_marks_stay(make_screen: MakeScreen) -> None:
    screen = make_screen()
    click_pictures(screen, 0, 1, 2)
    slider = screen.parts.bar.slider

    click(slider, QPoint(round(slider.stop_x(4)), 18))

    assert screen.session.answer.slider == 4
    assert len(screen.session.answer.marks) == 3
    assert slider.count.words == "set by hand, 3 marked"


def test_dragging_the_count_is_one_act(make_screen: MakeScreen) -> None:
    book = ListBook()
    screen = make_screen(book)
    slider = screen.parts.bar.slider

    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(round(slider.stop_x(1)), 18))
    for stop in (2, 3, 4, 5, 6):
        QTest.mouseMove(slider, QPoint(round(slider.stop_x(stop)), 18))
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(round(slider.stop_x(6)), 18))

    assert book.acts == ["set count"]
    assert screen.session.answer.slider == 6


def test_a_descriptor_typed_and_not_left_counts_when_confirm_is_clicked(make_screen: MakeScreen) -> None:
    screen = make_screen()
    go_to(screen, "items")
    click(screen.parts.bar.options.box)
    type_text("lamp")
    click_pictures(screen, 0, 1, 2, 3, 4, 5)

    click(screen.parts.bar.confirm)

    assert screen.session.question.id != "items"


def test_a_click_ends_typing_so_that_keys_mark_again(make_screen: MakeScreen) -> None:
    screen = make_screen()
    go_to(screen, "items")
    click(screen.parts.bar.options.box)
    type_text("lamp")

    click_pictures(screen, 0)
    press("W")

    assert screen.session.answer.label == "lamp"
    assert screen.session.marked == {0, 1}


def test_a_click_on_an_option_ends_the_filter(make_screen: MakeScreen) -> None:
    screen = make_screen()
    go_to(screen, "dominant_colors")
    options = screen.parts.bar.options
    click(options.box)
    type_text("gre")

    click(options.options[2])

    assert options.box.text() == ""
    assert not any(button.is_faint for button in options.options)
    assert QApplication.focusWidget() is screen


def test_a_dot_leads_to_its_question(make_screen: MakeScreen) -> None:
    screen = make_screen()
    dots = screen.parts.top.dots

    click(dots, dots.centre_of(11))

    assert screen.session.question_index == 11


def test_the_guide_can_be_pinned_with_a_click(make_screen: MakeScreen) -> None:
    screen = make_screen()

    click(screen.parts.bar.hint)
    assert screen.parts.guide.isVisible()
    click(screen.parts.bar.hint)
    assert not screen.parts.guide.isVisible()


def test_a_click_on_a_button_leaves_keys_with_the_screen(make_screen: MakeScreen) -> None:
    screen = make_screen()

    click(screen.parts.bar.flag)

    assert screen.session.answer.is_flagged
    assert QApplication.focusWidget() is screen


def test_a_set_of_six_has_a_count_to_six(make_screen: MakeScreen) -> None:
    from tests.annotation.sittings import make_set

    screen = make_screen(sets=[make_set(1, 6)])

    assert [tile.isVisible() for tile in screen.parts.grid.tiles] == [True] * 6 + [False] * 4
    assert screen.parts.bar.slider.count.most == 6
    click_pictures(screen, 0, 1, 2, 3, 4, 5)
    assert screen.session.answer.slider == 6
