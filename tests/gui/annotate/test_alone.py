"""The annotator's program on a real packet: practice, the study, handing in, closing."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from annotation.packet_session import TrainingSession
from core.records import Answer, AnswerEvent
from gui.annotate.alone import AloneWindow, SorryWindow
from gui.annotate.file_opening import FileOpening
from gui.tasks import TaskRunner
from storage.handin_reader import read_hand_in
from storage.packet_book import PacketBook, RunBook
from tests import team
from tests.gui.annotate.conftest import press

Open = Callable[[], AloneWindow]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A packet with one set to practise on and three of the study."""
    folder = tmp_path_factory.mktemp("alone")
    with team.new_study(folder / "study", roles=1, generators=("sdxl-turbo",), roomy=1) as store:
        team.open_round(store, training=1, attempts=2)
        team.packet_for(store, "Ana", folder / "ana.packet")
    return folder / "ana.packet"


@pytest.fixture
def packet(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path / "ana.packet"))


@pytest.fixture
def opened(packet: Path, qtbot: QtBot, runner: TaskRunner) -> Iterator[Open]:
    """Opens the packet in a shown window; the same window is closed at the end."""
    windows: list[AloneWindow] = []

    def open_it() -> AloneWindow:
        window = AloneWindow(runner, PacketBook(packet))
        windows.append(window)
        window.resize(1280, 720)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        return window

    yield open_it
    for window in windows:
        window._is_warned = True
        window.close()
        window.deleteLater()


def texts(window: QWidget) -> str:
    """Everything that a window tells: titles, tooltips, names, words."""
    found = [window.windowTitle()]
    for widget in window.findChildren(QWidget):
        found += [widget.toolTip(), widget.accessibleName(), widget.accessibleDescription()]
        text = getattr(widget, "text", None)
        found.append(str(text() if callable(text) else text or ""))
    return "\n".join(found)


def give(book: PacketBook, run: int, right: bool) -> None:
    """Answer the whole practice, all right or all wrong but for what has no key."""
    events = []
    for one in book.content.of_part("training"):
        for question in book.content.questions:
            key = book.content.keys.get((one.number, question.id))
            option = (question.option_ids or ("lamp",))[0]
            answer = Answer(option, False, 1, "key", frozenset(), True)
            if key is not None and right:
                answer = Answer(key.label, key.label is None, key.slider, "key", key.marks, True)
            elif key is not None:
                wrong = next(other for other in question.option_ids if other != key.label)
                answer = Answer(wrong, False, 1, "key", frozenset(), True)
            if answer.is_unknown:
                answer = Answer(None, True, None, None, frozenset(), True)
            events.append(AnswerEvent(1, one.number, question.id, "confirm", answer, team.AT))
    RunBook(book, run).append_answers(events)


