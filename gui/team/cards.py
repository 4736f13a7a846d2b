"""The cards at the right of the Team page: the chosen annotator, the round, what is simulated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from gui.annotate.start_rows import MODES, mode_words
from gui.fonts import px
from gui.models.coverage import in_words
from gui.plain_text import short_name
from gui.team.facts import Member, Team, loss_in_words
from gui.team.lock_state import lock_state
from gui.widgets.button import Button
from gui.widgets.caption import Caption, rule
from gui.widgets.card import Card
from gui.widgets.progress_bar import ProgressBar
from gui.widgets.segmented import Segmented
from gui.words import counted, day, thousands

if TYPE_CHECKING:
    from storage.listing import Remark

MOST_REMARKS = 8
MODE_NAMES = [mode for mode, _ in MODES]
SHORT_MODES = [words.replace(" and ", " + ").removesuffix(" only") for _, words in MODES]
"""The ways of counting, short enough for the narrow column."""

EITHER_WAY = (
    "Everybody answers all of them, here or from a packet. Sets to practise on, gold sets, repeats, or a "
    "part of the sets for each person: Design a round for packets, below. Image sets and questions are "
    "fixed from then on."
)
OVER = "It takes no more answers. People can be compared with the pipeline."
ANOTHER = (
    "Another round asks everybody about image sets of all images, counted as chosen here; a changed one is "
    "designed below."
)


class MemberCard(Card):
    """One annotator: progress, what they flagged or commented, and sitting down in their place."""

    annotate = Signal(str)
    remove = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.member: Member | None = None
        self.go = Button("")
        self.go.clicked.connect(self._on_go)
        self._content = QWidget()
        self.body.addWidget(self._content)
        self.body.addWidget(self.go, 0, Qt.AlignmentFlag.AlignLeft)
        self.take_out = Button("Remove", "quiet", "x")
        self.take_out.clicked.connect(self._on_take_out)
        self.body.addWidget(self.take_out, 0, Qt.AlignmentFlag.AlignLeft)
        self.show_member(None, {}, "")

    def show_member(self, member: Member | None, questions: Mapping[str, str], why_not: str) -> None:
        """Show one annotator; `why_not` says why nobody can answer now."""
        self.member = member
        self.setVisible(member is not None)
        if member is None:
            return
        name = member.annotator.name
        self.set_title(name)
        self.set_facts("simulated" if member.annotator.is_simulated else "")
        fresh = _member_rows(member, questions)
        self.body.replaceWidget(self._content, fresh)
        self._content.hide()
        self._content.deleteLater()
        self._content = fresh
        self.go.setText(f"Annotate as {short_name(name)}")
        self.go.setAccessibleName(self.go.text())
        self.go.setVisible(not member.annotator.is_simulated and not member.is_done)
        self.go.setEnabled(not why_not)
        self.go.setToolTip(why_not)
        may_go = not (member.answers or member.has_packet or member.annotator.is_simulated)
        self.take_out.setVisible(may_go)
        self.take_out.setText(f"Remove {short_name(name)}")
        self.take_out.setAccessibleName(self.take_out.text())

    def _on_take_out(self) -> None:
        if self.member is not None:
            self.remove.emit(self.member.annotator.annotator_id)

    def _on_go(self) -> None:
        if self.member is not None:
            self.annotate.emit(self.member.annotator.name)


def _member_rows(member: Member, questions: Mapping[str, str]) -> QWidget:
    holder = QWidget()
    grid = QGridLayout(holder)
    grid.setContentsMargins(0, 0, 0, px(4))
    grid.setHorizontalSpacing(px(12))
    grid.setVerticalSpacing(px(4))
    grid.setColumnStretch(0, 1)
    bars = (
        ("image sets", member.image_sets, member.asked_sets),
        ("answers", member.answers, member.asked_answers),
    )
    for name, done, asked in bars:
        row = grid.rowCount()
        bar = ProgressBar(f"{name} of {member.annotator.name}")
        bar.set_progress(done, asked)
        grid.addWidget(Caption(name, "muted"), row, 0)
        count = Caption(f"{thousands(done)} of {thousands(asked)}", "small")
        grid.addWidget(count, row, 1, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(bar, row + 1, 0, 1, 2)
    said = f"{counted(member.unknown, 'unknown', 'unknown')}, {thousands(member.flagged)} flagged"
    if member.median_seconds is not None:
        said += f", {member.median_seconds:.1f} s an answer"
    if member.last_at:
        said += f", last answer {day(member.last_at)}"
    grid.addWidget(Caption(said, "muted", wraps=True), grid.rowCount(), 0, 1, 2)
    for remark in member.remarks[:MOST_REMARKS]:
        _add_remark(grid, remark, questions)
    more = len(member.remarks) - MOST_REMARKS
    if more > 0:
        words = f"and {thousands(more)} more, in the exported answers"
        grid.addWidget(Caption(words, "muted"), grid.rowCount(), 0, 1, 2)
    return holder


def _add_remark(grid: QGridLayout, remark: Remark, questions: Mapping[str, str]) -> None:
    row = grid.rowCount()
    grid.addWidget(rule(), row, 0, 1, 2)
    question = questions.get(remark.question) or in_words(remark.question)
    label = remark.label or "unknown"
    grid.addWidget(Caption(f"{question}: {label}", "small", wraps=True), row + 1, 0)
    sign = Caption("flagged", "warn") if remark.is_flagged else Caption("comment", "muted")
    grid.addWidget(sign, row + 1, 1, Qt.AlignmentFlag.AlignTop)
    which = f"set {remark.image_set[:8]}" + (f": {remark.comment}" if remark.comment else "")
    grid.addWidget(Caption(which, "muted", wraps=True), row + 2, 0, 1, 2)


class RoundCard(Card):
    """The round, or what one would be; `design(mode)`, `another`, `lock` and `adjudicate` ask for acts."""

    design = Signal(str)
    another = Signal(str)
    lock = Signal()
    adjudicate = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Round", parent)
        self._facts_box = Caption("", "", wraps=True)
        self._left_out = Caption("", "muted", wraps=True)
        self._consequence = Caption("", "muted", wraps=True)
        self.mode = Segmented(SHORT_MODES, "How images are counted")
        self.make, self.close_it = Button("", "primary"), Button("", "", "lock")
        self.next = Button("Design another round", icon="plus")
        self.decide = Button("Adjudicate", "primary")
        for widget in (self._facts_box, self._left_out, self._consequence):
            self.body.addWidget(widget)
        for control in (self.decide, self.mode, self.make, self.next, self.close_it):
            self.body.addWidget(control, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.setSpacing(px(8))
        self.make.clicked.connect(self._on_make)
        self.next.clicked.connect(self._on_next)
        self.close_it.clicked.connect(self.lock)
        self.decide.clicked.connect(self.adjudicate)

    def show_team(self, team: Team, why_not: str) -> None:
        """Show a team's round; `why_not` says why it cannot be locked now."""
        found = team.round
        is_first = found is None and team.design is not None and team.design.image_sets > 0
        is_over = found is not None and found.is_locked
        self.mode.setVisible(is_first or is_over)
        self.make.setVisible(is_first)
        self.next.setVisible(is_over)
        self.decide.setVisible(is_over)
        self.next.setEnabled(not why_not)
        self.next.setToolTip(why_not)
        self.close_it.setVisible(found is not None and not found.is_locked)
        if found is None:
            self._show_design(team)
            return
        self.set_title(found.name)
        self.set_facts(f"locked {day(found.locked_at)}" if found.locked_at else "open")
        asked = f"{counted(len(found.questions), 'question')}, {counted(team.image_sets, 'image set')}"
        role = "the role is shown" if found.show_role else "the role is not shown"
        self._facts_box.setText(f"{asked}, {mode_words(found.count_mode)}, {role}.")
        self._show_left_out(team.left_out)
        if found.is_locked:
            self._consequence.setText(f"{OVER} {ANOTHER}")
        else:
            said, nothing = lock_state(team)
            self._consequence.setText(said)
            why_not = why_not or nothing
        self.close_it.setText(f"Lock {short_name(found.name)}")
        self.close_it.setAccessibleName(self.close_it.text())
        self.close_it.setEnabled(not why_not)
        self.close_it.setToolTip(why_not)

    def _show_design(self, team: Team) -> None:
        self.set_title("No round yet")
        self.set_facts("")
        design = team.design
        if design is None:
            return
        images = counted(design.images, "usable image")
        self._facts_box.setText(
            f"{images} make {counted(design.image_sets, 'image set')}; with "
            f"{counted(len(team.questions), 'question')} "
            f"that is {counted(design.image_sets * len(team.questions), 'answer')} an annotator."
            if design.image_sets
            else f"{images} make no image set yet."
        )
        self._show_left_out(design.left_out)
        self._consequence.setText(EITHER_WAY if design.image_sets else "")
        self.make.setText(f"Design a round of {counted(design.image_sets, 'image set')}")
        self.make.setAccessibleName(self.make.text())

    def offer_mode(self, count_mode: str) -> None:
        """Begin with the study's own way of counting."""
        self.mode.choose(MODE_NAMES.index(count_mode) if count_mode in MODE_NAMES else 0)

    def _show_left_out(self, lines: tuple[str, ...]) -> None:
        self._left_out.setText("Left out: " + "; ".join(lines) + "." if lines else "Nothing was left out.")

    def _on_next(self) -> None:
        self.another.emit(MODE_NAMES[self.mode.index])

    def _on_make(self) -> None:
        self.design.emit(MODE_NAMES[self.mode.index])


