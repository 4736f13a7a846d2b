"""The drawer of the Results page: images behind a label by condition, or what a Bias Intensity is made of."""

from __future__ import annotations

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.records import Condition, StoredImage
from gui.fonts import px
from gui.models.number import Number, decimals, interval
from gui.models.persistence_table import PersistenceRow
from gui.models.results_data import ALL, Kind, Spot
from gui.results.condition_group import ConditionGroup
from gui.results.looking_up import Found, Sheet, label_name, sheet_of_spot, sheets_of_row
from gui.results.row_text import table_row
from gui.results.sentences import (
    ccs_words,
    no_truth_words,
    prompt_words,
    row_facts,
    share_words,
    spot_facts,
    spot_meaning,
    spot_rests_on,
    spot_title,
    truth_words,
    verdict_meaning,
    verdict_words,
)
from gui.results.sheet_legend import SheetLegend
from gui.results.view import ResultsView
from gui.studio import Studio
from gui.tasks import Query
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.card import empty_layout
from gui.widgets.chip import Chip
from gui.widgets.drawer import Drawer
from gui.widgets.image_details import ImageDetails
from gui.widgets.number_list import NumberEntry, NumberList
from gui.widgets.scroll_column import ScrollColumn
from gui.widgets.thumbnails import Thumbnails

COMPARISONS = ("CA-R - CF", "CA-U - CF", "CA-U - CA-R")


