"""A row that goes on in a second line where there is no room: for filters and legends above a table."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from gui.fonts import px


class Flow(QLayout):
    """Items from the left, those after `add_right` at the right end of the last line if they fit."""

    def __init__(self, parent: QWidget | None = None, gap: int = 8, line_gap: int = 6) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._right: set[QLayoutItem] = set()
        self._gap, self._line_gap = gap, line_gap
        self.setContentsMargins(0, 0, 0, 0)

    def add_right(self, widget: QWidget) -> None:
        """Add a widget that goes to the right end of its line."""
        self.addWidget(widget)
        self._right.add(self._items[-1])

    def addItem(self, item: QLayoutItem) -> None:
        """Take an item over."""
        self._items.append(item)

    def count(self) -> int:
        """Number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """An item by number."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Hand an item back."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Takes no more height than it needs."""
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        """Less width, more lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all lines."""
        return self._place(QRect(0, 0, width, 0), is_real=False)

    def setGeometry(self, rect: QRect) -> None:
        """Place everything."""
        super().setGeometry(rect)
        self._place(rect, is_real=True)

    def sizeHint(self) -> QSize:
        """One line."""
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(size.width() for size in shown) + px(self._gap) * max(len(shown) - 1, 0)
        return QSize(wide, max((size.height() for size in shown), default=0))

    def minimumSize(self) -> QSize:
        """As wide as its widest item."""
        shown = [item.minimumSize() for item in self._items if not item.isEmpty()]
        return QSize(
            max((size.width() for size in shown), default=0),
            max((size.height() for size in shown), default=0),
        )

    def _place(self, rect: QRect, is_real: bool) -> int:
        lines: list[list[QLayoutItem]] = [[]]
        left = 0
        for item in self._items:
            if item.isEmpty():
                continue
            wide = item.sizeHint().width()
            if lines[-1] and left + wide > rect.width():
                lines.append([])
                left = 0
            lines[-1].append(item)
            left += wide + px(self._gap)
        top = rect.top()
        for line in lines:
            high = max((item.sizeHint().height() for item in line), default=0)
            if is_real:
                self._place_line(line, rect, top, high)
            top += high + px(self._line_gap)
        return top - px(self._line_gap) - rect.top()

    def _place_line(self, line: list[QLayoutItem], rect: QRect, top: int, high: int) -> None:
        left = rect.left()
        right = [item for item in line if item in self._right]
        at_right = sum(item.sizeHint().width() + px(self._gap) for item in right) - px(self._gap)
        for item in line:
            if right and item is right[0]:
                left = max(left, rect.right() + 1 - at_right)
            size = item.sizeHint()
            item.setGeometry(QRect(QPoint(left, top + (high - size.height()) // 2), size))
            left += size.width() + px(self._gap)
