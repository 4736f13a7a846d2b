"""New images in rows under their prompts, newest prompt first; places of images to come are hollow."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from core.records import ImageStatus, StoredImage
from gui.fonts import font, px, width_of
from gui.generate.groups import Group
from gui.generate.sheet_geometry import Place, SheetGeometry
from gui.icons import draw_icon
from gui.models.coverage import in_words
from gui.models.failures import failure_class
from gui.palette import palette
from gui.studio import Studio
from gui.widgets.marker import draw_marker
from gui.widgets.thumbnails import Thumbnails
from gui.words import thousands

MILLISECONDS_BETWEEN_REPAINTS = 250
_KEYS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class PromptSheet(QScrollArea):
    """The sheet with its scroll bar; `moved(image)` and, on Enter or a double click, `opened(image)`."""

    moved = Signal(object)
    opened = Signal(object)

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.inner = _Sheet(studio)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFocusProxy(self.inner)
        self.setWidget(self.inner)
        self.inner.setAutoFillBackground(False)
        self.inner.moved.connect(self._on_moved)
        self.inner.opened.connect(self.opened)

    @property
    def current(self) -> StoredImage | None:
        """The current image."""
        return self.inner.current

    @property
    def groups(self) -> tuple[Group, ...]:
        """What is shown."""
        return self.inner.groups

    def show_groups(self, groups: Sequence[Group]) -> None:
        """Show other groups; who has scrolled down stays where they are."""
        bar = self.verticalScrollBar()
        before, below = bar.value(), self.inner.height_of_sheet - bar.value()
        self.inner.show_groups(groups)
        if before > 0:
            bar.setValue(self.inner.height_of_sheet - below)

    def scroll_to_top(self) -> None:
        """Back to the newest."""
        self.verticalScrollBar().setValue(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width gives other sides."""
        super().resizeEvent(event)
        self.inner.fit(self.viewport().width())

    def _on_moved(self, image: StoredImage) -> None:
        place = self.inner.place_of_current()
        self.ensureVisible(place.center().x(), place.center().y(), 0, place.height() // 2 + px(40))
        self.moved.emit(image)


class _Sheet(QWidget):
    moved = Signal(object)
    opened = Signal(object)

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self._studio = studio
        self.groups: tuple[Group, ...] = ()
        self._geometry = SheetGeometry((), px(400))
        self._at: Place | None = None
        self._thumbnails = Thumbnails(studio, self)
        self._thumbnails.arrived.connect(self._on_arrived)
        self._repaint = QTimer(self)
        self._repaint.setSingleShot(True)
        self._repaint.setInterval(MILLISECONDS_BETWEEN_REPAINTS)
        self._repaint.timeout.connect(self.update)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("New images by prompt")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    # -- what is shown ----------------------------------------------------------------------------

    @property
    def current(self) -> StoredImage | None:
        if self._at is None:
            return None
        group, cell = self._at
        return self.groups[group].images[cell]

    @property
    def height_of_sheet(self) -> int:
        return self._geometry.height

    def show_groups(self, groups: Sequence[Group]) -> None:
        before = self.current
        self.groups = tuple(groups)
        self._at = self._find(before) if before is not None else None
        self.fit(self.width())
        # At once: whoever calls does so at most four times a second.
        self.update()

    def fit(self, width: int) -> None:
        self._geometry = SheetGeometry([group.cells for group in self.groups], width)
        self.setFixedHeight(max(self._geometry.height, 1))

    def place_of_current(self) -> QRect:
        return self._geometry.place(*self._at) if self._at is not None else QRect()

    def sizeHint(self) -> QSize:
        return QSize(px(400), self._geometry.height)

    def _find(self, image: StoredImage) -> Place | None:
        for number, group in enumerate(self.groups):
            if image in group.images:
                return number, group.images.index(image)
        return None

    # -- keyboard and pointer ---------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Say which picture is under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            image = self._image_at(event.pos().x(), event.pos().y())
            self.setToolTip(f"seed {image.seed}" if image else "")
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current is not None:
            self.opened.emit(self.current)
        elif key in _KEYS and self.groups:
            filled = [len(group.images) for group in self.groups]
            across, down = _KEYS[key]
            start = self._at
            self._go((0, 0) if start is None else self._geometry.step(start, across, down, filled))
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self._geometry.cell_at(event.position().toPoint())
        if at is not None and at[1] < len(self.groups[at[0]].images):
            self._go(at)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.current is not None:
            self.opened.emit(self.current)

    def _image_at(self, x: int, y: int) -> StoredImage | None:
        at = self._geometry.cell_at(QRect(x, y, 1, 1).topLeft())
        if at is None or at[1] >= len(self.groups[at[0]].images):
            return None
        return self.groups[at[0]].images[at[1]]

    def _go(self, at: Place) -> None:
        self._at = at
        self.update()
        self.moved.emit(self.current)

    # -- painting ---------------------------------------------------------------------------------

    def _on_arrived(self, _path: str) -> None:
        if not self._repaint.isActive():
            self._repaint.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = event.rect()
        for number in self._geometry.groups_in(area.top(), area.bottom()):
            group = self.groups[number]
            self._paint_head(painter, group, self._geometry.head(number))
            for cell in range(group.cells):
                place = self._geometry.place(number, cell)
                if place.intersects(area):
                    self._paint_cell(painter, place, group.images[cell] if cell < len(group.images) else None)
        if self._at is not None:
            roles, has_focus = palette(), self.hasFocus()
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(roles.focus if has_focus else roles.edge, 2 if has_focus else 1))
            painter.drawRect(self.place_of_current().adjusted(-2, -2, 1, 1))

    def _paint_head(self, painter: QPainter, group: Group, place: QRect) -> None:
        roles, across = palette(), Qt.AlignmentFlag.AlignVCenter
        whole = f" of {thousands(group.asked)}" if group.asked else ""
        count = f"{thousands(group.made)}{whole}"
        painter.setFont(font(12))
        painter.setPen(roles.muted)
        painter.drawText(place, across | Qt.AlignmentFlag.AlignRight, count)
        left, right = place.left(), place.right() - width_of(count, 12) - px(12)
        role = in_words(group.role)
        painter.setPen(roles.text)
        painter.setFont(font(is_bold=True))
        painter.drawText(QRect(left, place.top(), right - left, place.height()), across, role)
        left += width_of(role, is_bold=True) + px(14)
        painter.setFont(font())
        if group.condition is not None:
            centre = QPointF(left + px(5), QRectF(place).center().y())
            draw_marker(painter, roles.condition(group.condition), centre, px(5))
            name = group.condition.value
            painter.drawText(QRect(left + px(14), place.top(), right - left, place.height()), across, name)
            left += px(14) + width_of(name) + px(14)
        if right > left:
            painter.setPen(roles.muted)
            text = painter.fontMetrics().elidedText(group.prompt, Qt.TextElideMode.ElideRight, right - left)
            painter.drawText(QRect(left, place.top(), right - left, place.height()), across, text)

    def _paint_cell(self, painter: QPainter, place: QRect, image: StoredImage | None) -> None:
        roles = palette()
        if image is None:
            painter.setPen(roles.line)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(place.adjusted(0, 0, -1, -1))
            return
        if image.status is not ImageStatus.OK:
            paint_trouble(painter, place, failure_class("generate", image.status.value, 1).title.lower())
            return
        folder = self._studio.folder
        side = round(place.width() * self.devicePixelRatioF())
        picture = self._thumbnails.get(folder / image.thumbnail, side) if folder is not None else None
        if picture is None:
            painter.fillRect(place, roles.sunken)
        elif picture.isNull():
            paint_trouble(painter, place, "unreadable")
        else:
            painter.drawPixmap(place, picture)


def paint_trouble(painter: QPainter, place: QRect, said: str) -> None:
    """A picture that failed: danger border, warning sign, and the word."""
    roles = palette()
    painter.fillRect(place, roles.danger_soft)
    painter.setPen(roles.danger)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(place.adjusted(0, 0, -1, -1))
    middle = QRectF(place).center().y()
    draw_icon(painter, "warn", "danger", QRectF(place.left(), middle - px(20), place.width(), px(18)))
    painter.setFont(font(12))
    words = QRectF(place.left() + 2, middle, place.width() - 4, px(34))
    painter.drawText(words, Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap, said)
