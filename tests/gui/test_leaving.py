"""Nothing that a person typed or did is lost when the study is left: opened over, closed, locked, cut off."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.annotate.screen import AnnotateScreen
from gui.main_window import MainWindow
from gui.studio import Studio
from gui.widgets.consequence import ConsequenceDialog
from storage.store import Store
from storage.study import NewStudy
from tests.gui.annotate.conftest import press
from tests.gui.pages.test_annotate import make_study

Settle = Callable[[Studio], None]


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Another study."""
    Store.create(tmp_path / "other", NewStudy("other", 0)).close()
    return tmp_path / "other"


@pytest.fixture
def annotating(qtbot: QtBot, studio: Studio, tmp_path: Path, settle: Settle) -> MainWindow:
    """A window in which Ada annotates."""
    window = MainWindow(studio, page="annotate", sample_folder=tmp_path / "sample")
    qtbot.addWidget(window)
    window.resize(1280, 720)
    window.show()
    window.activateWindow()
    window.open_study(make_study(tmp_path / "study", 10))
    settle(studio)
    page = window.pages["annotate"]
    page.show_item("Ada")
    settle(studio)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is page.screen_widget)
    return window


def screen_of(window: MainWindow) -> AnnotateScreen:
    found = window.pages["annotate"].screen_widget
    assert found is not None
    return found


def type_comment(window: MainWindow, text: str) -> None:
    screen = screen_of(window)
    screen.acting.opening.open_comment()
    QTest.keyClicks(screen.parts.comment.box, text)


def type_descriptor(window: MainWindow, text: str) -> None:
    screen = screen_of(window)
    index = [one.id for one in screen.session.questions].index("items")
    screen.acting.do(lambda: screen.session.go_to_question(index))
    screen.parts.reveal(screen.parts.bar.options.box)
    QTest.keyClicks(screen.parts.bar.options.box, text)


def answers_in(folder: Path) -> list[tuple[str | None, str]]:
    with Store.open(folder) as store:
        (ada,) = store.annotators()
        return [(one.answer.label, one.answer.comment) for one in store.answer_events(ada.annotator_id)]


