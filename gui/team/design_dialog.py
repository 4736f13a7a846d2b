"""Design a round for packets: how many annotators, what beside the study's sets, and what comes of it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.number_box import NumberBox

FIELDS = (
    ("annotators", "Annotators", 1, 20, 3, ""),
    ("overlap", "Annotators who see each set", 1, 20, 3, ""),
    ("images_per_set", "Images a set", 1, 10, 10, ""),
    ("gold_share", "Gold sets, of all", 0, 50, 5, " %"),
    ("repeat_share", "Sets shown a second time", 0, 50, 5, " %"),
    ("training", "Sets to practise on", 0, 20, 6, ""),
)
"""Name in the design, caption, least, most, default, unit. Shares are typed in percent."""


class DesignDialog(QDialog):
    """`asked(changes)` for a preview whenever something changed; `wanted(changes)` to open the round."""

    asked = Signal(object)
    wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Design a round for packets")
        self.boxes: dict[str, NumberBox] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(px(16))
        grid.setVerticalSpacing(px(8))
        for row, (name, caption, least, most, default, unit) in enumerate(FIELDS):
            box = NumberBox(least, most, default, caption)
            box.setSuffix(unit)
            box.valueChanged.connect(self._on_changed)
            self.boxes[name] = box
            grid.addWidget(Caption(caption), row, 0)
            grid.addWidget(box, row, 1, Qt.AlignmentFlag.AlignLeft)
        self.show_role = QCheckBox("Annotators see the role of each set")
        self.show_role.toggled.connect(self._on_changed)
        self._said = Caption("", "muted", wraps=True)
        self._said.setMinimumHeight(px(96))
        self._said.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.go, self.stay = Button("Open the round", "primary"), Button("Cancel", "quiet")
        row = QHBoxLayout()
        row.setSpacing(px(8))
        row.addStretch(1)
        row.addWidget(self.stay)
        row.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(10))
        column.addWidget(Caption("Design a round for packets", "drawer_title"))
        column.addLayout(grid)
        column.addWidget(self.show_role)
        column.addWidget(self._said)
        column.addLayout(row)
        self.setMinimumWidth(px(460))
        self.go.setEnabled(False)
        self.go.clicked.connect(self._on_go)
        self.stay.clicked.connect(self.reject)

    @property
    def said(self) -> str:
        """What comes of the design."""
        return self._said.text()

    def changes(self) -> dict[str, Any]:
        """What was chosen, as a design takes it."""
        chosen: dict[str, Any] = {name: box.value() for name, box in self.boxes.items()}
        chosen["overlap"] = min(chosen["overlap"], chosen["annotators"])
        for name in ("gold_share", "repeat_share"):
            chosen[name] /= 100
        return {**chosen, "show_role": self.show_role.isChecked()}

    def show_plan(self, lines: list[str]) -> None:
        """What comes of it."""
        self._said.setText("\n".join(lines))
        self.go.setEnabled(True)

    def show_trouble(self, sentence: str) -> None:
        """Why nothing comes of it."""
        self._said.setText(sentence)
        self.go.setEnabled(False)

    def _on_changed(self) -> None:
        self.go.setEnabled(False)
        self.asked.emit(self.changes())

    def _on_go(self) -> None:
        self.wanted.emit(self.changes())
