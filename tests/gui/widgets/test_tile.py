"""A tile's states have a shape or a word each, and the picture is never painted on."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPixmap
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.palette import palette
from gui.theme import Theme
from gui.widgets.tile import MARGIN, Tile


@pytest.fixture
def tile(theme: Theme, qtbot: QtBot) -> Tile:
    """A tile of 100 px with a red picture."""
    made = Tile(3)
    qtbot.addWidget(made)
    made.place(QPointF(MARGIN, MARGIN), 100, 24)
    picture = QPixmap(100, 100)
    picture.fill(QColor("red"))
    made.set_picture(picture)
    made.set_key("R")
    made.show()
    return made


def pixels(tile: Tile) -> QImage:
    """What it looks like."""
    return tile.grab().toImage()


def picture_of(tile: Tile) -> set[int]:
    """All colours inside the picture's square."""
    image = pixels(tile)
    inside = tile.picture_rect
    return {
        image.pixel(x, y)
        for x in range(inside.left(), inside.right() + 1)
        for y in range(inside.top(), inside.bottom() + 1)
    }


def test_no_state_paints_on_the_picture(tile: Tile) -> None:
    only_red = {QColor("red").rgb()}
    assert picture_of(tile) == only_red

    tile.set_marked(True)
    assert picture_of(tile) == only_red
    tile.setFocus()
    assert picture_of(tile) == only_red


def test_a_mark_has_a_ring_outside_and_a_filled_strip(tile: Tile) -> None:
    tile.set_marked(True)
    image = pixels(tile)

    assert image.pixelColor(MARGIN - 2, MARGIN + 50) == palette().mark
    assert image.pixelColor(MARGIN + 60, MARGIN + 100 + 3) == palette().mark
    assert tile.accessibleName() == "image 4, marked"


def test_marking_takes_no_room(tile: Tile) -> None:
    before = tile.geometry()
    tile.set_marked(True)

    assert tile.geometry() == before


def test_focus_and_mark_are_seen_at_once(tile: Tile, qtbot: QtBot) -> None:
    tile.set_marked(True)
    tile.activateWindow()
    tile.setFocus()
    qtbot.waitUntil(tile.hasFocus)
    image = pixels(tile)

    assert image.pixelColor(MARGIN - 2, MARGIN + 50) == palette().mark
    assert image.pixelColor(MARGIN - 8, MARGIN + 50) == palette().accent


def test_an_empty_tile_shows_its_position_on_a_sunken_square(tile: Tile) -> None:
    tile.set_picture(None)

    assert pixels(tile).pixelColor(MARGIN + 5, MARGIN + 5) == palette().sunken
    assert not tile.has_picture


def test_a_failure_has_a_border_a_reason_and_a_name(tile: Tile) -> None:
    tile.set_failure("The image file is damaged.")

    assert pixels(tile).pixelColor(MARGIN - 1, MARGIN + 50) == palette().danger
    assert tile.toolTip() == "The image file is damaged."
    assert tile.accessibleName() == "image 4, cannot be shown"
    tile.set_marked(True)
    assert tile.accessibleName() == "image 4, marked, cannot be shown"


@pytest.mark.parametrize("place", [QPoint(1, 1), QPoint(MARGIN - 1, 60), QPoint(118, 140)])
def test_the_margin_is_not_the_picture(tile: Tile, qtbot: QtBot, place: QPoint) -> None:
    with qtbot.assertNotEmitted(tile.pressed):
        QTest.mouseClick(tile, Qt.MouseButton.LeftButton, pos=place)


def test_only_the_left_button_marks(tile: Tile, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(tile.pressed):
        QTest.mouseClick(tile, Qt.MouseButton.RightButton, pos=tile.picture_rect.center())
    with qtbot.waitSignal(tile.pressed) as pressed:
        QTest.mouseClick(tile, Qt.MouseButton.LeftButton, pos=tile.strip_rect.center())
    assert pressed.args == [3]
