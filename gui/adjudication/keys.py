"""The keys of adjudication: what each does, and the cheat sheet's lines about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from core.questions import KEYS
from core.records import UNKNOWN
from gui.adjudication.decision import CAUSE_KEYS, CONFIDENCE_KEYS, REASON_KEY, TYPE_KEY
from gui.annotate.key_dispatcher import key_name

if TYPE_CHECKING:
    from gui.adjudication.panel import AdjudicationPanel

PEOPLE_KEYS = "ABCDEF"
_DELETE = Qt.Key.Key_Delete

LINES = [
    ("↑ ↓", "the case before, the next"),
    ("X", "the next unresolved"),
    ("1 … 0", "choose a category"),
    ("U", "unknown / not visible"),
    ("A … F", "decide as that person answered"),
    ("= −", "one more, one less"),
    ("Delete", "no count"),
    ("I G S R", "cause: ambiguous image, guideline gap, slip, real difference"),
    ("L M H", "confidence: low, medium, high"),
    ("T", "type a reason"),
    ("W", "type a category"),
    ("Enter", "keep the decision, go on"),
    ("Ctrl+Z", "take the newest decision back"),
    ("← →", "choose a picture"),
    ("Space", "enlarge it"),
    ("N", "show or hide names"),
    ("Esc", "leave the enlarged picture, then go back to the team"),
]


class AdjudicationKeys:
    """Hands key presses of the panel to its acts; typing never comes here, as a text box takes its keys."""

    def __init__(self, panel: AdjudicationPanel) -> None:
        self._panel, acts = panel, panel.deciding
        self._acts: dict[str, Callable[[], object]] = {
            "Up": lambda: panel.step(-1),
            "Down": lambda: panel.step(1),
            "PgUp": lambda: panel.step(-1),
            "PgDn": lambda: panel.step(1),
            "X": panel.next_waiting,
            "U": lambda: acts.choose(UNKNOWN),
            "=": lambda: acts.change_count(1),
            "+": lambda: acts.change_count(1),
            "-": lambda: acts.change_count(-1),
            "Backspace": lambda: acts.change_count(None),
            REASON_KEY: panel.card.bar.type_reason,
            TYPE_KEY: panel.card.bar.type_label,
            "Enter": acts.keep,
            "Ctrl+Z": acts.take_back,
            "Left": lambda: panel.pictures.step(-1),
            "Right": lambda: panel.pictures.step(1),
            "Space": self._on_space,
            "N": panel.toggle_names,
            "Esc": panel.close_topmost,
        }
        for key, cause in CAUSE_KEYS.items():
            self._acts[key] = lambda cause=cause: acts.choose_cause(cause)
        for key, word in CONFIDENCE_KEYS.items():
            self._acts[key] = lambda word=word: acts.choose_confidence(word)
        for key in PEOPLE_KEYS:
            self._acts[key] = lambda key=key: acts.take_over(key)

    def take(self, event: QKeyEvent) -> bool:
        """Carry a key out; False when it is none of ours."""
        name = key_name(event)
        if name in KEYS and len(name) == 1:
            return self._choose(KEYS.index(name))
        if event.isAutoRepeat() and name not in ("Up", "Down", "PgUp", "PgDn", "Left", "Right", "=", "-"):
            return name in self._acts
        act = self._acts.get(name) or (self._acts["Backspace"] if event.key() == _DELETE else None)
        if act is None:
            return False
        act()
        return True

    def _choose(self, at: int) -> bool:
        desk = self._panel.desk
        options = () if desk is None or desk.case is None else desk.case.question.option_ids
        if at < len(options):
            self._panel.deciding.choose(options[at])
        return True

    def _on_space(self) -> None:
        if not self._panel.large.put_away():
            self._panel.pictures.enlarge()
