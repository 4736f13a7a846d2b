"""Where the pages are: in a window that is too small for a page, the page scrolls."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget

from gui.fonts import px

MOST_WIDTH, MOST_HEIGHT = 1196, 640
"""No page needs more: the room beside the rail and below the header at 1280 × 720."""

MOST_ASKED, MILLISECONDS_OF_REST = 4, 500


class PageStack(QStackedWidget):
    """The pages; only the one that is shown says how much room is needed."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(self._on_changed)

    def sizeHint(self) -> QSize:
        """That of the page that is shown."""
        page = self.currentWidget()
        return page.sizeHint() if page is not None else QSize(0, 0)

    def minimumSizeHint(self) -> QSize:
        """That of the page that is shown."""
        page = self.currentWidget()
        return page.minimumSizeHint() if page is not None else QSize(0, 0)

    def _on_changed(self, _index: int) -> None:
        self.updateGeometry()


class PageArea(QScrollArea):
    """Holds the stack; no page, whatever is on it, makes the window larger.

    What a page needs depends on how wide it is made (columns drop out, lines wrap), so asking again after
    every layout could go round in circles. It is asked at most a few times before it has to rest.
    """

    def __init__(self, stack: PageStack) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumSize(1, 1)
        self.viewport().setAutoFillBackground(False)
        self._stack = stack
        self._asked = 0
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._fit)
        self._rest = QTimer(self, singleShot=True, interval=MILLISECONDS_OF_REST)
        self._rest.timeout.connect(self._on_rested)
        self.setWidget(stack)
        stack.setAutoFillBackground(False)
        stack.installEventFilter(self)
        stack.currentChanged.connect(self._on_other_page)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another size has room for more or less."""
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A page may need more, or less, than before."""
        if watched is self._stack and event.type() is QEvent.Type.LayoutRequest and self._asked < MOST_ASKED:
            self._later.start()
        return super().eventFilter(watched, event)

    def _on_other_page(self, _index: int) -> None:
        self._fit()

    def _on_rested(self) -> None:
        self._asked = 0

    def _fit(self) -> None:
        most = QSize(px(MOST_WIDTH), px(MOST_HEIGHT))
        needed = self._stack.minimumSizeHint().boundedTo(most)
        bar = self.verticalScrollBar().sizeHint().width()
        has_down = needed.height() > self.height()
        has_across = needed.width() > self.width() - (bar if has_down else 0)
        has_down = needed.height() > self.height() - (bar if has_across else 0)
        policies = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAlwaysOn
        self.setHorizontalScrollBarPolicy(policies[has_across])
        self.setVerticalScrollBarPolicy(policies[has_down])
        room = self.size() - QSize(bar if has_down else 0, bar if has_across else 0)
        if self._stack.size() != room.expandedTo(needed):
            self._asked += 1
            self._rest.start()
            self._stack.resize(room.expandedTo(needed))
