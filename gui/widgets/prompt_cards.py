"""The cards of the Prompts page: the chosen prompt in full, and how places are spread over roles."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.records import Prompt
from gui.fonts import font, px, width_of
from gui.models.coverage import in_words
from gui.models.places import WITH_PLACE, PlaceUse, spread_sentence
from gui.palette import palette
from gui.widgets.caption import Caption
from gui.widgets.card import Card
from gui.widgets.marker import draw_marker

MOST_PLACES_SHOWN = 40


class PromptCard(Card):
    """The chosen prompt in full."""

    def __init__(self) -> None:
        super().__init__("Prompt")
        self.show_prompt(None)

    def show_prompt(self, prompt: Prompt | None) -> None:
        """Show a prompt, or what to do to see one."""
        self.empty()
        if prompt is None:
            self.body.addWidget(Caption("Choose a row to read it in full.", "muted", wraps=True))
            return
        self.body.addWidget(Caption(prompt.text, wraps=True))
        condition = prompt.condition.in_words if prompt.condition else "no condition stated"
        parts = [in_words(prompt.role), condition, prompt.kind.value]
        self.body.addWidget(Caption(", ".join(parts), "muted", wraps=True))
        for name, value in (("place", prompt.place), ("activity", prompt.activity)):
            if value:
                self.body.addWidget(Caption(f"{name}: {value}", "muted", wraps=True))


class PlacesCard(Card):
    """How many roles each place has, by condition: markers in one column mean an even spread."""

    def __init__(self) -> None:
        super().__init__("Places over roles")

    def show_uses(self, uses: tuple[PlaceUse, ...]) -> None:
        """Show the spread in a sentence a condition, and the most used places as a dot plot."""
        self.empty()
        for condition in WITH_PLACE:
            self.body.addWidget(Caption(spread_sentence(uses, condition), "muted", wraps=True))
        self.body.addSpacing(px(6))
        self.body.addWidget(PlaceDots(uses))
        if len(uses) > MOST_PLACES_SHOWN:
            self.body.addWidget(Caption(f"and {len(uses) - MOST_PLACES_SHOWN} more places", "muted"))
        self.setVisible(bool(uses))


class PlaceDots(QWidget):
    """A dot plot: one line a place, a marker of each condition at the number of its roles."""

    LINE, AXIS = 20, 24

    def __init__(self, uses: tuple[PlaceUse, ...]) -> None:
        super().__init__()
        self._uses = uses[:MOST_PLACES_SHOWN]
        self._most = max((max(use.roles.values()) for use in self._uses), default=1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"Roles at each place, 0 to {self._most}")

    def sizeHint(self) -> QSize:
        """One line a place, and the axis."""
        return QSize(px(240), len(self._uses) * px(self.LINE) + px(self.AXIS))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the grid, the axis, then names and markers."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(12))
        names = max((width_of(use.place, 12) for use in self._uses), default=0)
        left = min(names, self.width() * 6 // 10) + px(14)
        room = self.width() - left - px(10)
        self._paint_axis(painter, left, room)
        for number, use in enumerate(self._uses):
            self._paint_line(painter, number * px(self.LINE), use, left, room)

    def _paint_axis(self, painter: QPainter, left: int, room: int) -> None:
        roles, bottom = palette(), len(self._uses) * px(self.LINE)
        step = max(-(-self._most // 5), 1)
        for tick in range(0, self._most + 1, step):
            x = left + room * tick // self._most
            painter.setPen(QPen(roles.line, 0.75))
            painter.drawLine(x, 0, x, bottom)
            painter.setPen(roles.muted)
            place = QRect(x - px(20), bottom + px(4), px(40), px(self.AXIS - 6))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(tick))
        painter.setPen(QPen(roles.edge, 1))
        painter.drawLine(left, bottom, left + room, bottom)

    def _paint_line(self, painter: QPainter, top: int, use: PlaceUse, left: int, room: int) -> None:
        roles, high = palette(), px(self.LINE)
        painter.setPen(roles.text)
        name = painter.fontMetrics().elidedText(use.place, Qt.TextElideMode.ElideRight, left - px(12))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(0, top, left, high, flags, name)
        for row, condition in enumerate(WITH_PLACE):
            count = use.roles.get(condition)
            if count is not None:
                y = top + high / 2 + (row - 0.5) * px(7)
                centre = QPointF(left + room * count / self._most, y)
                draw_marker(painter, roles.condition(condition), centre, px(3.5))
