"""A strip in place that says what came in, with the one act that takes it into account."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.icon_box import IconBox


class ActStrip(QFrame):
    """Hidden until `ask`; `accepted` when its button was pressed."""

    accepted = Signal()

    def __init__(self, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "note")
        self._sentence = Caption("", "", wraps=True)
        self.act = Button("")
        row = QHBoxLayout(self)
        row.setContentsMargins(px(12), px(6), px(8), px(6))
        row.setSpacing(px(10))
        row.addWidget(IconBox(icon, "muted"))
        row.addWidget(self._sentence, 1)
        row.addWidget(self.act, 0, Qt.AlignmentFlag.AlignVCenter)
        self.act.clicked.connect(self.accepted)
        self.hide()

    @property
    def sentence(self) -> str:
        """What it says while it is shown."""
        return "" if self.isHidden() else self._sentence.text()

    def ask(self, sentence: str, act: str) -> None:
        """Say what came in, and what can be done about it."""
        self._sentence.setText(sentence)
        self.act.setText(act)
        self.act.setAccessibleName(act)
        self.setAccessibleName(sentence)
        self.show()
