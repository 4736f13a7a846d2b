"""Small parts: segments, chips, markers, bars, drawers, lists, tables."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from gui.models.rows import Column, RowsModel
from gui.palette import DARK, LIGHT
from gui.theme import Theme
from gui.widgets.caption import ElidedCaption
from gui.widgets.check_list import CheckList
from gui.widgets.chip import Chip
from gui.widgets.drawer import Drawer
from gui.widgets.marker import draw_marker
from gui.widgets.number_box import NumberBox
from gui.widgets.progress_bar import ProgressBar
from gui.widgets.segmented import Segmented
from gui.widgets.table import Table


@pytest.fixture(autouse=True)
def themed(theme: Theme) -> None:
    """All parts need the theme."""


def test_arrows_move_the_choice_and_skip_nothing_that_is_off(qtbot: QtBot):
    segments = Segmented(["one", "two", "three"], "Show")
    qtbot.addWidget(segments)
    segments.set_enabled(2, False, "not yet")
    heard: list[int] = []
    segments.chosen.connect(heard.append)

    for _ in range(3):
        qtbot.keyClick(segments, Qt.Key.Key_Right)

    assert segments.index == 1
    assert heard == [1]


def test_the_chosen_segment_does_not_move_the_others(qtbot: QtBot):
    segments = Segmented(["Prompts", "Images"], "Show")
    qtbot.addWidget(segments)
    segments.show()
    before = [button.geometry() for button in segments.findChildren(QPushButton)]

    segments.choose(1)
    QApplication.processEvents()

    assert [button.geometry() for button in segments.findChildren(QPushButton)] == before


@pytest.mark.parametrize("word", ["invariant", "changed", "not enough data", "A middle-aged"])
def test_a_chip_always_has_its_word(qtbot: QtBot, word: str):
    chip = Chip(word)
    qtbot.addWidget(chip)

    assert chip.accessibleName() == word
    assert chip.sizeHint().height() == 21
    assert not chip.grab().isNull()


@pytest.mark.parametrize("roles", [LIGHT, DARK])
def test_every_marker_is_drawn_in_its_colour(roles):
    for marker in (*roles.conditions.values(), *roles.generators.values()):
        image = QImage(40, 40, QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        draw_marker(painter, marker, QPointF(20, 20), 14)
        painter.end()

        assert image.pixelColor(20, 20).name() == marker.colour.name(), marker.shape


def test_a_bar_is_full_only_when_all_is_there(qtbot: QtBot):
    bar = ProgressBar("Images")
    qtbot.addWidget(bar)
    bar.set_progress(999, 1000)

    assert bar.accessibleDescription() == "99 %"
    assert bar.share < 1


def test_escape_closes_the_drawer_and_says_so(qtbot: QtBot):
    drawer = Drawer()
    qtbot.addWidget(drawer)
    drawer.open_with("age range", "120 sets")

    with qtbot.waitSignal(drawer.closed):
        qtbot.keyClick(drawer, Qt.Key.Key_Escape)

    assert drawer.isHidden()
    assert not drawer.close_it()


def test_space_and_a_press_check_things_off(qtbot: QtBot):
    things = CheckList(("baker", "chef", "nurse"), "Roles")
    qtbot.addWidget(things)
    things.resize(200, 200)
    things.show()

    things.setCurrentRow(0)
    qtbot.keyClick(things, Qt.Key.Key_Space)
    place = things.visualItemRect(things.item(2)).center()
    qtbot.mouseClick(things.viewport(), Qt.MouseButton.LeftButton, pos=place)

    assert things.checked == (0, 2)


def test_the_wheel_over_an_unfocused_number_changes_nothing(qtbot: QtBot):
    number = NumberBox(1, 100, 10, "Images per prompt")
    qtbot.addWidget(number)
    number.show()
    wheel = QWheelEvent(
        QPointF(5, 5),
        number.mapToGlobal(QPointF(5, 5)),
        QPoint(0, 0),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )

    number.clearFocus()
    QApplication.sendEvent(number, wheel)

    assert number.value() == 10


def test_a_shortened_text_is_whole_in_its_tooltip(qtbot: QtBot):
    caption = ElidedCaption("a very long text that has no room here at all")
    qtbot.addWidget(caption)
    caption.resize(60, 20)
    caption.grab()

    assert caption.toolTip() == caption.text()


@pytest.fixture
def table(qtbot: QtBot) -> Table:
    columns = (
        Column("role", lambda row: row[0]),
        Column("images", lambda row: str(row[1]), sort_key=lambda row: row[1], is_number=True),
    )
    model = RowsModel(columns)
    model.set_rows([("baker", 9), ("chef", 10), ("actor", 1)])
    made = Table(model, "Images")
    model.setParent(made)
    qtbot.addWidget(made)
    made.show()
    return made


def test_numbers_are_sorted_as_numbers(table: Table):
    table.sortByColumn(1, Qt.SortOrder.DescendingOrder)

    assert [row[0] for row in table.model().rows] == ["chef", "baker", "actor"]


def test_rows_that_arrive_later_are_sorted_as_asked(table: Table):
    table.sortByColumn(0, Qt.SortOrder.AscendingOrder)

    table.model().set_rows([("zoologist", 1), ("auditor", 2)])

    assert [row[0] for row in table.model().rows] == ["auditor", "zoologist"]


def test_moving_in_a_table_says_which_row_and_enter_opens_it(table: Table, qtbot: QtBot):
    with qtbot.waitSignal(table.moved) as moved:
        table.selectRow(1)
    with qtbot.waitSignal(table.opened) as opened:
        qtbot.keyClick(table, Qt.Key.Key_Return)

    assert moved.args == [("chef", 10)]
    assert opened.args == [("chef", 10)]
    assert not table.grab().isNull()


def test_the_row_model_keeps_the_rules_of_qt(table: Table, qtmodeltester):
    qtmodeltester.check(table.model())
