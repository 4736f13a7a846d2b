"""The parts of the annotation screen and where they stand: bar, stage, bar, and what floats over them."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from gui import fonts
from gui.annotate.cheat_sheet import CheatSheet
from gui.annotate.guide import Guide
from gui.annotate.panels import AskPanel, CommentBox, NotePanel, TroubleStrip
from gui.annotate.question_bar import QuestionBar
from gui.annotate.top_bar import TopBar
from gui.annotate.zoom import Zoom
from gui.widgets.grid_geometry import LEAST_GAP
from gui.widgets.tile import STRIP
from gui.widgets.tile_grid import WIDE_FROM, TileGrid

SMALLEST_PICTURE = 96
"""Below this the question bar scrolls instead of taking more of the stage."""


class Parts:
    """Makes every part as a child of the screen and puts it in its place; no state, no acts."""

    def __init__(self, screen: QWidget, detail_pixels: int) -> None:
        self._screen = screen
        self.top = TopBar(screen)
        self.grid = TileGrid(screen)
        self.bar = QuestionBar()
        self.area = _area(self.bar, screen)
        self.zoom = Zoom(detail_pixels, screen)
        self.ask = AskPanel(screen)
        self.guide = Guide(screen)
        self.sheet = CheatSheet(screen)
        self.comment = CommentBox(screen)
        self.trouble = TroubleStrip(screen)
        self.pause = NotePanel("break", "Go on", "Enter", screen)
        self.end = NotePanel("all sets done", "Look at the sets again", "Enter", screen)
        self._order_tabs()

    @property
    def stage(self) -> QRect:
        """Where the pictures are."""
        return self.grid.geometry()

    def place(self) -> None:
        """Put everything where it belongs in the size there is."""
        width, height = self._screen.width(), self._screen.height()
        is_wide = self._screen.window().width() >= WIDE_FROM
        self.top.set_wide(is_wide)
        self.bar.set_wide(is_wide)
        top = self.top.height_now()
        needed = self.bar.height_in(width)
        least_stage = 2 * (SMALLEST_PICTURE + fonts.px(STRIP)) + 3 * LEAST_GAP
        low = min(needed, max(height - top - least_stage, fonts.px(120)))
        self.top.setGeometry(0, 0, width, top)
        self.grid.setGeometry(0, top, width, max(height - top - low, 1))
        self.area.setGeometry(0, height - low, width, low)
        is_cut = low < needed
        self.area.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAlwaysOn if is_cut else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        inner = width - (self.area.verticalScrollBar().sizeHint().width() if is_cut else 0)
        self.bar.resize(inner, self.bar.height_in(inner))
        self.bar.relayout()
        self.place_floating()

    def place_floating(self) -> None:
        """Put what floats where it belongs over the stage."""
        stage = self.stage
        corner = QPoint(stage.right() - 12, stage.bottom() - 12)
        self.zoom.setGeometry(stage)
        self.pause.setGeometry(stage)
        self.end.setGeometry(stage)
        if self.ask.isVisible():
            self.ask.stand(corner.x(), corner.y(), stage.width() - 32)
        if self.guide.isVisible():
            self.guide.stand(stage)
        if self.sheet.isVisible():
            self.sheet.stand(self._screen.rect())
        if self.comment.isVisible():
            self.comment.stand(corner, QSize(stage.width() - 32, stage.height() - 24))
        if self.trouble.isVisible():
            self.trouble.stand(stage.top(), stage.width())

    def reveal(self, widget: QWidget) -> None:
        """Give a control the focus and scroll to it where the bar is cut."""
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        if self.bar.isAncestorOf(widget):
            self.area.ensureWidgetVisible(widget)

    def set_tab_stop(self, position: int) -> None:
        """The ten are one stop of the Tab key; arrows walk among them."""
        for tile in self.grid.tiles:
            is_stop = tile.position == position
            tile.setFocusPolicy(Qt.FocusPolicy.TabFocus if is_stop else Qt.FocusPolicy.NoFocus)

    def _order_tabs(self) -> None:
        self.set_tab_stop(0)
        order: list[QWidget] = [*self.grid.tiles, self.bar.options.unknown, self.bar.options.box]
        order += [self.bar.slider, *self.bar.buttons, self.bar.hint, *self.top.icons]
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)


def _area(bar: QuestionBar, screen: QWidget) -> QScrollArea:
    area = QScrollArea(screen)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(bar)
    return area
