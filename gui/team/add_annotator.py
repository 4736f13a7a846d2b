"""The dialog that adds an annotator: a name, and what is wrong with it in place."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption

LONGEST = 60


class AddAnnotatorDialog(QDialog):
    """`named(name)` when a name was given; whoever listens accepts it or says what is wrong with it."""

    named = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Add annotator")
        self.setMinimumWidth(px(420))
        self.line = QLineEdit()
        self.line.setPlaceholderText("name")
        self.line.setAccessibleName("Annotator's name")
        self.line.setMaxLength(LONGEST)
        self._trouble = Caption("", "danger", wraps=True)
        self._trouble.hide()
        self.go = Button("Add and annotate", "primary")
        cancel = Button("Cancel", "quiet")
        row = QHBoxLayout()
        row.setSpacing(px(8))
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(10))
        column.addWidget(Caption("Add annotator", "drawer_title"))
        said = "The name is kept with every answer and stands in the exported tables."
        column.addWidget(Caption(said, "muted", wraps=True))
        column.addWidget(self.line)
        column.addWidget(self._trouble)
        column.addLayout(row)
        cancel.clicked.connect(self.reject)
        self.go.clicked.connect(self._on_go)
        self.line.returnPressed.connect(self._on_go)
        self.line.setFocus()

    def say(self, trouble: str) -> None:
        """What is wrong with the name."""
        self._trouble.setText(trouble)
        self._trouble.setVisible(bool(trouble))
        self.go.setEnabled(True)

    @property
    def trouble(self) -> str:
        """What is said to be wrong."""
        return self._trouble.text()

    def _on_go(self) -> None:
        name = " ".join(self.line.text().split())
        if not name:
            self.say("Type a name first.")
            return
        self.say("")
        self.go.setEnabled(False)
        self.named.emit(name)
