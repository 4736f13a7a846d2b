"""Where adjudication stands in for the team: the panel is made when it is first wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QStackedLayout

from gui.studio import Studio

if TYPE_CHECKING:
    from gui.adjudication.panel import AdjudicationPanel


class AdjudicationPlace(QObject):
    """One more place of the page's stack; `left` when the team is shown again."""

    left = Signal()

    def __init__(self, studio: Studio, stack: QStackedLayout, parent: QObject) -> None:
        super().__init__(parent)
        self._studio, self._stack = studio, stack
        self.panel: AdjudicationPanel | None = None

    @property
    def is_shown(self) -> bool:
        """Whether adjudication is what the page shows."""
        return self.panel is not None and self._stack.currentWidget() is self.panel

    def open(self) -> None:
        """Show what waits for a decision."""
        if self.panel is None:
            from gui.adjudication.panel import AdjudicationPanel

            self.panel = AdjudicationPanel(self._studio)
            self.panel.closed.connect(self.close)
            self._stack.addWidget(self.panel)
        self._stack.setCurrentWidget(self.panel)
        self.panel.open_round()

    def close(self) -> None:
        """Show the team again."""
        self._stack.setCurrentIndex(0)
        self.left.emit()

    def close_topmost(self) -> bool:
        """Esc leaves what is enlarged, then adjudication; False where it is not shown."""
        return self.panel is not None and self.is_shown and self.panel.close_topmost()

    def take_keys(self) -> bool:
        """The keyboard goes to the case; False where adjudication is not shown."""
        if self.panel is None or not self.is_shown:
            return False
        self.panel.take_keys()
        return True

    def clear(self) -> None:
        """Show nothing: the study is closed."""
        if self.panel is not None:
            self.panel.clear()
            self._stack.setCurrentIndex(0)
