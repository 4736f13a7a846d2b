"""The line of choices of a validation: what is shown, who reads, who judges, who draws, and the acts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.choice_box import ChoiceBox
from gui.widgets.flow import Flow
from gui.widgets.number_box import NumberBox
from gui.widgets.segmented import Segmented

NO_JUDGE = "nobody judged"
BY_HAND = "a person"
SCORES, PROMPTS, IMAGES, JUDGE = range(4)


class Controls(QWidget):
    """Choices and acts; who decides what they do is the dialog."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.which = Segmented(["Scores", "Prompts", "Images", "Judge"], "Show")
        self.extractor = ChoiceBox([], "Extractor")
        self.judge = ChoiceBox([NO_JUDGE], "Second judge")
        self.generator = ChoiceBox([], "Generator")
        self.prompts = NumberBox(4, 2000, 60, "Prompts at most")
        self.per_prompt = NumberBox(1, 100, 5, "Images a prompt")
        self.act = Button("")
        self.write_sheet, self.bring_sheet = Button("Write sheet", "quiet"), Button("Bring sheet", "quiet")
        self.write_sheet.setToolTip("A table in which a person says what was drawn")
        self.bring_sheet.setToolTip("The table, filled in: that person is the second judge")
        self.export = Button("Export", "quiet", "export")
        flow = Flow()
        flow.addWidget(self.which)
        for word, box in (
            ("extractor", self.extractor),
            ("second judge", self.judge),
            ("generator", self.generator),
            ("prompts", self.prompts),
            ("images a prompt", self.per_prompt),
        ):
            flow.addWidget(_beside(word, box))
        for button in (self.act, self.write_sheet, self.bring_sheet, self.export):
            flow.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(flow)

    def offer(self, box: ChoiceBox, captions: tuple[str, ...], chosen: str = "") -> None:
        """Offer other choices without saying so; what was chosen stays where it can."""
        box.blockSignals(True)
        box.set_captions(captions)
        if chosen in captions:
            box.choose(chosen)
        box.blockSignals(False)

    def show_for(self, *, has_prompts: bool, has_images: bool, has_result: bool) -> None:
        """Show what can be chosen and done by now."""
        has_extractor = self.extractor.count() > 0
        self.which.setVisible(has_prompts)
        for box, is_wanted in (
            (self.extractor, has_extractor),
            (self.judge, has_prompts),
            (self.generator, has_prompts and self.generator.count() > 0),
            (self.prompts, has_extractor and not has_prompts),
            (self.per_prompt, has_extractor and not has_prompts),
        ):
            both = box.parentWidget()
            if both is not None:
                both.setVisible(is_wanted)
        self.write_sheet.setVisible(has_images)
        self.bring_sheet.setVisible(has_images)
        self.export.setVisible(has_result)
        why_not = "There are no images of the prompts yet."
        self.which.set_enabled(JUDGE, has_images, why_not)


def _beside(word: str, box: QWidget) -> QWidget:
    both = QWidget()
    row = QHBoxLayout(both)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(px(6))
    row.addWidget(Caption(word, "muted"), 0, Qt.AlignmentFlag.AlignVCenter)
    row.addWidget(box)
    return both
