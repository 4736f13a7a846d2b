"""Dots: a shape for each state, and a click that leads there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.question_dots import Dot, QuestionDots

COHORTS = ["Scene"] * 5 + ["Camera"] * 3 + ["Objects"] + ["People"] * 14


@pytest.fixture
def dots(theme: Theme, qtbot: QtBot) -> QuestionDots:
    """23 questions, not seen."""
    made = QuestionDots()
    qtbot.addWidget(made)
    made.show_dots([Dot(cohort, f"Which {i}?", "unseen") for i, cohort in enumerate(COHORTS)], 0)
    made.resize(made.sizeHint())
    made.show()
    return made


def test_a_click_on_a_dot_asks_for_its_question(dots: QuestionDots, qtbot: QtBot) -> None:
    for index in (0, 8, 22):
        with qtbot.waitSignal(dots.asked_for) as asked:
            QTest.mouseClick(dots, Qt.MouseButton.LeftButton, pos=dots.centre_of(index))
        assert asked.args == [index]


def test_every_state_looks_different(dots: QuestionDots) -> None:
    looks = set()
    for state in ("unseen", "begun", "done", "flagged"):
        dots.show_dots([Dot("Scene", "Which?", "unseen"), Dot("Scene", "Which?", state)], 0)
        centre = dots.centre_of(1)
        image = dots.grab().toImage()
        looks.add(
            tuple(image.pixel(centre.x() + dx, centre.y() + dy) for dx in range(-6, 7) for dy in range(-7, 8))
        )

    assert len(looks) == 4


def test_in_a_narrow_bar_captions_go_and_dots_stay(dots: QuestionDots) -> None:
    dots.resize(230, 32)

    centres = [dots.centre_of(index).x() for index in range(23)]
    assert dots.shows_dots
    assert centres == sorted(set(centres))
    assert centres[-1] < dots.width()


def test_where_dots_have_no_room_a_number_is_left(dots: QuestionDots) -> None:
    dots.resize(dots.minimumSizeHint())

    assert not dots.shows_dots
    assert dots.dot_at(dots.rect().center()) is None


def test_the_name_says_which_question_of_how_many(dots: QuestionDots) -> None:
    assert dots.accessibleName() == "question 1 of 23, 0 done"
