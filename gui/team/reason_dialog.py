"""A question before an act that is recorded: who decides, and why. Without both it is not done."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from core.labels.work import user_name
from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption


class ReasonDialog(QDialog):
    """`decided(who, why)` by the button that names the act."""

    decided = Signal(str, str)

    def __init__(
        self, title: str, lines: Sequence[str], act: str, stay: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.by, self.reason = QLineEdit(user_name()), QLineEdit()
        self.by.setAccessibleName("Who decides")
        self.reason.setAccessibleName("Reason")
        self.reason.setPlaceholderText("why; it stands in every table that changes")
        self.act, self.stay = Button(act, "danger"), Button(stay)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(10))
        captions = [Caption(title, "drawer_title", wraps=True), *(Caption(one, wraps=True) for one in lines)]
        for caption in captions:
            caption.setMinimumWidth(px(440))
            column.addWidget(caption)
        form = QFormLayout()
        form.setVerticalSpacing(px(8))
        form.addRow("Reason", self.reason)
        form.addRow("Who decides", self.by)
        column.addLayout(form)
        row = QHBoxLayout()
        row.setSpacing(px(8))
        row.addStretch(1)
        row.addWidget(self.stay)
        row.addWidget(self.act)
        column.addLayout(row)
        self.act.clicked.connect(self._on_act)
        self.stay.clicked.connect(self.reject)
        self.by.textChanged.connect(self._on_changed)
        self.reason.textChanged.connect(self._on_changed)
        self._on_changed()
        self.reason.setFocus()

    def _on_changed(self) -> None:
        is_whole = bool(self.by.text().strip() and self.reason.text().strip())
        self.act.setEnabled(is_whole)
        self.act.setToolTip("" if is_whole else "Say who decides, and why.")

    def _on_act(self) -> None:
        self.decided.emit(self.by.text().strip(), self.reason.text().strip())
        self.accept()
