"""The page of a packet before and between sittings: how far it is, practice, and handing in."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotation.packet_session import TrainingResult
from core.packets import STUDY, TRAINING, PacketContent
from gui import fonts
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.card import Card
from gui.words import counted, thousands

SAVED_RULE = (
    "Every answer is saved the moment it is given; you can stop at any time. When everything is done, or "
    "when the study lead asks, save a hand-in and send that file. Time counts while you work: not after a "
    "minute without a key or the pointer, not in other windows, not while the computer sleeps."
)
LOOK_AGAIN = "Look at the sets again"


class PacketPage(QWidget):
    """One card about the work and one about handing in; `go` and `hand_in` are its two acts."""

    go = Signal()
    hand_in = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(fonts.px(32), fonts.px(16), fonts.px(32), fonts.px(24))
        outer.setSpacing(fonts.px(12))
        self._title = Caption("Annotate", "page_title")
        self._whose = Caption("", "muted", wraps=True)
        outer.addWidget(self._title)
        outer.addWidget(self._whose)
        self._whose.hide()
        self._note = Caption("", "warn", wraps=True)
        self._work, self._back = Card("Work"), Card("Hand in")
        self._words = Caption("", "", wraps=True)
        self._trouble = Caption("", "danger", wraps=True)
        self.start = Button("Begin", "primary")
        self.save = Button("Save a hand-in", icon="export")
        self._said = Caption("", "", wraps=True)
        for widget in (self._words, self._trouble):
            self._work.body.addWidget(widget)
        self._work.body.addLayout(_row(self.start))
        self._back.body.addWidget(Caption(SAVED_RULE, "muted", wraps=True))
        self._back.body.addLayout(_row(self.save))
        self._back.body.addWidget(self._said)
        for widget in (self._note, self._work, self._back):
            widget.setMaximumWidth(fonts.px(760))
            outer.addWidget(widget)
        for card in (self._work, self._back):
            card.body.setSpacing(fonts.px(10))
        outer.addStretch(1)
        self._give_enter(self.start)
        self.start.clicked.connect(self.go)
        self.save.clicked.connect(self.hand_in)
        self.show_note("")
        self.show_trouble("")
        self.show_said("")

    @property
    def words(self) -> str:
        """What it says about the work."""
        return self._words.text()

    @property
    def said(self) -> str:
        """What came of handing in."""
        return self._said.text()

    @property
    def note(self) -> str:
        """What there is to know about the file."""
        return self._note.text()

    @property
    def whose(self) -> str:
        """Whose packet it is."""
        return self._whose.text()

    def show_whose(self, annotator: str, file_name: str) -> None:
        """Whose packet is open, so that nobody answers in the place of somebody else."""
        self._whose.setText(f"This packet is for {annotator}: {file_name}.")
        self._whose.show()

    def show_note(self, sentence: str) -> None:
        """Something about the file itself."""
        self._note.setText(sentence)
        self._note.setVisible(bool(sentence))

    @property
    def trouble(self) -> str:
        """What is said to have gone wrong."""
        return self._trouble.text()

    def show_trouble(self, sentence: str) -> None:
        """What went wrong."""
        self._trouble.setText(sentence)
        self._trouble.setVisible(bool(sentence))

    def show_said(self, sentence: str) -> None:
        """What came of handing in."""
        self._said.setText(sentence)
        self._said.setVisible(bool(sentence))

    def show_work(self, title: str, words: str, act: str) -> None:
        """What there is to do; no act leaves no button, and handing in is the main one of all done."""
        self._title.setText(title)
        self._words.setText(words)
        self.start.setText(act)
        self.start.setAccessibleName(act)
        self.start.setVisible(bool(act))
        self._give_enter(self.save if act in ("", LOOK_AGAIN) else self.start)

    def _give_enter(self, main: Button) -> None:
        """Make one button the main one: it stands out, has the focus, and is pressed by Enter."""
        for button in (self.start, self.save):
            button.set_weight("primary" if button is main else "", "Enter" if button is main else "")
            button.setAutoDefault(button is main)
            button.setDefault(button is main)
        self.setFocusProxy(main)


def practice_words(content: PacketContent, result: TrainingResult | None) -> tuple[str, str, str]:
    """Title, words and act of the page where practice is due, was passed, or was not."""
    sets, rule = len(content.of_part(TRAINING)), content.training
    needed = f"{rule.pass_share:.0%}".replace("%", " %")
    if result is None:
        words = (
            f"{counted(sets, 'set')} to practise on {'comes' if sets == 1 else 'come'} first. After each "
            f"answer you see the right one, where it is known. To go on, {needed} of those must be right: "
            f"the category, and the count within 1. You have {counted(rule.attempts, 'attempt')}."
            f"{_unscored(content)} Hold H for the guide to a question, "
            "? for all keys."
        )
        return "Practice", words, "Begin practice"
    if not result.is_whole:
        return "Practice", f"Attempt {result.attempt} of {rule.attempts} is under way.", "Go on with practice"
    found = f"{result.right} of {result.asked} answers were right; {needed} are needed."
    if result.is_passed:
        return (
            "Practice is passed",
            f"{found} What follows is the study: no more feedback.",
            "Begin the study",
        )
    if result.attempt < rule.attempts:
        again = counted(rule.attempts - result.attempt, "attempt is", "attempts are")
        return "Practice", f"{found} {again} left.", "Practise again"
    words = f"{found} No attempt is left. Save a hand-in and ask the study lead."
    return "Practice was not passed", words, ""


def _unscored(content: PacketContent) -> str:
    """Says which questions of practice are not judged, since nobody knows or wrote down what is right."""
    scored = {question for _, question in content.keys}
    unscored = [one for one in content.questions if one.id not in scored]
    if not unscored:
        return ""
    if all(one.is_open for one in unscored):
        return " Answers in your own words have no one right form, so they are not scored."
    return (
        f" {counted(len(unscored), 'question has', 'questions have')} no known right answer here: practise "
        "them too; they are not scored."
    )


def study_words(
    content: PacketContent, done: int, answers: int, seconds_left: float | None
) -> tuple[str, str, str]:
    """Title, words and act of the page between sittings."""
    sets = len(content.of_part(STUDY))
    total = sets * len(content.questions)
    words = f"{done} of {counted(sets, 'set')} done, {thousands(answers)} of {counted(total, 'answer')}."
    if answers >= total:
        return (
            "All sets are done",
            f"{words} Save a hand-in and send it to the study lead.",
            LOOK_AGAIN,
        )
    if seconds_left is not None:
        words += f" About {_long(seconds_left)} at your own pace."
    return "Annotate", words, "Go on" if answers else "Begin"


def _long(seconds: float) -> str:
    minutes = max(round(seconds / 60), 1)
    return counted(minutes, "minute") if minutes < 90 else f"{minutes / 60:.1f} hours"


def _row(button: Button) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
    row.addStretch(1)
    return row
