"""The acts by which the case that is looked at is decided, and the newest decision is taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt

from gui.adjudication.facts import deciding, taking_back

if TYPE_CHECKING:
    from annotation.adjudication_desk import AdjudicationDesk
    from gui.adjudication.panel import AdjudicationPanel


class Deciding(QObject):
    """Changes the draft of the panel's case; writes decisions in the order they were made."""

    def __init__(self, panel: AdjudicationPanel) -> None:
        super().__init__(panel)
        self._panel = panel
        bar = panel.card.bar
        bar.labelled.connect(self.choose)
        bar.counted.connect(self._on_counted)
        bar.cause_chosen.connect(self.choose_cause)
        bar.confidence_chosen.connect(self.choose_confidence)
        bar.reasoned.connect(self._on_reasoned)
        bar.keep.connect(self.keep)

    # The draft

    def choose(self, label: str) -> None:
        """Choose a label for the case."""
        self._change(lambda desk: desk.choose(label))

    def choose_cause(self, cause: str) -> None:
        """Say why people differ."""
        self._change(lambda desk: desk.change(cause=cause))

    def choose_confidence(self, confidence: str) -> None:
        """Say how sure one is."""
        self._change(lambda desk: desk.change(confidence=confidence))

    def change_count(self, by: int | None) -> None:
        """One more or less; None clears."""
        self._change(lambda desk: desk.change(slider=None) if by is None else desk.count(by))

    def take_over(self, letter: str) -> None:
        """Decide as one of the people answered."""
        self._change(lambda desk: desk.take_over(letter))

    def _on_counted(self, count: int) -> None:
        self._change(lambda desk: desk.change(slider=count))

    def _on_reasoned(self, text: str) -> None:
        self._change(lambda desk: desk.change(reason=text))

    def _change(self, act: Callable[[AdjudicationDesk], Any]) -> None:
        desk = self._panel.desk
        if desk is not None and desk.case is not None:
            act(desk)
            self._panel.card.show_draft(desk.case, desk.draft)

    # The decision

    def keep(self) -> None:
        """Write the decision and go on to the next case that waits; what is missing is said instead."""
        panel = self._panel
        desk, found, store = panel.desk, panel.found, panel.studio.store
        if desk is None or found is None or store is None or desk.case is None:
            return
        panel.card.bar.options.commit_text()
        if not panel.by.text().strip():
            panel.say_trouble("Nobody is named who decides.")
            panel.by.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        made = desk.decision(panel.by.text())
        if made is None:
            panel.card.bar.open.setText(f"Still open: {', '.join(desk.draft.missing)}")
            return
        panel.say_trouble("")
        panel.writer.write(deciding(store, found.round_id, made))
        if not desk.next_waiting():
            panel.step(1)
        panel.show_list()
        panel.take_keys()

    def take_back(self) -> None:
        """Take the newest decision back, also one still being written, and look at its case."""
        panel = self._panel
        desk, found, store = panel.desk, panel.found, panel.studio.store
        if desk is None or found is None or store is None:
            return
        newest, taken = desk.newest_decided(), desk.take_back()
        if newest is None or taken is None:
            return
        panel.writer.write(taking_back(store, found.round_id, *taken, newest.decision))
        panel.show_list()
