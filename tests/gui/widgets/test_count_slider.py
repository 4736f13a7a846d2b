"""The count: unset without an anchor, 0 a number like any other, nothing by accident."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.palette import palette
from gui.theme import Theme
from gui.widgets.count import Count
from gui.widgets.count_painting import CENTRE
from gui.widgets.count_slider import CountSlider


@pytest.fixture
def slider(theme: Theme, qtbot: QtBot) -> CountSlider:
    """An unset slider."""
    made = CountSlider()
    qtbot.addWidget(made)
    made.resize(made.sizeHint())
    made.show()
    return made


def at(slider: CountSlider, stop: int) -> QPoint:
    """Where a stop is."""
    return QPoint(round(slider.stop_x(stop)), CENTRE)


def ink_on_the_track(slider: CountSlider) -> int:
    """How many px of the track's middle line are ink."""
    image = slider.grab().toImage()
    return sum(image.pixelColor(x, CENTRE) == palette().mark for x in range(slider.width()))


def test_unset_has_no_handle_and_no_fill(slider: CountSlider) -> None:
    assert ink_on_the_track(slider) == 0
    assert slider.accessibleName() == "count, no count, not set"


def test_0_has_a_handle_and_no_fill(slider: CountSlider) -> None:
    slider.show_count(Count(0, "slider"))

    assert 10 <= ink_on_the_track(slider) <= 26
    assert slider.accessibleName() == "count, 0 of 10, set by hand"


def test_marks_fill_one_cell_each(slider: CountSlider) -> None:
    slider.show_count(Count(7, "marks", 7))
    image = slider.grab().toImage()
    gaps = sum(image.pixelColor(round(slider.stop_x(stop)), CENTRE) != palette().mark for stop in range(1, 7))

    assert gaps == 6
    assert slider.count.words == "from your marks"


def test_by_hand_is_one_bar_and_remembers_the_marks(slider: CountSlider) -> None:
    slider.show_count(Count(6, "key", 3))
    image = slider.grab().toImage()

    assert image.pixelColor(round(slider.stop_x(2)), CENTRE) == palette().mark
    assert slider.count.words == "set by hand, 3 marked"


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (Count(), "not set"),
        (Count(0, "marks"), "from your marks"),
        (Count(4, "slider", 4), "set by hand"),
        (Count(4, "slider", 0), "set by hand"),
        (Count(0, "key", 2), "set by hand, 2 marked"),
        (Count(None, None, 2, is_needed=False), "not needed"),
    ],
)
def test_words_say_where_it_came_from(count: Count, words: str) -> None:
    assert count.words == words


@pytest.mark.parametrize("stop", range(11))
def test_a_click_on_a_stop_asks_for_it(slider: CountSlider, qtbot: QtBot, stop: int) -> None:
    with qtbot.waitSignal(slider.set_by_pointer) as asked:
        QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=at(slider, stop))

    assert asked.args == [stop]


def test_a_click_where_it_stands_asks_all_the_same(slider: CountSlider, qtbot: QtBot) -> None:
    slider.show_count(Count(0, "slider"))

    with qtbot.waitSignal(slider.set_by_pointer) as asked:
        QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=at(slider, 0))

    assert asked.args == [0]


def test_the_handle_is_there_at_the_press_and_the_act_at_the_release(
    slider: CountSlider, qtbot: QtBot
) -> None:
    with qtbot.assertNotEmitted(slider.set_by_pointer):
        QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=at(slider, 5))
    assert ink_on_the_track(slider) > 50
    assert slider.count.is_unset
    with qtbot.waitSignal(slider.set_by_pointer):
        QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=at(slider, 5))


@pytest.mark.parametrize(
    ("value", "key", "asked"),
    [
        (None, Qt.Key.Key_Right, 0),
        (None, Qt.Key.Key_Left, 10),
        (0, Qt.Key.Key_Right, 1),
        (0, Qt.Key.Key_Left, 0),
        (10, Qt.Key.Key_Up, 10),
        (4, Qt.Key.Key_Down, 3),
        (4, Qt.Key.Key_Home, 0),
        (4, Qt.Key.Key_End, 10),
    ],
)
def test_arrows_home_and_end(
    slider: CountSlider, qtbot: QtBot, value: int | None, key: Qt.Key, asked: int
) -> None:
    slider.show_count(Count(value, None if value is None else "key"))

    with qtbot.waitSignal(slider.set_by_key) as signal:
        QTest.keyClick(slider, key)

    assert signal.args == [asked]


def test_nothing_is_asked_for_when_it_is_not_needed(slider: CountSlider, qtbot: QtBot) -> None:
    slider.show_count(Count(is_needed=False))

    with qtbot.assertNotEmitted(slider.set_by_key), qtbot.assertNotEmitted(slider.set_by_pointer):
        QTest.keyClick(slider, Qt.Key.Key_Right)
        QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=at(slider, 3))


def test_it_ends_at_the_number_of_images(slider: CountSlider) -> None:
    slider.show_count(Count(most=6))

    assert slider.stop_at(10_000) == 6
    assert slider.stop_at(-50) == 0
