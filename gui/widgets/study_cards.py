"""The cards at the right of the Study page: the next act, progress, what failed, annotators."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.fonts import font, px, width_of
from gui.icons import draw_icon
from gui.models.behind import Asked, Sum
from gui.models.coverage import Cell, Layer
from gui.models.failures import FailureClass
from gui.models.next_act import NextAct
from gui.models.overview import Overview
from gui.palette import palette
from gui.widgets.button import Button
from gui.widgets.caption import Caption, ElidedCaption
from gui.widgets.card import Card
from gui.widgets.progress_bar import ProgressBar
from gui.words import counted, day, thousands

MOST_FAILURES_SHOWN = 5


class NextCard(Card):
    """The next sensible act with the one primary button of the view, and why it is the next."""

    asked_for = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._act: NextAct | None = None
        self._heading = Caption("Next", "accent")
        self._what = Caption("", "drawer_title", wraps=True)
        self._facts = Caption("", "muted", wraps=True)
        self._reason = Caption("", "muted", wraps=True)
        self.go = Button("", "primary")
        self.why = Button("Why this?", "quiet")
        self.why.setCheckable(True)
        for caption in (self._heading, self._what, self._facts):
            self.body.addWidget(caption)
        row = QHBoxLayout()
        row.setContentsMargins(0, px(6), 0, 0)
        row.addWidget(self.go)
        row.addWidget(self.why)
        row.addStretch(1)
        self.body.addLayout(row)
        self.body.addWidget(self._reason)
        self._reason.hide()
        self.go.clicked.connect(self._on_go)
        self.why.toggled.connect(self._reason.setVisible)

    @property
    def act(self) -> NextAct | None:
        """The act that is shown."""
        return self._act

    def show_act(self, act: NextAct, is_page_there: bool) -> None:
        """Show an act; without its page it is only said."""
        self._act = act
        self.setAccessibleName(f"Next: {act.title}")
        self._what.setText(act.title)
        self._facts.setText(act.facts)
        self._reason.setText(act.reason)
        self.go.setText(act.button)
        self.go.setAccessibleName(act.button)
        self.go.setVisible(is_page_there)

    def _on_go(self) -> None:
        if self._act is not None:
            self.asked_for.emit(self._act.page)


SUMS = {
    Layer.IMAGES: (Sum.IMAGES, Sum.FAILED_IMAGES),
    Layer.RECORDS: (Sum.READ, Sum.UNREAD),
    Layer.ANSWERS: (Sum.ANSWERED, None),
}
"""What a count of a layer opens, and what its failures open."""


class ProgressCard(Card):
    """Prompts, images, records and answers: how many of how many, and what failed among them.

    `sum_wanted(Asked)` when somebody wants to see the images behind a count, `prompts_wanted` for prompts.
    """

    sum_wanted = Signal(object)
    prompts_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Progress", parent)
        self._rows = {layer: ProgressRow(layer.value.capitalize()) for layer in Layer}
        for layer, row in self._rows.items():
            self.body.addWidget(row)
            row.wanted.connect(partial(self._on_wanted, layer))

    def _on_wanted(self, layer: Layer, is_failed: bool) -> None:
        asked = SUMS.get(layer, (None, None))[is_failed]
        if asked is not None:
            self.sum_wanted.emit(Asked(asked))
        elif layer is Layer.PROMPTS:
            self.prompts_wanted.emit()

    def row(self, layer: Layer) -> ProgressRow:
        """The row of a layer."""
        return self._rows[layer]

    def show_overview(self, overview: Overview) -> None:
        """Show the sums of an overview."""
        table, counts = overview.table, overview.counts
        generators = counted(counts.generators, "generator") if counts.generators else "no generator yet"
        people = counted(counts.annotators, "annotator")
        questions = f", {counted(overview.questions, 'question')}" if overview.questions else ""
        said = {
            Layer.PROMPTS: f"{overview.design} design",
            Layer.IMAGES: generators,
            Layer.RECORDS: ", ".join(overview.extractors) or "no extractor yet",
            Layer.ANSWERS: people + questions if overview.image_sets else "no image sets yet",
        }
        for layer, row in self._rows.items():
            row.show_cell(table.sum(layer), said[layer])


class ProgressRow(QWidget):
    """One layer: its bar, its count and its failures; `wanted(is_failed)` when one of the two is pressed."""

    wanted = Signal(bool)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        grid = QGridLayout(self)
        grid.setContentsMargins(0, px(2), 0, px(4))
        grid.setVerticalSpacing(px(2))
        grid.setHorizontalSpacing(px(8))
        self._said = ElidedCaption("", "muted")
        self.count, self.failed = Button("–", "link"), Button("", "link_danger")
        self.count.clicked.connect(self._on_count)
        self.failed.clicked.connect(self._on_failed)
        self._bar = ProgressBar(name)
        grid.addWidget(Caption(name, "strong"), 0, 0)
        grid.addWidget(self.count, 0, 1, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self._bar, 1, 0, 1, 2)
        grid.addWidget(self._said, 2, 0)
        grid.addWidget(self.failed, 2, 1, Qt.AlignmentFlag.AlignRight)
        grid.setColumnStretch(0, 1)

    def show_cell(self, cell: Cell, said: str) -> None:
        words = f"{thousands(cell.done)} of {thousands(cell.whole)}" if cell.whole else "–"
        _say(self.count, words, f"{self._name}: {words}", is_open=bool(cell.done))
        self._bar.set_progress(cell.done, cell.whole)
        self._said.setText(said)
        lost = f"{thousands(cell.failed)} failed" if cell.failed else ""
        _say(self.failed, lost, f"{self._name}: {lost}", is_open=bool(lost))
        self.failed.setVisible(bool(lost))

    def _on_count(self) -> None:
        self.wanted.emit(False)

    def _on_failed(self) -> None:
        self.wanted.emit(True)


def _say(button: Button, words: str, name: str, *, is_open: bool) -> None:
    """A count as a link; one that counts nothing opens nothing."""
    button.setText(words)
    button.setAccessibleName(name)
    button.setEnabled(is_open)


class FailureRow(QAbstractButton):
    """One class of failures: how many, what, where; a click opens the page where it is dealt with."""

    def __init__(self, failure: FailureClass, opens: bool) -> None:
        super().__init__()
        self.failure = failure
        self._opens = opens
        self.setEnabled(opens)
        self.setAccessibleName(f"{failure.count} {failure.title}, {failure.where}")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(px(42))

    def enterEvent(self, event: QEnterEvent) -> None:
        """The row under the pointer is shown."""
        super().enterEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint count, two lines and the chevron."""
        painter, roles = QPainter(self), palette()
        if self._opens and self.underMouse():
            painter.fillRect(self.rect(), roles.hover)
        painter.fillRect(0, self.height() - 1, self.width(), 1, roles.line)
        number = thousands(self.failure.count)
        left = max(width_of(number, 13, True), px(26))
        painter.setPen(roles.danger)
        painter.setFont(font(13, True))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(0, px(4), left, px(18), right, number)
        self._paint_words(painter, left + px(12))
        if self._opens:
            place = self.rect().toRectF()
            place.setLeft(place.right() - px(16))
            draw_icon(painter, "right", "muted", place.adjusted(0, px(12), 0, -px(12)))
        if self.hasFocus():
            painter.setPen(QPen(roles.focus, 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def _paint_words(self, painter: QPainter, left: int) -> None:
        middle_left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        width = self.width() - left - px(20)
        for top, text, size, role in (
            (px(4), self.failure.title, 13, "text"),
            (px(21), self.failure.where, 12, "muted"),
        ):
            painter.setPen(palette().role(role))
            painter.setFont(font(size))
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
            painter.drawText(left, top, width, px(18), middle_left, shown)


class FailuresCard(Card):
    """What failed, by class; hidden while nothing did."""

    asked_for = Signal(str, object)

    def show_failures(self, failures: tuple[FailureClass, ...], pages: frozenset[str]) -> None:
        """Show the largest classes; further ones are summed in a last line."""
        self.empty()
        total = sum(one.count for one in failures)
        self.set_title(f"What failed, {counted(total, 'item')}")
        for one in failures[:MOST_FAILURES_SHOWN]:
            row = FailureRow(one, one.page in pages)
            row.clicked.connect(self._on_row)
            self.body.addWidget(row)
        rest = failures[MOST_FAILURES_SHOWN:]
        if rest:
            others = sum(one.count for one in rest)
            self.body.addWidget(Caption(f"and {thousands(others)} of other classes", "muted"))
        self.setVisible(bool(failures))

    def _on_row(self) -> None:
        row = self.sender()
        if isinstance(row, FailureRow):
            self.asked_for.emit(row.failure.page, row.failure)


class PeopleCard(Card):
    """Annotators with how far they are; simulated ones say so. Hidden while there is none.

    `sum_wanted(Asked)` when somebody wants to see the image sets that a person answered.
    """

    sum_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Annotators", parent)

    def show_overview(self, overview: Overview) -> None:
        """One line a person."""
        self.empty()
        for person in overview.annotators:
            row = QHBoxLayout()
            row.setContentsMargins(0, px(3), 0, px(3))
            row.setSpacing(px(10))
            row.addWidget(Caption(person.annotator.name, "strong"))
            words = f"{thousands(person.image_sets)} of {thousands(overview.image_sets)}"
            count = Button("", "link")
            _say(count, words, f"{person.annotator.name}: {words}", is_open=bool(person.image_sets))
            asked = Asked(Sum.ANSWERED, person.annotator.name)
            count.clicked.connect(partial(self.sum_wanted.emit, asked))
            row.addWidget(count)
            if person.annotator.is_simulated:
                said = "simulated"
            else:
                said = f"last answer {day(person.last_at)}" if person.last_at else "no answer yet"
            row.addStretch(1)
            row.addWidget(Caption(said, "muted"))
            self.body.addLayout(row)
        self.setVisible(bool(overview.annotators))


def column_of(*cards: QWidget) -> QVBoxLayout:
    """Cards under each other, 12 px apart, with the rest of the height left free."""
    column = QVBoxLayout()
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(px(12))
    for card in cards:
        column.addWidget(card)
    column.addStretch(1)
    return column