class ResultsDrawer(Drawer):
    """Opened with a row of the table or a place of the chart; `asked_for(Spot)` when a part was chosen."""

    asked_for = Signal(object)

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._view: ResultsView | None = None
        self.row: PersistenceRow | None = None
        self.spot: Spot | None = None
        self._kind: Kind | None = None
        self._label = ""
        self._query: Query | None = None
        thumbnails = Thumbnails(studio, self)
        self.groups = tuple(ConditionGroup(studio, thumbnails) for _ in range(3))
        self.number, self.ends = Caption("", "number"), Caption("", "muted", wraps=True)
        self.rests_on, self.formula = Caption("", "muted", wraps=True), Caption("", "small", wraps=True)
        self.truth, self.reason = Caption("", "small", wraps=True), Caption("", "muted", wraps=True)
        self.verdict = QHBoxLayout()
        self._change, self._next_change = "", ""
        self.changes_title = Caption(
            "Change between conditions; bold: its interval leaves out 0", "strong", wraps=True
        )
        self.changes = NumberList("Change between conditions")
        self.parts_title = Caption("", "strong")
        self.parts = NumberList("Parts")
        self.legend = SheetLegend()
        self.moves = Caption("", "muted", wraps=True)
        self.details = ImageDetails(studio)
        self.copy = Button("Copy as table row", "quiet")
        self._scroll = ScrollColumn()
        self._lay_out()
        self._connect()

    # -- opening --------------------------------------------------------------------------------

    def show_row(self, view: ResultsView, row: PersistenceRow) -> None:
        """Open on a label of a role."""
        if view is self._view and row == self.row and not self.isHidden():
            return
        self._begin(view, row, None)
        label = label_name(view, row.dimension, row.label)
        self.open_with(f"{row.role_name}, {row.dimension_name}: {label}", row_facts(view, row))
        self.verdict.addWidget(Chip(row.verdict))
        self.verdict.addWidget(Caption(verdict_words(view, row)))
        self.verdict.addStretch(1)
        self._say(self.formula, verdict_meaning(view, row))
        self._say(self.rests_on, ccs_words(row))
        reason = row.reason.replace("test degenerate_all:", "no test:")
        self._say(self.reason, f"{reason[0].upper()}{reason[1:]}." if reason else "")
        self._say(self.moves, prompt_words(row))
        self.legend.show_label(label)
        self.copy.show()
        store = self._studio.store
        if store is not None:
            key = (row.generator, row.role, row.dimension, row.label)
            self._query = self._studio.query(lambda: sheets_of_row(store, view, row, *key), self._on_found)

    def show_spot(self, view: ResultsView, spot: Spot, kind: Kind, label: str = "") -> None:
        """Open on a place of the chart; `label` chooses whose images are shown."""
        found = view.intensities.at(kind, spot)
        if found is None:
            return
        self._begin(view, None, spot)
        self._kind, self._label = kind, label
        self._change, self._next_change = self._next_change, ""
        self.open_with(f"Bias Intensity: {spot_title(view, spot)}", spot_facts(view, spot))
        self.number.setText(decimals(found.number.value))
        self.number.show()
        self._say(self.ends, _ends(found.number))
        self._say(self.rests_on, spot_rests_on(spot, kind, found))
        self._say(self.formula, spot_meaning(spot, found))
        self._say(self.truth, truth_words(found) or no_truth_words(view, spot))
        reason = found.number.reason
        self._say(self.reason, f"– because: {reason}." if found.number.value is None else "")
        is_remark = bool(reason) and found.number.value is not None
        self._say(self.moves, f"{reason[0].upper()}{reason[1:]}." if is_remark else "")
        self._show_changes(view, spot, kind)
        self._show_parts(view, spot, kind)

    def close_image(self) -> bool:
        """Close the image, if one is open."""
        return self.details.close_it()

    # -- parts ----------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(px(10))
        line.addWidget(self.number)
        line.addWidget(self.ends, 1)
        column = self._scroll.column
        column.addLayout(line)
        column.addLayout(self.verdict)
        for widget in (self.rests_on, self.formula, self.truth, self.reason):
            column.addWidget(widget)
        for part in (self.changes_title, self.changes, self.parts_title, self.parts):
            column.addWidget(part)
        for group in self.groups:
            column.addWidget(group)
        column.addWidget(self.legend)
        column.addWidget(self.moves)
        column.addStretch(1)
        self.body.addWidget(self._scroll, 1)
        self.body.addWidget(self.details)
        foot = QHBoxLayout()
        foot.addWidget(self.copy)
        foot.addStretch(1)
        self.body.addLayout(foot)

    def _connect(self) -> None:
        self.copy.clicked.connect(self._on_copy)
        self.parts.chosen.connect(self._on_part)
        self.changes.chosen.connect(self._on_change)
        for group in self.groups:
            group.sheet.chosen.connect(self._on_image)
            group.sheet.moved.connect(self._on_moved)

    def _begin(self, view: ResultsView, row: PersistenceRow | None, spot: Spot | None) -> None:
        """Put away what another kind of number showed."""
        self._view, self.row, self.spot = view, row, spot
        if self._query is not None:
            self._query.drop()
            self._query = None
        self.details.close_it()
        empty_layout(self.verdict)
        hidden: list[QWidget] = [self.number, self.ends, self.rests_on, self.formula, self.truth, self.reason]
        hidden += [self.moves, self.changes, self.changes_title, self.parts, self.parts_title]
        hidden += [*self.groups, self.legend, self.copy]
        for widget in hidden:
            widget.hide()
        self._scroll.to_top()

    def _say(self, caption: Caption, words: str) -> None:
        caption.setText(words)
        caption.setVisible(bool(words))

    def _show_changes(self, view: ResultsView, spot: Spot, kind: Kind) -> None:
        found = view.intensities.changes
        entries = []
        for name in COMPARISONS:
            number = found.get((kind, spot.generator, spot.cohort, spot.dimension, name))
            if number is not None:
                entries.append(NumberEntry(name, _said(name), number, is_bold=number.leaves_zero_out))
        self.changes.show_entries(entries, self._change)
        self.changes.setVisible(bool(entries))
        self.changes_title.setVisible(bool(entries))

    def _show_parts(self, view: ResultsView, spot: Spot, kind: Kind) -> None:
        if spot.generator != ALL and spot.dimension != ALL:
            self._look_up(spot)
            return
        parts = _parts_of(view, spot)
        entries = [
            NumberEntry(str(number), name, found)
            for number, (name, part) in enumerate(parts)
            if (found := self._number_of(view, part, kind)) is not None
        ]
        noun = "Generators" if spot.generator == ALL else "Cohorts" if spot.cohort == ALL else "Dimensions"
        self.parts_title.setText(f"{noun}, {_said(self._change)}" if self._change else noun)
        self.parts_title.show()
        self.parts.show_entries(entries)
        self.parts.show()

    def _number_of(self, view: ResultsView, spot: Spot, kind: Kind) -> Number | None:
        if self._change:
            return view.intensities.changes.get(
                (kind, spot.generator, spot.cohort, spot.dimension, self._change)
            )
        found = view.intensities.at(kind, spot)
        return found.number if found is not None else None

    def _look_up(self, spot: Spot) -> None:
        store, view, label = self._studio.store, self._view, self._label
        conditions = tuple(Condition(one) for one in self._change.split(" - ")) if self._change else ()
        if store is not None and view is not None:
            self._query = self._studio.query(
                lambda: sheet_of_spot(store, view, spot, label, conditions), self._on_found
            )

    def _on_change(self, name: str) -> None:
        """Show what a change is made of: of a mean its parts, else the images of both conditions."""
        view, spot, kind = self._view, self.spot, self._kind
        if view is not None and spot is not None and kind is not None:
            self._change = "" if name == self._change else name
            self._show_changes(view, spot, kind)
            self._show_parts(view, spot, kind)

    def _on_found(self, found: Found) -> None:
        self._query = None
        view = self._view
        shown = self.row or self.spot
        if view is None or shown is None or found.key != shown:
            return
        dimension = shown.dimension
        if self.spot is not None:
            self._show_labels(view, found, dimension)
        for group, sheet in zip(self.groups, _padded(found.sheets), strict=True):
            group.setVisible(sheet is not None)
            if sheet is not None:
                group.show_sheet(sheet)
        self.legend.show_label(label_name(view, dimension, found.label))
        self.legend.setVisible(any(sheet.group.images for sheet in found.sheets))

    def _show_labels(self, view: ResultsView, found: Found, dimension: str) -> None:
        self._label = found.label
        entries = [
            NumberEntry(label, label_name(view, dimension, label), None, share_words(number, of), number / of)
            for label, number, of in found.labels
        ]
        self.parts_title.setText("Labels, the most frequent first")
        self.parts_title.setVisible(bool(entries))
        self.parts.show_entries(entries, found.label)
        self.parts.setVisible(bool(entries))

    def _on_part(self, key: str) -> None:
        view, spot, kind = self._view, self.spot, self._kind
        if view is None or spot is None or kind is None:
            return
        if spot.generator != ALL and spot.dimension != ALL:
            self._label = key
            self._look_up(spot)
            return
        self._next_change = self._change
        self.asked_for.emit(_parts_of(view, spot)[int(key)][1])

    def _on_image(self, image: StoredImage) -> None:
        dimension = self.row.dimension if self.row is not None else self.spot.dimension if self.spot else ""
        self.details.show_image(image, dimension)

    def _on_moved(self, place: QRect) -> None:
        sheet = self.sender()
        if isinstance(sheet, QWidget):
            self._scroll.keep_in_sight(sheet, place)
        current = getattr(sheet, "current", None)
        if self.details.image is not None and isinstance(current, StoredImage):
            self._on_image(current)

    def _on_copy(self) -> None:
        if self.row is not None and self._view is not None:
            QGuiApplication.clipboard().setText(table_row(self._view, self.row))


def _parts_of(view: ResultsView, spot: Spot) -> list[tuple[str, Spot]]:
    """What a mean is the mean of: generators, cohorts, or dimensions."""
    found = view.intensities
    if spot.generator == ALL:
        return [(one, Spot(one, spot.cohort, spot.dimension, spot.condition)) for one in found.generators]
    if spot.cohort == ALL:
        return [(one, Spot(spot.generator, one, ALL, spot.condition)) for one in found.cohorts]
    dimensions = found.dimensions.get(spot.cohort, ())
    return [
        (found.row_name(spot.cohort, one), Spot(spot.generator, spot.cohort, one, spot.condition))
        for one in dimensions
    ]


def _said(change: str) -> str:
    return change.replace(" - ", " − ")


def _ends(number: Number) -> str:
    return f"{interval(number).replace('–', ' to ')}, 95 % interval" if number.has_interval else ""


def _padded(sheets: tuple[Sheet, ...]) -> tuple[Sheet | None, ...]:
    return (*sheets, *(None for _ in range(3 - len(sheets))))
