"""Adjudication after the lock: the list of cases at the left, the one that is looked at beside it.

The keyboard alone suffices. Every decision is written at once, one after the other in the order they were
made; taking back works on what is written, also after a restart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from core.labels.work import user_name
from gui.adjudication.case_card import CaseCard
from gui.adjudication.case_list import CaseList
from gui.adjudication.deciding import Deciding
from gui.adjudication.facts import Decisions, RoundCases, read_round
from gui.adjudication.keys import AdjudicationKeys
from gui.adjudication.large_image import LargeImage
from gui.adjudication.pictures import Pictures
from gui.adjudication.writing import DecisionWriter
from gui.fonts import px
from gui.studio import Studio
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.empty_page import EmptyPage
from gui.widgets.flow import Flow
from gui.words import counted, thousands

if TYPE_CHECKING:
    from annotation.adjudication_desk import AdjudicationDesk

LIST_WIDE, LIST_NARROW, WIDE_FROM, LIST_FROM = 420, 300, 1300, 760
OPEN_ROUND = "Adjudication begins once the round is locked."
NO_CASES = "Nobody has answered anything in this round."
NOTHING_LISTED = "No question of an image set is listed here."


class AdjudicationPanel(QWidget):
    """`closed` when the way back was asked for."""

    closed = Signal()

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.studio = studio
        self.found: RoundCases | None = None
        self.writer = DecisionWriter(studio, self)
        self.has_names = False
        self.setAccessibleName("Adjudication")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.back = Button("Back to the team", "quiet", key="Esc")
        self.title, self.facts = Caption("Adjudication", "card_title"), Caption("", "muted")
        self.trouble = Caption("", "danger", wraps=True)
        self.names = Button("Show names", "quiet", key="N")
        self.undo = Button("Take back", "quiet", "undo", key="Ctrl+Z")
        self.by = QLineEdit(user_name())
        self.by.setAccessibleName("Who decides")
        self._left = CaseList()
        self.listing, self.next, self.table = self._left.listing, self._left.next, self._left.table
        self.card = CaseCard(studio)
        self.empty = EmptyPage()
        self.large = LargeImage(studio, self)
        self.pictures = Pictures(studio, self.card, self.large, self)
        self.deciding = Deciding(self)
        self.dispatch = AdjudicationKeys(self)
        self._lay_out()
        self._connect()

    # Reading

    def open_round(self) -> None:
        """Read the newest round and show what waits; names are hidden anew."""
        store = self.studio.store
        self.has_names = False
        self.say_trouble("")
        self.empty.say("Reading what people answered")
        self._stack.setCurrentWidget(self.empty)
        if store is not None:
            self.studio.query(lambda: read_round(store), self._on_round)

    def clear(self) -> None:
        """Show nothing: the study is closed."""
        self.found = None
        self.writer.drop()

    @property
    def desk(self) -> AdjudicationDesk | None:
        """The cases and the one that is looked at."""
        return None if self.found is None else self.found.desk

    def _on_round(self, found: RoundCases | None) -> None:
        self.found = found
        if found is None or not found.desk.cases:
            self.empty.say(OPEN_ROUND if found is None else NO_CASES)
            return
        if not found.desk.waiting:
            found.desk.choose_listing("adjudicated" if found.desk.decided else "all")
        self._left.show_counts(found.desk)
        self.show_list()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    # Parts

    def _lay_out(self) -> None:
        top = Flow(gap=10, line_gap=4)
        self.by.setFixedWidth(px(130))
        for widget in (self.back, self.title, self.facts):
            top.addWidget(widget)
        who = QWidget()
        row = QHBoxLayout(who)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(8))
        for widget in (Caption("who decides", "muted"), self.by):
            row.addWidget(widget)
        for widget in (self.names, self.undo, who):
            top.add_right(widget)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.card)
        self._stack.addWidget(self.empty)
        both = QHBoxLayout()
        both.setSpacing(px(12))
        both.addWidget(self._left)
        both.addWidget(self._stack, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), 0, px(16), px(12))
        column.setSpacing(px(8))
        column.addLayout(top)
        column.addWidget(self.trouble)
        column.addLayout(both, 1)
        self.trouble.hide()
        for button in (self.back, self.names, self.undo, self.next):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def _connect(self) -> None:
        self.back.clicked.connect(self.closed)
        self.names.clicked.connect(self.toggle_names)
        self.undo.clicked.connect(self.deciding.take_back)
        self.next.clicked.connect(self.next_waiting)
        self.by.returnPressed.connect(self.take_keys)
        self._left.listed.connect(self._on_listing)
        self.table.clicked.connect(self._on_row)
        self.large.closed.connect(self.take_keys)
        self.pictures.shown.connect(self.take_keys)
        self.card.tiles.pressed.connect(self.pictures.enlarge)
        self.writer.written.connect(self._on_written)
        self.writer.failed.connect(self._on_not_written)
        self.card.bar.left.connect(self.take_keys)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The list is narrower in a narrow window."""
        super().resizeEvent(event)
        self._left.setFixedWidth(px(LIST_WIDE if self.width() >= px(WIDE_FROM) else LIST_NARROW))
        self._left.setVisible(self.width() >= px(LIST_FROM))
        self.large.setGeometry(self.rect())

    # Showing

    def show_list(self) -> None:
        """Show the list, the case, and how much waits."""
        desk, found = self.desk, self.found
        if desk is None or found is None:
            return
        self.table.show_cases([desk.cases[place] for place in desk.listed], found.names)
        self.title.setText(f"Adjudication, {found.name}")
        self.show_case()

    def show_case(self) -> None:
        """Show the case that is looked at."""
        desk, found = self.desk, self.found
        if desk is None or found is None:
            return
        decided = counted(desk.decided, "is decided", "are decided")
        self.facts.setText(f"{thousands(desk.waiting)} wait for a decision, {decided}")
        self.undo.setEnabled(desk.newest_decided() is not None or self.writer.is_busy)
        self.next.setEnabled(desk.waiting > 0)
        case = desk.case
        self.table.select(case)
        if case is None:
            self.empty.say(NOTHING_LISTED)
            self._stack.setCurrentWidget(self.empty)
            return
        self._stack.setCurrentWidget(self.card)
        name = found.names.get(case.question.id, case.question.id)
        self.card.show_case(case, desk.draft, name, with_names=self.has_names)

    def say_trouble(self, sentence: str) -> None:
        """What went wrong, in place."""
        self.trouble.setText(sentence)
        self.trouble.setVisible(bool(sentence))

    # Moving

    def take_keys(self) -> None:
        """The keys are the case's again."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_listing(self, listing: str) -> None:
        if self.desk is not None:
            self.desk.choose_listing(listing)
            self.show_list()
            self.take_keys()

    def _on_row(self, index: QModelIndex) -> None:
        if self.desk is not None:
            self.desk.go_to(self.table.case_at(index.row()).place)
            self.show_case()

    def step(self, by: int) -> None:
        """The next case of the list, or the one before."""
        if self.desk is not None:
            self.desk.step(by)
            self.show_case()

    def next_waiting(self) -> None:
        """The next case that waits."""
        if self.desk is not None:
            before = self.desk.listed
            self.desk.next_waiting()
            if self.desk.listed != before:
                self.show_list()
            self.show_case()
            self.take_keys()

    def toggle_names(self) -> None:
        """Show who is who, or hide it again."""
        self.has_names = not self.has_names
        self.names.setText("Hide names" if self.has_names else "Show names")
        self.show_case()

    # Writing

    def _on_written(self, decisions: Decisions) -> None:
        if self.desk is not None:
            self.desk.set_decisions(decisions)
            self._left.show_counts(self.desk)
            self.show_list()

    def _on_not_written(self, sentence: str) -> None:
        self.say_trouble(f"{sentence} The list is read anew.")
        store = self.studio.store
        if store is not None:
            self.studio.query(lambda: read_round(store), self._on_round)

    def close_topmost(self) -> bool:
        """Esc: the enlarged picture, then typing, then the view itself."""
        if self.large.put_away():
            return True
        if self.card.bar.is_typing or self.by.hasFocus():
            self.take_keys()
            return True
        self.closed.emit()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys of the case; while somebody types, only Esc is ours of what a text box leaves over."""
        is_typing = self.card.bar.is_typing or self.by.hasFocus()
        is_ours = not is_typing or event.key() == Qt.Key.Key_Escape
        if not is_ours or not self.dispatch.take(event):
            super().keyPressEvent(event)
