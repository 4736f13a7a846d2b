"""A question before an act that cannot be taken back: what it does, what is lost, and the act by its name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from gui.fonts import px
from gui.widgets.button import Button
from gui.widgets.caption import Caption


class ConsequenceDialog(QDialog):
    """Accepted only by the button that names the act; the other one has the focus.

    Parameters
    ----------
    title : str
        What is about to be done.
    lines : sequence of str
        What follows from it, one thought a line.
    act, stay : str
        Captions of the two buttons.
    kind : str
        Kind of the act's button: "danger" where something is lost.
    """

    def __init__(
        self,
        title: str,
        lines: Sequence[str],
        act: str,
        stay: str,
        kind: str = "danger",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.act, self.stay = Button(act, kind), Button(stay)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(10))
        captions = [
            Caption(title, "drawer_title", wraps=True),
            *(Caption(line, wraps=True) for line in lines),
        ]
        for caption in captions:
            # Not the dialog: a least width of its own would keep it from growing with its buttons.
            caption.setMinimumWidth(px(420))
            column.addWidget(caption)
        row = QHBoxLayout()
        row.setContentsMargins(0, px(6), 0, 0)
        row.setSpacing(px(8))
        row.addStretch(1)
        row.addWidget(self.stay)
        row.addWidget(self.act)
        column.addLayout(row)
        self.act.clicked.connect(self.accept)
        self.stay.clicked.connect(self.reject)
        self.stay.setFocus()
