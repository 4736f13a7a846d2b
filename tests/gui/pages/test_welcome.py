"""What the first page offers."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gui.pages.welcome import WelcomePage
from gui.theme import Theme


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, tmp_path: Path) -> WelcomePage:
    made = WelcomePage(tmp_path / "sample")
    qtbot.addWidget(made)
    made.show()
    return made


def test_sample_open_and_new_are_one_press_away(page: WelcomePage, qtbot: QtBot):
    for button, signal in (
        (page.sample, page.sample_asked_for),
        (page.open, page.open_asked_for),
        (page.new, page.new_asked_for),
    ):
        with qtbot.waitSignal(signal):
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_recent_study_is_opened_by_its_name(page: WelcomePage, qtbot: QtBot, tmp_path: Path):
    page.show_recent([tmp_path / "one", tmp_path / "two"])
    two = next(one for one in page.findChildren(QPushButton) if one.text() == "two")

    with qtbot.waitSignal(page.recent_asked_for) as asked:
        qtbot.mouseClick(two, Qt.MouseButton.LeftButton)

    assert asked.args == [tmp_path / "two"]


def test_without_a_way_to_make_the_sample_none_is_offered(qtbot: QtBot, theme: Theme):
    page = WelcomePage(None)
    qtbot.addWidget(page)
    page.show()

    assert page.sample.isHidden()


def test_while_something_is_made_nothing_else_can_be_asked_for(page: WelcomePage):
    page.set_busy("Making the sample study")

    assert not page.sample.isEnabled()
    assert page.open.toolTip() == "Making the sample study"
