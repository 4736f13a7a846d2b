"""Verdict chips with their counts that filter a table: none chosen shows all."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from gui.fonts import font, px, width_of
from gui.models.persistence_data import VERDICTS
from gui.palette import palette
from gui.widgets.chip import chip_width, draw_chip
from gui.words import thousands

HEIGHT = 28


class VerdictChip(QAbstractButton):
    """One chip with its count; checked, only its rows are shown."""

    def __init__(self, verdict: str) -> None:
        super().__init__()
        self.verdict = verdict
        self._count = 0
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setToolTip(f"Show only {verdict}")

    def show_count(self, count: int) -> None:
        """Change the count."""
        if count != self._count:
            self._count = count
            self.updateGeometry()
            self.update()
        self.setAccessibleName(f"{self.verdict}: {count}")

    def sizeHint(self) -> QSize:
        """Chip and count."""
        number = width_of(thousands(self._count))
        return QSize(px(6) + chip_width(self.verdict) + px(6) + number + px(8), px(HEIGHT))

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show that the pointer is over it."""
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Show that the pointer is gone."""
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A field when chosen, the chip, the count, a ring with focus."""
        painter, roles = QPainter(self), palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self.isChecked():
            painter.setPen(QPen(roles.accent_line, 1))
            painter.setBrush(roles.accent_soft)
            painter.drawRoundedRect(box, px(4), px(4))
        elif self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(roles.hover)
            painter.drawRoundedRect(box, px(4), px(4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        inner = QRectF(self.rect()).adjusted(px(6), 0, -px(6), 0)
        draw_chip(painter, self.verdict, inner)
        painter.setFont(font(13, self.isChecked()))
        painter.setPen(roles.text)
        left = inner.left() + chip_width(self.verdict) + px(6)
        words = QRectF(left, 0, self.width() - left, self.height())
        painter.drawText(
            words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, thousands(self._count)
        )
        if self.hasFocus():
            painter.setPen(QPen(roles.focus, 2))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), px(4), px(4))


class VerdictFilter(QWidget):
    """`changed` when another set of verdicts is chosen."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chips = tuple(VerdictChip(verdict) for verdict in VERDICTS)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Verdicts")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(4))
        for chip in self.chips:
            row.addWidget(chip)
            chip.toggled.connect(self._on_toggled)

    @property
    def chosen(self) -> frozenset[str]:
        """Chosen verdicts; none means all."""
        return frozenset(chip.verdict for chip in self.chips if chip.isChecked())

    def show_counts(self, counts: Mapping[str, int]) -> None:
        """How many rows each verdict has."""
        for chip in self.chips:
            chip.show_count(counts.get(chip.verdict, 0))

    def _on_toggled(self, _is_on: bool) -> None:
        self.changed.emit()
