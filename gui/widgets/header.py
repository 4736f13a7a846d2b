"""The header of a page: title, facts, and its acts at the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.caption import Caption, ElidedCaption

HEIGHT = 52


class Header(QWidget):
    """Title and facts of the page that is shown; the acts belong to the page and are only hosted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumHeight(px(HEIGHT))
        row = QHBoxLayout(self)
        row.setContentsMargins(px(20), 0, px(16), 0)
        row.setSpacing(px(12))
        self._title = Caption("", "page_title")
        self._facts = ElidedCaption("", "muted")
        self._acts = QHBoxLayout()
        self._shown: list[QWidget] = []
        self._acts.setSpacing(px(8))
        row.addWidget(self._title)
        row.addWidget(self._facts, 1)
        row.addLayout(self._acts)

    def show_page(self, title: str, facts: str, acts: Sequence[QWidget]) -> None:
        """Take over another page's title, facts and acts; the acts of the page before are put away."""
        for act in self.acts:
            self._acts.removeWidget(act)
            act.hide()
        self._title.setText(title)
        self._facts.setText(facts)
        self._shown = list(acts)
        for act in acts:
            self._acts.addWidget(act)
            act.show()

    @property
    def acts(self) -> tuple[QWidget, ...]:
        """The acts that are shown."""
        return tuple(self._shown)

    def set_facts(self, facts: str) -> None:
        """The line beside the title."""
        self._facts.setText(facts)
