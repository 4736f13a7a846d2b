"""The numbers of a design to turn, and the design that they make."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from core.power.design import PROMPTS, PowerDesign
from gui.fonts import px
from gui.widgets.caption import Caption
from gui.widgets.number_box import NumberBox
from gui.widgets.segmented import Segmented

DESIGNS = tuple(PROMPTS)
BOX = 92

_WHOLE = (
    ("roles", "Roles", 1, 1000),
    ("images_per_prompt", "Images a prompt", 1, 100),
    ("annotators", "Annotators", 1, 20),
    ("image_sets", "Image sets", 1, 1000),
    ("labels", "Labels a question", 2, 30),
)
_SHARES = (
    ("prevalence", "Images with the label", 0, 100),
    ("correlation", "Correlation within a prompt", 0, 100),
    ("accuracy", "Right answers of a person", 0, 100),
    ("most_common", "Sets with the commonest label", 0, 100),
)
_ORDER = (
    *("roles", "images_per_prompt", "prevalence", "correlation"),
    *("annotators", "image_sets", "labels", "accuracy", "most_common"),
)


class PowerControls(QWidget):
    """A form; `changed` when any number is another one."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        default = PowerDesign()
        self.design = Segmented([name.capitalize() for name in DESIGNS], "Design")
        self.boxes: dict[str, NumberBox] = {}
        for name, words, least, most in _WHOLE:
            self.boxes[name] = NumberBox(least, most, getattr(default, name), words)
        for name, words, least, most in _SHARES:
            self.boxes[name] = NumberBox(least, most, round(100 * getattr(default, name)), words)
            self.boxes[name].setSuffix(" %")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(8))
        grid.setVerticalSpacing(px(6))
        grid.setColumnStretch(0, 1)
        grid.addWidget(self.design, 0, 0, 1, 2, Qt.AlignmentFlag.AlignLeft)
        words_of = {name: words for name, words, *_ in (*_WHOLE, *_SHARES)}
        for row, name in enumerate(_ORDER, start=1):
            grid.addWidget(Caption(words_of[name], wraps=True), row, 0, Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(self.boxes[name], row, 1)
            self.boxes[name].setFixedWidth(px(BOX))
            self.boxes[name].valueChanged.connect(self._on_changed)
        self.design.chosen.connect(self._on_changed)

    def wanted(self) -> PowerDesign:
        """The design that the numbers make."""
        whole = {name: self.boxes[name].value() for name, *_ in _WHOLE}
        shares = {name: self.boxes[name].value() / 100 for name, *_ in _SHARES}
        return PowerDesign(**whole, **shares, prompts=PROMPTS[DESIGNS[self.design.index]])

    def start_from(self, design: str, **numbers: int) -> None:
        """Take over what a study says of itself; a number of 0 leaves what stands."""
        was_blocked = self.blockSignals(True)
        if design in DESIGNS:
            self.design.choose(DESIGNS.index(design))
        for name, number in numbers.items():
            if number > 0:
                self.boxes[name].setValue(number)
        self.blockSignals(was_blocked)
        self.changed.emit()

    def _on_changed(self) -> None:
        self.changed.emit()