def lock_file(folder: Path) -> closing[sqlite3.Connection]:
    """Another program writes the study and does not let go."""
    connection = sqlite3.connect(folder / "study.sqlite", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    return closing(connection)


def make_impatient(studio: Studio) -> None:
    """Give up at once where another program writes the study."""
    assert studio.store is not None
    studio.store._writer._wait_seconds = 0.05
    studio.store._writer.do(lambda connection: connection.execute("PRAGMA busy_timeout = 50"))


@pytest.mark.parametrize("way", ["open another", "close"])
def test_what_is_being_typed_when_the_study_is_left_is_kept(
    annotating: MainWindow, other: Path, settle: Settle, tmp_path: Path, way: str, qtbot: QtBot
):
    type_descriptor(annotating, "lamp")
    type_comment(annotating, "too dark")

    if way == "close":
        annotating.shell.menu.asked_for.emit("close", None)
        qtbot.waitUntil(lambda: annotating.studio.store is None)
    else:
        annotating.open_study(other)
        qtbot.waitUntil(lambda: annotating.windowTitle().startswith("other"))
    settle(annotating.studio)

    assert answers_in(tmp_path / "study") == [("lamp", ""), ("lamp", "too dark")]


def test_the_study_is_not_left_while_an_act_cannot_be_saved(
    annotating: MainWindow, other: Path, settle: Settle, tmp_path: Path, qtbot: QtBot
):
    make_impatient(annotating.studio)
    screen = screen_of(annotating)

    with lock_file(tmp_path / "study"):
        press("1")
        annotating.open_study(other)
        qtbot.waitUntil(lambda: bool(annotating.shell.notice_bar.rows))
        settle(annotating.studio)

    assert annotating.windowTitle().startswith("audit")
    assert screen_of(annotating) is screen
    first, second = annotating.shell.notice_bar.rows
    assert "not every act is saved" in first.sentence
    assert second.act_button.text() == "Open other"

    screen.parts.trouble.retry.emit()
    qtbot.waitUntil(lambda: screen.session.pending == 0)
    qtbot.mouseClick(second.act_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: annotating.windowTitle().startswith("other"))
    settle(annotating.studio)
    assert len(answers_in(tmp_path / "study")) == 1


def test_the_window_answers_while_a_save_is_waited_for(
    annotating: MainWindow, other: Path, settle: Settle, tmp_path: Path, qtbot: QtBot
):
    store = annotating.studio.store
    assert store is not None
    gate = threading.Event()
    store._writer.start(lambda _connection: gate.wait(10))
    press("1")

    annotating.open_study(other)
    qtbot.waitUntil(lambda: annotating.studio._leaving is not None)
    assert annotating.studio.store is store
    gate.set()

    qtbot.waitUntil(lambda: annotating.windowTitle().startswith("other"))
    settle(annotating.studio)
    assert len(answers_in(tmp_path / "study")) == 1


def test_opening_the_study_that_is_open_disturbs_nobody(annotating: MainWindow, settle: Settle):
    screen, folder = screen_of(annotating), annotating.studio.folder
    assert folder is not None

    annotating.open_study(folder)
    settle(annotating.studio)

    assert screen_of(annotating) is screen


@pytest.mark.parametrize("way", ["Ctrl+plus", "another page"])
def test_a_comment_being_typed_is_kept(
    annotating: MainWindow, settle: Settle, way: str, qtbot: QtBot, tmp_path: Path
):
    type_comment(annotating, "too da")

    if way == "Ctrl+plus":
        annotating.larger()
        qtbot.waitUntil(lambda: annotating.pages["annotate"].screen_widget is not None)
        qtbot.waitUntil(lambda: QApplication.focusWidget() is screen_of(annotating).parts.comment.box)
        QTest.keyClicks(screen_of(annotating).parts.comment.box, "rk")
    else:
        annotating.show_page("study")
        settle(annotating.studio)
        annotating.show_page("annotate")
        assert screen_of(annotating).session.answer.comment == "too da"
        type_comment(annotating, "rk")
    assert screen_of(annotating).hand_over()

    assert screen_of(annotating).session.answer.comment == "too dark"


def test_a_descriptor_being_typed_goes_on_at_another_text_size(annotating: MainWindow, qtbot: QtBot):
    type_descriptor(annotating, "desk la")

    annotating.larger()
    qtbot.waitUntil(lambda: annotating.pages["annotate"].screen_widget is not None)
    box = screen_of(annotating).parts.bar.options.box
    qtbot.waitUntil(box.hasFocus)
    QTest.keyClicks(box, "mp")
    assert screen_of(annotating).hand_over()

    assert screen_of(annotating).session.answer.label == "desk lamp"


def test_a_comment_belongs_to_the_question_it_was_typed_at(annotating: MainWindow):
    screen = screen_of(annotating)
    type_comment(annotating, "too dark")

    screen.parts.top.dots.asked_for.emit(3)

    assert screen.session.question_index == 3
    assert screen.session.answer.comment == ""
    screen.acting.do(lambda: screen.session.go_to_question(0))
    assert screen.session.answer.comment == "too dark"


def lock_elsewhere(folder: Path) -> None:
    with Store.open(folder) as store:
        store.lock_round(store.rounds()[0].round_id)


def test_a_round_locked_meanwhile_is_said_and_what_was_typed_is_put_aside(
    annotating: MainWindow, settle: Settle, tmp_path: Path, qtbot: QtBot
):
    screen = screen_of(annotating)
    lock_elsewhere(tmp_path / "study")

    type_descriptor(annotating, "lamp")
    type_comment(annotating, "too dark")
    screen.take_typed()
    qtbot.waitUntil(lambda: screen.parts.trouble.isVisible())
    assert "The round was locked meanwhile" in screen.parts.trouble.words
    assert "2 acts" in screen.parts.trouble.words

    page = annotating.pages["annotate"]
    page.leave()
    dialog = page.dialog
    assert isinstance(dialog, ConsequenceDialog)
    assert page.screen_widget is screen
    dialog.act.click()
    settle(annotating.studio)

    assert page.screen_widget is None
    (file,) = (tmp_path / "study").glob("not-saved-*.json")
    acts = json.loads(file.read_text(encoding="utf-8"))["acts"]
    assert [(one["answer"]["label"], one["answer"]["comment"]) for one in acts] == [
        ("lamp", ""),
        ("lamp", "too dark"),
    ]


def test_the_annotator_reads_no_path_when_saving_fails(annotating: MainWindow, tmp_path: Path, qtbot: QtBot):
    make_impatient(annotating.studio)
    screen = screen_of(annotating)

    with lock_file(tmp_path / "study"):
        press("1")
        qtbot.waitUntil(lambda: screen.parts.trouble.isVisible())
        said = screen.parts.trouble.words + screen.parts.top.saved.toolTip()

    assert "The study file is being written by another program." in said
    assert str(tmp_path) not in said
    assert "study.sqlite" not in said
    screen.parts.trouble.retry.emit()
    qtbot.waitUntil(lambda: screen.session.pending == 0)


def test_closing_the_window_takes_what_is_being_typed(annotating: MainWindow, tmp_path: Path):
    type_descriptor(annotating, "lamp")

    assert annotating.close()

    assert answers_in(tmp_path / "study") == [("lamp", "")]


def test_closing_the_window_on_what_cannot_be_saved_asks_once_and_then_puts_it_aside(
    annotating: MainWindow, tmp_path: Path
):
    lock_elsewhere(tmp_path / "study")
    type_comment(annotating, "too dark")

    assert not annotating.close()
    assert annotating.isVisible()
    assert any("Not every act is saved" in row.sentence for row in annotating.shell.notice_bar.rows)

    assert annotating.close()
    (file,) = (tmp_path / "study").glob("not-saved-*.json")
    assert "too dark" in file.read_text(encoding="utf-8")
