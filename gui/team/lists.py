"""The lists at the left of the Team page: annotators, packets, hand-ins, quality; one at a time."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QStackedWidget, QVBoxLayout, QWidget

from gui.fonts import px
from gui.studio import Studio
from gui.team.facts import SECONDS_RULE
from gui.team.hand_ins_list import HandInsList
from gui.team.packets import PacketFacts
from gui.team.packets_list import PacketsList
from gui.team.quality import Quality, exclude_in, read_quality
from gui.team.quality_list import QualityList
from gui.team.reason_dialog import ReasonDialog
from gui.widgets.caption import Caption
from gui.widgets.empty_page import EmptyPage
from gui.widgets.segmented import Segmented
from gui.widgets.table import Table
from gui.words import thousands

CAPTIONS = ("Annotators", "Packets", "Hand-ins", "Quality")
ANNOTATORS, PACKETS, HAND_INS, QUALITY = range(4)


class TeamLists(QFrame):
    """`changed` when an exclusion was recorded or taken back. Quality is read only while it is shown."""

    changed = Signal()

    def __init__(self, studio: Studio, table: Table, nobody: EmptyPage) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self._studio = studio
        self.part = Segmented(CAPTIONS, "List")
        self._people = QStackedWidget()
        self._table, self._nobody = table, nobody
        self.packets, self.hand_ins, self.quality = PacketsList(), HandInsList(), QualityList()
        self.trouble = Caption("", "danger", wraps=True)
        self.dialog: ReasonDialog | None = None
        self._to_exclude = ("", "")
        self._stack = QStackedWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(px(8), px(8), px(4), px(8))
        column.setSpacing(px(6))
        top = QVBoxLayout()
        top.setContentsMargins(px(4), 0, 0, 0)
        top.addWidget(self.part, 0, Qt.AlignmentFlag.AlignLeft)
        column.addLayout(top)
        column.addWidget(self._stack, 1)
        column.addWidget(self.trouble)
        self.trouble.hide()
        self.part.chosen.connect(self._on_part)
        self.quality.exclude.connect(self._on_exclude)
        self.quality.withdraw.connect(self._on_withdraw)

    def fill(self) -> None:
        """Put the lists in, once this stands in its place: what is moved later is styled twice."""
        for widget in (self._with_rule(), self.packets, self.hand_ins, self.quality):
            self._stack.addWidget(widget)
        for widget in (self._table, self._nobody):
            self._people.addWidget(widget)

    def _with_rule(self) -> QWidget:
        """The annotators, and how their seconds are counted."""
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._people, 1)
        rule = Caption(SECONDS_RULE, "muted", wraps=True)
        rule.setContentsMargins(px(8), 0, px(8), 0)
        column.addWidget(rule)
        return holder

    def show_nobody(self, is_empty: bool) -> None:
        """Whether anybody is there."""
        self._people.setCurrentIndex(int(is_empty))

    def show_packets(self, facts: PacketFacts) -> None:
        """Show what left and what came back."""
        self.packets.show_rows(facts.packets)
        self.hand_ins.show_rows(facts.merges, len(facts.conflicts), facts.why_stays)
        self.hand_ins.choose.setEnabled(bool(facts.packets))
        for at, number in ((PACKETS, len(facts.packets)), (HAND_INS, len(facts.merges))):
            self.part.set_caption(at, f"{CAPTIONS[at]} {thousands(number)}" if number else CAPTIONS[at])

    def refresh(self) -> None:
        """Look over the answers again, if that is shown."""
        store = self._studio.store
        if store is not None and self.part.index == QUALITY:
            self._studio.query(lambda: read_quality(store), self._on_quality, self._on_trouble)

    def clear(self) -> None:
        """Show nothing: the study is closed."""
        self.show_packets(PacketFacts())
        self.quality.show_quality(Quality())
        self._say("")

    def _on_part(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        self._say("")
        self.refresh()

    def _on_quality(self, quality: Quality) -> None:
        self.quality.show_quality(quality)

    def _on_exclude(self, annotator: str, question: str) -> None:
        self._to_exclude = (annotator, question)
        where = "this question" if question else "all questions"
        lines = [
            f"Answers of {annotator} to {where} leave agreement, consensus and every export of tables.",
            "Nothing is deleted; the exclusion stands in every table it changes and can be taken back.",
        ]
        dialog = ReasonDialog(f"Exclude {annotator}", lines, "Exclude", "Keep them", self.window())
        dialog.decided.connect(self._on_exclusion)
        self.dialog = dialog
        dialog.open()

    def _on_exclusion(self, who: str, why: str) -> None:
        store, (annotator, question) = self._studio.store, self._to_exclude
        if store is not None:
            self._studio.query(
                lambda: exclude_in(store, annotator, question, why, who), self._on_done, self._on_trouble
            )

    def _on_withdraw(self, exclusion: int) -> None:
        store = self._studio.store
        if store is not None:
            self._studio.query(lambda: store.withdraw_exclusion(exclusion), self._on_done, self._on_trouble)

    def _on_done(self, _nothing: object) -> None:
        self._say("")
        self.refresh()
        self.changed.emit()

    def _on_trouble(self, error: Exception) -> None:
        self._say(str(error))

    def _say(self, sentence: str) -> None:
        self.trouble.setText(sentence)
        self.trouble.setVisible(bool(sentence))
