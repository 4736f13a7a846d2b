"""The Study page: what there is, cell by cell; what to do next; what failed; who has come how far."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.export import ask_for_file, with_simulated, write_csv
from gui.fonts import px
from gui.models.coverage import Key, Layer, in_words, matching
from gui.models.next_act import next_act
from gui.models.overview import Overview
from gui.pages.page import Page
from gui.studio import Studio
from gui.widgets.button import Button
from gui.widgets.caption import rule
from gui.widgets.cell_drawer import CellDrawer
from gui.widgets.coverage_grid import CoverageGrid
from gui.widgets.coverage_legend import Foot, Legend
from gui.widgets.segmented import Segmented
from gui.widgets.study_cards import FailuresCard, NextCard, PeopleCard, ProgressCard, column_of
from gui.words import counted, thousands

if TYPE_CHECKING:
    from gui.models.behind import Asked
    from gui.power.drawer import PowerDrawer
    from gui.runs.drawer import RunsDrawer
    from gui.widgets.behind_drawer import BehindDrawer
    from gui.widgets.drawer import Drawer

LAYERS = tuple(Layer)
SIDE_WIDTH, SIDE_WIDTH_NARROW, WIDE_FROM = 360, 330, 1500
POWER_WIDTH = 430
TOOLS_IN_ONE_ROW = 1060


class StudyPage(Page):
    """Coverage grid at the left, cards or the drawer of one cell at the right."""

    name = "study"
    title = "Study"
    icon = "study"
    words = frozenset({"image"})

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(studio, parent)
        self.pages: frozenset[str] = frozenset()
        self._overview: Overview | None = None
        self.layers = Segmented([layer.value.capitalize() for layer in LAYERS], "Show")
        self._legend = Legend()
        self.filter = QLineEdit()
        self.unfinished = QPushButton("Only unfinished")
        self.grid = CoverageGrid()
        self.foot = Foot()
        self.next_card, self.progress_card = NextCard(), ProgressCard()
        self.failures_card, self.people_card = FailuresCard(), PeopleCard()
        self.drawer = CellDrawer(studio)
        self.power: PowerDrawer | None = None
        self.runs: RunsDrawer | None = None
        self.behind: BehindDrawer | None = None
        self._side = self._make_side()
        self._lay_out()
        self._connect()

    # -- what the window asks for ---------------------------------------------------------------

    def header_acts(self) -> list[QWidget]:
        """What ran and failed; what the design can show; open the study's folder; export the grid."""
        runs = Button("Runs and failures", "quiet", "clock")
        runs.clicked.connect(self._on_runs)
        power, folder = Button("Check power", "quiet", "results"), Button("Open folder", "quiet", "folder")
        export = Button("Export", "quiet", "export")
        power.clicked.connect(self._on_power)
        folder.clicked.connect(self._on_open_folder)
        export.clicked.connect(self._on_export)
        return [runs, power, folder, export]

    def refresh(self) -> None:
        """Show the latest overview; the feed reads it for the whole window."""
        if self.studio.feed.latest is not None:
            self._on_overview(self.studio.feed.latest)
        if not self.drawer.isHidden():
            self.drawer.refresh()
        if self.behind is not None and not self.behind.isHidden():
            self.behind.refresh()

    def close_drawer(self) -> bool:
        """Esc closes the drawer."""
        for made in self._drawers():
            if made.close_it():
                return True
        return self.drawer.close_it()

    def keys(self) -> list[tuple[str, str]]:
        """Keys of this page."""
        return [
            ("← → ↑ ↓", "move from cell to cell"),
            ("Enter", "open the cell's images"),
            ("Home End", "first, last column; with Ctrl first, last cell"),
            ("Ctrl F", "filter roles"),
        ]

    def show_pages(self, pages: frozenset[str]) -> None:
        """Which pages the window has, so that no button leads nowhere."""
        self.pages = pages
        if self._overview is not None:
            self._show_cards(self._overview)

    # -- parts ----------------------------------------------------------------------------------

    def _make_side(self) -> QScrollArea:
        inner = QWidget()
        inner.setProperty("kind", "scrolled")
        inner.setLayout(column_of(self.next_card, self.progress_card, self.failures_card, self.people_card))
        self.failures_card.hide()
        self.people_card.hide()
        side = QScrollArea()
        side.setFrameShape(QFrame.Shape.NoFrame)
        side.setWidgetResizable(True)
        side.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        side.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        side.setWidget(inner)
        return side

    def _lay_out(self) -> None:
        self.filter.setPlaceholderText("Filter roles")
        self.filter.setAccessibleName("Filter roles")
        self.filter.setClearButtonEnabled(True)
        self.filter.setFixedWidth(px(170))
        self.unfinished.setCheckable(True)
        self.unfinished.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.unfinished.setAutoDefault(False)
        self.layers.choose(LAYERS.index(Layer.IMAGES))
        self._tools, self._low_tools = QHBoxLayout(), QHBoxLayout()
        for row in (self._tools, self._low_tools):
            row.setSpacing(px(12))
        self._tools.addWidget(self.layers)
        self._tools.addWidget(self._legend, 1)
        self._place_filters(self._tools)
        card = QFrame()
        card.setProperty("kind", "card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(px(14), px(4), px(6), 0)
        inside.setSpacing(0)
        inside.addWidget(self.grid, 1)
        inside.addWidget(rule())
        inside.addWidget(self.foot)
        left = QVBoxLayout()
        left.setSpacing(px(8))
        left.addLayout(self._tools)
        left.addLayout(self._low_tools)
        left.addWidget(card, 1)
        self.setMinimumSize(px(560), px(320))  # what is inside follows the width, see `resizeEvent`
        row = QHBoxLayout(self)
        row.setContentsMargins(px(20), 0, px(16), px(12))
        row.setSpacing(px(16))
        row.addLayout(left, 1)
        row.addWidget(self._side)
        row.addWidget(self.drawer)

    def _connect(self) -> None:
        self.studio.feed.arrived.connect(self._on_overview)
        self.studio.study_closed.connect(self._on_closed)
        self.layers.chosen.connect(self._on_layer)
        self.filter.textChanged.connect(self._show_grid)
        self.unfinished.toggled.connect(self._show_grid)
        self.grid.moved.connect(self._on_moved)
        self.grid.opened.connect(self._on_opened)
        self.drawer.closed.connect(self._on_drawer_closed)
        self.next_card.asked_for.connect(self._on_asked)
        self.failures_card.asked_for.connect(self.asked_for)
        self.progress_card.sum_wanted.connect(self._on_sum)
        self.progress_card.prompts_wanted.connect(self._on_prompts)
        self.people_card.sum_wanted.connect(self._on_sum)

    @property
    def layer(self) -> Layer:
        """What the grid counts now."""
        return LAYERS[self.layers.index]

    def focus_filter(self) -> None:
        """Put the keyboard into the filter."""
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow window the column at the right is narrower and the filters stand in a second row."""
        super().resizeEvent(event)
        window = self.window().width()
        wide, narrow = px(SIDE_WIDTH), px(SIDE_WIDTH_NARROW)
        width = wide if window >= px(WIDE_FROM) else min(narrow, self.width() * 2 // 5)
        self._side.setFixedWidth(width)
        self.drawer.setFixedWidth(width)
        for made in self._drawers():
            made.setFixedWidth(self._power_width())
        self._place_filters(self._tools if self.width() >= px(TOOLS_IN_ONE_ROW) else self._low_tools)

    def _power_width(self) -> int:
        return px(POWER_WIDTH) if self.window().width() >= px(WIDE_FROM) else self.drawer.maximumWidth()

    def _place_filters(self, row: QHBoxLayout) -> None:
        for widget in (self.filter, self.unfinished):
            row.addWidget(widget)
        self._low_tools.setAlignment(Qt.AlignmentFlag.AlignLeft)

    # -- slots ----------------------------------------------------------------------------------

    def _on_overview(self, overview: Overview) -> None:
        self._overview = overview
        table = overview.table
        generators = sum(generator is not None for generator in table.generators)
        self.set_facts(
            ", ".join(
                (
                    counted(len(table.roles), "role"),
                    counted(len(table.conditions), "condition"),
                    counted(generators, "generator"),
                    f"{thousands(table.largest(Layer.IMAGES))} images a cell",
                )
            )
        )
        self._show_grid()
        self._show_cards(overview)

    def _show_cards(self, overview: Overview) -> None:
        act = next_act(overview.counts)
        self.next_card.show_act(act, act.page in self.pages)
        self.progress_card.show_overview(overview)
        self.failures_card.show_failures(overview.failures, self.pages)
        self.people_card.show_overview(overview)

    def _show_grid(self) -> None:
        if self._overview is None:
            return
        table = self._overview.table
        roles = table.unfinished(self.layer) if self.unfinished.isChecked() else table.roles
        self.grid.set_table(table, self.layer, matching(roles, self.filter.text()))
        self._legend.show_layer(table.largest(self.layer), self.layer)
        self._on_moved(self.grid.current)

    def _on_layer(self) -> None:
        self._show_grid()

    def _on_moved(self, key: Key | None) -> None:
        if self._overview is None:
            return
        if not self.grid.roles:
            said = "No role matches." if self.filter.text().strip() else "Nothing is unfinished."
            self.foot.say(said, [], "")
            return
        if key is None:
            self.foot.say("", [], "Arrow keys move, Enter opens the images")
            return
        table = self._overview.table
        images, records = table.cell(Layer.IMAGES, key), table.cell(Layer.RECORDS, key)
        answers = table.cell(Layer.ANSWERS, key)
        parts = [f"{thousands(images.done)} of {thousands(images.whole)} images"]
        parts.append(counted(records.done, "record"))
        if answers.whole:
            parts.append(f"{thousands(answers.done)} of {thousands(answers.whole)} answers")
        failed = images.failed + records.failed
        parts += [f"{thousands(failed)} failed"] if failed else []
        self.foot.say(cell_name(key), parts, "Enter opens the images")
        if not self.drawer.isHidden():
            self.drawer.show_cell(key)

    def _drawers(self) -> list[Drawer]:
        """Those that were made because somebody asked for them."""
        return [made for made in (self.behind, self.runs, self.power) if made is not None]

    def _close_all(self) -> None:
        for made in (self.drawer, *self._drawers()):
            while made.close_it():
                pass

    def _on_sum(self, asked: Asked) -> None:
        """Open the images, or image sets, that a sum counts."""
        self._close_all()
        if self.behind is None:
            self.behind = self._make_behind()
        self._side.hide()
        self.behind.show_sum(asked)

    def _make_behind(self) -> BehindDrawer:
        from gui.widgets.behind_drawer import BehindDrawer

        made = BehindDrawer(self.studio)
        made.setFixedWidth(self._power_width())
        made.closed.connect(self._on_drawer_closed)
        self.layout().addWidget(made)
        return made

    def _on_prompts(self) -> None:
        if "prompts" in self.pages:
            self.asked_for.emit("prompts", None)

    def _on_runs(self) -> None:
        self._close_all()
        if self.runs is None:
            self.runs = self._make_runs()
        self._side.hide()
        self.runs.open_it()

    def _make_runs(self) -> RunsDrawer:
        from gui.runs.drawer import RunsDrawer

        made = RunsDrawer(self.studio)
        made.setFixedWidth(self._power_width())
        made.closed.connect(self._on_drawer_closed)
        self.layout().addWidget(made)
        return made

    def _on_power(self) -> None:
        self._close_all()
        if self.power is None:
            self.power = self._make_power()
        self._side.hide()
        self.power.open_on(self._overview)

    def _make_power(self) -> PowerDrawer:
        # Not before somebody asks: the window is painted sooner without it.
        from gui.power.drawer import PowerDrawer

        made = PowerDrawer(self.studio)
        made.setFixedWidth(self._power_width())
        made.closed.connect(self._on_drawer_closed)
        self.layout().addWidget(made)
        return made

    def _on_opened(self, key: Key) -> None:
        self._close_all()
        self._side.hide()
        self.drawer.show_cell(key)

    def _on_drawer_closed(self) -> None:
        self._side.show()
        self.grid.setFocus()

    def _on_closed(self) -> None:
        self._overview = None
        self._close_all()

    def _on_asked(self, page: str) -> None:
        self.asked_for.emit(page, None)

    def _on_open_folder(self) -> None:
        if self.studio.folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.studio.folder)))

    def _on_export(self) -> None:
        if self._overview is None or self.studio.folder is None:
            return
        path = ask_for_file(self, self.studio.folder / "coverage.csv")
        if path is not None:
            self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Write the grid, all layers side by side, as CSV."""
        if self._overview is not None:
            rows = with_simulated(self._overview.table.as_rows(), self.studio.simulated)
            self.studio.query(lambda: write_csv(path, rows), self._on_exported)

    def _on_exported(self, path: Path) -> None:
        self.foot.say_written(path)


def cell_name(key: Key) -> str:
    """A cell as it is read: "carpenter, CA-R, FLUX.1"."""
    return ", ".join(str(part) for part in (in_words(key.role), key.condition, key.generator) if part)
