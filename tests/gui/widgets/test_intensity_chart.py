"""The Bias Intensity chart: one scale, every point where its value is, by key and pointer."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from pytestqt.qtbot import QtBot

from core.records import Condition
from gui.models.number import Number
from gui.models.results_data import (
    ALL,
    BiasIntensities,
    Chart,
    Intensity,
    Kind,
    Spot,
    intensity_sentence,
    make_chart,
)
from gui.theme import Theme
from gui.widgets.axis import nice_ticks
from gui.widgets.chart_layout import lay_out, point_of
from gui.widgets.intensity_chart import IntensityChart

KIND = Kind("matched", "pool")
GENERATORS = ("one", "two")
DIMENSIONS = {"Scene": ("mood", "weather"), "People": ("pose",)}


def intensities() -> BiasIntensities:
    """Two generators; the mood of the second is undefined."""
    places = [(cohort, one) for cohort, its in DIMENSIONS.items() for one in (*its, ALL)] + [(ALL, ALL)]
    values = {}
    for number, (generator, (cohort, dimension), condition) in enumerate(
        itertools.product((*GENERATORS, ALL), places, Condition)
    ):
        value = 0.1 + number % 17 / 20
        found = Intensity(Number(value, value - 0.05, value + 0.05, units=60), truth=value + 0.01)
        if (generator, dimension) == ("two", "mood"):
            found = Intensity(Number(reason="no usable image"))
        values[KIND, Spot(generator, cohort, dimension, condition)] = found
    return BiasIntensities(
        GENERATORS, tuple(DIMENSIONS), DIMENSIONS, {"mood": "mood", "pose": "pose"}, (KIND,), values
    )


@pytest.fixture
def chart() -> Chart:
    """All rows open."""
    return make_chart(intensities(), KIND, frozenset(DIMENSIONS))


@pytest.fixture
def widget(qtbot: QtBot, theme: Theme, chart: Chart) -> IntensityChart:
    """The chart as a widget."""
    made = IntensityChart()
    qtbot.addWidget(made)
    made.show_chart(chart, frozenset(DIMENSIONS))
    made.resize(900, 400)
    made.show()
    return made


def test_rows_are_cohorts_with_their_dimensions_and_all_cohorts_last(chart: Chart):
    assert [row.name for row in chart.rows] == ["Scene", "mood", "weather", "People", "pose", "all cohorts"]
    assert chart.panels == (ALL, *GENERATORS)


def test_one_generator_has_no_mean_beside_it():
    found = intensities()
    single = BiasIntensities(("one",), found.cohorts, DIMENSIONS, {}, (KIND,), found.values)

    assert make_chart(single, KIND, frozenset()).panels == ("one",)


def test_every_point_lies_in_its_panel_and_row_and_is_found_there(theme: Theme, chart: Chart):
    layout = lay_out(chart, QRectF(0, 0, 900, 500))

    for panel, row, condition in itertools.product(range(3), range(len(chart.rows)), Condition):
        point = point_of(layout, panel, row, condition)
        if point is None:
            assert (chart.panels[panel], chart.rows[row].dimension) == ("two", "mood")
            continue
        assert layout.panels[panel].contains(point)
        assert layout.place_at(point) == (panel, row, condition)


def test_all_panels_share_one_scale_that_holds_every_interval_and_truth(theme: Theme, chart: Chart):
    layout = lay_out(chart, QRectF(0, 0, 900, 500))
    low, high = chart.ends

    assert layout.ticks[0] <= low
    assert layout.ticks[-1] >= high
    assert len({(layout.axis(panel).low, layout.axis(panel).high) for panel in range(3)}) == 1


@pytest.mark.parametrize(
    "ends", [(0.22, 0.66), (0.0, 1.0), (0.05, 0.93), (0.0, 0.0), (-0.12, 0.4), (0.3, 0.31)]
)
@pytest.mark.parametrize("most", [3, 4, 5, 6])
def test_ticks_are_round_few_and_reach_over_both_ends(ends: tuple[float, float], most: int):
    ticks = nice_ticks(*ends, most)

    assert 2 <= len(ticks) <= most
    assert ticks[0] <= ends[0] + 1e-9
    assert ticks[-1] >= ends[1] - 1e-9


def test_a_press_opens_the_nearest_point(widget: IntensityChart, qtbot: QtBot):
    layout = widget.layout_now()
    assert layout is not None
    point = point_of(layout, 1, 3, Condition.CA_U)
    assert point is not None

    with qtbot.waitSignal(widget.opened) as opened:
        qtbot.mouseClick(widget, Qt.MouseButton.LeftButton, pos=(point + QPointF(6, 1)).toPoint())

    assert opened.args == [Spot("one", "People", ALL, Condition.CA_U)]


def test_a_press_on_a_cohort_opens_or_closes_its_dimensions(widget: IntensityChart, qtbot: QtBot):
    layout = widget.layout_now()
    assert layout is not None

    with qtbot.waitSignal(widget.toggled) as toggled:
        middle = round(layout.row_rect(3).center().y())
        qtbot.mouseClick(widget, Qt.MouseButton.LeftButton, pos=QPoint(8, middle))

    assert toggled.args == ["People"]


def test_arrows_go_through_conditions_rows_and_panels(widget: IntensityChart, qtbot: QtBot):
    widget.go((0, 0, Condition.CF))
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right):
        qtbot.keyClick(widget, key)

    assert widget.current == (1, 1, Condition.CF)
    with qtbot.waitSignal(widget.opened) as opened:
        qtbot.keyClick(widget, Qt.Key.Key_Return)
    assert opened.args == [Spot("one", "Scene", "mood", Condition.CF)]


def test_the_current_point_stays_when_rows_are_closed(widget: IntensityChart, chart: Chart):
    widget.go((2, 3, Condition.CA_R))

    widget.show_chart(make_chart(chart.found, KIND, frozenset()), frozenset())

    assert widget.current == (2, 1, Condition.CA_R)


def test_a_point_is_said_with_value_interval_images_and_truth(chart: Chart):
    said = intensity_sentence(chart, 1, 0, Condition.CF)
    undefined = intensity_sentence(chart, 2, 1, Condition.CF)

    assert said.startswith("one, Scene, CF context-free: BI ")
    assert said.split("; ")[0].endswith("60 images")
    assert "; planted truth " in said
    assert undefined == "two, mood, CF context-free: – because: no usable image"
