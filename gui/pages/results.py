"""The Results page: Bias Intensity, persistence of every label, and the images behind each number."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from core.file_names import plain_name
from gui.export import ask_for_file
from gui.figures import KINDS, write_figure
from gui.fonts import px
from gui.models.results_data import Kind, Spot
from gui.pages.computed_page import ComputedPage, in_a_row
from gui.results.chart_card import ChartCard
from gui.results.drawer import ResultsDrawer
from gui.results.figure import ChartFigure
from gui.results.publishing import REPORT_KINDS, publish, report_of
from gui.results.reading import Situation, compute, read_situation
from gui.results.sheet import write_sheet
from gui.results.table_card import TableCard
from gui.results.view import ResultsView, Settings
from gui.results.words import facts_words, figure_remark, what_is_missing
from gui.studio import Studio
from gui.widgets.button import Button
from gui.widgets.choice import Choice
from gui.widgets.computed_stack import ComputedStack
from gui.widgets.export_button import ExportButton
from gui.widgets.segmented import Segmented

if TYPE_CHECKING:
    from gui.results.ways_panel import WaysPanel

PLAIN = Kind("plugin", "pool")
"""What can be compared with the published formulas."""


class ResultsPage(ComputedPage):
    """Chart above, table below, the drawer at the right; computed by a job, kept until it changes."""

    name = "results"
    title = "Results"
    icon = "results"
    words = frozenset({"extractor", "image", "label", "record"})
    drawer_widths = (430, 340)

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(studio, parent)
        self.situation: Situation | None = None
        self._shown: Settings | None = None
        self.part = Segmented(["Numbers", "Ways of counting"], "Show")
        self.part.setToolTip("Raw against mapped labels, audit mode against the published formulas")
        self.extractors = Choice([], "Extractor")
        self.export = ExportButton(lambda: studio.folder, "bias_intensity")
        self.report = Button("Write report", "primary")
        self._offer(False)
        self.chart_card, self.table_card = ChartCard(), TableCard()
        self.drawer = ResultsDrawer(studio)
        self._ways: WaysPanel | None = None
        self.parts = QStackedWidget()
        self.stack = ComputedStack(studio, "Analysis", self.name, self.parts)
        self._lay_out()
        self._fill()
        self._connect()

    # -- what the window asks for ---------------------------------------------------------------

    def header_acts(self) -> list[QWidget]:
        """Numbers or ways of counting; which extractor's records; export."""
        return [in_a_row(self.part, self.extractors, self.export, self.report)]

    def refresh(self) -> None:
        """Read what there is; then compute, or say that something came in since."""
        store = self.studio.store
        if store is not None:
            self._read(lambda: read_situation(store), self._on_situation)

    def close_drawer(self) -> bool:
        """Esc closes the image first, then the drawer."""
        return self.drawer.close_image() or self.drawer.close_it()

    def focus_filter(self) -> None:
        """Put the keyboard into the text filter."""
        self.table_card.focus_text()

    def keys(self) -> list[tuple[str, str]]:
        """Keys of this page."""
        return [
            ("← → ↑ ↓", "from point to point, from cell to cell; the drawer follows"),
            ("Enter", "open the number: what it is made of and its images"),
            ("Space", "in the chart: open or close a cohort's dimensions"),
            ("Ctrl F", "filter labels"),
            ("Esc", "close the image, then the drawer"),
        ]

    # -- parts ----------------------------------------------------------------------------------

    @property
    def ways(self) -> WaysPanel:
        """The same numbers in other ways of counting; made when it is first wanted."""
        if self._ways is None:
            from gui.results.ways_panel import WaysPanel

            self._ways = WaysPanel(self.studio)
            self._ways.opened.connect(self._on_way)
            self._ways.verdicts_wanted.connect(self._on_verdicts)
            self.parts.addWidget(self._ways)
        return self._ways

    def _fill(self) -> None:
        """Chart above, table below."""
        self.extractors.hide()
        content = QWidget()
        self.parts.addWidget(content)
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        column.addWidget(self.chart_card)
        column.addWidget(self.table_card, 1)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(px(20), 0, px(16), px(12))
        row.setSpacing(px(12))
        row.addWidget(self.stack, 1)
        row.addWidget(self.drawer)

    def _connect(self) -> None:
        self.stack.arrived.connect(self._on_view)
        self.stack.wanted.connect(self._compute)
        self.stack.page_wanted.connect(self._on_page_wanted)
        self.stack.emptied.connect(self._on_emptied)
        self.studio.study_closed.connect(self._on_closed)
        self.extractors.chosen.connect(self._on_extractor)
        self.part.chosen.connect(self._show_part)
        self.chart_card.opened.connect(self._on_spot)
        self.chart_card.moved.connect(self._on_point)
        self.table_card.opened.connect(self._on_row)
        self.table_card.moved.connect(self._on_moved)
        self.drawer.closed.connect(self._on_drawer_closed)
        self.drawer.asked_for.connect(self._on_spot)
        self.export.tables_wanted.connect(self.export_tables)
        self.export.figure_wanted.connect(self.export_figure)
        self.export.paper_wanted.connect(self.export_paper)
        self.export.add_act("Contact sheet of the chosen role …", self._on_sheet)
        self.report.clicked.connect(self._on_report)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The drawer is narrower in a narrow window, the chart lower in a low one."""
        super().resizeEvent(event)
        self.chart_card.fit_into(self.height())

    # -- reading and computing ------------------------------------------------------------------

    @property
    def view(self) -> ResultsView | None:
        """The result that is shown."""
        return self.stack.result if isinstance(self.stack.result, ResultsView) else None

    @property
    def settings(self) -> Settings | None:
        """What is to be computed, None while there is nothing to analyse."""
        situation = self.situation
        if situation is None or what_is_missing(situation, self._pages) is not None:
            return None
        return Settings(situation.extractors[max(self.extractors.currentIndex(), 0)].name)

    def _on_situation(self, situation: Situation) -> None:
        self._query = None
        self.situation = situation
        names = [one.name for one in situation.extractors]
        self._offer_extractors(self.extractors, names)
        self.extractors.setVisible(len(situation.extractors) > 1)
        self._compute_if_due("Images or records")

    def _compute(self) -> None:
        store, settings, situation = self.studio.store, self.settings, self.situation
        if store is None or situation is None:
            return
        if settings is not None:
            self.stack.ask(settings, lambda: compute(store, settings))
            return
        missing = what_is_missing(situation, self._pages)
        if missing is not None:
            self.set_facts("")
            self.stack.say_missing(missing)

    def _on_emptied(self) -> None:
        self._shown = None
        self._offer(False)
        self.drawer.close_it()

    def _on_view(self, view: ResultsView) -> None:
        is_first, self._shown = self._shown != view.settings, view.settings
        self._offer(True)
        self.set_facts(facts_words(view))
        self.chart_card.show_intensities(view.intensities)
        self.table_card.show_table(view.persistence)
        self._show_part()
        if is_first:
            self.drawer.close_it()
        elif not self.drawer.isHidden():
            self._follow_again(view)

    def _follow_again(self, view: ResultsView) -> None:
        """Show the same number of the newer result."""
        row, spot, kind = self.drawer.row, self.drawer.spot, self.chart_card.kind
        if spot is not None and kind is not None:
            self.drawer.show_spot(view, spot, kind)
        elif row is not None:
            at = view.persistence.find(row.generator, row.role, row.dimension, row.label)
            if at >= 0:
                self.drawer.show_row(view, self.table_card.model.row_at(at))
            else:
                self.drawer.close_it()

    # -- showing --------------------------------------------------------------------------------

    def _on_spot(self, spot: Spot) -> None:
        kind = self.chart_card.kind
        if self.view is not None and kind is not None:
            self.drawer.show_spot(self.view, spot, kind)

    def _on_point(self, said: str) -> None:
        self.table_card.foot.say("", [said], "Enter opens what it is made of")
        chart, place = self.chart_card.shown, self.chart_card.chart.current
        if not self.drawer.isHidden() and self.drawer.spot is not None and chart is not None and place:
            self._on_spot(chart.spot(*place))

    def _on_row(self, at: int) -> None:
        if self.view is not None:
            self.drawer.show_row(self.view, self.table_card.model.row_at(at))

    def _on_moved(self, at: int) -> None:
        if not self.drawer.isHidden() and self.drawer.row is not None:
            self._on_row(at)

    def _on_drawer_closed(self) -> None:
        if self.part.index:
            self.ways.table.setFocus()
            return
        (self.chart_card.chart if self.drawer.spot is not None else self.table_card.table).setFocus()

    def _show_part(self) -> None:
        if self.part.index and self.view is not None:
            self.ways.show_view(self.view)
        self.parts.setCurrentWidget(self.ways if self.part.index else self.parts.widget(0))

    def _on_way(self, spot: Spot) -> None:
        if self.view is not None:
            self.drawer.show_spot(self.view, spot, PLAIN)

    def _on_verdicts(self, verdict: str, published: str) -> None:
        self.part.choose(0)
        self.table_card.show_verdicts(verdict, published)

    # -- acts -----------------------------------------------------------------------------------

    def _on_extractor(self) -> None:
        self._has_come = True
        self.studio.choose_extractor(self.extractors.currentText())
        self._compute()

    def _on_closed(self) -> None:
        self.situation = None
        self.extractors.set_words([])
        self.chart_card.show_intensities(None)
        self.table_card.show_table(None)

    def export_tables(self, folder: Path) -> None:
        """Write all tables of the result, with the account of the run, into a folder."""
        view = self.view
        if view is not None:
            run = {**view.run, "contains_simulated": sorted(self.studio.simulated)}
            self._write_tables(folder, view.tables, run, self._on_exported)

    def export_figure(self, path: Path) -> None:
        """Write the chart as it is shown as a figure, light."""
        view, chart = self.view, self.chart_card.shown
        if view is None or chart is None:
            return
        figure = ChartFigure(chart, figure_remark(view, chart))
        self.studio.query(
            lambda: write_figure(path, figure.size, figure.paint, "Bias Intensity"), self._on_exported
        )

    def export_paper(self, folder: Path) -> None:
        """Write all figures with their data, and the paper's tables as LaTeX, into a folder."""
        if self.view is not None:
            task = self.studio.runner.run("Figures", publish(self.view, folder), page=self.name)
            task.finished.connect(self._on_published)

    def _on_sheet(self) -> None:
        folder, role = self.studio.folder, self.role
        if folder is not None and role:
            path = ask_for_file(self.window(), folder / f"sheet_{plain_name(role)}.png", KINDS)
            if path is not None:
                self.export_sheet(role, path)

    @property
    def role(self) -> str:
        """Role of the row that is chosen in the table, else of its first; "" when there is none."""
        at = max(self.table_card.table.current_data_row(), 0)
        return self.table_card.model.row_at(at).role if self.table_card.model.rowCount() else ""

    def export_sheet(self, role: str, path: Path) -> None:
        """Write pictures of a role by condition and generator as a figure."""
        store = self.studio.store
        if store is not None:
            self.studio.query(lambda: write_sheet(store, role, path), self._on_exported)

    def _on_report(self) -> None:
        folder = self.studio.folder
        if folder is not None:
            path = ask_for_file(self.window(), folder / "report.html", REPORT_KINDS)
            if path is not None:
                self.write_report(path)

    def write_report(self, path: Path) -> None:
        """Write the report of the study, by the ending as HTML or PDF."""
        view, store = self.view, self.studio.store
        if view is not None and store is not None:
            task = self.studio.runner.run("Report", report_of(store, view, path), page=self.name)
            task.finished.connect(self._on_published)

    def _on_published(self, written: list[Path]) -> None:
        if written:
            place = written[0] if len(written) == 1 else written[0].parent.parent
            self.table_card.foot.say_written(place, verb="Written:")

    def _offer(self, is_ready: bool) -> None:
        self.export.offer(is_ready)
        self.report.setEnabled(is_ready)
        self.report.setToolTip("" if is_ready else "Nothing is computed yet")

    def _on_exported(self, path: Path) -> None:
        self.table_card.foot.say_written(path)
