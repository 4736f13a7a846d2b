"""The power panel of the Study page: a drawer in which a design is tried before anything is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from core.errors import BadInput
from core.power.design import PowerDesign
from core.power.findings import PowerPanel
from core.power.panel import power_panel
from core.power.words import TERMS
from gui.power.chart import PowerChart
from gui.power.controls import PowerControls
from gui.power.numbers import PowerNumbers
from gui.studio import Studio
from gui.widgets.caption import Caption, rule
from gui.widgets.drawer import Drawer
from gui.widgets.meaning import meaning_button
from gui.widgets.scroll_column import ScrollColumn
from gui.words import counted, thousands

if TYPE_CHECKING:
    from gui.models.overview import Overview
    from gui.tasks import Query

MILLISECONDS_OF_REST = 200
"""After the last change of a number, so that holding an arrow key asks once."""

TITLE = "What this design can show"


class PowerDrawer(Drawer):
    """Opened from the header of the Study page; it starts from what the study is."""

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._wanted: PowerDesign | None = None
        self._query: Query | None = None
        self._numbers: PowerNumbers | None = None
        self.panel: PowerPanel | None = None
        self.controls, self.chart = PowerControls(), PowerChart()
        self.note, self.trouble = Caption("", "muted", wraps=True), Caption("", "danger", wraps=True)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(MILLISECONDS_OF_REST)
        self._scroll = ScrollColumn()
        self.meaning = meaning_button(
            "What these numbers mean", list(TERMS.values()), "What these numbers mean"
        )
        for widget in (self.chart, self.meaning, self.trouble, self.note, rule(), self.controls):
            self._scroll.column.addWidget(widget)
        self._scroll.column.addStretch(1)
        self.trouble.hide()
        self.body.addWidget(self._scroll, 1)
        self.controls.changed.connect(self._on_changed)
        self._rest.timeout.connect(self._ask)
        studio.study_closed.connect(self.close_it)

    def open_on(self, overview: Overview | None) -> None:
        """Open with the numbers of the study; what it does not have yet keeps its usual value."""
        store = self._studio.store
        if overview is not None and store is not None:
            self.controls.start_from(
                overview.design,
                roles=len(overview.table.roles),
                images_per_prompt=store.study.images_per_prompt,
                annotators=len(overview.annotators),
                image_sets=overview.image_sets,
            )
        self._ask()

    def close_it(self) -> bool:
        """Close; what is being computed is not wanted any more."""
        self._rest.stop()
        self._drop()
        return super().close_it()

    # -- asking ---------------------------------------------------------------------------------

    def _on_changed(self) -> None:
        if not self.isHidden():
            self._rest.start()

    def _ask(self) -> None:
        self._drop()
        try:
            design = self.controls.wanted()
        except BadInput as error:
            self._say_trouble(str(error))
            return
        self._wanted = design
        self.open_with(TITLE, _size(design))
        self.note.setText("computing …")
        self._query = self._studio.query(
            lambda: compute(design, lambda: self._wanted is design), self._on_panel
        )

    def _drop(self) -> None:
        self._wanted = None
        if self._query is not None:
            self._query.drop()
            self._query = None

    def _on_panel(self, panel: PowerPanel | None) -> None:
        if panel is None or self._wanted is None:
            return
        self._query, self.panel = None, panel
        self.trouble.hide()
        self.chart.show_panel(panel)
        self.note.setText(_note(self._wanted))
        old, self._numbers = self._numbers, PowerNumbers(panel)
        if old is not None:
            self._scroll.column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._scroll.column.insertWidget(1, self._numbers)

    def _say_trouble(self, said: str) -> None:
        self.trouble.setText(said)
        self.trouble.show()


def compute(design: PowerDesign, is_wanted: Callable[[], bool]) -> PowerPanel | None:
    """Run the job off the GUI thread; None as soon as another design is wanted."""
    job = power_panel(design)
    while is_wanted():
        try:
            next(job)
        except StopIteration as stop:
            found: PowerPanel = stop.value
            return found
    job.close()
    return None


def _size(design: PowerDesign) -> str:
    cf, related, unrelated = design.prompts
    roles, images = counted(design.roles, "role"), thousands(design.images)
    return f"{roles}, {cf} + {related} + {unrelated} prompts, {images} images a generator"


def _note(design: PowerDesign) -> str:
    studies = f"{thousands(design.replicates)} simulated studies, seed {design.seed}."
    return f"{studies} Images of a prompt are alike: {design.design_effect:.3g} are worth one."
