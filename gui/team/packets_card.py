"""Packets out, hand-ins in: the card of the Team page, and its acts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from annotation.packet_making import MadePacket
from core.file_names import plain_name
from core.packets import showings_in_words
from gui.file_dialogs import save_file
from gui.fonts import px
from gui.plain_text import short_name
from gui.studio import Studio
from gui.team.designing import RoundDesigning
from gui.team.facts import Member
from gui.team.merging import Merging
from gui.team.packets import (
    BACK,
    PacketFacts,
    PacketRow,
    packet_job,
    read_packets,
)
from gui.team.reason_dialog import ReasonDialog
from gui.team.right_answers import RightAnswers
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.card import Card
from gui.widgets.consequence import ConsequenceDialog
from gui.words import counted

NEW_PACKET = "Write a packet for …"
NOTHING_TO_MERGE = "No packet has left, so there is no hand-in to merge."


class PacketsCard(Card):
    """One line an annotator with a packet; `changed` when the study did. Every merge can be undone.

    It carries the acts of the lists of packets and hand-ins out as well: `withdraw`, `undo_merge`,
    `decide_conflicts`. `arrived(PacketFacts)` says what was read; `new_wanted` when a packet is wanted for
    somebody who is not listed.
    """

    changed = Signal()
    arrived = Signal(object)
    new_wanted = Signal()

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__("Packets and hand-ins", parent)
        self._studio = studio
        self._name = ""
        self.why_no_packet = ""
        """Why no packet can be written now; "" where one can."""
        self.facts = PacketFacts()
        self.dialog: ConsequenceDialog | ReasonDialog | None = None
        self.designing, self.merging = RoundDesigning(studio, self), Merging(studio, self)
        self._withdrawing = self._undoing = 0
        self._lines = Caption("", "", wraps=True)
        self._said = Caption("", "muted", wraps=True)
        self._why = Caption("", "muted", wraps=True)
        self.design = Button("Design a round for packets", icon="plus")
        self.design.setToolTip("Who sees which sets; sets to practise on, gold sets and silent repeats")
        self.write = Button("", icon="export")
        self.merge = Button("Merge hand-ins")
        self.decide = Button("", icon="warn")
        self.undo = Button("Undo the latest merge", "quiet")
        self.body.setSpacing(px(8))
        self.keys = RightAnswers(studio)
        self.body.addWidget(self._lines)
        self.body.addWidget(self.keys)
        self.keys.changed.connect(self._on_done)
        for button in (self.decide, self.design, self.write, self.merge, self.undo):
            self.body.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addWidget(self._why)
        self.body.addWidget(self._said)
        self.design.clicked.connect(self._on_design)
        self.write.clicked.connect(self._on_write)
        self.merge.clicked.connect(self.choose_files)
        self.decide.clicked.connect(self.decide_conflicts)
        self.undo.clicked.connect(self._on_undo)
        self.designing.begun.connect(self._on_design_begun)
        self.designing.opened.connect(self._on_designed)
        self.merging.done.connect(self._on_done)
        self.merging.failed.connect(self._say)
        self._show()
        self._say("")

    @property
    def words(self) -> str:
        """What it says of packets."""
        return self._lines.text()

    @property
    def said(self) -> str:
        """What came of the latest act."""
        return self._said.text()

    def refresh(self) -> None:
        """Read what left and what came back."""
        store = self._studio.store
        if store is not None:
            self._studio.query(lambda: read_packets(store), self._on_facts)

    def show_member(self, member: Member | None, why_not: str) -> None:
        """Whose packet would be written; `why_not` says why none can be."""
        is_person = member is not None and not member.annotator.is_simulated
        self._name = member.annotator.name if member is not None and is_person else ""
        self.why_no_packet = why_not
        self._show()

    def _on_facts(self, facts: PacketFacts) -> None:
        self.facts = facts
        self._show()
        self.arrived.emit(facts)
        self.merging.show_conflicts(facts.conflicts)

    def _show(self) -> None:
        facts = self.facts
        nothing = "No packet has left yet. A packet is one file for an annotator's own computer."
        self._lines.setText("\n".join(facts.lines) if facts.lines else nothing)
        number = counted(len(facts.conflicts), "contradiction")
        self.decide.setText(f"Decide {number}")
        self.decide.setAccessibleName(self.decide.text())
        self.decide.setToolTip("Answers of one person from two computers that contradict each other")
        self.decide.setVisible(bool(facts.conflicts))
        self.keys.show_wanted(facts.keys_wanted)
        self.write.setText(f"Write a packet for {short_name(self._name)}" if self._name else NEW_PACKET)
        self.write.setAccessibleName(self.write.text())
        self.write.setEnabled(not self.why_no_packet)
        self.write.setToolTip(self.why_no_packet)
        self.merge.setEnabled(bool(facts.packets))
        self.merge.setToolTip("" if facts.packets else NOTHING_TO_MERGE)
        self._show_why()
        latest = facts.latest_merge
        why_stays = facts.why_stays(latest) if latest is not None else ""
        self.undo.setVisible(latest is not None)
        self.undo.setEnabled(not why_stays)
        self.undo.setToolTip(why_stays)
        again = facts.packets or not facts.may_design
        self.design.setText("Design a changed round" if again else "Design a round for packets")
        self.design.setAccessibleName(self.design.text())

    def _show_why(self) -> None:
        """Why buttons are grey, in a sentence: nobody looks for a tooltip on them."""
        whys = [f"No packet can be written: {self.why_no_packet}"] if self.why_no_packet else []
        self._why.setText(" ".join([*whys, *([] if self.facts.packets else [NOTHING_TO_MERGE])]))
        self._why.setVisible(bool(self._why.text()))

    # Designing

    def _on_design(self) -> None:
        self.design.setEnabled(False)
        self.designing.begin()

    def _on_design_begun(self, sentence: str) -> None:
        self.design.setEnabled(True)
        if sentence:
            self._say(sentence)

    def _on_designed(self) -> None:
        self._on_done("")

    # Writing and withdrawing

    def _on_write(self) -> None:
        if self._name:
            self.write_for(self._name)
        else:
            self.new_wanted.emit()

    def write_for(self, name: str) -> None:
        """Ask where the packet of somebody goes, new or listed, and write it."""
        folder = self._studio.folder
        if folder is None or not name:
            return
        suggestion = folder.parent / f"{plain_name(name)}.packet"
        chosen = save_file(self, f"Write a packet for {name}", suggestion, "Packet (*.packet)")
        if chosen is not None:
            self.write_to(chosen, name)

    def write_to(self, path: Path, name: str = "") -> None:
        """Write the packet of somebody, by default the one chosen; a job that can be cancelled."""
        store, name = self._studio.store, name or self._name
        if store is not None and name:
            job = packet_job(store, name, path)
            task = self._studio.runner.run(f"Packet, {name}", job, page="team", noun="image sets")
            task.finished.connect(self._on_written)

    def _on_written(self, made: MadePacket) -> None:
        shown = showings_in_words(made.sets, made.repeats, made.training)
        self._on_done(f"Written: {made.path}. {shown}. Its design stays as it is.")

    def withdraw(self, row: PacketRow) -> None:
        """Ask why a packet is withdrawn, and do it."""
        name = row.packet.annotator.name
        back = "What was merged from it stays until that merge is undone." if row.state == BACK else ""
        lines = [
            "Nothing that comes back from it is taken any more, and its place is free for another annotator.",
            *([back] if back else []),
            "It stays in the list, with the reason.",
        ]
        dialog = ReasonDialog(
            f"Withdraw the packet of {name}", lines, "Withdraw it", "Leave it out", self.window()
        )
        number = row.packet.packet_id
        self._withdrawing = number
        dialog.decided.connect(self._on_withdrawal)
        self.dialog = dialog
        dialog.open()

    def _on_withdrawal(self, who: str, why: str) -> None:
        store, number = self._studio.store, self._withdrawing
        if store is not None:
            self._studio.query(
                lambda: store.withdraw_packet(number, why, who), self._on_withdrawn, self._on_trouble
            )

    def _on_withdrawn(self, _nothing: object) -> None:
        self._on_done("The packet is withdrawn.")

    # Merging

    def preview(self, paths: list[Path]) -> None:
        """Say what merging these files would do, and ask."""
        self.merging.preview(paths)

    def choose_files(self) -> None:
        """Open the dialog in which hand-ins are chosen, or dropped, and looked at."""
        self.merging.choose_files()

    def decide_conflicts(self) -> None:
        """Show contradicting answers one after the other."""
        self.merging.decide(self.facts.conflicts)

    def _on_undo(self) -> None:
        latest = self.facts.latest_merge
        if latest is not None:
            self.undo_merge(latest)

    def undo_merge(self, merge: Any) -> None:
        """Ask whether to take a merge back, and do it."""
        number = self._undoing = merge.hand_in_id
        lines = [
            f"Merge {number}: {merge.file_name}, {merge.annotator}.",
            "Its answers no longer count. Nothing is deleted, and the file can be merged again.",
        ]
        self._ask(f"Undo merge {number}", lines, "Undo it", "Keep it", "danger", self._on_undo_wanted)

    def _on_undo_wanted(self) -> None:
        store, number = self._studio.store, self._undoing
        if store is not None:
            self._studio.query(lambda: store.undo_merge(number), self._on_undone, self._on_trouble)

    def _on_undone(self, answers: int) -> None:
        self._on_done(f"Undone: {counted(answers, 'answer')} taken back.")

    # Parts

    def _on_done(self, sentence: str) -> None:
        self._say(sentence)
        self.refresh()
        self.changed.emit()

    def _on_trouble(self, error: Exception) -> None:
        self._say(str(error))

    def _ask(
        self, title: str, lines: list[str], act: str, stay: str, kind: str, wanted: Callable[[], None]
    ) -> None:
        dialog = ConsequenceDialog(title, lines, act, stay, kind, self.window())
        dialog.accepted.connect(wanted)
        self.dialog = dialog
        dialog.open()

    def _say(self, sentence: str) -> None:
        self._said.setText(sentence)
        self._said.setVisible(bool(sentence))
