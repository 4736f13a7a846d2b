"""What all pages have in common: a name, a header, and reading anew only when shown and stale."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from gui.studio import Studio


class Page(QWidget):
    """One page of the window.

    A page says in `words` which changes make it stale ("image", "record" …); `refresh` is called when it
    is visible and stale, must not block, and reads with `self.studio.query`. `facts` is the line beside
    the title. `asked_for(page, what)` asks the window for another page, `what` being handed to that
    page's `show_item`.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    icon: ClassVar[str] = ""
    words: ClassVar[frozenset[str]] = frozenset()
    has_header: ClassVar[bool] = True
    """False for a page that brings its own top bar; it then shows no window header and no notes."""

    facts_changed = Signal()
    asked_for = Signal(str, object)

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.studio = studio
        self._facts = ""
        self._is_stale = True
        self.setAccessibleName(self.title)
        studio.changed.connect(self._on_changed)
        studio.study_opened.connect(self._on_study_opened)

    @property
    def facts(self) -> str:
        """The line beside the title: what is here, in numbers."""
        return self._facts

    def set_facts(self, facts: str) -> None:
        """Change the line beside the title."""
        if facts != self._facts:
            self._facts = facts
            self.facts_changed.emit()

    def header_acts(self) -> list[QWidget]:
        """Widgets at the right of the header; made once, when the page is made."""
        return []

    def refresh(self) -> None:
        """Read again what is shown; never blocking."""

    def show_item(self, what: object) -> None:
        """Show one thing that another page asked for."""

    def show_pages(self, pages: frozenset[str]) -> None:
        """Which pages the window has, for a page with buttons that lead to others."""

    def focus_filter(self) -> None:
        """Ctrl+F: put the keyboard into the page's filter, if it has one."""

    def close_drawer(self) -> bool:
        """Close what Esc closes; returns whether there was something to close."""
        return False

    def take_focus(self) -> None:
        """The page was asked for: the keyboard goes where work begins."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def keep_for_another(self) -> None:
        """The page is about to be made anew: put what a person is doing where the new one finds it."""

    def keys(self) -> list[tuple[str, str]]:
        """Keys of this page for the cheat sheet: (keys, what they do)."""
        return []

    def mark_stale(self) -> None:
        """Read again now if visible, else when shown."""
        self._is_stale = True
        self._refresh_if_due()

    def showEvent(self, event: QShowEvent) -> None:
        """A page reads when it comes into view."""
        super().showEvent(event)
        self._refresh_if_due()

    def _on_changed(self, words: frozenset[str]) -> None:
        if words & self.words:
            self.mark_stale()

    def _on_study_opened(self) -> None:
        self.mark_stale()

    def _refresh_if_due(self) -> None:
        if self._is_stale and self.isVisible() and self.studio.store is not None:
            self._is_stale = False
            self.refresh()
