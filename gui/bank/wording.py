"""The dialog in which the language of prompts and the patterns of their sentences are chosen."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from core.bank import Context
from core.errors import UserError
from core.records import Role
from core.sentences import ENGLISH, Sentences, sentences_as_data, sentences_from
from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption, rule

PATTERNS = {"alone": "Role alone", "placed": "In a place", "doing": "Doing something there"}
SAID = (
    "Patterns are made of {wording}, {article}, {role}, {activity} and {place}. In another language than "
    "English roles and places are written as you type them, and grammar is not checked."
)


class WordingDialog(QDialog):
    """Language, three patterns and six wordings, with the sentences that come of them as they are typed.

    `sentences` is what was chosen once it was accepted.
    """

    def __init__(self, now: Sentences, role: Role, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Sentences")
        self.setMinimumWidth(px(640))
        self.sentences: Sentences | None = None
        self._role, self._context = role, context
        self.language = _line("Language", now.language)
        self.patterns = {name: _line(said, getattr(now, name)) for name, said in PATTERNS.items()}
        self.wordings = [_line(f"Wording {at + 1}", words) for at, words in enumerate(now.wordings)]
        self.shown, self.trouble = Caption("", wraps=True), Caption("", "danger", wraps=True)
        self.keep = Button("Use these sentences", "primary")
        self.usual = Button("As usual", "quiet")
        self._lay_out()
        for line in (self.language, *self.patterns.values(), *self.wordings):
            line.textChanged.connect(self._on_typed)
        self.usual.clicked.connect(self._on_usual)
        self.keep.clicked.connect(self._on_keep)
        self._on_typed()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(px(16))
        form.setVerticalSpacing(px(8))
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.addRow("Language", self.language)
        for name, line in self.patterns.items():
            form.addRow(PATTERNS[name], line)
        for at in range(0, len(self.wordings), 2):
            both = QHBoxLayout()
            both.setSpacing(px(8))
            for line in self.wordings[at : at + 2]:
                both.addWidget(line)
            form.addRow("Wordings" if not at else "", both)
        last = QHBoxLayout()
        cancel = Button("Cancel", "quiet")
        cancel.clicked.connect(self.reject)
        last.addWidget(self.usual)
        last.addStretch(1)
        last.addWidget(cancel)
        last.addWidget(self.keep)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(10))
        column.addWidget(Caption("Sentences", "drawer_title"))
        column.addWidget(Caption(SAID, "muted", wraps=True))
        column.addLayout(form)
        for widget in (rule(), Caption("Prompts that come of it", "muted"), self.shown, self.trouble):
            column.addWidget(widget)
        column.addLayout(last)

    def _typed(self) -> Sentences:
        typed = {name: line.text() for name, line in self.patterns.items()}
        words = [line.text() for line in self.wordings]
        return sentences_from(typed | {"language": self.language.text(), "wordings": words})

    def _on_typed(self, _text: str = "") -> None:
        try:
            found = self._typed()
        except UserError as error:
            self.trouble.setText(str(error))
            self.shown.setText("")
        else:
            self.trouble.setText("")
            first, role, context = found.wordings[0], self._role, self._context
            with_place = [found.write(role, first, context, with_activity=it) for it in (False, True)]
            self.shown.setText("\n".join([found.write(role, first), *with_place]))
        self.trouble.setVisible(bool(self.trouble.text()))
        self.keep.setEnabled(not self.trouble.text())
        self.keep.setToolTip("Correct what is said above." if self.trouble.text() else "")

    def _on_usual(self) -> None:
        usual = sentences_as_data(ENGLISH)
        self.language.setText(usual["language"])
        for name, line in self.patterns.items():
            line.setText(usual[name])
        for line, words in zip(self.wordings, usual["wordings"], strict=True):
            line.setText(words)

    def _on_keep(self) -> None:
        self.sentences = self._typed()
        self.accept()


def _line(name: str, text: str) -> QLineEdit:
    line = QLineEdit(text)
    line.setAccessibleName(name)
    return line
