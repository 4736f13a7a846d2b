"""The dialog that adds an annotator: a name, and what is wrong with it in place."""

from __future__ import annotations

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption

LONGEST = 60


class AddAnnotatorDialog(QDialog):
    """`named(name)` for somebody who annotates here, `packet_wanted(name)` for one who has it sent.

    Whoever listens accepts the name or says what is wrong with it. `why_no_packet` says why none can be
    written now; `is_for_packet` makes writing one the main act.
    """

    named = Signal(str)
    packet_wanted = Signal(str)

    def __init__(
        self, why_no_packet: str = "", *, is_for_packet: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Add annotator")
        self.setMinimumWidth(px(480))
        self.line = QLineEdit()
        self.line.setPlaceholderText("name")
        self.line.setAccessibleName("Annotator's name")
        self.line.setMaxLength(LONGEST)
        self._trouble = Caption("", "danger", wraps=True)
        self._trouble.hide()
        self.go = Button("Add and annotate here", "" if is_for_packet else "primary")
        self.write = Button("Write a packet …", "primary" if is_for_packet else "", "export")
        cancel = Button("Cancel", "quiet")
        row = QHBoxLayout()
        row.setSpacing(px(8))
        row.addStretch(1)
        row.addWidget(cancel)
        for button in (self.go, self.write) if is_for_packet else (self.write, self.go):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(10))
        column.addWidget(Caption("Add annotator", "drawer_title"))
        said = (
            "The name is kept with every answer and stands in the exported tables. A packet is one file for "
            "that person's own computer; what comes back is merged on this page."
        )
        column.addWidget(Caption(f"{said} {why_no_packet}".strip(), "muted", wraps=True))
        column.addWidget(self.line)
        column.addWidget(self._trouble)
        column.addLayout(row)
        cancel.clicked.connect(self.reject)
        self.write.setEnabled(not why_no_packet)
        self.write.setToolTip(why_no_packet)
        for button in (self.go, self.write):
            button.setAutoDefault(False)  # Enter in the line is the main act, and only once
        self.go.clicked.connect(self._on_go)
        self.write.clicked.connect(self._on_write)
        self.line.returnPressed.connect(self._on_write if is_for_packet else self._on_go)
        self.line.setFocus()

    def say(self, trouble: str) -> None:
        """What is wrong with the name."""
        self._trouble.setText(trouble)
        self._trouble.setVisible(bool(trouble))
        self.go.setEnabled(True)
        self.write.setEnabled(not self.write.toolTip())

    @property
    def trouble(self) -> str:
        """What is said to be wrong."""
        return self._trouble.text()

    def _on_go(self) -> None:
        self._give(self.named)

    def _on_write(self) -> None:
        self._give(self.packet_wanted)

    def _give(self, wanted: SignalInstance) -> None:
        name = " ".join(self.line.text().split())
        if not name:
            self.say("Type a name first.")
            return
        self.say("")
        for button in (self.go, self.write):
            button.setEnabled(False)
        wanted.emit(name)
