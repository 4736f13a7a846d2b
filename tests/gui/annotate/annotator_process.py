"""An annotator in a process of its own: opens a study, answers by keyboard, says what the disk has taken.

Run by `test_sudden_death`, which kills it without warning. Every line "saved N" was written after the
screen said that act N is on the disk, so N acts must be found afterwards. With "finish" as the last argument
it answers what is left of the first set and closes properly.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from annotation.session import Session
from gui.annotate.offers import open_session
from gui.annotate.saved_caption import SavedRelay
from gui.annotate.screen import AnnotateScreen
from gui.tasks import TaskRunner
from gui.theme import Theme
from storage.store import Store

MARKS = (Qt.Key.Key_Q, Qt.Key.Key_W, Qt.Key.Key_E, Qt.Key.Key_R, Qt.Key.Key_T)


def press(key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """A key on what has the focus."""
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, key, modifier)
    QApplication.processEvents()


def answer(screen: AnnotateScreen) -> None:
    """Answer the question on the screen with keys, and confirm it."""
    if screen.session.question.is_open:
        press(Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClicks(QApplication.focusWidget(), f"lamp {screen.session.question_index}")
        press(Qt.Key.Key_Return)
    else:
        press(Qt.Key.Key_2)
    for mark in MARKS:
        if screen.session.image_order[MARKS.index(mark)] not in screen.session.answer.marks:
            press(mark)
    press(Qt.Key.Key_Return)
    if screen.session.asking:
        press(Qt.Key.Key_Return)


def say(what: str, store: Store, session: Session) -> None:
    """A line to whoever watches: how many acts a reader finds in the file."""
    sys.stdout.write(f"{what} {len(store.answer_events(session.annotator.annotator_id))}\n")
    sys.stdout.flush()


def main(folder: str, wish: str) -> int:
    """Answer the first set; 0 when it is done."""
    application = QApplication([])
    theme = Theme(application, "light")
    store = Store.open(Path(folder))
    runner, relay = TaskRunner(), SavedRelay()
    session, _ = open_session(store, "Ada", "marks+slider", relay.tell)
    screen = AnnotateScreen(session, runner, store.image_bytes, relay)
    first = session.image_sets[0].image_set_id
    screen.show()
    screen.activateWindow()
    QTest.qWaitForWindowActive(screen)
    say("open", store, session)
    while session.image_set.image_set_id == first and not session.is_complete:
        answer(screen)
        while not screen.parts.top.saved.words.startswith("Saved"):
            QTest.qWait(1)
        say("saved", store, session)
    if wish == "finish":
        screen.hand_over()
        screen.stop()
        screen.hide()
        runner.close()
        store.close()
    assert theme is not None
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
