"""One case in full: the ten images with each person's marks, what each said, and the decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from core.set_wording import for_images
from gui.adjudication.decision import DecisionBar
from gui.adjudication.facts import answer_words, how_words
from gui.adjudication.fitted_scroll import FittedScroll
from gui.fonts import px
from gui.studio import Studio
from gui.widgets.caption import Caption
from gui.widgets.mark_tiles import MarkTiles

if TYPE_CHECKING:
    from annotation.adjudication_cases import Case
    from annotation.adjudication_desk import Draft

MOST_PEOPLE_IN_A_LINE = 4


class CaseCard(QFrame):
    """Nothing of the picture's origin and nothing of a pipeline: a decision is about what is seen."""

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.case: Case | None = None
        self.title = Caption("", "drawer_title", wraps=True)
        self.how = Caption("", "strong")
        self.tiles = MarkTiles(studio, fills=True)
        self.said = Caption("", "", wraps=True)
        self.decided = Caption("", "muted", wraps=True)
        self.bar = DecisionBar()
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(10), px(16), px(10))
        column.setSpacing(px(6))
        column.addWidget(self.title)
        column.addWidget(self.tiles, 1)
        answers = QHBoxLayout()
        answers.setSpacing(px(16))
        answers.addWidget(self.how)
        answers.addWidget(self.said, 1)
        column.addLayout(answers)
        column.addWidget(self.decided)
        column.addWidget(FittedScroll(self.bar))

    def show_case(self, case: Case, draft: Draft, name: str, *, with_names: bool) -> None:
        """Show another case; `name` is that of its question."""
        is_same = self.case is not None and self.case.place == case.place
        self.case = case
        self.title.setText(
            f"Set {case.number}, {name}: {for_images(case.question.wording, len(case.image_set.images))}"
        )
        self.how.setText(how_words(case))
        lines = answer_words(case, with_names=with_names).split("\n")
        # Answers stand beside each other where there are few: height belongs to the pictures.
        self.said.setText(("     " if len(lines) <= MOST_PEOPLE_IN_A_LINE else "\n").join(lines))
        if not is_same:
            pictures = case.image_set.images
            marked = [
                frozenset(one.annotator for one in case.said if at in one.marks)
                for at in range(len(pictures))
            ]
            self.tiles.show_marks(pictures, marked, case.letters())
            self.bar.show_case(case, draft)
        self.show_draft(case, draft)

    def show_draft(self, case: Case, draft: Draft) -> None:
        """Show what is decided so far, and what was decided before."""
        self.case = case
        self.bar.show_draft(case, draft)
        found = case.decision
        who = f"Decided by {found.decided_by}" if found else ""
        self.decided.setText(f"{who}: {found.reason or found.cause}. Enter replaces it." if found else "")
        self.decided.setVisible(bool(found))
