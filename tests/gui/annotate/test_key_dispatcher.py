"""From key events to names, on several layouts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from gui.annotate.key_dispatcher import key_name
from gui.annotate.keys import PRESETS, Command
from tests.annotation.sittings import ListBook
from tests.gui.annotate.conftest import MakeScreen, hold, press

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier
KEYPAD = Qt.KeyboardModifier.KeypadModifier


@pytest.mark.parametrize(
    ("key", "modifiers", "name"),
    [
        (Qt.Key.Key_Q, NONE, "Q"),
        (Qt.Key.Key_Q, SHIFT, "Shift+Q"),
        (Qt.Key.Key_Z, CTRL | SHIFT, "Ctrl+Shift+Z"),
        (Qt.Key.Key_Question, SHIFT, "?"),
        (Qt.Key.Key_Equal, SHIFT, "="),
        (Qt.Key.Key_1, SHIFT, "1"),
        (Qt.Key.Key_5, KEYPAD, "5"),
        (Qt.Key.Key_Enter, KEYPAD, "Enter"),
        (Qt.Key.Key_Return, SHIFT, "Shift+Enter"),
        (Qt.Key.Key_Eacute, NONE, "É"),
        (Qt.Key.Key_PageDown, NONE, "PgDn"),
        (Qt.Key.Key_Shift, SHIFT, ""),
        (Qt.Key.Key_F5, NONE, ""),
    ],
)
def test_a_key_has_the_name_on_its_cap(key: Qt.Key, modifiers: Qt.KeyboardModifier, name: str) -> None:
    assert key_name(QKeyEvent(QEvent.Type.KeyPress, key, modifiers)) == name


def test_a_cyrillic_letter_is_found_by_its_place() -> None:
    # й stands where Q is: scan code 24 under X11, 16 on Windows.
    for scan in (24, 16):
        event = QKeyEvent(QEvent.Type.KeyPress, 0x0419, NONE, scan, 0, 0, "й")
        assert key_name(event) == "Q"


def test_a_french_keyboard_chooses_without_shift() -> None:
    keys = PRESETS["AZERTY"]

    assert keys.command_of("&") == (Command.CHOOSE, 0)
    assert keys.command_of("À") == (Command.CHOOSE, 9)
    assert keys.command_of("-") == (Command.CHOOSE, 5)
    assert keys.command_of("1") == (Command.CHOOSE, 0)


def test_keys_of_another_layout_work_on_the_screen(make_screen: MakeScreen) -> None:
    screen = make_screen(keys=PRESETS["AZERTY"])

    press("A", "Z")

    assert screen.session.marked == {0, 1}
    assert screen.parts.grid.tiles[0].accessibleName() == "image 1, marked"


def test_a_key_meant_for_another_part_of_the_window_is_not_ours(
    make_screen: MakeScreen, qtbot: QtBot
) -> None:
    book = ListBook()
    make_screen(book)
    other = QLineEdit()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    other.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is other)

    press("1", "Q", "U")

    assert book.events == []
    assert other.text() == "1qu"


def test_a_hidden_screen_takes_no_keys(make_screen: MakeScreen, qtbot: QtBot) -> None:
    book = ListBook()
    screen = make_screen(book)
    screen.hide()
    other = QWidget()
    other.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    qtbot.addWidget(other)
    other.show()

    QTest.keyClick(other, Qt.Key.Key_Q)

    assert book.events == []


def test_losing_the_window_ends_what_is_held(make_screen: MakeScreen) -> None:
    screen = make_screen()
    hold("H")
    assert screen.parts.guide.isVisible()

    QApplication.sendEvent(screen, QEvent(QEvent.Type.WindowDeactivate))

    assert not screen.parts.guide.isVisible()


def test_the_window_s_own_shortcuts_do_not_get_our_keys(make_screen: MakeScreen) -> None:
    screen = make_screen()

    for key in (Qt.Key.Key_Z, Qt.Key.Key_Return):
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, CTRL if key == Qt.Key.Key_Z else NONE)
        event.ignore()
        QApplication.sendEvent(screen, event)
        assert event.isAccepted()
    foreign = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_3, CTRL)
    foreign.ignore()
    QApplication.sendEvent(screen, foreign)
    assert not foreign.isAccepted()


def test_input_and_focus_reach_the_clock(make_screen: MakeScreen) -> None:
    screen = make_screen()
    clock = screen.session.clock

    QApplication.sendEvent(screen, QEvent(QEvent.Type.WindowDeactivate))
    before = clock.times().active_seconds
    QTest.qWait(30)
    assert clock.times().active_seconds == before
    QApplication.sendEvent(screen, QEvent(QEvent.Type.WindowActivate))
    QTest.qWait(30)
    assert clock.times().active_seconds > before
