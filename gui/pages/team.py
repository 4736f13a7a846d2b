"""The Team page: who answers and how far they are, the round, and what is simulated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from gui.export import ask_for_file
from gui.fonts import px
from gui.paced_read import PacedRead
from gui.pages.page import Page
from gui.studio import Studio
from gui.team.acts import TeamActs
from gui.team.adjudication_place import AdjudicationPlace
from gui.team.annotator_table import AnnotatorTable
from gui.team.cards import MemberCard, RoundCard, SimulatedCard
from gui.team.facts import Member, Team, read_team
from gui.team.lists import TeamLists
from gui.team.merge_dialog import dropped_files
from gui.team.packets_card import PacketsCard
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.drop_hint import DropHint
from gui.widgets.empty_page import EmptyPage
from gui.widgets.scrolled import scrolled
from gui.widgets.study_cards import column_of
from gui.words import counted

if TYPE_CHECKING:
    from gui.adjudication.panel import AdjudicationPanel
    from gui.team.add_annotator import AddAnnotatorDialog
    from gui.widgets.consequence import ConsequenceDialog

WIDE_FROM, SIDE_WIDE, SIDE = 1500, 380, 330
SITTING = "annotation in progress"
"""Property of the studio while somebody annotates in this window (see `gui.pages.annotate`)."""


class TeamPage(Page):
    """Annotators at the left; the chosen one, the round and the simulated at the right."""

    name = "team"
    title = "Team"
    icon = "team"
    words = frozenset(
        {"annotator", "answer", "round", "image_set", "record", "extractor", "image", "packet", "hand_in"}
    )

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(studio, parent)
        self._chosen = ""
        self.add, self._export = (
            Button("Add annotator", icon="plus"),
            Button("Export answers", "quiet", "export"),
        )
        self.table = AnnotatorTable(self)
        self.model = self.table.rows_model
        self._nobody = EmptyPage()
        self._said = Caption("", "muted", wraps=True)
        self.member_card, self.round_card, self.simulated_card = MemberCard(), RoundCard(), SimulatedCard()
        self.packets = PacketsCard(studio)
        self.lists = TeamLists(studio, self.table, self._nobody)
        self.drop = DropHint("Let go to see what merging would do", self)
        self.setAcceptDrops(True)
        self.empty_page = EmptyPage()
        self._acts = TeamActs(studio, self.round_card, self.packets, self)
        self._read = PacedRead(studio, self._on_team, 1000, self)
        self._lay_out()
        self._place = AdjudicationPlace(studio, self._stack, self)
        self._connect()

    @property
    def _team(self) -> Team | None:
        return self._acts.team

    @property
    def dialog(self) -> ConsequenceDialog | AddAnnotatorDialog | None:
        """What is being asked."""
        return self._acts.dialog

    @property
    def adjudication(self) -> AdjudicationPanel | None:
        """Where cases are decided; None until it is wanted."""
        return self._place.panel

    # -- what the window asks for -----------------------------------------------------------------

    def header_acts(self) -> list[QWidget]:
        """Export the answers; add an annotator."""
        return [self._export, self.add]

    def refresh(self) -> None:
        """Read the team."""
        store = self.studio.store
        before = self._team
        if store is not None:
            self._read.ask(lambda: read_team(store, before))
            self.packets.refresh()
            self.lists.refresh()

    def keys(self) -> list[tuple[str, str]]:
        """Keys of this page."""
        if self._place.is_shown:
            from gui.adjudication.keys import LINES

            return LINES
        return [("↑ ↓", "from annotator to annotator"), ("Enter", "annotate as the chosen one")]

    def close_drawer(self) -> bool:
        """Esc leaves what is enlarged, then adjudication."""
        return self._place.close_topmost()

    def take_focus(self) -> None:
        """The keyboard goes to the table, or to the case that is adjudicated."""
        if not self._place.take_keys():
            super().take_focus()

    def open_adjudication(self) -> None:
        """Show what waits for a decision in the place of the team."""
        self._place.open()

    # -- parts ------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(px(8))
        full = QWidget()
        self._stack = QStackedLayout(self)
        self._stack.addWidget(full)  # before it is filled: what is shown and then moved is made slower
        row = QHBoxLayout(full)
        row.setContentsMargins(px(20), 0, px(16), px(12))
        row.setSpacing(px(16))
        row.addLayout(left, 1)
        left.addWidget(self.lists, 1)
        left.addWidget(self._said)
        self._said.hide()
        self.lists.fill()
        cards = column_of(self.member_card, self.round_card, self.packets, self.simulated_card)
        self._side = scrolled(cards)
        row.addWidget(self._side)
        self._side.hide()  # until it is known what stands in it
        self._stack.addWidget(self.empty_page)
        self.setFocusProxy(self.table)

    def _connect(self) -> None:
        self.add.clicked.connect(self._acts.add)
        self._export.clicked.connect(self._on_export)
        self.table.moved.connect(self._on_moved)
        self.table.opened.connect(self._on_row_opened)
        self.member_card.annotate.connect(self._on_annotate)
        self.member_card.remove.connect(self._acts.take_out)
        self.round_card.design.connect(self._acts.design)
        self.round_card.another.connect(self._acts.design_another)
        self.round_card.lock.connect(self._acts.lock)
        self.round_card.adjudicate.connect(self.open_adjudication)
        self.simulated_card.remove.connect(self._acts.remove_simulated)
        self._acts.changed.connect(self.mark_stale)
        self._acts.said.connect(self._say)
        self._acts.added.connect(self._on_annotate)
        self._place.left.connect(self._on_adjudication_left)
        self.packets.changed.connect(self.mark_stale)
        self.packets.new_wanted.connect(self._acts.add_for_packet)
        self.packets.arrived.connect(self.lists.show_packets)
        self.lists.packets.withdraw.connect(self.packets.withdraw)
        self.lists.hand_ins.undo.connect(self.packets.undo_merge)
        self.lists.hand_ins.merge.connect(self.packets.choose_files)
        self.lists.hand_ins.decide.connect(self.packets.decide_conflicts)
        self.lists.changed.connect(self.mark_stale)
        self.empty_page.acted.connect(self._on_generate)
        self.studio.study_closed.connect(self._on_closed)
        self.studio.runner.task_added.connect(self._show_acts)
        self.studio.runner.task_ended.connect(self._show_acts)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The column at the right is narrower in a narrow window."""
        super().resizeEvent(event)
        width = SIDE_WIDE if self.window().width() >= px(WIDE_FROM) else SIDE
        self._side.setFixedWidth(px(width))
        self.table.fit(self.width() - px(width) - px(70), is_wide=width == SIDE_WIDE)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Hand-ins may be dropped anywhere on the page."""
        if dropped_files(event.mimeData()) and self.packets.merge.isEnabled() and not self._place.is_shown:
            event.acceptProposedAction()
            self.drop.show_up()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """They went away again."""
        self.drop.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Look at what was dropped."""
        self.drop.hide()
        event.acceptProposedAction()
        self.packets.preview(dropped_files(event.mimeData()))

    def showEvent(self, event: QShowEvent) -> None:
        """Somebody may have sat down meanwhile."""
        super().showEvent(event)
        self._show_acts()

    # -- what is read -----------------------------------------------------------------------------

    def _on_team(self, team: Team) -> None:
        is_first, self._acts.team = self._team is None, team
        self._side.show()
        is_empty = not team.images and not team.members
        if not self._place.is_shown:
            self._stack.setCurrentIndex(1 if is_empty else 0)
        if is_empty:
            self.empty_page.say(
                "No images yet.",
                "People label ten images of one role, condition and generator at a time; who does, and how "
                "far they are, will be here.",
                "Go to Generate",
            )
        if is_first:
            self.round_card.offer_mode(team.count_mode)
        self._show_members(team)
        self.set_facts(_facts(team))
        self._show_acts()

    def _show_members(self, team: Team) -> None:
        self.lists.show_nobody(not team.members)
        wait = "waits" if team.image_sets == 1 else "wait"
        sets = counted(team.image_sets, "image set")
        asked = f"{sets} {wait} for annotators: Add annotator, at the top right." if team.image_sets else ""
        self._nobody.say("Nobody has begun yet.", asked)
        chosen = self._chosen
        self.model.set_rows(team.members)
        names = [member.annotator.name for member in self.model.rows]
        if names:
            at = names.index(chosen) if chosen in names else 0
            self.table.setCurrentIndex(self.model.index(at, 0))
        else:
            self._on_moved(None)

    def _show_acts(self, _task: object = None) -> None:
        """What can be done now, and why the rest cannot."""
        team = self._team
        if team is None:
            return
        can_answer = self._why_nobody_can_answer(team)
        self.add.setEnabled(not can_answer)
        self.add.setToolTip(can_answer)
        answers = sum(member.answers for member in team.members)
        self._export.setEnabled(answers > 0)
        self._export.setToolTip("" if answers else "There is no confirmed answer yet.")
        self.round_card.setVisible(team.round is not None or team.design is not None)
        sits = "Somebody is annotating; leave the Annotate page first." if self._is_sitting else ""
        self.round_card.show_team(team, sits)
        busy = "Wait until the jobs below have ended." if self.studio.runner.tasks else ""
        self.simulated_card.show_team(team, busy)
        self._on_moved(self.member_card.member)

    @property
    def _is_sitting(self) -> bool:
        return self.studio.property(SITTING) is not None

    @staticmethod
    def _why_nobody_can_answer(team: Team) -> str:
        if team.round is not None and team.round.is_locked:
            return f"{team.round.name} is locked: it takes no more answers."
        has_sets = team.image_sets or (team.design is not None and team.design.image_sets)
        return "" if has_sets else "There is no image set to label yet."

    def _on_moved(self, member: Member | None) -> None:
        team = self._team
        if team is None:
            return
        self._chosen = member.annotator.name if member is not None else self._chosen
        why_not = self._why_nobody_can_answer(team)
        self.member_card.show_member(member, team.questions, why_not)
        self.packets.show_member(member, why_not or ("" if team.round else "Design a round first."))

    def _on_closed(self) -> None:
        self._acts.team, self._chosen = None, ""
        self._side.hide()
        self._place.clear()
        self.model.set_rows(())
        self.lists.clear()
        self.member_card.show_member(None, {}, "")
        self._say("")

    # -- acts -------------------------------------------------------------------------------------

    def _on_row_opened(self, member: Member | None) -> None:
        if member is not None and self.member_card.go.isEnabled() and not self.member_card.go.isHidden():
            self._on_annotate(member.annotator.name)

    def _on_annotate(self, name: str) -> None:
        self.asked_for.emit("annotate", name)

    def _on_generate(self) -> None:
        self.asked_for.emit("generate", None)

    def _on_adjudication_left(self) -> None:
        self.table.setFocus()
        self.mark_stale()

    def _on_export(self) -> None:
        if self.studio.folder is not None:
            path = ask_for_file(self, self.studio.folder / "answers.csv")
            if path is not None:
                self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write the confirmed answers of the round as CSV; simulated ones are marked in their column."""
        self._acts.export_to(path)

    def _say(self, sentence: str) -> None:
        self._said.setText(sentence)
        self._said.setVisible(bool(sentence))


def _facts(team: Team) -> str:
    parts = [counted(len(team.members), "annotator")]
    if team.round is not None:
        parts.append(counted(team.image_sets, "image set"))
        parts.append(counted(len(team.round.questions), "question"))
    return ", ".join(parts)
