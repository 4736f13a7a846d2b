"""The strip under the header that says what a person is looking at, when somebody asks."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gui.about_pages import ABOUT
from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.icon_box import IconBox

LINE = 28
"""Height of the close button, on which a single line is centred."""


class AboutStrip(QWidget):
    """Hidden until it is asked for; then it stays through other pages, with their words, until closed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wanted = False
        self.words = Caption("", "small", wraps=True)
        self.close_button = Button("", "quiet", "x", name="Close this explanation")
        note = QFrame()
        note.setProperty("kind", "note")
        row = QHBoxLayout(note)
        row.setContentsMargins(px(10), px(2), px(4), px(2))
        row.setSpacing(px(8))
        sign = IconBox("help", "muted", 16)
        sign.setFixedHeight(px(LINE))
        self.words.setContentsMargins(0, px(5), 0, px(5))
        row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.words, 1)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), 0, px(16), px(8))
        column.addWidget(note)
        self.close_button.clicked.connect(self.toggle)
        self.hide()

    def toggle(self) -> None:
        """Show it, or hide it again."""
        self._wanted = not self._wanted
        self._fit()

    def close_it(self) -> bool:
        """Hide it; returns whether it was shown."""
        was_shown = not self.isHidden()
        if was_shown:
            self.toggle()
        return was_shown

    def show_page(self, name: str) -> None:
        """Speak of another page; one that has no words shows none."""
        self.words.setText(ABOUT.get(name, ""))
        self.setAccessibleName(self.words.text())
        self._fit()

    def _fit(self) -> None:
        self.setVisible(self._wanted and bool(self.words.text()))
