"""The list of images with filters over it; arrow keys step, and it keeps its place while records arrive."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from core.records import Condition, StoredImage
from gui.extract.facts import ReadImage
from gui.extract.filters import ALL_GENERATORS, EVERY, Filter, Listed, Picked, pick, words_of
from gui.fonts import px
from gui.models.coverage import in_words
from gui.models.rows import Column, RowsModel
from gui.studio import Studio
from gui.tasks import Query
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
CONDITION, GENERATOR, SEED = 1, 2, 3
CONDITION_FROM, GENERATOR_FROM, SEED_FROM = 260, 380, 500
ONE_LINE_FROM = 700


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
        first, second = QHBoxLayout(), QHBoxLayout()
        self._rows = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        for layout in (self._rows, first, second):
            layout.setSpacing(px(12))
        for choice in (self.generator, self.condition):
            first.addWidget(choice)
        first.addStretch(1)
        second.addWidget(self.status)
        second.addWidget(self.said, 1)
        second.addWidget(self.role)
        self._rows.addLayout(first)
        self._rows.addLayout(second, 1)
        for signal in (
            self.generator.chosen,
            self.condition.chosen,
            self.status.chosen,
            self.role.textChanged,
        ):
            signal.connect(self._on_changed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Two lines where one would squeeze."""
        super().resizeEvent(event)
        direction = QBoxLayout.Direction
        is_narrow = self.width() < px(ONE_LINE_FROM)
        self._rows.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        self._rows.setSpacing(px(8 if is_narrow else 12))

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
    """The table; `moved(image)` when another is current, None when none is; `listed` after each change."""

    moved = Signal(object)
    listed = Signal()

    def __init__(self, studio: Studio, filters: FilterRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._all, self._picked = Listed(), Picked()
        self._current: StoredImage | None = None
        self._query: Query | None = None
        self.filters = filters
        self.model = RowsModel(COLUMNS, self)
        self.table = Table(self.model, "Images")
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusProxy(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table)
        self.table.moved.connect(self._on_moved)
        filters.changed.connect(self._pick)

    @property
    def rows(self) -> list[ReadImage]:
        """What is listed, in the order of the screen."""
        return list(self.model.rows)

    @property
    def is_whole(self) -> bool:
        """Whether all images are there to be listed."""
        return bool(self._all.images) and not self._all.is_part

    @property
    def is_untouched(self) -> bool:
        """Whether nothing is listed, looked at or filtered yet."""
        return not self._all.images and self._current is None and self.filters.wanted == Filter()

    @property
    def current(self) -> StoredImage | None:
        """The image that is looked at."""
        return self._current

    def show_images(self, found: Listed) -> None:
        """List other images, or the same ones with other records."""
        self._all = found
        if not found.is_part:  # what is chosen must not go because the first images have none of it
            self.filters.generator.set_captions([ALL_GENERATORS, *found.generators])
            self.filters.status.set_captions(found.statuses)
        self._pick()

    def clear(self) -> None:
        """List nothing, at once."""
        self._drop()
        self._all, self._current = Listed(), None
        self._on_picked(Picked())

    def select(self, image: StoredImage) -> None:
        """Go to an image, lifting the filters if they hide it."""
        self._current = image
        if image.image_id in self._picked.row_of:
            self._go_to_current()
        else:
            self.filters.clear()
            self._pick()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Less important columns go when there is no room."""
        super().resizeEvent(event)
        width = self.width()
        self.table.setColumnHidden(CONDITION, width < px(CONDITION_FROM))
        self.table.setColumnHidden(GENERATOR, width < px(GENERATOR_FROM))
        self.table.setColumnHidden(SEED, width < px(SEED_FROM))
        self.table.set_widths(116 if width < px(GENERATOR_FROM) else 122, 86, 106, 96)

    def _pick(self) -> None:
        """Find what is wanted, off the GUI thread: there may be sixty thousand images."""
        found, wanted = self._all, self.filters.wanted
        self._drop()
        self._query = self._studio.query(lambda: pick(found, wanted), self._on_picked)

    def _drop(self) -> None:
        if self._query is not None:
            self._query.drop()
            self._query = None

    def _on_picked(self, picked: Picked) -> None:
        self._query = None
        before, self._picked = self._picked, picked
        shown, whole = len(picked.rows), picked.all
        images = (
            f"{thousands(shown)} of {thousands(whole)} images" if shown < whole else counted(shown, "image")
        )
        self.filters.said.setText(f"the first {images}, reading on" if picked.is_part else images)
        if self.model.rows and before.row_of == picked.row_of:
            self._update(picked)
        else:
            self.model.set_rows(picked.rows)
            if not self._comes_later(picked):
                self._go_to_current()
        self.listed.emit()

    def _update(self, picked: Picked) -> None:
        """The same images in the order they are in, with their new records."""
        at = picked.row_of
        self.model.rows[:] = [picked.rows[at[one.image.image_id]] for one in self.model.rows]
        last = self.model.index(len(picked.rows) - 1, len(COLUMNS) - 1)
        self.model.dataChanged.emit(self.model.index(0, 0), last)

    def _comes_later(self, picked: Picked) -> bool:
        """Whether the image that is looked at is not among the first, which are all that is read yet."""
        current = self._current
        return picked.is_part and current is not None and current.image_id not in picked.row_of

    def _go_to_current(self) -> None:
        """Make the image current that was, else the first one."""
        if not self.model.rows:
            self._current = None
            self.moved.emit(None)
            return
        row = self._row_on_screen()
        # A column that is hidden cannot be current, so it is always the first.
        self.table.setCurrentIndex(self.model.index(row, 0))
        self._on_moved(self.model.rows[row])

    def _row_on_screen(self) -> int:
        current = self._current
        row = self._picked.row_of.get(current.image_id, 0) if current is not None else 0
        wanted = self._picked.rows[row]
        if self.model.rows[row].image.image_id == wanted.image.image_id:
            return row
        return self.model.rows.index(wanted)  # a person has sorted the list

    def _on_moved(self, one: ReadImage | None) -> None:
        if one is not None:
            self._current = one.image
            self.moved.emit(one.image)
