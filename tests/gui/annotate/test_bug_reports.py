"""Faults that people reported about other tools, replayed here; each names what went wrong there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QInputMethodEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from gui.annotate.screen import AnnotateScreen
from gui.widgets.option_button import OptionButton
from tests.annotation.sittings import ListBook
from tests.gui.annotate.conftest import MakeScreen, go_to, press, type_text


def turn_wheel(widget: QWidget, delta: int = -120) -> None:
    """One notch of the wheel over a widget."""
    place = QPointF(widget.rect().center())
    event = QWheelEvent(
        *(place, widget.mapToGlobal(place), QPoint(), QPoint(0, delta)),
        *(Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False),
    )
    QApplication.sendEvent(widget, event)


def click_stop(screen: AnnotateScreen, stop: int) -> None:
    """Click a number of the count."""
    slider = screen.parts.bar.slider
    QTest.mouseClick(
        slider,
        Qt.MouseButton.LeftButton,
        pos=QPoint(round(slider.stop_x(stop)), slider.height() // 3),
    )


def test_an_untouched_count_is_no_answer(make_screen: MakeScreen) -> None:
    book = ListBook()
    screen = make_screen(book)

    press("1", "Enter")

    assert screen.session.question_index == 0
    assert "count" in screen.parts.bar.open.text
    assert book.events[-1].answer.slider is None
    assert book.events[-1].answer.slider_source is None


def test_0_is_answered_by_one_click_without_going_away_first(make_screen: MakeScreen) -> None:
    screen = make_screen()

    click_stop(screen, 0)

    assert screen.session.answer.slider == 0
    assert screen.session.answer.slider_source == "slider"
    assert screen.parts.bar.value.accessibleName().startswith("0 of 10")


def test_0_is_an_act_also_where_the_handle_is_at_0(make_screen: MakeScreen) -> None:
    book = ListBook()
    screen = make_screen(book)
    press("Q", "Q")
    assert screen.session.answer.slider_source == "marks"

    click_stop(screen, 0)

    assert screen.session.answer.slider == 0
    assert screen.session.answer.slider_source == "slider"


def test_10_is_10_by_every_route(make_screen: MakeScreen) -> None:
    screen = make_screen()
    got = []

    press("=")
    got.append(screen.session.answer.slider)
    press("PgDn")
    press(*"QWERTASDFG")
    got.append(screen.session.answer.slider)
    screen.session.go_to_question(1)
    screen.show_state()
    click_stop(screen, 10)
    got.append(screen.session.answer.slider)
    screen.session.go_to_question(2)
    screen.show_state()
    screen.parts.bar.slider.setFocus()
    press("End")
    got.append(screen.session.answer.slider)

    assert got == [10, 10, 10, 10]


def test_0_for_every_question_is_found_again(make_screen: MakeScreen) -> None:
    book = ListBook()
    screen = make_screen(book)

    for index in range(23):
        screen.session.go_to_question(index)
        screen.show_state()
        click_stop(screen, 0)

    again = make_screen(ListBook(book.events))
    assert [event.answer.slider for event in book.events] == [0] * 23
    assert again.session.dots.count("begun") == 23
    go_to(again, "pose")
    assert again.session.answer.slider == 0


@pytest.mark.parametrize("question", ["mood", "dominant_colors", "items", "gender_presentation"])
def test_nothing_is_chosen_beforehand(make_screen: MakeScreen, question: str) -> None:
    screen = make_screen()
    go_to(screen, question)

    assert not any(button.isChecked() for button in screen.findChildren(OptionButton))
    assert not any(tile.is_marked for tile in screen.parts.grid.tiles)
    assert screen.parts.bar.slider.count.is_unset
    box = screen.parts.bar.options.box
    assert box.text() == ""
    assert QApplication.focusWidget() is (box if screen.session.question.is_open else screen)


def test_the_wheel_changes_no_answer(make_screen: MakeScreen) -> None:
    book = ListBook()
    screen = make_screen(book)
    press("1", "Q")
    before = len(book.events)

    for widget in [screen, *screen.findChildren(QWidget)]:
        if widget.isVisible():
            turn_wheel(widget)
            widget.setFocus()
            turn_wheel(widget, 120)

    assert len(book.events) == before


def test_letters_in_the_descriptor_are_letters(make_screen: MakeScreen) -> None:
    book = ListBook()
    screen = make_screen(book)
    go_to(screen, "items")
    press("Shift+Enter")

    type_text("qwertasdfg 1 = - ? zxhmcu 0")
    press("Up", "Down", "Left", "Home", "End", "Alt+Left", "Space", "PgDn", "PgUp", "Backspace")

    assert book.events == []
    assert screen.session.question.id == "items"
    assert not screen.parts.zoom.isVisible()
    assert screen.parts.bar.options.box.text().startswith("qwertasdfg 1 = - ? zxhmcu")


def test_ctrl_z_in_the_descriptor_takes_back_typing_only(make_screen: MakeScreen) -> None:
    book = ListBook()
    screen = make_screen(book)
    press("Q")
    go_to(screen, "items")
    press("Shift+Enter")
    type_text("lamp")

    press("Ctrl+Z")

    assert book.acts == ["mark"]
    assert screen.session.question.id == "items"


def test_letters_in_a_comment_are_letters(make_screen: MakeScreen) -> None:
    book = ListBook()
    screen = make_screen(book)
    press("C")

    type_text("qwert 1 = - ?")
    press("Enter", "Up", "PgDn", "Ctrl+Z")

    assert book.events == []
    assert screen.session.set_index == 0


def test_a_text_being_composed_fires_nothing(make_screen: MakeScreen) -> None:
    book = ListBook()
    screen = make_screen(book)

    QApplication.sendEvent(screen, QInputMethodEvent("ni", []))
    press("1", "Q")
    assert book.events == []
    QApplication.sendEvent(screen, QInputMethodEvent("", []))
    press("1", "Q")
    assert book.acts == ["choose", "mark"]


def test_a_repeated_key_is_one_act(make_screen: MakeScreen) -> None:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent

    book = ListBook()
    screen = make_screen(book)

    for is_repeat in (False, True, True, True):
        event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Q, Qt.KeyboardModifier.NoModifier, "q", is_repeat)
        QApplication.sendEvent(screen, event)

    assert book.acts == ["mark"]


def test_an_answer_is_not_shown_on_the_next_question(make_screen: MakeScreen) -> None:
    screen = make_screen()
    press("1", *"QWERT", "Enter")

    assert not any(button.isChecked() for button in screen.findChildren(OptionButton))
    assert screen.parts.bar.slider.count.is_unset
    assert not any(tile.is_marked for tile in screen.parts.grid.tiles)


def test_the_last_choice_is_the_only_choice(make_screen: MakeScreen) -> None:
    screen = make_screen()

    press("1", "2", "3")

    checked = [button for button in screen.findChildren(OptionButton) if button.isChecked()]
    assert [button.label_id for button in checked] == [screen.session.answer.label]


def test_confirm_is_never_disabled(make_screen: MakeScreen) -> None:
    screen = make_screen()
    confirm = screen.parts.bar.confirm

    assert confirm.isEnabled()
    assert confirm.look == "open"
    assert screen.parts.bar.open.text == "Still open: category, count"
    press("1", "=")
    assert confirm.look == "primary"
    assert screen.parts.bar.open.text == ""


def test_a_descriptor_in_any_script_is_stored_as_typed(make_screen: MakeScreen) -> None:
    screen = make_screen()
    go_to(screen, "items")
    press("Shift+Enter")

    composed = QInputMethodEvent("", [])
    composed.setCommitString("  Straße, 店 and U\u0308ni  ")
    QApplication.sendEvent(screen.parts.bar.options.box, composed)
    press("Enter")

    assert screen.session.answer.label == "Straße, 店 and Üni"


def test_suggestions_come_from_the_own_history_and_are_never_preselected(make_screen: MakeScreen) -> None:
    book = ListBook()
    screen = make_screen(book)
    go_to(screen, "items")
    press("Shift+Enter")
    type_text("hammer")
    press("Enter", "PgDn")
    go_to(screen, "items")
    press("Shift+Enter")

    type_text("ha")
    assert not screen.parts.bar.options.box.completer_popup.isVisible()
    type_text("m")
    popup = screen.parts.bar.options.box.completer_popup
    assert popup.isVisible()
    assert popup.model().rowCount() == 1
    assert not popup.currentIndex().isValid()
    press("Enter")
    assert screen.session.answer.label == "ham"


def test_buttons_do_not_take_the_focus_from_a_click(make_screen: MakeScreen) -> None:
    screen = make_screen()

    for button in screen.findChildren(QAbstractButton):
        assert not button.focusPolicy() & Qt.FocusPolicy.ClickFocus, button.accessibleName()
