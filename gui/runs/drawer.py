"""The drawer of runs and failures: when what ran, and where pictures and records were lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.records import StoredImage
from gui.fonts import px
from gui.models.number import percent
from gui.models.runs import IMAGES, PARTS, RECORDS, Run, RunsView, failures_of, read_runs, uneven_words
from gui.runs.timeline import RunTimeline
from gui.studio import Studio
from gui.widgets.caption import Caption
from gui.widgets.contact_sheet import ContactSheet
from gui.widgets.drawer import Drawer
from gui.widgets.image_details import ImageDetails
from gui.widgets.number_list import NumberEntry, NumberList
from gui.widgets.scroll_column import ScrollColumn
from gui.widgets.segmented import Segmented
from gui.words import counted, thousands

if TYPE_CHECKING:
    from core.jobs import Failure
    from gui.tasks import Query

MOST_RUNS, MOST_SHARES, MOST_LINES = 12, 12, 8
WHATS = (IMAGES, RECORDS)
WHY = (
    "Failures are no random loss: where one role or condition loses more than another, what is left of it is "
    "another sample, and a bias of its own."
)


class RunsDrawer(Drawer):
    """`opened` as any drawer; a share opens the pictures behind it."""

    read = Signal()

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._query: Query | None = None
        self.view: RunsView | None = None
        self._why = Caption(WHY, "muted", wraps=True)
        self.timeline = RunTimeline()
        self.lines = Caption("", "muted", wraps=True)
        self.what = Segmented(["Images", "Records"], "What failed")
        self.part = Segmented([part.capitalize() for part in PARTS], "By")
        self.uneven = Caption("", "", wraps=True)
        self.shares = NumberList("Share that failed")
        self.heading = Caption("", "strong", wraps=True)
        self.sheet = ContactSheet(studio)
        self.details = ImageDetails(studio)
        self.tab = Segmented(["What was lost", "Runs"], "Show")
        self._losses, self._runs = QWidget(), QWidget()
        self._scroll = ScrollColumn()
        self._fill(
            self._losses, self._why, self.what, self.part, self.uneven, self.shares, self.heading, self.sheet
        )
        self._fill(self._runs, self.timeline, self.lines)
        self._runs.hide()
        self.body.addWidget(self.tab)
        for widget in (self._losses, self._runs):
            self._scroll.column.addWidget(widget)
        self._scroll.column.addStretch(1)
        self.body.addWidget(self._scroll, 1)
        self.body.addWidget(self.details)
        self.tab.chosen.connect(self._show_tab)
        for chosen in (self.what.chosen, self.part.chosen):
            chosen.connect(self._show_shares)
        self.shares.chosen.connect(self._on_share)
        self.timeline.chosen.connect(self._on_run)
        self.sheet.moved.connect(self._on_image)

    @staticmethod
    def _fill(holder: QWidget, *widgets: QWidget) -> None:
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        for widget in widgets:
            column.addWidget(widget)

    def _show_tab(self, tab: int) -> None:
        self._losses.setVisible(tab == 0)
        self._runs.setVisible(tab == 1)
        self.details.close_it()

    def open_it(self) -> None:
        """Open and read."""
        self.open_with("Runs and failures", "reading …")
        self.refresh()

    def refresh(self) -> None:
        """Read again."""
        store = self._studio.store
        if store is None:
            return
        if self._query is not None:
            self._query.drop()
        self._query = self._studio.query(lambda: read_runs(store), self._on_read)

    def _on_read(self, view: RunsView) -> None:
        self._query, self.view = None, view
        lost = ", ".join(
            f"{counted(view.failed(what), what.rstrip('s'), what)} lost"
            for what in WHATS
            if view.failed(what)
        )
        self.open_with(self.title, f"{counted(len(view.runs), 'run')}, {lost or 'nothing was lost'}")
        if not view.failed(WHATS[self.what.index]) and view.failed(RECORDS):
            self.what.choose(WHATS.index(RECORDS))
        self.timeline.show_runs(view.runs[:MOST_RUNS])
        more = len(view.runs) - MOST_RUNS
        self.lines.setText(f"{counted(more, 'older run')} not shown." if more > 0 else "")
        if not view.runs:
            self.lines.setText("Nothing has run in this study yet.")
        self.lines.setVisible(bool(self.lines.text()))
        self._show_shares()
        self.read.emit()

    def _show_shares(self) -> None:
        view = self.view
        if view is None:
            return
        what, part = WHATS[self.what.index], PARTS[self.part.index]
        shares = view.shares.get((what, part), ())
        self.uneven.setText(uneven_words(shares, part) if shares else f"There are no {what} yet.")
        self.uneven.setVisible(bool(self.uneven.text()))
        most = max((one.number.value or 0.0 for one in shares), default=0.0) or 1.0
        self.shares.show_entries(
            [
                NumberEntry(
                    one.key,
                    one.name,
                    None,
                    f"{thousands(one.failed)} of {thousands(one.whole)}  {_share(one.number.value)}",
                    (one.number.value or 0.0) / most,
                )
                for one in shares[:MOST_SHARES]
            ]
        )
        self.heading.hide()
        self.sheet.hide()
        self.details.close_it()

    def _on_share(self, key: str) -> None:
        store = self._studio.store
        if store is None:
            return
        what, part = WHATS[self.what.index], PARTS[self.part.index]
        self.shares.show_entries(self.shares.entries, key)

        def read() -> tuple[str, list[StoredImage]]:
            from storage.progress import failed_images

            return key, failed_images(store, what, part, key)

        self._studio.query(read, self._on_images)

    def _on_images(self, found: tuple[str, list[StoredImage]]) -> None:
        key, images = found
        name = next((one.name for one in self.shares.entries if one.key == key), key)
        self.heading.setText(
            f"{name}: {counted(len(images), 'image')}" if images else f"{name}: nothing was lost"
        )
        self.heading.show()
        self.sheet.blockSignals(True)  # the first picture is current, but nobody has asked for it
        self.sheet.show_images(images)
        self.sheet.blockSignals(False)
        self.sheet.setVisible(bool(images))

    def _on_image(self, image: StoredImage) -> None:
        self.details.show_image(image, "")

    def _on_run(self, run: Run) -> None:
        store = self._studio.store
        if store is not None:
            self._studio.query(lambda: (run, failures_of(store, run.job_id)), self._on_failures)

    def _on_failures(self, found: tuple[Run, tuple[Failure, ...]]) -> None:
        run, failures = found
        said = [f"{one.item}: {one.reason}" for one in failures[:MOST_LINES]]
        if run.failed > len(said) and said:
            said.append(f"and {thousands(run.failed - len(said))} more")
        self.lines.setText("\n".join([f"{run.name}:", *said]) if said else f"{run.name}: nothing failed.")
        self.lines.show()


def _share(value: float | None) -> str:
    """A share that may be far below one per cent."""
    if value is None or value == 0 or value >= 0.1:
        return percent(value)
    return f"{100 * value:.1f} %" if value >= 0.01 else f"{100 * value:.2f} %"
