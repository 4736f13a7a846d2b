"""Wide tables drop columns by importance, and never the one that is looked at."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QAbstractTableModel, Qt
from pytestqt.qtbot import QtBot

from gui.models.columns import GridColumn, columns_that_fit
from gui.models.rows import Index
from gui.theme import Theme
from gui.widgets.wide_header import WideHeader
from gui.widgets.wide_table import WideDelegate, WideTable

COLUMNS = (
    GridColumn("name", "name", 9),
    GridColumn("little", "little", 1),
    GridColumn("much", "much", 5, stretches=True),
    GridColumn("extra", "extra", 7, is_extra=True),
)


class Letters(QAbstractTableModel):
    """Three rows of letters."""

    columns = COLUMNS

    def rowCount(self, parent: Index | None = None) -> int:
        """Three."""
        return 3

    def columnCount(self, parent: Index | None = None) -> int:
        """As named."""
        return len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A letter."""
        return "abc"[index.row()] if role == Qt.ItemDataRole.DisplayRole else None


class Narrow(WideTable):
    """Every column takes 100 px."""

    def width_for(self, column: GridColumn) -> int:
        """The same for all."""
        return 100


@pytest.fixture
def table(qtbot: QtBot, theme: Theme) -> Narrow:
    """A table that is 350 px wide."""
    model = Letters()
    made = Narrow(model, "Letters", WideHeader())
    model.setParent(made)
    made.setItemDelegate(WideDelegate(made))
    qtbot.addWidget(made)
    made.resize(350, 200)
    made.show()
    made.fit()
    return made


def shown(table: WideTable) -> list[str]:
    return [column.key for at, column in enumerate(COLUMNS) if not table.isColumnHidden(at)]


def test_extras_are_not_shown_unless_asked_for():
    widths = [100] * 4

    assert columns_that_fit(COLUMNS, widths, 1000, {}) == {0, 1, 2}
    assert columns_that_fit(COLUMNS, widths, 1000, {"extra": True}) == {0, 1, 2, 3}


def test_the_least_important_goes_first_and_the_most_important_never():
    widths = [100] * 4

    assert columns_that_fit(COLUMNS, widths, 250, {}) == {0, 2}
    assert columns_that_fit(COLUMNS, widths, 20, {}) == {0}


def test_what_a_person_asked_for_comes_before_importance():
    widths = [100] * 4

    assert columns_that_fit(COLUMNS, widths, 250, {"little": True}) == {0, 1}
    assert columns_that_fit(COLUMNS, widths, 1000, {"much": False}) == {0, 1}


def test_the_room_left_over_goes_to_the_column_that_stretches(table: Narrow):
    widths = [table.columnWidth(at) for at in range(3)]

    assert widths[0] == widths[1] == 100
    assert sum(widths) == table.viewport().width()


def test_a_narrow_table_keeps_the_column_in_focus(table: Narrow):
    table.setCurrentIndex(table.model().index(0, 1))

    table.resize(230, 200)

    assert shown(table) == ["name", "little"]


def test_the_menu_shows_what_is_there_and_brings_back_what_is_not(table: Narrow):
    menu = table.column_menu(table)
    ticks = {act.data(): act.isChecked() for act in menu.actions()}
    assert ticks == {"name": True, "little": True, "much": True, "extra": False}

    next(act for act in menu.actions() if act.data() == "extra").trigger()

    assert "extra" in shown(table)


def test_a_click_and_enter_open_the_cell(table: Narrow, qtbot: QtBot):
    where = table.visualRect(table.model().index(1, 0)).center()
    with qtbot.waitSignal(table.opened) as clicked:
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    with qtbot.waitSignal(table.opened) as entered:
        qtbot.keyClick(table, Qt.Key.Key_Return)

    assert clicked.args == entered.args == [1, 0]


def test_the_title_of_the_column_in_focus_is_bold(table: Narrow):
    table.setCurrentIndex(table.model().index(0, 2))

    header = table.horizontalHeader()
    assert isinstance(header, WideHeader)
    assert header.focused == 2
