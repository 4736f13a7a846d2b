"""Packets out, hand-ins in: the card of the Team page, and its acts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from annotation.packet_making import MadePacket
from gui.fonts import px
from gui.studio import Studio
from gui.tasks import Query
from gui.team.design_dialog import DesignDialog
from gui.team.facts import Member
from gui.team.packets import (
    ENDINGS,
    PacketFacts,
    merge_files_in,
    open_planned,
    packet_job,
    plan_of,
    preview_files,
    read_packets,
)
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.card import Card
from gui.widgets.consequence import ConsequenceDialog
from gui.words import counted


class PacketsCard(Card):
    """One line an annotator with a packet; `changed` when the study did. Every merge can be undone."""

    changed = Signal()

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__("Packets and hand-ins", parent)
        self._studio = studio
        self._name = ""
        self._why_no_packet = ""
        self._facts = PacketFacts()
        self.dialog: ConsequenceDialog | None = None
        self._asked: Query | None = None
        self._lines = Caption("", "", wraps=True)
        self._conflicts = Caption("", "warn", wraps=True)
        self._said = Caption("", "muted", wraps=True)
        self.design = Button("Design a round for packets", icon="plus")
        self.design_dialog: DesignDialog | None = None
        self.write = Button("", icon="export")
        self.merge = Button("Merge hand-ins")
        self.undo = Button("Undo the latest merge", "quiet")
        self.body.setSpacing(px(8))
        for caption in (self._lines, self._conflicts):
            self.body.addWidget(caption)
        for button in (self.design, self.write, self.merge, self.undo):
            self.body.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addWidget(self._said)
        self.design.clicked.connect(self._on_design)
        self.write.clicked.connect(self._on_write)
        self.merge.clicked.connect(self._on_merge)
        self.undo.clicked.connect(self._on_undo)
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
        self._why_no_packet = why_not
        self._show()

    def _on_facts(self, facts: PacketFacts) -> None:
        self._facts = facts
        self._show()

    def _show(self) -> None:
        facts = self._facts
        nothing = "No packet has left yet. A packet is one file for an annotator's own computer."
        self._lines.setText("\n".join(facts.lines) if facts.lines else nothing)
        number = counted(facts.conflicts, "answer contradicts", "answers contradict")
        self._conflicts.setText(
            f"{number} another of the same person. Decide: main.py merge STUDY --conflicts"
        )
        self._conflicts.setVisible(facts.conflicts > 0)
        self.write.setText(f"Write a packet for {self._name}" if self._name else "Write a packet")
        self.write.setAccessibleName(self.write.text())
        why = self._why_no_packet or ("" if self._name else "Choose a person in the list first.")
        self.write.setEnabled(not why)
        self.write.setToolTip(why)
        can_merge = bool(facts.lines) and facts.is_open
        self.merge.setEnabled(can_merge)
        self.merge.setToolTip("" if can_merge else "No packet of an open round has left.")
        self.undo.setVisible(facts.latest_merge is not None)
        self.design.setVisible(facts.may_design)

    # Designing

    def _on_design(self) -> None:
        dialog = self.design_dialog = DesignDialog(self.window())
        dialog.asked.connect(self._on_plan_asked)
        dialog.wanted.connect(self._on_round_wanted)
        dialog.open()
        self._on_plan_asked(dialog.changes())

    def _on_plan_asked(self, changes: dict[str, Any]) -> None:
        store = self._studio.store
        if store is not None:
            if self._asked is not None:
                self._asked.drop()
            self._asked = self._studio.query(lambda: plan_of(store, changes), self._on_plan, self._on_no_plan)

    def _on_plan(self, lines: list[str]) -> None:
        self._asked = None
        if self.design_dialog is not None:
            self.design_dialog.show_plan(lines)

    def _on_no_plan(self, error: Exception) -> None:
        self._asked = None
        if self.design_dialog is not None:
            self.design_dialog.show_trouble(str(error))

    def _on_round_wanted(self, changes: dict[str, Any]) -> None:
        store = self._studio.store
        if store is not None:
            self._studio.query(lambda: open_planned(store, changes), self._on_designed, self._on_no_plan)

    def _on_designed(self, _round_id: int) -> None:
        if self.design_dialog is not None:
            self.design_dialog.accept()
            self.design_dialog = None
        self.refresh()
        self.changed.emit()

    # Writing

    def _on_write(self) -> None:
        folder = self._studio.folder
        if folder is None or not self._name:
            return
        plain = "".join(sign if sign.isalnum() else "-" for sign in self._name).strip("-") or "annotator"
        chosen, _ = QFileDialog.getSaveFileName(
            *(self, "Write a packet", str(folder.parent / f"{plain}.packet"), "Packet (*.packet)")
        )
        if chosen:
            self.write_to(Path(chosen))

    def write_to(self, path: Path) -> None:
        """Write the packet of the chosen person; a job that can be cancelled."""
        store = self._studio.store
        if store is not None and self._name:
            name = f"Packet, {self._name}"
            job = packet_job(store, self._name, path)
            task = self._studio.runner.run(name, job, page="team", noun="image sets")
            task.finished.connect(self._on_written)

    def _on_written(self, made: MadePacket) -> None:
        again = f", {made.repeats} of them again" if made.repeats else ""
        self._say(
            f"Written: {made.path}. {counted(made.sets, 'image set')}{again}. Its design stays as it is."
        )
        self.refresh()
        self.changed.emit()

    # Merging

    def _on_merge(self) -> None:
        folder = self._studio.folder
        if folder is not None:
            chosen, _ = QFileDialog.getOpenFileNames(self, "Merge hand-ins", str(folder.parent), ENDINGS)
            if chosen:
                self.preview([Path(one) for one in chosen])

    def preview(self, paths: list[Path]) -> None:
        """Say what merging would do, and ask."""
        store = self._studio.store
        if store is not None:
            self._paths = paths
            self._studio.query(lambda: preview_files(store, paths), self._on_preview, self._on_trouble)

    def _on_preview(self, lines: list[str]) -> None:
        more = "Nothing is overwritten: contradicting answers are both kept. Every merge can be undone."
        self._ask("Merge hand-ins", [*lines, more], "Merge", "Leave it", "primary", self._on_merge_wanted)

    def _on_merge_wanted(self) -> None:
        store, paths = self._studio.store, self._paths
        if store is not None:
            self._studio.query(lambda: merge_files_in(store, paths), self._on_merged, self._on_trouble)

    def _on_merged(self, lines: list[str]) -> None:
        self._say("\n".join(lines))
        self.refresh()
        self.changed.emit()

    def _on_undo(self) -> None:
        lines = [
            f"Merge {self._facts.latest_merge}: {self._facts.latest_file}.",
            "Its answers no longer stand. Nothing is deleted, and the file can be merged again.",
        ]
        self._ask("Undo the latest merge", lines, "Undo it", "Keep it", "danger", self._on_undo_wanted)

    def _on_undo_wanted(self) -> None:
        store, number = self._studio.store, self._facts.latest_merge
        if store is not None and number is not None:
            self._studio.query(lambda: store.undo_merge(number), self._on_undone, self._on_trouble)

    def _on_undone(self, acts: int) -> None:
        self._say(f"Undone: {counted(acts, 'act')} no longer stand.")
        self.refresh()
        self.changed.emit()

    def _on_trouble(self, error: Exception) -> None:
        self._say(str(error))

    def _ask(
        self, title: str, lines: list[str], act: str, stay: str, kind: str, wanted: Callable[[], None]
    ) -> None:
        self.dialog = ConsequenceDialog(title, lines, act, stay, kind, self.window())
        self.dialog.accepted.connect(wanted)
        self.dialog.open()

    def _say(self, sentence: str) -> None:
        self._said.setText(sentence)
        self._said.setVisible(bool(sentence))
