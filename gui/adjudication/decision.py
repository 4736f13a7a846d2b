"""What is being decided about one case: category, count, cause, confidence, reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from core.questions import key_at
from core.records import UNKNOWN
from gui.adjudication.key_choice import KeyChoice
from gui.fonts import px, width_of
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.count import Count
from gui.widgets.count_slider import HEIGHT, CountSlider
from gui.widgets.flow import Flow
from gui.widgets.option_row import Option, OptionRow

if TYPE_CHECKING:
    from annotation.adjudication_cases import Case
    from annotation.adjudication_desk import Draft

CAUSE_KEYS = {"I": "ambiguous image", "G": "guideline gap", "S": "slip", "R": "real difference"}
CONFIDENCE_KEYS = {"L": "low", "M": "medium", "H": "high"}
TYPE_KEY, REASON_KEY = "W", "T"
LONGEST_REASON = 500


class DecisionBar(QWidget):
    """Shows a draft and says what was asked for; it decides nothing itself."""

    labelled = Signal(str)
    counted = Signal(int)
    cause_chosen = Signal(str)
    confidence_chosen = Signal(str)
    reasoned = Signal(str)
    keep = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.options, self.slider = OptionRow(), CountSlider()
        self.slider.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.number = Caption("", "muted")
        self.number.setMinimumHeight(px(HEIGHT))
        self.number.setMinimumWidth(width_of("10 of 10") + px(8))
        self.number.setToolTip("= one more, − one less, Delete none")
        self.cause = KeyChoice(CAUSE_KEYS, "Cause")
        self.confidence = KeyChoice(CONFIDENCE_KEYS, "Confidence")
        self.reason = QLineEdit()
        self.reason.setAccessibleName("Reason")
        self.reason.setMaxLength(LONGEST_REASON)
        self.reason.setPlaceholderText(f"Reason in words, if there is more to say    {REASON_KEY}")
        self.open = Caption("", "muted")
        self.go = Button("Keep the decision", "primary", key="Enter")
        self.go.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        count = Flow(gap=12, line_gap=6)
        for widget in (self.slider, self.number, _named("confidence", self.confidence)):
            count.addWidget(widget)
        foot = QHBoxLayout()
        foot.setSpacing(px(10))
        foot.addWidget(self.reason, 1)
        foot.addWidget(self.open)
        foot.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(6))
        column.addWidget(self.options)
        column.addLayout(count)
        column.addWidget(_named("cause", self.cause))
        column.addLayout(foot)

    def _connect(self) -> None:
        self.options.chosen.connect(self.labelled)
        self.options.unknown_chosen.connect(self._on_unknown)
        self.options.described.connect(self._on_described)
        self.options.left_text.connect(self.left)
        self.slider.set_by_pointer.connect(self.counted)
        self.cause.chosen.connect(self.cause_chosen)
        self.confidence.chosen.connect(self.confidence_chosen)
        self.reason.textEdited.connect(self.reasoned)
        self.reason.returnPressed.connect(self.left)
        self.go.clicked.connect(self.keep)

    def show_case(self, case: Case, draft: Draft) -> None:
        """Show another case with the decision being made about it."""
        options = [
            Option(one.id, one.name, key_at(at) or "", one.definition)
            for at, one in enumerate(case.question.options)
        ]
        unknown = Option("", "unknown / not visible", "U")
        self.options.show_question(options, unknown, is_open=case.question.is_open, text_key=TYPE_KEY)
        # All keys belong to the view: an option that a click has focused would take Space and Enter.
        for button in (*self.options.options, self.options.unknown):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.show_draft(case, draft)

    def show_draft(self, case: Case, draft: Draft) -> None:
        """Show what is decided so far."""
        is_unknown = draft.label == UNKNOWN
        label = "" if is_unknown else draft.label
        self.options.show_answer(label or None, is_unknown=is_unknown)
        most = len(case.image_set.images)
        source = None if draft.slider is None else "slider"
        self.slider.show_count(Count(draft.slider, source, 0, most, is_needed=not is_unknown))
        shown = "no count" if draft.slider is None else f"{draft.slider} of {most}"
        self.number.setText("not needed" if is_unknown else shown)
        self.cause.show_chosen(draft.cause)
        self.confidence.show_chosen(draft.confidence)
        if not self.reason.hasFocus() and self.reason.text() != draft.reason:
            self.reason.setText(draft.reason)
        missing = ", ".join(draft.missing)
        self.open.setText(f"Still open: {missing}" if missing else "Enter keeps it.")

    def type_label(self) -> None:
        """Put the cursor into the box of the category, if there is one."""
        if self.options.has_box:
            self.options.type_on("")

    def type_reason(self) -> None:
        """Put the cursor into the reason."""
        self.reason.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.reason.selectAll()

    @property
    def is_typing(self) -> bool:
        """Whether somebody types here."""
        return self.reason.hasFocus() or self.options.box.hasFocus()

    def _on_unknown(self) -> None:
        self.labelled.emit(UNKNOWN)

    def _on_described(self, text: str, _is_suggestion: bool) -> None:
        self.labelled.emit(text)


def _named(name: str, choice: KeyChoice) -> QWidget:
    """A choice with its name before it."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(px(10))
    row.addWidget(Caption(name, "muted"))
    row.addWidget(choice, 1)
    return holder
