"""How trouble reaches a person."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.errors import GeneratorError
from gui.notices import MOST_NOTICES, FaultDialog, NoticeBar, Notices
from gui.theme import Theme

OUT_OF_MEMORY = GeneratorError(
    "the GPU ran out of memory at image 4 881. 4 880 images are kept.", "Continue with one image a step."
)


@pytest.fixture
def notices(qtbot: QtBot, theme: Theme) -> Iterator[Notices]:
    bar = NoticeBar()
    qtbot.addWidget(bar)
    made = Notices()
    made.show_in(bar)
    yield made
    if made.dialog is not None:
        made.dialog.accept()


def test_an_error_of_the_world_is_a_line_that_says_what_and_what_to_do(notices: Notices):
    notices.on_trouble("Generate, FLUX.1", OUT_OF_MEMORY)

    (row,) = notices.bar.rows
    assert row.sentence.startswith("Generate, FLUX.1: the GPU ran out of memory")
    assert row.remedy == "Continue with one image a step."
    assert notices.dialog is None


def test_the_line_stays_until_it_is_closed(notices: Notices, qtbot: QtBot):
    notices.on_trouble("", OUT_OF_MEMORY)
    (row,) = notices.bar.rows

    qtbot.mouseClick(row.findChild(QPushButton), Qt.MouseButton.LeftButton)

    assert notices.bar.rows == ()
    assert notices.bar.isHidden()


def test_the_same_trouble_is_said_once_and_old_lines_make_room(notices: Notices):
    for number in range(MOST_NOTICES + 2):
        notices.on_trouble("", GeneratorError(f"number {number}"))
        notices.on_trouble("", GeneratorError(f"number {number}"))

    assert [row.sentence for row in notices.bar.rows] == [f"number {number}" for number in (2, 3, 4, 5)]


def test_a_fault_of_ours_is_a_dialog_with_details_to_copy(notices: Notices, qtbot: QtBot):
    try:
        raise ZeroDivisionError("ours")
    except ZeroDivisionError as error:
        notices.on_trouble("Generate", error)

    assert isinstance(notices.dialog, FaultDialog)
    copy = next(one for one in notices.dialog.findChildren(QPushButton) if one.text() == "Copy details")
    qtbot.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert "ZeroDivisionError: ours" in QGuiApplication.clipboard().text()
    assert "test_notices.py" in notices.dialog.details


def test_one_dialog_at_a_time(notices: Notices):
    notices.on_trouble("first", ZeroDivisionError("1"))
    first = notices.dialog

    notices.on_trouble("second", ZeroDivisionError("2"))

    assert notices.dialog is first


def test_what_nobody_caught_is_shown_whatever_the_thread(
    notices: Notices, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    notices.catch_uncaught()

    def fail() -> None:
        raise ZeroDivisionError("in a thread")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()

    qtbot.waitUntil(lambda: notices.dialog is not None)


def test_another_bar_takes_over_what_is_still_shown(notices: Notices, qtbot: QtBot):
    notices.on_trouble("", OUT_OF_MEMORY)
    other = NoticeBar()
    qtbot.addWidget(other)

    notices.show_in(other)

    assert [row.remedy for row in other.rows] == ["Continue with one image a step."]


def test_two_clicks_in_one_turn_do_it_once(notices: Notices):
    done = []
    notices.offer("A job was left.", "Go on", lambda: done.append(1))
    assert notices.bar is not None
    (row,) = notices.bar.rows

    row.act_button.click()
    row.act_button.click()
    row.closed.emit()

    assert (done, notices.bar.rows) == ([1], ())
