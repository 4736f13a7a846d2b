"""A window of its own in a raised frame, with a title and a button that Esc presses too."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption


class RaisedDialog(QDialog):
    """Title above, what a child puts into `column` below.

    Parameters
    ----------
    title : str
    parent : QWidget, optional
    kind : str
        Caption kind of the title.
    note : str
        Words beside the title.
    """

    def __init__(
        self, title: str, parent: QWidget | None = None, *, kind: str = "drawer_title", note: str = ""
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        frame = QFrame(self)
        frame.setProperty("kind", "raised")
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(frame)
        self.column = QVBoxLayout(frame)
        self.column.setContentsMargins(px(20), px(16), px(16), px(20))
        self.column.setSpacing(px(12))
        top = QHBoxLayout()
        top.addWidget(Caption(title, kind), 1)
        if note:
            top.addWidget(Caption(note, "muted"))
        close = Button("", "quiet", "x", key="Esc", name="Close")
        close.clicked.connect(self.accept)
        top.addWidget(close)
        self.column.addLayout(top)
