"""Ways of counting side by side: our result, the labels as they were said, and the published formulas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.models.number import NO_VALUE, decimals, interval
from gui.models.persistence_data import PUBLISHED, VERDICTS
from gui.models.results_data import ALL
from gui.models.rows import Column, RowsModel
from gui.results.view import ResultsView
from gui.results.ways import DIFFERENCES, WayRow, Ways, compute_ways, why_words
from gui.studio import Studio
from gui.widgets.caption import Caption, rule
from gui.widgets.choice import Choice
from gui.widgets.computed_stack import ComputedStack
from gui.widgets.coverage_legend import Foot
from gui.widgets.number_list import NumberEntry, NumberList
from gui.widgets.scroll_column import ScrollColumn
from gui.widgets.table import Table
from gui.words import MINUS, counted, thousands

SIDE, SIDE_NARROW, WIDE_FROM, SIDE_FROM = 330, 280, 1320, 900
NARROW_HIDES = (3, 5)
TABLE_WIDTHS = (170, 96, 62, 112, 90, 86, 90, 122)
PLACES = 3


def _signed(value: float | None) -> str:
    if value is None:
        return NO_VALUE
    said = decimals(abs(value), PLACES)
    return said if float(said) == 0 else f"+{said}" if value > 0 else f"{MINUS}{said}"


def _known(value: float | None) -> float:
    return -2.0 if value is None else value


COLUMNS = (
    Column("cohort or dimension", lambda row: row.name),
    Column("condition", lambda row: row.spot.condition.value, marker=lambda row: row.spot.condition),
    Column("BI", lambda row: decimals(row.own.value, PLACES), lambda row: _known(row.own.value), True),
    Column("95 % interval", lambda row: interval(row.own, PLACES) or NO_VALUE, is_number=True),
    Column(
        "raw labels", lambda row: decimals(row.raw.value, PLACES), lambda row: _known(row.raw.value), True
    ),
    Column("minus raw", lambda row: _signed(row.raw_change), lambda row: _known(row.raw_change), True),
    Column(
        "published", lambda row: decimals(row.paper.value, PLACES), lambda row: _known(row.paper.value), True
    ),
    Column(
        "minus published", lambda row: _signed(row.paper_change), lambda row: _known(row.paper_change), True
    ),
    Column("why", why_words, tip=why_words),
)


def resampled_words(run: Mapping[str, Any]) -> str:
    """Over what the intervals of a result are, and how it stands with seeds; "" where nothing is known."""
    drawn = run.get("resampled", {})
    if not drawn:
        return ""
    draws = int(run.get("options", {}).get("bootstrap", 0))
    many = f"; {thousands(draws)} draws" if draws else ""
    return f"Bias Intensity {drawn['bi']}, labels {drawn['labels']}{many}. {drawn['words']}"


class WaysPanel(QWidget):
    """`opened(Spot)` for a Bias Intensity to be opened, `verdicts_wanted(ours, published)` for labels."""

    opened = Signal(object)
    verdicts_wanted = Signal(str, str)

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self._studio = studio
        self._view: ResultsView | None = None
        self.generator = Choice([], "Generator")
        self.about = Caption("", "muted", wraps=True)
        self.model = RowsModel(COLUMNS, self)
        self.table = Table(self.model, "Bias Intensity in three ways of counting")
        self.foot = Foot()
        self.verdicts = NumberList("Verdicts, ours and the published ones")
        self.stack = ComputedStack(studio, "Ways of counting", "results", self._content())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.stack)
        self.stack.arrived.connect(self._on_ways)
        self.stack.wanted.connect(self._ask)
        self.generator.chosen.connect(self._show)
        self.table.opened.connect(self._on_opened)
        self.table.moved.connect(self._on_moved)
        self.verdicts.chosen.connect(self._on_pair)

    def show_view(self, view: ResultsView) -> None:
        """Count the records of a result in other ways, in the background."""
        if self._view is not view:
            self.stack.computed.outdate()
            self._view = view
            self.resampled.setText(resampled_words(view.run))
            names = view.intensities.generators
            words = [f"mean of {len(names)} generators", *names] if len(names) > 1 else list(names)
            self.generator.set_words(words)
        self._ask()

    @property
    def ways(self) -> Ways | None:
        """What is shown."""
        return self.stack.result if isinstance(self.stack.result, Ways) else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow window interval and change by mapping make room for why the ways differ."""
        super().resizeEvent(event)
        is_narrow = self.width() < px(WIDE_FROM)
        for column in NARROW_HIDES:
            self.table.setColumnHidden(column, is_narrow)
        self.side.setFixedWidth(px(SIDE_NARROW if is_narrow else SIDE))
        self.side.setVisible(self.width() >= px(SIDE_FROM))

    def _ask(self) -> None:
        store, view = self._studio.store, self._view
        if store is not None and view is not None:
            self.stack.ask(view.settings, lambda: compute_ways(store, view))

    def _content(self) -> QWidget:
        self.table.set_widths(*TABLE_WIDTHS)
        card = QFrame()
        card.setProperty("kind", "card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(px(16), px(8), px(8), px(8))
        head = QHBoxLayout()
        head.addWidget(Caption("Bias Intensity, plug-in, roles pooled", "card_title"))
        head.addStretch(1)
        head.addWidget(self.generator)
        inside.addLayout(head)
        inside.addWidget(self.about)
        inside.addWidget(self.table, 1)
        inside.addWidget(rule())
        inside.addWidget(self.foot)
        content = QWidget()
        row = QHBoxLayout(content)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(12))
        row.addWidget(card, 1)
        self.side = self._side()
        row.addWidget(self.side)
        return content

    def _side(self) -> QWidget:
        side = QFrame()
        side.setProperty("kind", "card")
        scroll = ScrollColumn()
        scroll.column.addWidget(Caption("Verdicts, audit / published", "card_title"))
        scroll.column.addWidget(self.verdicts)
        scroll.column.addWidget(Caption("What intervals rest on", "card_title"))
        self.resampled = Caption("", "muted", wraps=True)
        scroll.column.addWidget(self.resampled)
        scroll.column.addWidget(Caption("What sets the modes apart", "card_title"))
        for sentence in DIFFERENCES:
            scroll.column.addWidget(Caption(sentence, "muted", wraps=True))
        scroll.column.addStretch(1)
        inside = QVBoxLayout(side)
        inside.setContentsMargins(px(16), px(10), px(4), px(10))
        inside.addWidget(scroll)
        return side

    def _on_ways(self, ways: Ways) -> None:
        mapped = (
            f"{counted(ways.merged, 'label')} of this study have another name by the label map."
            if ways.merged
            else "The label map of this study merges nothing, so raw and mapped labels are the same."
        )
        self.about.setText(mapped)
        total = max(sum(ways.verdicts.values()), 1)
        self.verdicts.show_entries(
            [
                NumberEntry(
                    f"{ours}|{other}",
                    f"{ours.removesuffix(' data')} / {other}",
                    None,
                    thousands(number),
                    number / total,
                )
                for ours in VERDICTS
                for other in PUBLISHED
                if (number := ways.verdicts.get((ours, other), 0))
            ]
        )
        self._show()

    def _show(self) -> None:
        ways, view = self.ways, self._view
        if ways is None or view is None:
            return
        names = view.intensities.generators
        chosen = (ALL, *names)[self.generator.currentIndex()] if len(names) > 1 else names[0]
        self.model.set_rows([row for row in ways.rows if row.spot.generator == chosen])
        if self.model.rows:
            self.table.setCurrentIndex(self.model.index(0, 0))

    def _on_moved(self, row: WayRow | None) -> None:
        if row is not None:
            name = f"{row.name}, {row.spot.condition.value}"
            said = f"{decimals(row.own.value, PLACES)} here, {decimals(row.paper.value, PLACES)} as published"
            self.foot.say(name, [f"{said}: {why_words(row)}"], "Enter opens the images")

    def _on_opened(self, row: WayRow) -> None:
        self.opened.emit(row.spot)

    def _on_pair(self, key: str) -> None:
        self.verdicts_wanted.emit(*key.split("|"))
