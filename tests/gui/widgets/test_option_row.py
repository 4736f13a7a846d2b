"""Options: in rows, with keys, unknown last, and a box where keys end."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.option_row import BEFORE_UNKNOWN, GAP, Option, OptionRow

UNKNOWN = Option("", "unknown / not visible", "U", "Not to be seen.")
COLOURS = (
    *("white", "black", "grey", "silver", "gold", "beige"),
    *("brown", "tan", "cream", "red", "teal", "green"),
)


@pytest.fixture
def row(theme: Theme, qtbot: QtBot) -> OptionRow:
    """A row in a wide window."""
    made = OptionRow()
    qtbot.addWidget(made)
    made.resize(1600, 40)
    made.show()
    return made


def options(*names: str) -> list[Option]:
    """Options with keys as far as they go."""
    keys = "1234567890"
    return [Option(name, name, keys[i] if i < 10 else "", f"It is {name}.") for i, name in enumerate(names)]


def test_nothing_is_chosen_until_an_answer_is_shown(row: OptionRow) -> None:
    row.show_question(options("a", "b"), UNKNOWN, is_open=False)

    assert not any(button.isChecked() for button in [*row.options, row.unknown])


def test_a_click_asks_and_does_not_choose(row: OptionRow, qtbot: QtBot) -> None:
    row.show_question(options("a", "b"), UNKNOWN, is_open=False)

    with qtbot.waitSignal(row.chosen) as chosen:
        QTest.mouseClick(row.options[1], Qt.MouseButton.LeftButton)

    assert chosen.args == ["b"]
    assert not row.options[1].isChecked()


def test_unknown_is_last_and_apart(row: OptionRow) -> None:
    row.show_question(options("a", "b", "c"), UNKNOWN, is_open=False)

    gap = row.unknown.x() - row.options[-1].geometry().right() - 1
    assert gap == GAP + BEFORE_UNKNOWN
    assert row.unknown.accessibleName() == "unknown / not visible, key U"


def test_options_lose_padding_before_they_wrap(row: OptionRow) -> None:
    row.show_question(options(*COLOURS[:8]), UNKNOWN, is_open=False)
    full = row.unknown.geometry().right() + 1
    one_row = row.heightForWidth(full)

    assert row.heightForWidth(full - 20) == one_row
    assert row.heightForWidth(full // 2) > one_row


def test_choosing_moves_nothing(row: OptionRow) -> None:
    row.show_question(options(*COLOURS[:6]), UNKNOWN, is_open=False)
    before = [button.geometry() for button in [*row.options, row.unknown]]

    row.show_answer("grey", is_unknown=False)

    assert [button.geometry() for button in [*row.options, row.unknown]] == before


def test_definitions_are_at_hand(row: OptionRow) -> None:
    row.show_question(options("a"), UNKNOWN, is_open=False)

    assert row.options[0].toolTip() == "It is a."
    assert row.options[0].accessibleDescription() == "It is a."


def test_from_the_eleventh_on_there_is_a_box(row: OptionRow) -> None:
    row.show_question(options(*COLOURS[:10]), UNKNOWN, is_open=False)
    assert not row.box.isVisible()
    row.show_question(options(*COLOURS[:11]), UNKNOWN, is_open=False)
    assert row.box.isVisible()
    assert [button.key for button in row.options][9:] == ["0", ""]


def test_the_box_finds_by_the_beginning(row: OptionRow, qtbot: QtBot) -> None:
    row.show_question(options(*COLOURS), UNKNOWN, is_open=False)
    before = [button.geometry() for button in row.options]

    QTest.keyClicks(row.box, "gre")
    clear = [button.label_id for button in row.options if not button.is_faint]
    assert clear == ["grey", "green"]
    assert [button.geometry() for button in row.options] == before
    with qtbot.assertNotEmitted(row.chosen):
        QTest.keyClick(row.box, Qt.Key.Key_Return)
    QTest.keyClicks(row.box, "y")
    with qtbot.waitSignal(row.chosen) as chosen:
        QTest.keyClick(row.box, Qt.Key.Key_Return)
    assert chosen.args == ["grey"]
    assert not any(button.is_faint for button in row.options)


def test_an_empty_box_chooses_nothing(row: OptionRow, qtbot: QtBot) -> None:
    row.show_question(options(*COLOURS[:11]), UNKNOWN, is_open=False)

    with qtbot.assertNotEmitted(row.chosen):
        QTest.keyClick(row.box, Qt.Key.Key_Return)


def test_a_descriptor_is_taken_by_enter_and_once(row: OptionRow, qtbot: QtBot) -> None:
    row.show_question([], UNKNOWN, is_open=True)
    QTest.keyClicks(row.box, "lamp")

    with qtbot.waitSignal(row.described) as described:
        QTest.keyClick(row.box, Qt.Key.Key_Return)
    assert described.args == ["lamp", False]
    with qtbot.assertNotEmitted(row.described):
        row.commit_text()


def test_a_stored_descriptor_does_not_overwrite_what_is_typed(row: OptionRow, qtbot: QtBot) -> None:
    row.show_question([], UNKNOWN, is_open=True)
    row.activateWindow()
    row.box.setFocus()
    qtbot.waitUntil(row.box.hasFocus)
    QTest.keyClicks(row.box, "lam")

    row.show_answer(None, is_unknown=False)

    assert row.box.text() == "lam"
