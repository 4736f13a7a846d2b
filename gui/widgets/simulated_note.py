"""The quiet line that says that a study holds simulated answers or records, wherever they are shown."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from gui.fonts import px
from gui.studio import Studio
from gui.widgets.caption import Caption, ElidedCaption
from gui.widgets.icon_box import IconBox


class SimulatedNote(QFrame):
    """Shown while `studio.has_simulated`, hidden otherwise; it can be put on any page."""

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self.setProperty("kind", "note")
        row = QHBoxLayout(self)
        row.setContentsMargins(px(10), px(4), px(10), px(4))
        row.setSpacing(px(8))
        self._what = Caption("", "small")
        self._why = ElidedCaption("made by stated chance, not by people", "muted")
        row.addWidget(IconBox("info", "muted", 14))
        row.addWidget(self._what)
        row.addWidget(self._why, 1)
        studio.simulated_changed.connect(self._on_changed)
        self._on_changed()

    @property
    def sentence(self) -> str:
        """What it says, "" while there is nothing simulated."""
        kinds = " and ".join(sorted(self._studio.simulated))
        return f"Contains simulated {kinds}" if kinds else ""

    def _on_changed(self) -> None:
        self._what.setText(self.sentence)
        self.setAccessibleName(self.sentence)
        self.setVisible(self._studio.has_simulated)
