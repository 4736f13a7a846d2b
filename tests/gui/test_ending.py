"""Ctrl+C and the signal to end close a window as its button does."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.ending import Ending
from gui.main_window import MainWindow
from gui.studio import Studio

QUITS: list[bool] = []


@pytest.fixture
def ending(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ending]:
    """Signals taken over, and given back; the application of the tests does not end."""
    before = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)]
    made = Ending(qapp)
    monkeypatch.setattr(made, "_quit", lambda: QUITS.append(True))
    QUITS.clear()
    yield made
    made.stop()
    assert [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)] == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_closes_the_window(qtbot: QtBot, studio: Studio, ending: Ending, number: int) -> None:
    window = MainWindow(studio)
    qtbot.addWidget(window)
    window.show()
    ending.close = window.end
    os.kill(os.getpid(), number)
    assert signal.getsignal(signal.SIGINT) == signal.SIG_DFL  # the next one ends the process at once
    qtbot.waitUntil(lambda: QUITS == [True])
    assert not window.isVisible()


def test_window_held_open_is_asked_again(qtbot: QtBot, ending: Ending) -> None:
    asked: list[int] = []
    ending.close = lambda: asked.append(1) or len(asked) > 1
    os.kill(os.getpid(), signal.SIGINT)
    qtbot.waitUntil(lambda: len(asked) == 1)
    assert not QUITS
    os.kill(os.getpid(), signal.SIGINT)
    qtbot.waitUntil(lambda: QUITS == [True])


def test_signal_to_end_does_not_wait_for_a_reader(qtbot: QtBot, ending: Ending) -> None:
    asked: list[int] = []
    ending.close = lambda: asked.append(1) or len(asked) > 1
    os.kill(os.getpid(), signal.SIGTERM)
    qtbot.waitUntil(lambda: QUITS == [True])
    assert len(asked) == 2
