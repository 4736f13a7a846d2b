"""As high as what is in it, and scrolling only where there is no room for that."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from gui.fonts import px

LEAST = 90


class FittedScroll(QScrollArea):
    """Holds one widget whose height depends on its width."""

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.viewport().setAutoFillBackground(False)
        content.setProperty("kind", "scrolled")
        self.setWidget(content)
        content.setAutoFillBackground(False)
        content.installEventFilter(self)

    def sizeHint(self) -> QSize:
        """All of it."""
        return QSize(px(300), self._needed(max(self.width(), px(300))))

    def minimumSizeHint(self) -> QSize:
        """A few lines of it."""
        return QSize(px(200), px(LEAST))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps otherwise."""
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What is in it may need more, or less, than before."""
        if watched is self.widget() and event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def _needed(self, width: int) -> int:
        content = self.widget()
        if content is None:
            return px(LEAST)
        high = content.heightForWidth(width) if content.hasHeightForWidth() else -1
        return max(high, content.minimumSizeHint().height())

    def _fit(self) -> None:
        width = self.viewport().width()
        wanted = QSize(width, self._needed(width))
        if self.widget().size() != wanted:
            self.widget().resize(wanted)
        if self.maximumHeight() != wanted.height():
            self.setMaximumHeight(wanted.height())
            self.updateGeometry()
