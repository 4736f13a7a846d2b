"""What the screen says about saving is true, and nothing is lost while saving fails."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.records import AnswerEvent
from tests.annotation.sittings import ListBook
from tests.gui.annotate.conftest import MakeScreen, press


class ThreadBook(ListBook):
    """A book whose futures resolve in another thread, when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.threads: list[threading.Thread] = []

    def append_answer(self, event: AnswerEvent) -> Future[AnswerEvent]:
        future: Future[AnswerEvent] = Future()

        def land() -> None:
            self.gate.wait(5)
            saved = replace(event, event_id=len(self.events) + 1)
            self.events.append(saved)
            future.set_result(saved)

        thread = threading.Thread(target=land)
        self.threads.append(thread)
        thread.start()
        return future

    def join(self) -> None:
        for thread in list(self.threads):
            thread.join(5)


def test_saved_is_said_only_once_it_is_on_the_disk(make_screen: MakeScreen, qtbot: QtBot) -> None:
    book = ThreadBook()
    screen = make_screen(book)
    saved = screen.parts.top.saved

    press("1")
    assert saved.words == "Saving…"
    book.gate.set()
    qtbot.waitUntil(lambda: saved.words.startswith("Saved "))

    assert len(book.events) == 1
    book.join()


def test_the_screen_does_not_wait_for_the_disk(make_screen: MakeScreen, qtbot: QtBot) -> None:
    book = ThreadBook()
    screen = make_screen(book)

    press("1", *"QWERT", "Enter", "2")

    assert screen.session.question_index == 1
    assert screen.session.answer.label is not None
    assert book.events == []
    book.gate.set()
    qtbot.waitUntil(lambda: screen.session.pending == 0)
    assert len(book.events) == 8
    book.join()


def test_trouble_is_said_in_place_and_nothing_is_lost(make_screen: MakeScreen) -> None:
    book = ListBook()
    screen = make_screen(book)
    press("1")

    book.broken = "The disk is full."
    press("Q", "W", "M")
    assert screen.parts.top.saved.words == "Not saved"
    assert screen.parts.top.saved.is_trouble
    assert screen.parts.trouble.isVisible()
    assert "The disk is full." in screen.parts.trouble.words
    assert "3 waiting" in screen.parts.trouble.words or screen.session.pending == 3
    assert screen.session.answer.slider == 2

    book.broken = ""
    QTest.mouseClick(screen.parts.trouble.button, Qt.MouseButton.LeftButton)
    assert not screen.parts.trouble.isVisible()
    assert screen.parts.top.saved.words.startswith("Saved ")
    assert book.acts == ["choose", "mark", "mark", "flag"]


def test_handing_over_takes_what_is_being_typed(make_screen: MakeScreen) -> None:
    from tests.gui.annotate.conftest import go_to, type_text

    book = ListBook()
    screen = make_screen(book)
    go_to(screen, "items")
    press("Shift+Enter")
    type_text("lamp")

    assert screen.hand_over()

    assert book.events[-1].answer.label == "lamp"


def test_handing_over_says_no_while_saving_fails(make_screen: MakeScreen) -> None:
    book = ListBook()
    screen = make_screen(book)
    book.broken = "The disk is full."
    press("1")

    assert not screen.hand_over()


def test_the_theme_is_stored_with_each_act(make_screen: MakeScreen, theme) -> None:  # type: ignore[no-untyped-def]
    book = ListBook()
    make_screen(book)

    press("1")
    theme.pin("dark")
    press("2")

    assert [event.theme for event in book.events] == ["light", "dark"]
