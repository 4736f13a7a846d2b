"""The screen in a window of its own, as a packet opens it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotation.session import Session
from core.questions import load_questions
from gui.annotate.alone import AloneWindow, Opened
from gui.annotate.saved_caption import SavedRelay
from gui.tasks import TaskRunner
from tests.annotation.sittings import ADA, ListBook, make_set
from tests.gui.annotate.conftest import press, read_plain


class Packet:
    """A book, the window on it, and whether the packet was let go."""

    def __init__(self, runner: TaskRunner) -> None:
        self.book = ListBook()
        self.is_closed = False
        relay = SavedRelay(runner)
        session = Session(self.book, ADA, [make_set(1)], load_questions(), 7, on_saved=relay.tell)
        self.window = AloneWindow(runner, relay, Opened(session, read_plain, self.close))

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def packet(qtbot: QtBot, runner: TaskRunner) -> Iterator[Packet]:
    """A packet in a shown window."""
    made = Packet(runner)
    with qtbot.waitExposed(made.window):
        made.window.show()
    made.window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is made.window.screen_widget)
    yield made
    made.book.broken = ""
    made.window.screen_widget.session.retry()
    made.window.close()
    made.window.deleteLater()


def test_its_title_says_nothing_about_the_pictures(packet: Packet) -> None:
    assert packet.window.windowTitle() == "Annotate – ContextBias Studio"


def test_keys_work_and_closing_lets_the_packet_go(packet: Packet) -> None:
    press("1", "Q")

    assert packet.window.close()

    assert packet.book.acts == ["choose", "mark"]
    assert packet.is_closed


def test_acts_that_cannot_be_saved_hold_the_window_open_once(packet: Packet) -> None:
    packet.book.broken = "The disk is full."
    press("1")

    assert not packet.window.close()
    assert packet.window.screen_widget.parts.trouble.isVisible()
    assert not packet.is_closed
    assert packet.window.close()
    assert packet.is_closed
