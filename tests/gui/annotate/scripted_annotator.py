"""An annotator who works by keyboard at speed, jumps about, takes back, and keeps a log of their own.

The log knows nothing of the session: it reads off the screen which set and question stand there, as a person
would, and notes what was typed then. What is stored must be what the log says, for every question.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from core.records import Answer
from gui.annotate.screen import AnnotateScreen

MARK_KEYS = "QWERTASDFG"
WORDS = ("lamp", "desk", "cup", "window", "shelf")
NOT_CHOSEN = frozenset({"none", "no"})
"""Labels about which another question may be asked; the log has no word for that."""

Where = tuple[int, str]
ALL_TEN = frozenset(range(10))


@dataclass(frozen=True)
class Noted:
    """What the log says about one question of one set."""

    label: str | None = None
    is_unknown: bool = False
    marks: frozenset[int] = frozenset()
    is_confirmed: bool = False

    def is_like(self, answer: Answer) -> bool:
        """Whether a stored answer is this one."""
        count = None if self.is_unknown or not self.marks else len(self.marks)
        mine = (self.label, self.is_unknown, self.marks, self.is_confirmed, count)
        return mine == (answer.label, answer.is_unknown, answer.marks, answer.is_confirmed, answer.slider)


class ScriptedAnnotator:
    """Types on a screen; `wait` is called after every answer."""

    def __init__(self, screen: AnnotateScreen, seed: int, wait: Callable[[], None]) -> None:
        self.screen, self._rng, self._wait = screen, random.Random(seed), wait
        self.log: dict[Where, Noted] = {}
        self._stack: list[tuple[Where, Noted]] = []
        self.acts = self.jumps = self.undone = 0

    def work(self, answers: int) -> None:
        """So many rounds: mostly an answer, now and then a jump or a few steps back."""
        for _ in range(answers):
            draw = self._rng.random()
            if draw < 0.08:
                self._jump()
            elif draw < 0.16:
                self._undo(self._rng.randint(1, 6))
            else:
                self._answer()
            self._wait()

    def finish(self) -> None:
        """Answer whatever is open, set by set, until the log has everything confirmed."""
        total = self.screen.session.set_total * len(self.screen.session.questions)
        for _ in range(20 * total):
            if sum(one.is_confirmed for one in self.log.values()) == total:
                return
            if self._noted.is_confirmed:
                self._press(Qt.Key.Key_Return)  # nothing to change: on to the next question
            else:
                self._answer()
        raise AssertionError("the questions do not come to an end")

    # What a person sees and does

    @property
    def where(self) -> Where:
        """Set and question on the screen."""
        session = self.screen.session
        return session.image_set.image_set_id, session.question.id

    @property
    def _noted(self) -> Noted:
        return self.log.get(self.where, Noted())

    def _note(self, noted: Noted) -> None:
        where = self.where
        self._stack.append((where, self._noted))
        self.log[where] = noted
        self.acts += 1

    def _answer(self) -> None:
        noted = self._noted
        if noted.is_confirmed:
            self._mark(self._rng.randrange(10))
        elif noted.label is None and not noted.is_unknown:
            if self._rng.random() < 0.1:
                self._leave_box()
                self._note(replace(self._noted, is_unknown=True))
                self._press(Qt.Key.Key_U)
            else:
                self._label()
        if not self._noted.is_unknown:
            self._leave_box()
            if not self._noted.marks:
                self._note(replace(self._noted, marks=ALL_TEN))
                self._press(Qt.Key.Key_Equal)
            if len(self._noted.marks) > 8:
                self._mark(self._rng.randrange(10))
        self._confirm()

    def _label(self) -> None:
        options = self.screen.parts.bar.options
        if options.is_open:
            if not isinstance(QApplication.focusWidget(), QLineEdit):
                self._press(Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
            word = self._rng.choice(WORDS)
            self._note(replace(self._noted, label=word))
            QTest.keyClicks(QApplication.focusWidget(), word)
            self._press(Qt.Key.Key_Return)
        else:
            can = [one for one in options.options if one.key and one.label_id not in NOT_CHOSEN]
            button = self._rng.choice(can)
            self._leave_box()
            self._note(replace(self._noted, label=button.label_id))
            self._press(Qt.Key(ord(button.key)))

    def _mark(self, place: int) -> None:
        noted = self._noted
        if noted.is_unknown:
            return
        self._leave_box()
        marks = noted.marks ^ {place}
        if len(marks) < 7:  # fewer could be asked about
            marks = noted.marks | {place}
            if marks == noted.marks:
                return
        self._note(replace(noted, marks=marks, is_confirmed=False))
        self._press(Qt.Key(ord(MARK_KEYS[place])))

    def _confirm(self) -> None:
        self._leave_box()
        noted = self._noted
        if not noted.is_confirmed:
            self._note(replace(noted, is_confirmed=True))
        self._press(Qt.Key.Key_Return)
        assert not self.screen.session.asking, self.screen.session.asking

    def _jump(self) -> None:
        self._leave_box()
        self.jumps += 1
        keys = (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_Backspace)
        for _ in range(self._rng.randint(1, 4)):
            self._leave_box()
            self._press(self._rng.choice(keys))

    def _undo(self, times: int) -> None:
        for _ in range(times):
            self._leave_box()
            if self._stack:
                where, before = self._stack.pop()
                self._press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
                assert self.where == where, "taking back leads to where the act was"
                self.log[where] = before
                self.acts += 1
                self.undone += 1

    def _leave_box(self) -> None:
        if isinstance(QApplication.focusWidget(), QLineEdit):
            self._press(Qt.Key.Key_Escape)

    def _press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        focus = QApplication.focusWidget()
        assert focus is not None, "nothing has the focus"
        QTest.keyClick(focus, key, modifier)
        QApplication.processEvents()
        window = self.screen.window()
        if QApplication.activeWindow() is not window:
            # Offscreen, a closed list of suggestions stays the active window, which no desktop does.
            window.activateWindow()
            QApplication.processEvents()


def differences(log: dict[Where, Noted], stored: dict[Where, Answer]) -> list[str]:
    """Where what is stored is not what the log says, in words."""
    found = []
    for where, noted in log.items():
        answer = stored.get(where, Answer())
        if not noted.is_like(answer):
            found.append(f"{where}: log {noted}, stored {answer}")
    found += [
        f"{where}: stored {answer}, not in the log" for where, answer in stored.items() if where not in log
    ]
    return found
