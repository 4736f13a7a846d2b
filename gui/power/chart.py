"""The chance that a change is found, by its size: one line for one role, one for all roles together."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.power.findings import ONE_ROLE, PowerCurve, PowerPanel
from gui.fonts import font, px, width_of
from gui.palette import Palette, palette
from gui.widgets.axis import Axis, draw_tick_words, nice_ticks

HEIGHT, TOP, FOOT, HEADS = 200, 8, 40, 6
GOAL = 0.8
_WORDS_AT = (0.3, 0.67)
_SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


class PowerChart(QWidget):
    """Lines in ink, told apart by their stroke and a word at each; a thin line where 80 of 100 are found."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.panel: PowerPanel | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Chance that a change is found")

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(px(280), px(HEIGHT))

    def show_panel(self, panel: PowerPanel | None) -> None:
        """Show the curves of a panel; None for an empty frame."""
        self.panel = panel
        said = [curve_words(panel, curve) for curve in panel.curves] if panel else []
        self.setAccessibleDescription("; ".join(said))
        self.update()

    def event(self, event: QEvent) -> bool:
        """Say the chances at the change under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.words_at(event.pos().x()), self)
            return True
        return super().event(event)

    def words_at(self, x: float) -> str:
        """What the lines say above a place on the axis; empty beside it."""
        if self.panel is None:
            return ""
        place = self._place()
        share = (x - place.left()) / place.width()
        if not 0.0 <= share <= 1.0:
            return ""
        change = share * self._ticks()[-1]
        said = [f"{curve.scope}: {100 * power_at(curve, change):.0f} %" for curve in self.panel.curves]
        return f"a change of {change:.1f} points is found: {', '.join(said)}"

    def paintEvent(self, event: QPaintEvent) -> None:
        """Grid, axis, lines, words."""
        painter, roles = QPainter(self), palette()
        place, ticks = self._place(), self._ticks()
        across = Axis(place.left(), place.right(), 0.0, ticks[-1])
        self._paint_frame(painter, place, across, ticks, roles)
        if self.panel is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for curve in self.panel.curves:
            _paint_curve(painter, curve, place, across, roles)
        _paint_words(painter, self.panel.curves, place, across, roles)

    def _ticks(self) -> tuple[float, ...]:
        most = max((curve.changes[-1] for curve in self.panel.curves), default=50.0) if self.panel else 50.0
        return nice_ticks(0.0, most)

    def _place(self) -> QRectF:
        left = width_of("100 %", 12) + px(8)
        return QRectF(left, px(TOP), self.width() - left - px(14), px(HEIGHT - TOP - FOOT))

    def _paint_frame(
        self, painter: QPainter, place: QRectF, across: Axis, ticks: tuple[float, ...], roles: Palette
    ) -> None:
        painter.setFont(font(12))
        for share in _SHARES:
            up = round(_height(place, share)) + 0.5
            is_goal = share == GOAL
            painter.setPen(QPen(roles.edge if is_goal else roles.line, 1 if is_goal else 0.75))
            painter.drawLine(QLineF(place.left(), up, place.right(), up))
            painter.setPen(roles.muted)
            box = QRectF(0, up - px(9), place.left() - px(6), px(18))
            painter.drawText(
                box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"{100 * share:.0f} %"
            )
        painter.setPen(QPen(roles.edge, 1))
        painter.drawLine(QLineF(place.left(), place.bottom() + 0.5, place.right(), place.bottom() + 0.5))
        for tick in ticks:
            at = round(across.at(tick)) + 0.5
            painter.drawLine(QLineF(at, place.bottom(), at, place.bottom() + px(3)))
        draw_tick_words(painter, across, ticks, place.bottom() + px(4), px(16), roles, lambda one: f"{one:g}")
        under = QRectF(place.left(), place.bottom() + px(21), place.width(), px(18))
        painter.drawText(under, Qt.AlignmentFlag.AlignCenter, "change of prevalence, points")


def power_at(curve: PowerCurve, change: float) -> float:
    """The chance at a change, on the straight line between two computed ones.

    >>> power_at(PowerCurve("one role", (0.0, 10.0), (0.0, 1.0)), 5.0)
    0.5
    """
    if change >= curve.changes[-1]:
        return curve.power[-1]
    at = max(place for place, one in enumerate(curve.changes) if one <= change)
    left, right = curve.changes[at], curve.changes[at + 1]
    share = (change - left) / (right - left) if right > left else 0.0
    return curve.power[at] + share * (curve.power[at + 1] - curve.power[at])


def curve_words(panel: PowerPanel, curve: PowerCurve) -> str:
    """A curve in words."""
    smallest = panel.of("smallest_change", curve.scope)
    if smallest.value is None:
        return f"{curve.scope}: {smallest.reason}"
    return f"{curve.scope}: {smallest.value:.1f} points are found in 80 of 100 studies"


def _height(place: QRectF, share: float) -> float:
    return place.bottom() - share * place.height()


def _paint_curve(painter: QPainter, curve: PowerCurve, place: QRectF, across: Axis, roles: Palette) -> None:
    style = Qt.PenStyle.SolidLine if curve.scope == ONE_ROLE else Qt.PenStyle.DashLine
    painter.setPen(QPen(roles.text, px(10) * 1.6 / 10, style))
    line = zip(curve.changes, curve.power, strict=True)
    points = [QPointF(across.at(change), _height(place, power)) for change, power in line]
    if curve.changes[-1] < across.high and curve.power[-1] > 0.995:
        points.append(QPointF(place.right(), _height(place, curve.power[-1])))
    painter.drawPolyline(QPolygonF(points))


def _paint_words(
    painter: QPainter, curves: tuple[PowerCurve, ...], place: QRectF, across: Axis, roles: Palette
) -> None:
    """A word right of each line, each at a height of its own."""
    painter.setFont(font(12))
    painter.setPen(roles.text)
    for number, curve in enumerate(curves):
        share = _WORDS_AT[number]
        reached = next((one for one in curve.changes if power_at(curve, one) >= share), curve.changes[-1])
        wide, high = width_of(curve.scope, 12), px(18)
        left = min(across.at(reached) + px(HEADS), place.right() - wide)
        middle = _height(place, share)
        box = QRectF(left, middle - high / 2, wide + 2, high)
        painter.fillRect(box, roles.surface)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, curve.scope)
