"""Painted lines of one height that one goes up and down in; a press or Enter chooses one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.fonts import px


class SteppedLines(QWidget):
    """Keeps in `_at` which line has the ring; who paints the lines says what they are and chooses one."""

    line_height: ClassVar[int] = 0

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._at = 0
        self._is_read_only = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)

    @property
    def lines(self) -> Sequence[Any]:
        """What there is a line of."""
        raise NotImplementedError

    def choose(self, at: int) -> None:
        """Say that a line was chosen."""
        raise NotImplementedError

    def set_read_only(self, *, is_read_only: bool = True) -> None:
        """Take no focus and no press, or take them again."""
        self._is_read_only = is_read_only
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if is_read_only else Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        """As high as its lines."""
        return QSize(px(200), px(self.line_height) * len(self.lines))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down move, Enter chooses."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is not None and 0 <= self._at + step < len(self.lines):
            self._at += step
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.lines:
            self.choose(self._at)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press chooses the line."""
        at = int(event.position().y()) // px(self.line_height)
        if not self._is_read_only and 0 <= at < len(self.lines):
            self._at = at
            self.update()
            self.choose(at)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring shows."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes."""
        super().focusOutEvent(event)
        self.update()
