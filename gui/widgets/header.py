"""The header of a page: title, facts, and its acts at the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption, ElidedCaption

HEIGHT = 52


class Header(QWidget):
    """Title and facts of the page that is shown; the acts belong to the page and are only hosted.

    `help_asked_for` when a person wants to know what the page shows.
    """

    help_asked_for = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumHeight(px(HEIGHT))
        self._is_narrow = False
        self._rows = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._rows.setContentsMargins(px(20), 0, px(16), 0)
        self._rows.setSpacing(px(6))
        row = QHBoxLayout()
        row.setSpacing(px(12))
        self._title = Caption("", "page_title")
        self._facts = ElidedCaption("", "muted")
        self._acts = QHBoxLayout()
        self._shown: list[QWidget] = []
        self._acts.setSpacing(px(8))
        self.help = Button("", "quiet", "help", name="What am I looking at?")
        self.help.clicked.connect(self.help_asked_for)
        row.addWidget(self._title)
        row.addWidget(self.help)
        row.addWidget(self._facts, 1)
        self._rows.addLayout(row, 1)
        self._rows.addLayout(self._acts)

    def minimumSizeHint(self) -> QSize:
        """Title or acts, whichever is wider; in a narrow window the acts stand below."""
        acts = self._acts.minimumSize().width() + px(36)
        return QSize(max(acts, px(200)), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Acts go below the title where both have no room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        needed = (
            self._title.sizeHint().width()
            + self._acts.sizeHint().width()
            + self.help.sizeHint().width()
            + px(36 + 24 + 60)
        )
        is_narrow = needed > self.width()
        if is_narrow == self._is_narrow:
            return
        self._is_narrow = is_narrow
        direction = QBoxLayout.Direction
        self._rows.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        self._acts.setAlignment(Qt.AlignmentFlag.AlignLeft if is_narrow else Qt.AlignmentFlag.AlignRight)

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
        self._fit()

    @property
    def acts(self) -> tuple[QWidget, ...]:
        """The acts that are shown."""
        return tuple(self._shown)

    def set_facts(self, facts: str) -> None:
        """The line beside the title."""
        self._facts.setText(facts)
