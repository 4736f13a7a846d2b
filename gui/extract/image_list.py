"""The list of images with filters over it; arrow keys step, and it keeps its place while records arrive."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from core.records import Condition, StoredImage
from gui.extract.facts import ReadImage
from gui.extract.filters import ALL_GENERATORS, EVERY, Filter, chosen, statuses_in, words_of
from gui.fonts import px
from gui.models.coverage import in_words
from gui.models.rows import Column, RowsModel
from gui.widgets.caption import ElidedCaption
from gui.widgets.choice_box import ChoiceBox
from gui.widgets.segmented import Segmented
from gui.widgets.table import Table
from gui.words import counted, thousands

CONDITIONS: tuple[Condition | None, ...] = (None, *Condition)
COLUMNS = (
    Column("role", lambda one: in_words(one.image.role), tip=lambda one: one.image.prompt),
    Column(
        "condition",
        lambda one: one.image.condition or "none",
        marker=lambda one: one.image.condition,
    ),
    Column("generator", lambda one: one.image.generator, marker=lambda one: one.image.generator),
    Column("seed", lambda one: str(one.image.seed), lambda one: one.image.seed, is_number=True),
    Column("record", lambda one: words_of(one.status)),
)
GENERATOR, SEED = 2, 3
GENERATOR_FROM, SEED_FROM = 380, 500


class FilterRow(QWidget):
    """The filters in one row; `changed` when another choice was made."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.generator = ChoiceBox([ALL_GENERATORS], "Generator")
        self.condition = Segmented(["All", *(each.value for each in Condition)], "Condition")
        self.status = ChoiceBox([EVERY], "Record")
        self.role = QLineEdit()
        self.role.setPlaceholderText("Filter roles")
        self.role.setAccessibleName("Filter roles")
        self.role.setClearButtonEnabled(True)
        self.role.setMaximumWidth(px(200))
        self.role.setMinimumWidth(px(90))
        self.said = ElidedCaption("", "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(12))
        for widget in (self.generator, self.condition, self.status):
            row.addWidget(widget)
        row.addWidget(self.said, 1)
        row.addWidget(self.role)
        for signal in (
            self.generator.chosen,
            self.condition.chosen,
            self.status.chosen,
            self.role.textChanged,
        ):
            signal.connect(self._on_changed)

    @property
    def wanted(self) -> Filter:
        """What is chosen."""
        condition = CONDITIONS[self.condition.index]
        return Filter(self.generator.currentText(), condition, self.status.currentText(), self.role.text())

    def clear(self) -> None:
        """Want everything again."""
        self.generator.choose(ALL_GENERATORS)
        self.condition.choose(0)
        self.status.choose(EVERY)
        self.role.clear()

    def _on_changed(self) -> None:
        self.changed.emit()


class ImageList(QWidget):
    """The table; `moved(image)` when another one is current, None when none is."""

    moved = Signal(object)

    def __init__(self, filters: FilterRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[ReadImage, ...] = ()
        self._current: StoredImage | None = None
        self.filters = filters
        self.model = RowsModel(COLUMNS, self)
        self.table = Table(self.model, "Images")
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusProxy(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table)
        self.table.moved.connect(self._on_moved)
        filters.changed.connect(self._show)

    @property
    def rows(self) -> list[ReadImage]:
        """What is listed, in the order of the screen."""
        return list(self.model.rows)

    @property
    def current(self) -> StoredImage | None:
        """The image that is looked at."""
        return self._current

    def show_images(self, images: Sequence[ReadImage]) -> None:
        """List other images, or the same ones with other records."""
        self._all = tuple(images)
        generators = dict.fromkeys(one.image.generator for one in images)
        self.filters.generator.set_captions([ALL_GENERATORS, *generators])
        self.filters.status.set_captions(statuses_in(images))
        self._show()

    def select(self, image: StoredImage) -> None:
        """Go to an image, lifting the filters if they hide it."""
        self._current = image
        if self._row_of(image) is None:
            self.filters.clear()
        self._go_to_current()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Less important columns go when there is no room."""
        super().resizeEvent(event)
        width = self.width()
        self.table.setColumnHidden(GENERATOR, width < px(GENERATOR_FROM))
        self.table.setColumnHidden(SEED, width < px(SEED_FROM))
        self.table.set_widths(116 if width < px(GENERATOR_FROM) else 122, 86, 106, 96)

    def _show(self) -> None:
        rows = chosen(self._all, self.filters.wanted)
        whole = f" of {thousands(len(self._all))}" if len(rows) < len(self._all) else ""
        self.filters.said.setText(
            f"{thousands(len(rows))}{whole} images" if whole else counted(len(rows), "image")
        )
        before = [one.image.image_id for one in self.model.rows]
        if sorted(before) == sorted(one.image.image_id for one in rows):
            self._update(rows)
        else:
            self.model.set_rows(rows)
            self._go_to_current()

    def _update(self, rows: Sequence[ReadImage]) -> None:
        """The same images in the order they are in, with their new records."""
        new = {one.image.image_id: one for one in rows}
        self.model.rows[:] = [new[one.image.image_id] for one in self.model.rows]
        if rows:
            last = self.model.index(len(rows) - 1, len(COLUMNS) - 1)
            self.model.dataChanged.emit(self.model.index(0, 0), last)

    def _go_to_current(self) -> None:
        """Make the image current that was, else the first one."""
        row = self._row_of(self._current) if self._current is not None else None
        if row is None and self.model.rows:
            row = 0
        if row is None:
            self._on_moved(None)
            return
        # A column that is hidden cannot be current, so it is always the first.
        self.table.setCurrentIndex(self.model.index(row, 0))
        self._on_moved(self.model.rows[row])

    def _row_of(self, image: StoredImage | None) -> int | None:
        if image is None:
            return None
        ids = (one.image.image_id for one in self.model.rows)
        return next((row for row, number in enumerate(ids) if number == image.image_id), None)

    def _on_moved(self, one: ReadImage | None) -> None:
        image = one.image if one is not None else None
        if image is not None or not self.model.rows:
            self._current = image
            self.moved.emit(image)
