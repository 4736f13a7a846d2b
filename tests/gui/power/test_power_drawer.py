"""What a person does with the power panel of the Study page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.jobs import run_here
from core.power.design import PowerDesign
from core.power.findings import PowerCurve
from core.power.panel import power_panel
from core.power.words import value_words
from core.records import Condition
from gui.models.coverage import Key
from gui.pages.study import StudyPage
from gui.power.chart import PowerChart, power_at
from gui.power.drawer import PowerDrawer, compute
from gui.studio import Studio
from gui.theme import Theme
from gui.widgets.button import Button
from gui.widgets.caption import Caption

Settle = Callable[[Studio], None]


@pytest.fixture
def page(qtbot: QtBot, open_studio: Studio, settle: Settle) -> StudyPage:
    made = StudyPage(open_studio)
    qtbot.addWidget(made)
    made.resize(1200, 700)
    made.show()
    settle(open_studio)
    return made


@pytest.fixture
def drawer(page: StudyPage, qtbot: QtBot, open_studio: Studio, settle: Settle) -> PowerDrawer:
    """The drawer, opened with the button of the header."""
    acts = page.header_acts()
    button = next(one for one in acts if isinstance(one, Button) and one.text() == "Check power")
    for act in acts:
        qtbot.addWidget(act)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(open_studio)
    return page.power


def captions(widget: object) -> list[str]:
    return [one.text() for one in widget.findChildren(Caption) if not one.isHidden()]


def test_the_drawer_starts_from_what_the_study_is(drawer: PowerDrawer, page: StudyPage):
    design = drawer.controls.wanted()

    assert (design.roles, design.images_per_prompt) == (2, 2)
    assert (design.annotators, design.image_sets) == (2, 1)
    assert design.prompts == (6, 6, 6)
    assert page.drawer.isHidden()


def test_the_numbers_are_those_of_the_command_line(drawer: PowerDrawer):
    panel = run_here(power_panel(drawer.controls.wanted()))

    assert drawer.panel == panel
    said = captions(drawer)
    for finding in panel.findings:
        assert value_words(finding) in said
        assert finding.reason in said or not finding.reason


def test_turning_a_number_computes_anew_once_it_rests(
    drawer: PowerDrawer, qtbot: QtBot, open_studio: Studio, settle: Settle
):
    before = drawer.panel
    box = drawer.controls.boxes["images_per_prompt"]
    for _ in range(5):
        qtbot.keyClick(box, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: drawer.panel is not before, timeout=10_000)
    settle(open_studio)

    assert drawer.panel.run["design"]["images_per_prompt"] == 7
    assert "computing" not in " ".join(captions(drawer))


def test_another_design_changes_the_prompts(
    drawer: PowerDrawer, qtbot: QtBot, open_studio: Studio, settle: Settle
):
    drawer.controls.design.choose(1)
    qtbot.waitUntil(lambda: drawer.panel.run["design"]["prompts"] == [3, 7, 8], timeout=10_000)
    settle(open_studio)


def test_a_design_that_is_not_wanted_any_more_is_not_computed_to_its_end():
    steps = iter([True, True, False])

    assert compute(PowerDesign(replicates=100, image_sets=5), lambda: next(steps)) is None
    assert next(steps, None) is None


def test_escape_closes_the_drawer_and_the_cards_come_back(drawer: PowerDrawer, page: StudyPage):
    assert page.close_drawer()

    assert drawer.isHidden()
    assert not page._side.isHidden()
    assert not page.close_drawer()


def test_opening_a_cell_takes_the_place_of_the_panel(
    drawer: PowerDrawer, page: StudyPage, open_studio: Studio, settle: Settle
):
    page.grid.opened.emit(Key("baker", "sdxl", Condition.CF))
    settle(open_studio)

    assert drawer.isHidden()
    assert not page.drawer.isHidden()


def test_the_chart_says_what_is_under_the_pointer(qtbot: QtBot):
    chart = PowerChart()
    qtbot.addWidget(chart)
    chart.resize(300, chart.sizeHint().height())
    assert chart.words_at(150) == ""

    chart.show_panel(run_here(power_panel(PowerDesign(roles=3, replicates=200, image_sets=10))))

    place = chart._place()
    assert chart.words_at(place.left() - 5) == ""
    assert "one role: 0 %" in chart.words_at(place.left()) or "one role: 1 %" in chart.words_at(place.left())
    assert "one role: 100 %, all roles: 100 %" in chart.words_at(place.right())
    assert "points are found in 80 of 100 studies" in chart.accessibleDescription()


def test_the_chart_is_painted_in_the_colours_of_the_theme(qtbot: QtBot, theme: Theme):
    chart = PowerChart()
    qtbot.addWidget(chart)
    chart.resize(300, chart.sizeHint().height())
    empty = chart.grab().toImage()
    chart.show_panel(run_here(power_panel(PowerDesign(roles=3, replicates=200, image_sets=10))))
    light = chart.grab().toImage()
    theme.pin("dark")

    assert light != empty
    assert chart.grab().toImage() != light


def test_between_two_points_of_a_curve_lies_a_straight_line():
    curve = PowerCurve("one role", (0.0, 10.0, 30.0), (0.0, 0.5, 0.9))

    assert power_at(curve, 20.0) == pytest.approx(0.7)
    assert power_at(curve, 99.0) == 0.9
