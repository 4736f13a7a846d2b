"""One category to choose: its key and its name. Unknown has a dashed border."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from gui import fonts
from gui.palette import Palette, palette
from gui.widgets.key_cap import cap_size, paint_cap

HEIGHT, WIDE_HEIGHT = 34, 38
CAP = 20
PADDING = (9, 8, 15)
"""Before the cap, between cap and name, after the name."""
TIGHT_PADDING = (7, 6, 8)
RADIUS = 4


class OptionButton(QAbstractButton):
    """An option by its label id; whether it is chosen is the session's to say, never the click's."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label_id = ""
        self.key = ""
        self.is_unknown = False
        self._ease = 1.0
        self._measured: tuple[tuple[str, str, float], int, int] | None = None
        self._is_wide = False
        self._is_faint = False
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_option(self, label_id: str, name: str, key: str, definition: str, *, is_unknown: bool) -> None:
        """Become the button of one option."""
        self.label_id, self.key, self.is_unknown = label_id, key, is_unknown
        self.setText(name)
        self.setToolTip(definition)
        self.setAccessibleName(f"{name}, key {key}" if key else name)
        self.setAccessibleDescription(definition)
        self.set_faint(False)
        self.updateGeometry()
        self.update()

    def set_room(self, *, ease: float, is_wide: bool) -> None:
        """Less padding when the row is full; taller in a wide window."""
        self._ease, self._is_wide = ease, is_wide

    def set_faint(self, is_faint: bool) -> None:
        """Step back because the filter does not fit; it can be chosen all the same."""
        if is_faint != self._is_faint:
            self._is_faint = is_faint
            self.update()

    @property
    def is_faint(self) -> bool:
        """Whether the filter does not fit it."""
        return self._is_faint

    def nextCheckState(self) -> None:
        """A click asks; the answer comes back through `setChecked`."""

    def sizeHint(self) -> QSize:
        """Wide enough for the name in its bold form, so that nothing moves when it is chosen."""
        return QSize(self.width_with(self._ease), self.height_now)

    @property
    def height_now(self) -> int:
        """Height in this window."""
        return fonts.px(WIDE_HEIGHT if self._is_wide else HEIGHT)

    def width_with(self, ease: float) -> int:
        """Width with or without the comfortable padding."""
        before, between, after = self._padding(ease)
        cap, text = self._inside()
        return before + (cap + between if self.key else 0) + text + after

    def _inside(self) -> tuple[int, int]:
        """Widths of cap and name, bold as that is never narrower; measured once, as rows ask often."""
        now = (self.text(), self.key, fonts.scale())
        if self._measured is None or self._measured[0] != now:
            cap = cap_size(self.key, CAP).width() if self.key else 0
            self._measured = (now, cap, fonts.width_of(self.text(), 14, True))
        return self._measured[1], self._measured[2]

    @staticmethod
    def _padding(ease: float) -> tuple[int, int, int]:
        """Padding between the tightest (0) and the most comfortable (1)."""
        before, between, after = (
            fonts.px(least + (most - least) * ease)
            for least, most in zip(TIGHT_PADDING, PADDING, strict=True)
        )
        return before, between, after

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show that the pointer is over it."""
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Show that the pointer is gone."""
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Box, key, name, focus ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        roles = palette()
        self._paint_box(painter, roles)
        self._paint_words(painter, roles)
        if self.hasFocus():
            painter.setPen(QPen(roles.focus, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(3, 3, -3, -3), 3, 3)

    def _paint_box(self, painter: QPainter, roles: Palette) -> None:
        box = QRectF(self.rect())
        if self.isChecked():
            painter.setPen(QPen(roles.accent, 2))
            painter.setBrush(roles.accent_soft)
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), RADIUS - 1, RADIUS - 1)
            return
        pen = QPen(roles.line if self._is_faint else roles.edge, 1)
        if self.is_unknown:
            pen.setDashPattern([4, 3])
        painter.setPen(pen)
        fill = roles.sunken if self.isDown() else roles.hover if self.underMouse() else roles.surface
        painter.setBrush(fill)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)

    def _paint_words(self, painter: QPainter, roles: Palette) -> None:
        before, between, after = self._padding(self._ease)
        left = float(before)
        ink = roles.faint if self._is_faint else roles.text
        if self.key:
            size = cap_size(self.key, CAP)
            top = round((self.height() - size.height()) / 2)
            place = QRectF(left, top, size.width(), size.height())
            if self.isChecked():
                paint_cap(painter, place, self.key, roles.on_accent, roles.accent, roles.accent)
            else:
                paint_cap(painter, place, self.key, ink, roles.edge)
            left += size.width() + between
        painter.setPen(ink)
        painter.setFont(fonts.font(14, self.isChecked()))
        words = QRectF(left, 0, self.width() - left - min(after, 4), self.height() - 1)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
