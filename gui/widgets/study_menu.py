"""The menu of the window, opened by the study's name: studies, theme, text size, keys."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from gui.settings import continues_by_itself, recent_studies
from gui.theme import Theme
from gui.words import key_words

THEMES = ((None, "as the system"), ("light", "light"), ("dark", "dark"))


class StudyMenu(QMenu):
    """`asked_for(act, what)`: open, new, recent (folder), close, theme (name), continue (bool), larger …"""

    asked_for = Signal(str, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        """Filled when opened, so that it never shows what was."""
        self.clear()
        self._add("Open study…", "open", key="Ctrl+O")
        self._add("New study…", "new")
        for folder in recent_studies()[1:]:
            self._add(f"Open {folder.name}", "recent", folder)
        self._add("Close this study", "close")
        self.addSeparator()
        themes = QActionGroup(self)
        for name, words in THEMES:
            act = self._add(f"Theme: {words}", "theme", name)
            act.setCheckable(True)
            act.setChecked(self._theme.pinned == name)
            themes.addAction(act)
        self.addSeparator()
        goes_on = self._add(
            "Continue unfinished work when a study opens", "continue", not continues_by_itself()
        )
        goes_on.setCheckable(True)
        goes_on.setChecked(continues_by_itself())
        self.addSeparator()
        self._add("Larger text", "larger", key="Ctrl++")
        self._add("Smaller text", "smaller", key="Ctrl+-")
        self._add("Keys", "keys", key="F1")

    def _add(self, words: str, act: str, what: Path | str | bool | None = None, key: str = "") -> QAction:
        made = self.addAction(f"{words}\t{key_words(key)}" if key else words)
        made.setData((act, what))
        made.triggered.connect(self._on_triggered)
        return made

    def _on_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.asked_for.emit(*action.data())
