"""The rail: the study at the top, the pages in groups, free disk at the bottom; wide with words or narrow."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from gui.fonts import px, width_of
from gui.palette import palette
from gui.widgets.caption import Caption, rule
from gui.widgets.icon_box import IconBox
from gui.widgets.rail_button import NARROW, WIDE, RailButton, RailState, StudyButton


class Rail(QWidget):
    """The column of pages; `asked_for(name)` says that a page is wanted."""

    asked_for = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Pages")
        self._buttons: dict[str, RailButton] = {}
        self._group = QButtonGroup(self)
        self._study = StudyButton()
        self._disk = Caption("", "muted", wraps=True)
        self._folder = IconBox("folder", "muted", 16)
        for part in (self._study, self._disk, self._folder):
            part.setParent(self)  # shown without one it would be a window for a moment
        self._is_wide = True
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, px(10), 0, px(12))
        self._column.setSpacing(0)
        self._set_width()

    def fill(self, groups: Sequence[Sequence[tuple[str, str, str, str]]], menu: QMenu) -> None:
        """Put the pages in: groups of (name, word, icon, key); the study at the top opens the menu."""
        self._study.menu = menu
        self._column.addWidget(self._study)
        self._column.addSpacing(px(8))
        for number, group in enumerate(groups):
            if number:
                line = QVBoxLayout()
                line.setContentsMargins(px(16), px(6), px(12), px(6))
                line.addWidget(rule())
                self._column.addLayout(line)
            for name, word, icon, key in group:
                self._add(RailButton(name, word, icon, key))
        self._column.addStretch(1)
        foot = QHBoxLayout()
        foot.setContentsMargins(px(16), 0, px(8), 0)
        foot.setSpacing(px(8))
        foot.addWidget(self._folder, 0, Qt.AlignmentFlag.AlignTop)
        foot.addWidget(self._disk, 1)
        self._column.addLayout(foot)

    def button(self, name: str) -> RailButton:
        """The entry of one page."""
        return self._buttons[name]

    def select(self, name: str) -> None:
        """Show a page as the current one."""
        if name in self._buttons:
            self._buttons[name].setChecked(True)

    def set_state(self, name: str, state: RailState) -> None:
        """Show what goes on at a page, if the page is there."""
        if name in self._buttons and self._buttons[name].state != state:
            self._buttons[name].set_state(state)

    def set_study(self, name: str, facts: str) -> None:
        """The study at the top."""
        self._study.set_study(name, facts)

    def set_disk(self, words: str) -> None:
        """What the study takes and what is free, at the bottom."""
        self._disk.setText(words)

    def set_wide(self, is_wide: bool) -> None:
        """Words beside the icons, or under them."""
        if is_wide != self._is_wide:
            self._is_wide = is_wide
            self._set_width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low window the disk makes room for the pages."""
        super().resizeEvent(event)
        needed = sum(button.sizeHint().height() + px(2) for button in self._buttons.values())
        has_room = self.height() >= needed + px(180)
        self._disk.setVisible(has_room)
        self._folder.setVisible(has_room and self._is_wide)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground and the line at the right."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), palette().sunken)
        painter.fillRect(self.width() - 1, 0, 1, self.height(), palette().line)

    def _add(self, button: RailButton) -> None:
        self._buttons[button.name] = button
        self._group.addButton(button)
        self._column.addWidget(button)
        self._column.addSpacing(px(2))
        button.is_wide = self._is_wide
        button.clicked.connect(self._on_clicked)

    def _set_width(self) -> None:
        words = max((width_of(button.text(), 13, True) for button in self._buttons.values()), default=0)
        wide = max(px(WIDE), px(48) + words + px(58))
        self.setFixedWidth(wide if self._is_wide else px(NARROW))
        self._study.is_wide = self._is_wide
        self._folder.setVisible(self._is_wide)
        for button in self._buttons.values():
            button.is_wide = self._is_wide
            button.setMaximumHeight(button.sizeHint().height())
            button.updateGeometry()
            button.update()

    def _on_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, RailButton):
            self.asked_for.emit(button.name)
