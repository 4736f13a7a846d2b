"""A column of cards that scrolls when the window is too low for it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLayout, QScrollArea, QWidget


def scrolled(content: QLayout) -> QScrollArea:
    """The layout in an area that scrolls up and down only, and takes no focus of its own."""
    inner = QWidget()
    inner.setProperty("kind", "scrolled")
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inner)
    inner.setLayout(content)  # after that, so that the style sheet is applied to it when it is in its place
    return area
