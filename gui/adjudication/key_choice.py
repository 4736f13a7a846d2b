"""One of a few words, each with its key; nothing is chosen beforehand."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.widgets.flow import Flow
from gui.widgets.option_button import OptionButton


class KeyChoice(QWidget):
    """`chosen(word)` on a click; what is chosen is told by `show_chosen`, never by the click."""

    chosen = Signal(str)

    def __init__(self, keys: Mapping[str, str], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.buttons: dict[str, OptionButton] = {}
        flow = Flow(gap=6, line_gap=6)
        for key, word in keys.items():
            button = OptionButton(self)
            button.show_option(word, word, key, "", is_unknown=False)
            button.set_room(ease=0.3, is_wide=False)
            button.setAccessibleName(f"{name}: {word}, key {key}")
            button.clicked.connect(self._on_clicked)
            flow.addWidget(button)
            self.buttons[word] = button
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(flow)

    def show_chosen(self, word: str) -> None:
        """Show which word is chosen; an empty one is none."""
        for each, button in self.buttons.items():
            button.setChecked(each == word)

    def _on_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, OptionButton):
            self.chosen.emit(button.label_id)
