"""The coverage grid by keyboard and pointer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.records import Condition
from gui.models.coverage import CoverageTable, Key, Layer, coverage_table
from gui.theme import Theme
from gui.widgets.coverage_grid import CoverageGrid
from storage.study import Coverage

ROLES = [f"role_{number:02d}" for number in range(30)]
MakeGrid = Callable[..., CoverageGrid]


def table(generators: tuple[str, ...] = ("sdxl", "flux")) -> CoverageTable:
    rows = [
        Coverage(role, condition, generator, 6, 60, 0, 0, 0, 0)
        for role in ROLES
        for generator in generators
        for condition in Condition
    ]
    return coverage_table(rows, 10)


@pytest.fixture
def make_grid(qtbot: QtBot, theme: Theme) -> MakeGrid:
    def make(generators: tuple[str, ...] = ("sdxl", "flux"), width: int = 900) -> CoverageGrid:
        grid = CoverageGrid()
        qtbot.addWidget(grid)
        grid.resize(width, 400)
        grid.set_table(table(generators), Layer.IMAGES, ROLES)
        grid.show()
        qtbot.waitExposed(grid)
        grid.setFocus()
        grid.focus_cell(0, 0)
        return grid

    return make


def press(qtbot: QtBot, grid: CoverageGrid, *keys: Qt.Key) -> None:
    for key in keys:
        qtbot.keyClick(grid, key)


def test_arrows_walk_from_cell_to_cell_over_generators(make_grid: MakeGrid, qtbot: QtBot):
    grid = make_grid()

    press(qtbot, grid, Qt.Key.Key_Down, *[Qt.Key.Key_Right] * 3)

    assert grid.current == Key("role_01", "flux", Condition.CF)


def test_the_focus_stops_at_the_edges(make_grid: MakeGrid, qtbot: QtBot):
    grid = make_grid()

    press(qtbot, grid, Qt.Key.Key_Left, Qt.Key.Key_Up)
    assert grid.focused == (0, 0)

    press(qtbot, grid, *[Qt.Key.Key_Right] * 20)
    assert grid.focused == (0, 5)


def test_a_cell_out_of_sight_is_scrolled_into_view(make_grid: MakeGrid, qtbot: QtBot):
    grid = make_grid(("a", "b", "c", "d", "e", "f"), 500)

    qtbot.keyClick(grid, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)

    assert grid.focused == (29, 17)
    assert grid.viewport().rect().contains(grid.cell_rect(29, 17))
    qtbot.keyClick(grid, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert grid.viewport().rect().contains(grid.cell_rect(0, 0))


def test_pages_move_by_what_is_in_sight(make_grid: MakeGrid, qtbot: QtBot):
    grid = make_grid()
    rows = grid.geometry_now.rows_in(grid.viewport().height())

    press(qtbot, grid, Qt.Key.Key_PageDown)

    assert grid.focused == (rows - 1, 0)


def test_enter_and_a_double_click_open_the_cell(make_grid: MakeGrid, qtbot: QtBot):
    grid = make_grid()

    with qtbot.waitSignal(grid.opened) as by_key:
        press(qtbot, grid, Qt.Key.Key_Return)
    with qtbot.waitSignal(grid.opened) as by_pointer:
        qtbot.mouseDClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=grid.cell_rect(2, 4).center())

    assert by_key.args == [Key("role_00", "sdxl", Condition.CF)]
    assert by_pointer.args == [Key("role_02", "flux", Condition.CA_R)]


def test_a_press_focuses_the_cell_under_the_pointer(make_grid: MakeGrid, qtbot: QtBot):
    grid = make_grid()

    qtbot.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=grid.cell_rect(3, 1).center())

    assert grid.focused == (3, 1)


def test_the_focus_stays_on_its_cell_when_counts_change(make_grid: MakeGrid):
    grid = make_grid()
    grid.focus_cell(7, 4)

    grid.set_table(table(), Layer.RECORDS, ROLES[5:])

    assert grid.current == Key("role_07", "flux", Condition.CA_R)
    assert grid.focused == (2, 4)


def test_the_focus_leaves_a_cell_that_is_filtered_away(make_grid: MakeGrid):
    grid = make_grid()
    grid.focus_cell(7, 4)

    grid.set_table(table(), Layer.IMAGES, ROLES[:3])

    assert grid.current is None


def test_the_cell_in_focus_is_said_to_a_screen_reader(make_grid: MakeGrid):
    grid = make_grid()
    grid.focus_cell(1, 1)

    assert grid.accessibleDescription() == "role 01, CA-R, sdxl: 60 of 60 images"


def test_no_column_gets_narrower_than_its_number(make_grid: MakeGrid):
    grid = make_grid(("a", "b", "c", "d", "e", "f"), 500)

    assert grid.geometry_now.cell_width >= 44
    assert grid.horizontalScrollBar().maximum() > 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_paints_every_layer_in_both_themes(make_grid: MakeGrid, theme: Theme, scheme: str):
    theme.pin(scheme)
    grid = make_grid()
    for layer in Layer:
        grid.set_table(table(), layer, ROLES)

        assert not grid.grab().isNull()


def test_an_empty_grid_takes_no_key_amiss(make_grid: MakeGrid, qtbot: QtBot):
    grid = make_grid()
    grid.set_table(table(), Layer.IMAGES, ())

    press(qtbot, grid, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_End, Qt.Key.Key_PageDown)

    assert grid.current is None
