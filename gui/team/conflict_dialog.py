"""Answers of one person that contradict each other: both shown, one chosen, both kept."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from core.labels.work import user_name
from core.records import AnswerEvent
from core.set_wording import for_images
from gui.adjudication.facts import label_words
from gui.fonts import px
from gui.studio import Studio
from gui.team.dialog_size import fitting
from gui.team.packets import ConflictRow
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.mark_tiles import MarkTiles
from gui.words import counted, day

OURS, THEIRS = "ours", "theirs"
LETTERS = {OURS: "1", THEIRS: "2"}
RULE = (
    "The answer chosen counts; the other stays in the study and in its history. 1 or 2 chooses, Esc leaves."
)


class ConflictDialog(QDialog):
    """`decided(conflict id, "ours" or "theirs", who, why)`; shows the next when told so by `show_rows`."""

    decided = Signal(int, str, str, str)

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Answers that contradict each other")
        self.rows: tuple[ConflictRow, ...] = ()
        self._is_waiting = False
        self.title, self.wording = Caption("", "drawer_title", wraps=True), Caption("", "", wraps=True)
        self.tiles = MarkTiles(studio, fills=True)
        self.versions = {OURS: Caption("", "", wraps=True), THEIRS: Caption("", "", wraps=True)}
        self.buttons = {
            OURS: Button("Keep 1", key="1"),
            THEIRS: Button("Keep 2", key="2"),
        }
        self.by, self.reason = QLineEdit(user_name()), QLineEdit()
        self.by.setAccessibleName("Who decides")
        self.reason.setAccessibleName("Reason")
        self.reason.setPlaceholderText("Reason, if there is more to say")
        self.trouble = Caption("", "danger", wraps=True)
        self._lay_out()
        for button in self.buttons.values():
            button.clicked.connect(self._on_button)
        self.reason.returnPressed.connect(self.setFocus)
        self.by.returnPressed.connect(self.setFocus)
        self.trouble.hide()
        self.resize(fitting(parent, 860, 620))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(8))
        for widget in (self.title, self.wording):
            column.addWidget(widget)
        column.addWidget(self.tiles, 1)
        for which in (OURS, THEIRS):
            row = QHBoxLayout()
            row.setSpacing(px(12))
            row.addWidget(self.buttons[which], 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(self.versions[which], 1)
            column.addLayout(row)
        foot = QHBoxLayout()
        foot.setSpacing(px(8))
        foot.addWidget(self.reason, 1)
        foot.addWidget(Caption("who decides", "muted"))
        self.by.setFixedWidth(px(140))
        foot.addWidget(self.by)
        column.addLayout(foot)
        column.addWidget(self.trouble)
        column.addWidget(Caption(RULE, "muted", wraps=True))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_rows(self, rows: Sequence[ConflictRow]) -> None:
        """Show the first of those that wait; without one, close."""
        self.rows, self._is_waiting = tuple(rows), False
        if not rows:
            self.accept()
            return
        one = rows[0]
        left = f", {counted(len(rows) - 1, 'more waits', 'more wait')}" if len(rows) > 1 else ""
        self.title.setText(f"{one.conflict.annotator} answered twice{left}")
        self.wording.setText(for_images(one.question.wording, len(one.image_set.images)))
        events = {OURS: one.conflict.ours, THEIRS: one.conflict.theirs}
        marked = [
            frozenset(which for which, event in events.items() if at in event.answer.marks)
            for at in range(len(one.image_set.images))
        ]
        self.tiles.show_marks(one.image_set.images, marked, LETTERS)
        self.versions[OURS].setText(f"In the study: {_words(one, one.conflict.ours)}")
        self.versions[THEIRS].setText(f"From {one.file_name}: {_words(one, one.conflict.theirs)}")
        self.reason.clear()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def say_trouble(self, sentence: str) -> None:
        """What went wrong; the same one waits on."""
        self._is_waiting = False
        self.trouble.setText(sentence)
        self.trouble.setVisible(bool(sentence))

    def _on_button(self) -> None:
        self.decide(next(which for which, button in self.buttons.items() if button is self.sender()))

    def decide(self, which: str) -> None:
        """Choose one of the two."""
        if not self.by.text().strip():
            self.say_trouble("Nobody is named who decides.")
            self.by.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.rows and not self._is_waiting:
            self._is_waiting = True
            number = self.rows[0].conflict.conflict_id
            self.decided.emit(number, which, self.by.text().strip(), self.reason.text().strip())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """1 and 2 choose, unless somebody types."""
        is_typing = self.reason.hasFocus() or self.by.hasFocus()
        which = {"1": OURS, "2": THEIRS}.get(event.text())
        if which is not None and not is_typing:
            self.decide(which)
        elif event.key() == Qt.Key.Key_Escape and is_typing:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)


def _words(row: ConflictRow, event: AnswerEvent) -> str:
    answer, of = event.answer, len(row.image_set.images)
    if not answer.is_unknown and answer.label is None:
        return f"taken back, {day(event.at)}"
    label = label_words(row.question, "unknown" if answer.is_unknown else answer.label or "")
    count = "" if answer.slider is None or answer.is_unknown else f", {answer.slider} of {of}"
    comment = f", comment “{answer.comment}”" if answer.comment else ""
    state = "" if answer.is_confirmed else ", not confirmed"
    return f"{label}{count}{comment}{state}, {day(event.at)} {event.at[11:16]} UTC"
