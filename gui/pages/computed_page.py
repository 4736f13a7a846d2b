"""What the pages of results have in common: a job computes them, and they are kept until they change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.fonts import px
from gui.pages.page import Page
from gui.studio import Studio
from gui.tasks import Query
from gui.widgets.choice import Choice
from gui.widgets.computed_stack import ComputedStack

WIDE_FROM = 1500


class ComputedPage(Page):
    """Reads how things stand, then computes; what comes in later is told, and computed when one comes again.

    A page makes its `stack` and its `drawer`, and has `view`, the result that is shown, `settings`, what is
    to be computed (None while that cannot be), and `_compute`.
    """

    drawer_widths: ClassVar[tuple[int, int]] = (0, 0)
    """Of the drawer in a wide window, and in a narrow one."""

    stack: ComputedStack
    drawer: QWidget

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(studio, parent)
        self._pages: frozenset[str] = frozenset()
        self._has_come = False
        self._query: Query | None = None
        studio.extractor_chosen.connect(self.mark_stale)

    @property
    def view(self) -> Any:
        """The result that is shown, None while there is none."""
        raise NotImplementedError

    @property
    def settings(self) -> Any:
        """What is to be computed, None while that cannot be."""
        raise NotImplementedError

    def _compute(self) -> None:
        """Ask the stack for the numbers of the settings, or say what is missing."""
        raise NotImplementedError

    # Coming to the page

    def showEvent(self, event: QShowEvent) -> None:
        """Coming to the page is asking for its numbers."""
        self._has_come = True
        super().showEvent(event)

    def _on_changed(self, words: frozenset[str]) -> None:
        if words & self.words:
            self.stack.computed.outdate()
        super()._on_changed(words)

    def _read(self, read: Callable[[], object], then: Callable[..., None]) -> None:
        """Read how things stand; `then` sets `_query` to None when it comes."""
        if self._query is not None:
            self._query.drop()
        self._query = self.studio.query(read, then)

    def _compute_if_due(self, came: str, *, is_due: bool = False) -> None:
        """Compute when somebody came to the page or nothing is shown; else say that something came in."""
        if self.view is None or self._has_come or is_due:
            self._has_come = False
            self._compute()
        elif self.settings is not None:
            self.stack.say_stale(self.settings, f"{came} came in since these numbers were computed.")

    def _offer_extractors(self, choice: Choice, names: Sequence[str]) -> None:
        """Offer whose records to show; that which was chosen on another page is chosen here too."""
        wanted = self.studio.extractor_of(names)
        was_blocked = choice.blockSignals(True)
        choice.set_words(names)
        if wanted:
            choice.choose(list(names).index(wanted))
        choice.blockSignals(was_blocked)

    # Parts

    def show_pages(self, pages: frozenset[str]) -> None:
        """Which pages there are, so that no button leads nowhere."""
        self._pages = pages

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The drawer is narrower in a narrow window."""
        super().resizeEvent(event)
        is_wide = self.window().width() >= px(WIDE_FROM)
        self.drawer.setFixedWidth(px(self.drawer_widths[0 if is_wide else 1]))

    def _on_page_wanted(self, page: str) -> None:
        self.asked_for.emit(page, None)

    def _write_tables(
        self, folder: Path, tables: Mapping[str, Any], run: Mapping[str, Any], then: Callable[..., None]
    ) -> None:
        """Write all tables of a result, with the account of the run, into a folder."""

        def write() -> Path:
            from core.tables import write_tables

            write_tables(dict(tables), folder, dict(run))
            return folder

        self.studio.query(write, then)


def in_a_row(*widgets: QWidget) -> QWidget:
    """The acts of a header beside each other."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(px(8))
    for widget in widgets:
        row.addWidget(widget)
    return holder
