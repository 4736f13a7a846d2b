"""A screen on a session in memory, with coloured pictures, and keys sent where the focus is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from annotation.session import Session
from core.questions import Question, load_questions
from core.records import ImageSet, StoredImage
from gui.annotate.decoding import ReadBytes
from gui.annotate.keys import KeyMap
from gui.annotate.saved_caption import SavedRelay
from gui.annotate.screen import AnnotateScreen
from gui.tasks import TaskRunner
from gui.theme import Theme
from tests.annotation.sittings import ADA, ListBook, make_set

KEYS = {
    "Enter": Qt.Key.Key_Return,
    "Esc": Qt.Key.Key_Escape,
    "Backspace": Qt.Key.Key_Backspace,
    "Space": Qt.Key.Key_Space,
    "Tab": Qt.Key.Key_Tab,
    "PgDn": Qt.Key.Key_PageDown,
    "PgUp": Qt.Key.Key_PageUp,
    "Left": Qt.Key.Key_Left,
    "Right": Qt.Key.Key_Right,
    "Up": Qt.Key.Key_Up,
    "Down": Qt.Key.Key_Down,
    "Home": Qt.Key.Key_Home,
    "End": Qt.Key.Key_End,
    "=": Qt.Key.Key_Equal,
    "-": Qt.Key.Key_Minus,
    "?": Qt.Key.Key_Question,
}
MODIFIERS = {
    "Ctrl": Qt.KeyboardModifier.ControlModifier,
    "Shift": Qt.KeyboardModifier.ShiftModifier,
    "Alt": Qt.KeyboardModifier.AltModifier,
}


def encoded(size: int = 64, hue: int = 0, form: str = "PNG") -> bytes:
    """A plain picture as a file."""
    image = QImage(size, size, QImage.Format.Format_RGB32)
    image.fill(QColor.fromHsv(hue % 360, 80, 200))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, form)
    return bytes(buffer.data().data())


def read_plain(image: StoredImage) -> bytes:
    """A picture whose colour is its id."""
    return encoded(64, image.image_id * 37)


def parsed(key: str) -> tuple[Qt.Key, Qt.KeyboardModifier]:
    """A key as it is written on its cap, such as "Ctrl+Z"."""
    *held, name = key.split("+") if len(key) > 1 else [key]
    modifiers = Qt.KeyboardModifier.NoModifier
    for one in held:
        modifiers |= MODIFIERS[one]
    return KEYS.get(name) or Qt.Key(ord(name.upper())), modifiers


def press(*keys: str) -> None:
    """Press keys one after the other, each on the widget that has the focus then."""
    for key in keys:
        focus = QApplication.focusWidget()
        assert focus is not None, "nothing has the focus"
        QTest.keyClick(focus, *parsed(key))


def hold(key: str) -> None:
    """Press a key and keep it down."""
    QTest.keyPress(_focus(), *parsed(key))


def let_go(key: str) -> None:
    """Release a key."""
    QTest.keyRelease(_focus(), *parsed(key))


def type_text(text: str) -> None:
    """Type into what has the focus."""
    QTest.keyClicks(_focus(), text)


def _focus() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None, "nothing has the focus"
    return found


MakeScreen = Callable[..., AnnotateScreen]


@pytest.fixture
def runner(theme: Theme) -> Iterator[TaskRunner]:
    """The real runner."""
    made = TaskRunner()
    yield made
    made.close()


@pytest.fixture
def make_screen(qtbot: QtBot, runner: TaskRunner) -> Iterator[MakeScreen]:
    """Make a shown screen on a session of Ada's; everything is stopped at the end."""
    made: list[AnnotateScreen] = []

    def make(
        book: Any = None,
        *,
        sets: int | Sequence[ImageSet] = 2,
        questions: Sequence[Question] | None = None,
        mode: str = "marks+slider",
        size: tuple[int, int] = (1280, 720),
        read: ReadBytes = read_plain,
        keys: KeyMap | None = None,
        shows_role: bool = False,
    ) -> AnnotateScreen:
        image_sets = [make_set(number) for number in range(1, sets + 1)] if isinstance(sets, int) else sets
        relay = SavedRelay(runner)
        session = Session(
            *(book if book is not None else ListBook(), ADA, image_sets),
            *(questions or load_questions(), 7, mode),
            on_saved=relay.tell,
        )
        screen = AnnotateScreen(session, runner, read, relay, keys, shows_role=shows_role)
        qtbot.addWidget(screen)
        screen.resize(*size)
        with qtbot.waitExposed(screen):
            screen.show()
        screen.activateWindow()
        qtbot.waitUntil(lambda: QApplication.focusWidget() is screen)
        made.append(screen)
        return screen

    yield make
    for screen in made:
        screen.stop()
    qtbot.waitUntil(lambda: runner.is_idle, timeout=10_000)


@pytest.fixture
def seen(qtbot: QtBot) -> Callable[[AnnotateScreen], None]:
    """Wait until every picture of the set is decoded or has failed."""

    def wait(screen: AnnotateScreen) -> None:
        tiles = screen.parts.grid.shown
        qtbot.waitUntil(lambda: all(tile.has_picture or tile.failure for tile in tiles), timeout=10_000)

    return wait


def go_to(screen: AnnotateScreen, question: str) -> None:
    """Go to a question of the set on the screen."""
    index = [one.id for one in screen.session.questions].index(question)
    screen.acting.do(lambda: screen.session.go_to_question(index))


def of_size(number: int, width: int, height: int, n: int = 10) -> ImageSet:
    """An image set whose images have this many pixels."""
    one = make_set(number, n)
    return replace(one, images=tuple(replace(image, width=width, height=height) for image in one.images))