class SimulatedCard(Card):
    """What is simulated, and the one act that removes it; hidden while there is nothing."""

    remove = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Simulated", parent)
        self._said = Caption("", "muted", wraps=True)
        self.go = Button("", "danger")
        self.go.setMinimumHeight(px(46))
        self.body.setSpacing(px(8))
        self.body.addWidget(self._said)
        self.body.addWidget(self.go, 0, Qt.AlignmentFlag.AlignLeft)
        self.go.clicked.connect(self.remove)
        self.hide()

    @property
    def said(self) -> str:
        """What there is."""
        return self._said.text()

    def show_team(self, team: Team, why_not: str) -> None:
        """Show what there is."""
        found = team.simulated
        self.setVisible(bool(found.annotators or found.extractors))
        who = [counted(found.annotators, "annotator")] if found.annotators else []
        who += [counted(found.extractors, "extractor")] if found.extractors else []
        self._said.setText(f"{' and '.join(who)} of stated accuracy: no person, and nothing read off pixels.")
        words = f"Remove {loss_in_words(found)}"
        # Two lines: in one it is wider than the column.
        self.go.setText(words.replace(" and ", "\nand "))
        self.go.setAccessibleName(words)
        self.go.setEnabled(not why_not)
        self.go.setToolTip(why_not)