def test_practice_comes_first_and_each_answer_is_followed_by_the_leads(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    assert "1 set to practise on comes first" in window.page.words
    assert window.page.whose == "This packet is for Ana: ana.packet."
    window.page.start.click()
    screen = window.screen_widget
    assert screen is not None
    assert isinstance(screen.session, TrainingSession)
    session = screen.session
    key = session.content.keys[(session.image_set.image_set_id, session.question.id)]
    qtbot.waitUntil(lambda: QApplication.focusWidget() is screen)

    screen.acting.choose(key.label or "")
    place = next(iter(key.marks))
    screen.acting.mark(place)
    press("Enter")

    assert window.feedback is not None
    assert window.frames is not None
    assert window.feedback.isVisible()
    assert session.question_index == 0
    near = (key.slider or 0) <= 2
    assert window.feedback.words.startswith("Right:" if near else "The category is right, the count is not")
    assert window.frames.framed == dict.fromkeys(key.marks - {place}, "shown here")

    before = session.answer
    press("2")
    assert session.answer == before, "what was seen is not corrected after the lead's answer"
    assert not session.undo()
    press("Enter")
    assert session.question_index == 1
    assert not window.feedback.isVisible()


def test_the_study_begins_once_practice_is_passed(opened: Open, packet: Path) -> None:
    with PacketBook(packet) as book:
        give(book, 1, right=True)
    window = opened()
    assert "What follows is the study" in window.page.words
    window.page.start.click()
    assert window.screen_widget is not None
    assert not isinstance(window.screen_widget.session, TrainingSession)
    assert window.screen_widget.session.set_total == 3


def test_practice_that_was_not_passed_is_done_again_until_no_attempt_is_left(
    opened: Open, packet: Path
) -> None:
    with PacketBook(packet) as book:
        give(book, 1, right=False)
    window = opened()
    assert "0 of" in window.page.words
    assert "1 attempt is left" in window.page.words
    window.page.start.click()
    assert window.screen_widget is not None
    session = window.screen_widget.session
    assert isinstance(session, TrainingSession)
    assert (session.attempt, session.progress.answers_done) == (2, 0)
    window.close()
    with PacketBook(packet) as book:
        give(book, 2, right=False)

    last = opened()

    assert "No attempt is left" in last.page.words
    assert last.page.start.isHidden()
    assert last.page.save.isVisible()


def test_it_opens_where_it_was_left_and_hands_in_what_is_there(
    opened: Open, packet: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    with PacketBook(packet) as book:
        team.answer(book, team.study_places(book)[:25])
    window = opened()
    screen = window.screen_widget
    assert screen is not None
    assert (screen.session.set_index, screen.session.question_index) == (1, 2)

    screen.parts.top.way_back.click()
    assert "1 of 3 sets done, 25 of 69 answers." in window.page.words
    window.hand_in_to(tmp_path / "ana.handin")
    qtbot.waitUntil(lambda: "It holds 25 of 69 answers" in window.page.said, timeout=20_000)

    assert len(read_hand_in(tmp_path / "ana.handin").events) == 25
    assert window.suggested() == tmp_path / "ana-2.handin"
    window.page.start.click()
    assert window.screen_widget is not None


def test_the_last_answer_leads_to_handing_in(opened: Open, packet: Path, qtbot: QtBot) -> None:
    with PacketBook(packet) as book:
        team.answer(book, team.study_places(book)[:-1])
    window = opened()
    screen = window.screen_widget
    assert screen is not None
    session = screen.session
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    if session.question.is_open:
        screen.acting.describe("lamp")
    else:
        screen.acting.choose(session.question.option_ids[0])
    screen.acting.do(session.mark_all)

    screen.acting.confirm()
    if session.asking:
        screen.acting.keep()

    qtbot.waitUntil(lambda: window.screen_widget is None, timeout=20_000)
    assert window.page._title.text() == "All sets are done"
    page = window.page
    assert [one.isDefault() for one in (page.save, page.start)] == [True, False]
    assert [one.property("kind") for one in (page.save, page.start)] == ["primary", ""]
    asked: list[bool] = []
    page.hand_in.disconnect()
    page.hand_in.connect(lambda: asked.append(True))
    qtbot.waitUntil(page.save.hasFocus)
    press("Enter")
    assert asked == [True]


def test_nothing_in_the_window_tells_what_a_picture_is(opened: Open, packet: Path) -> None:
    with PacketBook(packet) as book:
        team.answer(book, team.study_places(book)[:3])
    window = opened()
    said = texts(window)
    window.leave()
    said += texts(window)
    assert window.windowTitle() == "Annotate – ContextBias Studio"
    for word in ("occupation", "sdxl", "prompt", "CA-R", "context", "70000", ".png", "seed"):
        assert word not in said.replace("ContextBias Studio", "")


def test_a_copy_of_an_open_packet_says_so_at_its_start(
    packet: Path, qtbot: QtBot, runner: TaskRunner
) -> None:
    with PacketBook(packet) as book:
        team.answer(book, team.study_places(book)[:3])
        copy = team.copied_by_another(packet, packet.with_name("copy.packet"))
    window = AloneWindow(runner, PacketBook(copy))
    assert "made while the packet was open" in window.page.note
    assert window.screen_widget is None
    window.close()
    window.deleteLater()


def test_acts_that_cannot_be_saved_hold_the_window_open_once(
    opened: Open, packet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with PacketBook(packet) as book:
        team.answer(book, team.study_places(book)[:3])
    window = opened()
    assert window.screen_widget is not None
    session = window.screen_widget.session

    def full(*_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("storage.packet_book.link", full)
    session.toggle_mark(1)
    assert not window.close()
    assert window.screen_widget.parts.trouble.isVisible()
    monkeypatch.undo()
    session.retry()
    assert window.close()
    with PacketBook(packet) as book:
        assert len(book.events(0)) == 4


def test_why_a_packet_cannot_be_opened_is_said_in_a_window(qtbot: QtBot) -> None:
    window = SorryWindow("This packet is open in another window.")
    qtbot.addWidget(window)
    window.show()
    assert window.page.words == "This packet is open in another window."
    assert window.page.start.isHidden()
    assert window.page.save.isHidden()


def test_a_packet_that_the_desktop_hands_over_is_taken(qapp: QApplication, packet: Path) -> None:
    opening = FileOpening(qapp)
    QTimer.singleShot(0, lambda: QApplication.sendEvent(qapp, QFileOpenEvent(str(packet))))
    assert opening.wait(5000) == packet
    qapp.removeEventFilter(opening)


def test_without_a_handed_packet_nothing_is_waited_for_long(qapp: QApplication) -> None:
    opening = FileOpening(qapp)
    assert opening.wait(1) is None
    qapp.removeEventFilter(opening)


@pytest.mark.skipif(sys.platform == "win32", reason="a file in use cannot be deleted")
def test_a_packet_deleted_while_it_is_open_is_said_and_nothing_is_lost(opened: Open, packet: Path) -> None:
    with PacketBook(packet) as book:
        team.answer(book, team.study_places(book)[:3])
    window = opened()
    assert window.screen_widget is not None
    packet.unlink()
    window.screen_widget.session.toggle_mark(1)

    assert not window.close()
    assert "ana-kept.packet beside it" in window.screen_widget.parts.trouble.words
    assert window.close()
    with PacketBook(packet.with_name("ana-kept.packet")) as book:
        assert len(book.events(0)) == 4


@pytest.mark.skipif(sys.platform == "win32", reason="a file in use cannot be deleted")
def test_a_packet_deleted_after_the_last_act_is_said_on_leaving(opened: Open, packet: Path) -> None:
    with PacketBook(packet) as book:
        team.answer(book, team.study_places(book)[:3])
    window = opened()
    packet.unlink()

    assert not window.close()
    assert "Everything saved until then is in ana-kept.packet beside it." in window.page.trouble
    assert window.close()
    with PacketBook(packet.with_name("ana-kept.packet")) as book:
        assert len(book.events(0)) == 3


def test_acts_that_can_never_be_saved_are_written_beside_the_packet(
    opened: Open, packet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with PacketBook(packet) as book:
        team.answer(book, team.study_places(book)[:3])
    window = opened()
    assert window.screen_widget is not None

    def full(*_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("storage.packet_book.link", full)
    window.screen_widget.session.toggle_mark(1)
    assert not window.close()
    assert window.close()
    (beside,) = packet.parent.glob("not-saved-*.json")
    assert len(json.loads(beside.read_text(encoding="utf-8"))["acts"]) == 1
