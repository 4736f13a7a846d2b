"""A strip in place that names a consequence and holds the act: no pop-up, nothing happens by itself."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.icon_box import IconBox


class ActStrip(QFrame):
    """Hidden until `ask`; `accepted` and `declined` hide it again."""

    accepted = Signal()
    declined = Signal()

    def __init__(self, icon: str, kind: str = "note", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", kind)
        role = "warn" if kind == "notice_warn" else "muted"
        self._sentence = Caption("", "", wraps=True)
        self._act, self._not = Button(""), Button("", "quiet")
        row = QHBoxLayout(self)
        row.setContentsMargins(px(12), px(6), px(8), px(6))
        row.setSpacing(px(10))
        row.addWidget(IconBox(icon, role))
        row.addWidget(self._sentence, 1)
        row.addWidget(self._act, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._not, 0, Qt.AlignmentFlag.AlignVCenter)
        self._act.clicked.connect(self._on_act)
        self._not.clicked.connect(self._on_not)
        self.hide()

    @property
    def sentence(self) -> str:
        """What it says while it is shown."""
        return "" if self.isHidden() else self._sentence.text()

    def ask(self, sentence: str, act: str, otherwise: str = "") -> None:
        """Say what would happen; `otherwise` names what the second button keeps as it is."""
        self._sentence.setText(sentence)
        self._act.setText(act)
        self._act.setAccessibleName(act)
        self._not.setText(otherwise)
        self._not.setAccessibleName(otherwise)
        self._not.setVisible(bool(otherwise))
        self.setAccessibleName(sentence)
        self.show()

    def focus_act(self) -> None:
        """Put the keyboard on what keeps everything as it is, if there is such a button."""
        (self._act if self._not.isHidden() else self._not).setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_act(self) -> None:
        self.hide()
        self.accepted.emit()

    def _on_not(self) -> None:
        self.hide()
        self.declined.emit()
