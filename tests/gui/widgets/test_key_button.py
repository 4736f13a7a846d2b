"""A button keeps its key when it has to lose its word."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.key_button import KeyButton
from gui.widgets.key_cap import ERASE, cap_size


def test_without_a_word_it_is_narrower_and_says_the_same(theme: Theme, qtbot: QtBot) -> None:
    button = KeyButton("Comment", "C", icon="comment")
    qtbot.addWidget(button)
    wide = button.sizeHint().width()

    button.set_room(has_word=False, is_short=True)

    assert button.sizeHint().width() < wide
    assert button.accessibleName() == "Comment, key C"
    assert button.toolTip() == "Comment (C)"
    assert not button.shows_word


def test_without_an_icon_the_word_stays(theme: Theme, qtbot: QtBot) -> None:
    button = KeyButton("Confirm", "Enter")
    qtbot.addWidget(button)

    button.set_room(has_word=False, is_short=True)

    assert button.shows_word


def test_a_long_key_has_a_short_form(theme: Theme, qtbot: QtBot) -> None:
    button = KeyButton("Back", "Backspace", icon="left", short_key=ERASE)
    qtbot.addWidget(button)
    wide = button.sizeHint().width()

    button.set_room(has_word=True, is_short=True)

    assert button.sizeHint().width() < wide
    assert cap_size(ERASE).width() == cap_size("M").width()
