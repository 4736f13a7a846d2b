"""Acts of the Team page: add and take out annotators, design and lock rounds, remove what is simulated."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from core.records import Annotator
from gui.export import write_csv
from gui.studio import Studio
from gui.team.add_annotator import AddAnnotatorDialog
from gui.team.cards import RoundCard
from gui.team.facts import Team, answer_rows, design_another_in, design_round_in
from gui.team.packets_card import PacketsCard
from gui.team.questions import lock_question, remove_question
from gui.widgets.consequence import ConsequenceDialog
from gui.words import counted


class TeamActs(QObject):
    """Asks where something cannot be taken back, and does it off the GUI thread.

    `changed` when the study did; `said(str)` when something is to be told; `added(str)`, the name of somebody
    who can begin now. `team` is what the page shows.
    """

    changed = Signal()
    said = Signal(str)
    added = Signal(str)

    def __init__(self, studio: Studio, round_card: RoundCard, packets: PacketsCard, owner: QWidget) -> None:
        super().__init__(owner)
        self._studio, self._owner = studio, owner
        self._round_card, self._packets = round_card, packets
        self.team: Team | None = None
        self.dialog: ConsequenceDialog | AddAnnotatorDialog | None = None

    # Annotators

    def add(self) -> None:
        """Ask for the name of a new annotator, who annotates here or gets a packet."""
        self._ask_name(is_for_packet=False)

    def add_for_packet(self) -> None:
        """Ask for the name of a new annotator, to write their packet."""
        self._ask_name(is_for_packet=True)

    def _ask_name(self, *, is_for_packet: bool) -> None:
        why, parent = self._packets.why_no_packet, self._owner.window()
        dialog = AddAnnotatorDialog(why, is_for_packet=is_for_packet, parent=parent)
        dialog.named.connect(self._on_named)
        dialog.packet_wanted.connect(self._on_packet_wanted)
        self._open(dialog)

    def _on_packet_wanted(self, name: str) -> None:
        store = self._studio.store
        if store is not None:
            self._studio.query(lambda: store.person_named(name), self._on_person, self._on_not_added)

    def _on_person(self, person: Annotator) -> None:
        if self.dialog is not None:
            self.dialog.accept()
        self._packets.write_for(person.name)

    def _on_named(self, name: str) -> None:
        store = self._studio.store
        if store is not None:
            self._studio.query(lambda: store.add_annotator(name), self._on_added, self._on_not_added)

    def _on_added(self, annotator: Annotator) -> None:
        if self.dialog is not None:
            self.dialog.accept()
        self.added.emit(annotator.name)

    def _on_not_added(self, error: Exception) -> None:
        if isinstance(self.dialog, AddAnnotatorDialog):
            self.dialog.say(str(error))

    def take_out(self, annotator_id: int) -> None:
        """Take somebody out who has answered nothing."""
        store = self._studio.store
        if store is not None:
            self._studio.query(lambda: store.remove_annotator(annotator_id), self._on_done, self._on_trouble)

    # The round

    def design(self, count_mode: str) -> None:
        """Open the first round."""
        store = self._studio.store
        if store is not None:
            self._round_card.make.setEnabled(False)
            self._studio.query(
                lambda: design_round_in(store, count_mode), self._on_designed, self._on_trouble
            )

    def design_another(self, count_mode: str) -> None:
        """Open the next round."""
        store = self._studio.store
        if store is not None:
            self._round_card.next.setEnabled(False)
            self._studio.query(
                lambda: design_another_in(store, count_mode), self._on_designed, self._on_trouble
            )

    def _on_designed(self, _round_id: int) -> None:
        self._round_card.make.setEnabled(True)
        self.changed.emit()

    def lock(self) -> None:
        """Ask whether the round is to be locked."""
        team = self.team
        if team is not None and team.round is not None:
            dialog = lock_question(team, team.round.name, self._packets.facts, self._owner.window())
            dialog.accepted.connect(self._on_lock_wanted)
            self._open(dialog)

    def _on_lock_wanted(self) -> None:
        store, team = self._studio.store, self.team
        if store is not None and team is not None and team.round is not None:
            number = team.round.round_id
            self._studio.query(lambda: store.lock_round(number), self._on_done, self._on_trouble)

    # What is simulated

    def remove_simulated(self) -> None:
        """Ask whether what is simulated is to go."""
        if self.team is not None:
            dialog = remove_question(self.team, self._owner.window())
            dialog.accepted.connect(self._on_remove_wanted)
            self._open(dialog)

    def _on_remove_wanted(self) -> None:
        store = self._studio.store
        if store is not None:
            self._studio.query(store.remove_simulated, self._on_removed, self._on_trouble)

    def _on_removed(self, gone: dict[str, int]) -> None:
        # The store counts acts, of which an answer may have several; what the button named is said.
        people, records = (
            counted(gone["annotators"], "simulated annotator"),
            counted(gone["records"], "record"),
        )
        self.said.emit(f"Removed {people} and {records}.")
        self.changed.emit()

    # Answers

    def export_to(self, path: Path) -> None:
        """Write the confirmed answers of the round as CSV; simulated ones are marked in their column."""
        store, team = self._studio.store, self.team
        if store is not None and team is not None and team.round is not None:
            number = team.round.round_id
            self._studio.query(lambda: write_csv(path, answer_rows(store, number)), self._on_exported)

    def _on_exported(self, path: Path) -> None:
        self.said.emit(f"Exported to {path}")

    # What all of them share

    def _open(self, dialog: ConsequenceDialog | AddAnnotatorDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(self._on_dialog_finished)
        dialog.open()

    def _on_dialog_finished(self, _result: int) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.deleteLater()

    def _on_done(self, _nothing: object) -> None:
        self.changed.emit()

    def _on_trouble(self, error: Exception) -> None:
        self._round_card.make.setEnabled(True)
        self._studio.runner.trouble.emit("", error)
