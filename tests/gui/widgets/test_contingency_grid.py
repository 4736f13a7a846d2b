"""The counts table by key and pointer."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from gui.models.contingency import Category, Contingency, contingency
from gui.theme import Theme
from gui.widgets.contingency_grid import ContingencyGrid

CATEGORIES = [Category(word, str(at + 1), word) for at, word in enumerate(("child", "teen", "adult"))]
MADE = [("1", "child", "child"), ("2", "teen", "adult"), ("3", "teen", "adult"), ("4", "adult", "teen")]


@pytest.fixture
def grid(qtbot: QtBot, theme: Theme) -> ContingencyGrid:
    """A grid over four image sets."""
    made = ContingencyGrid()
    qtbot.addWidget(made)
    made.resize(440, 200)
    made.show()
    made.show_table(contingency("A", "B", MADE, CATEGORIES))
    return made


def test_the_fullest_disagreement_is_current_at_first(grid: ContingencyGrid):
    assert grid.current == (1, 2)
    assert grid.cell_words(grid.current) == "2 image sets: A teen, B adult"


def test_arrows_move_from_cell_to_cell_and_stop_at_the_edge(grid: ContingencyGrid, qtbot: QtBot):
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Left):
        qtbot.keyClick(grid, key)

    assert grid.current == (0, 1)


def test_a_press_opens_the_cell_under_the_pointer(grid: ContingencyGrid, qtbot: QtBot):
    with qtbot.waitSignal(grid.opened) as opened:
        qtbot.mouseClick(grid, Qt.MouseButton.LeftButton, pos=grid.cell_rect(2, 1).center())

    row, column, table = opened.args
    assert isinstance(table, Contingency)
    assert table.sets[row, column] == ("4",)


def test_a_press_beside_the_cells_opens_nothing(grid: ContingencyGrid, qtbot: QtBot):
    with qtbot.assertNotEmitted(grid.opened):
        qtbot.mouseClick(grid, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))


def test_states_have_a_row_or_column_only_where_they_occur(grid: ContingencyGrid):
    states = [*CATEGORIES, Category("(mixed)", "~", "mixed", is_state=True)]

    grid.show_table(contingency("A", "B", [("1", "child", "(mixed)"), ("2", "teen", "teen")], states))

    table = grid.shown
    assert table is not None
    assert table.rows == (0, 1, 2)
    assert table.columns == (0, 1, 2, 3)


def test_a_narrow_grid_folds_rare_labels_and_says_so(grid: ContingencyGrid, qtbot: QtBot):
    many = [Category(f"label {at}", "", f"label {at}") for at in range(12)]
    made = [(str(at), f"label {at % 12}", f"label {(at * 5) % 12}") for at in range(60)]
    grid.show_table(contingency("A", "B", made, many))
    wide = len(grid.shown.categories) if grid.shown else 0

    with qtbot.waitSignal(grid.folded):
        grid.resize(260, 200)

    assert grid.shown is not None
    assert len(grid.shown.categories) < wide
    assert grid.shown.total == 60


def test_it_paints_in_both_themes(grid: ContingencyGrid, theme: Theme):
    light = grid.grab().toImage()
    theme.pin("dark")

    assert grid.grab().toImage() != light
