"""One condition of the drawer: marker, "20 of 60", 33 %, a link to all, and the pictures."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.models.number import percent
from gui.results.condition_sheet import ConditionSheet
from gui.results.looking_up import Sheet
from gui.results.sentences import condition_words
from gui.studio import Studio
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.card import empty_layout
from gui.widgets.marker import MarkerBox
from gui.widgets.thumbnails import Thumbnails
from gui.words import thousands


class ConditionGroup(QWidget):
    """Shows a `Sheet`; the link shows all of its pictures, or the first rows again."""

    def __init__(self, studio: Studio, thumbnails: Thumbnails) -> None:
        super().__init__()
        self._shows_all = False
        self._images = 0
        self._marker = QHBoxLayout()
        self.name, self.count, self.share = Caption("", "strong"), Caption(), Caption("", "muted")
        self.all = Button("", "link")
        self.left_out = Caption("", "muted", wraps=True)
        self.sheet = ConditionSheet(studio, thumbnails, "Images of this condition")
        head = QHBoxLayout()
        head.setSpacing(px(8))
        head.addLayout(self._marker)
        for widget in (self.name, self.count, self.share):
            head.addWidget(widget)
        head.addStretch(1)
        head.addWidget(self.all)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, px(4), 0, 0)
        column.setSpacing(px(4))
        column.addLayout(head)
        column.addWidget(self.sheet)
        column.addWidget(self.left_out)
        self.all.clicked.connect(self._on_all)

    def show_sheet(self, sheet: Sheet) -> None:
        """Show the pictures of a condition."""
        group = sheet.group
        empty_layout(self._marker)
        self._marker.addWidget(MarkerBox(group.condition))
        self.name.setText(group.condition.value)
        self.name.setToolTip(group.condition.in_words)
        self.count.setText(condition_words(len(group.having), group.images))
        self.share.setText(percent(group.share))
        self._images = group.images
        out = [f"{thousands(number)} {why.replace('_', ' ')}" for why, number in group.left_out.items()]
        self.left_out.setText(f"left out: {', '.join(out)}")
        self.left_out.setVisible(bool(out))
        self.sheet.show_images(sheet.having, sheet.other)
        self.sheet.setAccessibleName(f"{group.condition.value}: {self.count.text()} have the label")
        self._show_all(False)

    def _show_all(self, shows_all: bool) -> None:
        self._shows_all = shows_all
        self.sheet.show_all(shows_all)
        words = "fewer" if shows_all else f"all {thousands(self._images)}"
        self.all.setText(words)
        self.all.setAccessibleName(f"{self.name.text()}: show {words}")
        self.all.setVisible(self._images > 0)

    def _on_all(self) -> None:
        self._show_all(not self._shows_all)
