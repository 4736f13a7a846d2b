"""What a person does on the Results page."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.jobs import run_here
from core.records import Condition, DimensionReading, NewRecord, Status
from gui.models.number import finite
from gui.models.results_data import ALL, Kind, Spot
from gui.pages.results import ResultsPage
from gui.results import condition_sheet, reading
from gui.results.condition_group import ConditionGroup
from gui.results.view import ResultsView, Settings
from gui.studio import Studio
from gui.widgets.chart_layout import point_of
from storage.store import Store
from tests.gui.pages.audited import add_records, already, make_audited

Settle = Callable[[Studio], None]
Shown = Callable[..., ResultsPage]
ENDS = {Condition.CF: "cf", Condition.CA_R: "car", Condition.CA_U: "cau"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample study, made once: never open it."""
    return make_audited(tmp_path_factory.mktemp("whole") / "study")


@pytest.fixture(autouse=True)
def few_replicates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals of a test need not be fine."""
    monkeypatch.setattr(reading, "BOOTSTRAP", 40)


@pytest.fixture(scope="module")
def computed(whole: Path) -> ResultsView:
    """The result of the sample study, computed once as the page does."""
    with pytest.MonkeyPatch.context() as patch, Store.open(whole) as store:
        patch.setattr(reading, "BOOTSTRAP", 40)
        return run_here(reading.compute(store, Settings("drawn-reader")))


@pytest.fixture
def live_page(shown: Shown, whole: Path, tmp_path: Path) -> ResultsPage:
    """The page on a copy of the sample study, computing for itself."""
    return shown(ResultsPage, Path(shutil.copytree(whole, tmp_path / "sample")), 1700)


@pytest.fixture
def page(
    shown: Shown, whole: Path, tmp_path: Path, computed: ResultsView, monkeypatch: pytest.MonkeyPatch
) -> ResultsPage:
    """The page on a copy of the sample study, with the result that was computed once."""
    monkeypatch.setattr("gui.pages.results.compute", already(computed))
    return shown(ResultsPage, Path(shutil.copytree(whole, tmp_path / "sample")), 1700)


def table_of(page: ResultsPage, name: str) -> pd.DataFrame:
    assert page.view is not None
    found: pd.DataFrame = page.view.tables[name]
    return found


def row_of(page: ResultsPage, *key: str) -> int:
    """Row of the screen of (generator, role, dimension, label)."""
    assert page.view is not None
    row = page.table_card.model.row_of(page.view.persistence.find(*key))
    assert row >= 0
    return row


def click_row(qtbot: QtBot, page: ResultsPage, row: int, settle: Settle, key: str = "label") -> None:
    """Click a row of the table as a person does."""
    table, model = page.table_card.table, page.table_card.model
    index = model.index(row, [column.key for column in model.columns].index(key))
    table.scrollTo(index)
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(index).center())
    settle(page.studio)


def click_point(qtbot: QtBot, page: ResultsPage, spot: Spot, settle: Settle) -> None:
    """Click a point of the chart as a person does."""
    widget, chart = page.chart_card.chart, page.chart_card.shown
    assert chart is not None
    panel = chart.panels.index(spot.generator)
    row = next(
        at
        for at, one in enumerate(chart.rows)
        if (one.cohort, one.dimension) == (spot.cohort, spot.dimension)
    )
    layout = widget.layout_now()
    assert layout is not None
    point = point_of(layout, panel, row, spot.condition)
    assert point is not None
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton, pos=point.toPoint())
    settle(page.studio)


def groups_of(page: ResultsPage) -> list[ConditionGroup]:
    return [group for group in page.drawer.groups if not group.isHidden()]


# The chart -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Kind("matched", "pool"), Kind("plugin", "role")])
def test_every_point_of_the_chart_is_that_of_the_table(page: ResultsPage, kind: Kind):
    page.chart_card.level.choose(1)
    assert page.view is not None
    page.chart_card.kind_choice.choose(page.view.intensities.kinds.index(kind))
    chart, checked = page.chart_card.shown, 0
    assert chart is not None
    bi = table_of(page, "bi")
    printed = bi[(bi["estimator"] == kind.estimator) & (bi["aggregation"] == kind.aggregation)]

    for row in printed.to_dict("records"):
        spot = Spot(row["generator"], row["cohort"], row["dimension"], Condition(row["condition"]))
        found = chart.found.at(chart.kind, spot)
        assert found is not None
        assert found.number.value == finite(row["value"])
        assert (found.number.low, found.number.high) == (finite(row["low"]), finite(row["high"]))
        checked += 1

    assert checked == len(chart.panels) * len(chart.rows) * 3


def test_panels_are_the_mean_and_each_generator_and_rows_the_cohorts(page: ResultsPage):
    chart = page.chart_card.shown
    assert chart is not None

    assert [chart.panel_title(panel) for panel in range(3)] == ["mean of 2 generators", "drawn-a", "drawn-b"]
    assert [row.name for row in chart.rows] == ["Scene", "Camera", "Objects", "People", "all cohorts"]


def test_a_cohort_opens_its_dimensions(page: ResultsPage, qtbot: QtBot):
    widget = page.chart_card.chart
    layout = widget.layout_now()
    assert layout is not None
    objects = layout.row_rect(2).toRect()

    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton, pos=QPoint(10, objects.center().y()))

    chart = page.chart_card.shown
    assert chart is not None
    assert [row.name for row in chart.rows] == [
        "Scene",
        "Camera",
        "Objects",
        "items",
        "People",
        "all cohorts",
    ]
    assert page.chart_card.level.index == 0


def test_a_point_opens_what_it_is_made_of_and_leads_down_to_the_images(
    page: ResultsPage, qtbot: QtBot, settle: Settle
):
    click_point(qtbot, page, Spot(ALL, "People", ALL, Condition.CF), settle)
    assert page.drawer.title == "Bias Intensity: People, mean of 2 generators, CF"
    assert [entry.name for entry in page.drawer.parts.entries] == ["drawn-a", "drawn-b"]

    page.drawer.parts.chosen.emit("0")
    settle(page.studio)
    names = [entry.name for entry in page.drawer.parts.entries]
    assert "age range" in names

    page.drawer.parts.chosen.emit(str(names.index("age range")))
    settle(page.studio)
    drawer = page.drawer
    assert drawer.spot == Spot("drawn-a", "People", "age_range", Condition.CF)
    labels = [(entry.key, entry.text) for entry in drawer.parts.entries]
    assert {label for label, _ in labels} == {"child", "teen"}
    (group,) = groups_of(page)
    having, _, images = group.count.text().partition(" of ")
    assert labels[0][1].endswith(f"{having} of {images}")
    assert len(group.sheet.images) == int(images)
    assert "1 − log" in drawer.formula.text()

    drawer.parts.chosen.emit(labels[1][0])
    settle(page.studio)
    assert drawer.parts.chosen_key == labels[1][0]
    assert len([image for at, image in enumerate(group.sheet.images) if group.sheet.has_label(at)]) == int(
        groups_of(page)[0].count.text().partition(" of ")[0]
    )


def test_a_change_leads_down_to_the_images_of_both_conditions(page: ResultsPage, settle: Settle):
    view, kind = page.view, page.chart_card.kind
    assert view is not None
    assert kind is not None
    page._on_spot(Spot(ALL, ALL, ALL, Condition.CF))
    page.drawer.changes.chosen.emit("CA-U - CF")
    for part in ("drawn-a", "People", "age range"):
        at = next(one for one in page.drawer.parts.entries if one.name == part)
        page.drawer.parts.chosen.emit(at.key)
        spot = page.drawer.spot
        assert spot is not None
        own = view.intensities.changes[(kind, spot.generator, spot.cohort, spot.dimension, "CA-U - CF")]
        assert at.number == own
        assert page.drawer.changes.chosen_key == "CA-U - CF"
    settle(page.studio)
    shown = [group for group in page.drawer.groups if not group.isHidden()]
    assert [group.name.text() for group in shown] == ["CF", "CA-U"]
    assert all(group.sheet.images for group in shown)
    page.drawer.changes.chosen.emit("CA-U - CF")
    settle(page.studio)
    assert [group.name.text() for group in page.drawer.groups if not group.isHidden()] == ["CF"]


def test_arrows_move_from_point_to_point_and_the_foot_says_each(page: ResultsPage, qtbot: QtBot):
    chart = page.chart_card.chart
    chart.go((0, 0, Condition.CF))

    qtbot.keyClick(chart, Qt.Key.Key_Down)
    assert chart.current == (0, 0, Condition.CA_R)
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert chart.current == (1, 0, Condition.CA_R)

    assert page.table_card.foot.text.startswith("drawn-a, Scene, CA-R context-aware related: BI ")


def test_planted_truth_is_in_the_chart_of_a_sample_study_only(
    live_page: ResultsPage, shown: Shown, tmp_path: Path
):
    page = live_page
    assert page.view is not None
    assert page.view.intensities.has_truth
    card = page.chart_card
    for level in (0, 1):  # cohorts, which have a truth only where all their dimensions have one; dimensions
        card.level.choose(level)
        assert card.shown is not None
        is_drawn = any(one.truth is not None for one in card.shown.drawn)
        assert any(item.words.startswith("planted truth") for item in card.legend.items) == is_drawn
    assert is_drawn
    card.level.choose(0)
    spot = Spot("drawn-a", "People", "age_range", Condition.CF)
    found = page.view.intensities.at(Kind("plugin", "pool"), spot)
    assert found is not None
    assert found.truth is not None

    page.studio.close_study()
    other = shown(ResultsPage, make_audited(tmp_path / "other", is_sample=False), 1700)

    assert other.view is not None
    assert not other.view.intensities.has_truth
    assert not any(item.words.startswith("planted truth") for item in other.chart_card.legend.items)


# The table -------------------------------------------------------------------------------------------


def test_every_row_of_the_table_is_that_of_the_table_on_disk(page: ResultsPage):
    model, printed = page.table_card.model, table_of(page, "persistence")
    assert model.rowCount() == len(printed)
    by_key = printed.set_index(["generator", "role", "dimension", "label"])

    for at in range(model.rowCount()):
        row = model.row(at)
        line = by_key.loc[(row.generator, row.role, row.dimension, row.label)]
        assert row.shown == (line["x_cf"], line["x_car"], line["x_cau"])
        assert row.images == (line["n_cf"], line["n_car"], line["n_cau"])
        for name, value in (("range_pp", row.range_pp), ("p_adjusted", row.p_adjusted)):
            assert value == finite(line[name])
        assert (row.ccs.value, row.ccs.low, row.ccs.high) == (
            finite(line["ccs"]),
            finite(line["ccs_low"]),
            finite(line["ccs_high"]),
        )
        assert row.verdict == line["verdict"]


def test_a_row_opens_its_images_by_condition_those_with_the_label_first(
    page: ResultsPage, qtbot: QtBot, settle: Settle
):
    click_row(qtbot, page, row_of(page, "drawn-a", "baker", "age_range", "child"), settle)
    drawer = page.drawer
    assert drawer.title == "baker, age range: child"
    row = drawer.row
    assert row is not None

    groups = groups_of(page)
    assert [group.name.text() for group in groups] == ["CF", "CA-R", "CA-U"]
    for group, shown, images in zip(groups, row.shown, row.images, strict=True):
        assert group.count.text() == f"{shown} of {images}"
        assert len(group.sheet.images) == images
        assert [group.sheet.has_label(at) for at in range(images)] == [True] * shown + [False] * (
            images - shown
        )


def test_what_does_not_count_is_named_with_its_reason(page: ResultsPage, qtbot: QtBot, settle: Settle):
    click_row(qtbot, page, row_of(page, "drawn-a", "baker", "mood", "calm"), settle)

    cf = groups_of(page)[0]

    assert cf.count.text() == "8 of 8"
    assert cf.left_out.text() == "left out: 1 unknown, 1 refused"


def test_all_images_are_shown_on_demand(
    page: ResultsPage, qtbot: QtBot, settle: Settle, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(condition_sheet, "FEW_ROWS", 1)
    click_row(qtbot, page, row_of(page, "drawn-a", "baker", "age_range", "child"), settle)
    group = groups_of(page)[1]
    assert group.all.text() == "all 10"
    assert group.sheet.shown < 10

    group.all.click()

    assert group.sheet.shown == 10
    assert group.all.text() == "fewer"


def test_an_image_opens_its_record_and_esc_closes_image_then_drawer(
    page: ResultsPage, qtbot: QtBot, settle: Settle
):
    click_row(qtbot, page, row_of(page, "drawn-a", "baker", "age_range", "child"), settle)
    sheet = groups_of(page)[0].sheet
    qtbot.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=sheet.image_rect(0).center())
    settle(page.studio)
    assert page.drawer.details.image == sheet.images[0]

    assert page.close_drawer()
    assert page.drawer.details.image is None
    assert page.close_drawer()
    assert page.drawer.isHidden()


def test_arrows_in_the_table_change_what_the_drawer_shows(page: ResultsPage, qtbot: QtBot, settle: Settle):
    click_row(qtbot, page, 0, settle)
    before = page.drawer.row

    qtbot.keyClick(page.table_card.table, Qt.Key.Key_Down)
    settle(page.studio)

    assert page.drawer.row != before
    assert page.drawer.row == page.table_card.model.row(1)


def test_an_undefined_score_is_a_dash_and_says_why_when_it_has_the_focus(page: ResultsPage):
    model = page.table_card.model
    row = row_of(page, "drawn-a", "baker", "age_range", "child")
    column = [one.key for one in model.columns].index("ccs")

    page.table_card.table.setCurrentIndex(model.index(row, column))

    assert model.index(row, column).data() == "–"
    assert "– because: " in page.table_card.foot.text
    assert "CCS undefined: label not seen in every condition" in page.table_card.foot.text


def test_chips_filter_and_carry_their_counts(page: ResultsPage):
    card, printed = page.table_card, table_of(page, "persistence")
    wanted = printed["verdict"].value_counts().to_dict()
    assert {chip.verdict: card.model.counts[chip.verdict] for chip in card.verdicts.chips} == {
        chip.verdict: wanted.get(chip.verdict, 0) for chip in card.verdicts.chips
    }

    changed = card.verdicts.chips[1]
    changed.click()

    assert card.model.rowCount() == wanted["changed"]
    assert {card.model.row(at).verdict for at in range(card.model.rowCount())} == {"changed"}
    assert card.model.counts == {chip.verdict: wanted.get(chip.verdict, 0) for chip in card.verdicts.chips}


def test_role_dimension_generator_and_text_filter_together(page: ResultsPage):
    card = page.table_card
    card.role.choose(card.role.findText("baker"))
    card.generator.choose(card.generator.findText("drawn-b"))
    card.dimension.choose(card.dimension.findText("items"))
    card.text.setText("bre")
    card.apply_filter()

    rows = [card.model.row(at) for at in range(card.model.rowCount())]

    assert [(row.generator, row.role, row.dimension, row.label) for row in rows] == [
        ("drawn-b", "baker", "items", "bread")
    ]
    assert card.foot.text


def test_the_row_in_focus_stays_in_focus_when_the_order_changes(page: ResultsPage, qtbot: QtBot):
    table, model = page.table_card.table, page.table_card.model
    table.setCurrentIndex(model.index(3, 3))
    at = table.current_data_row()

    table.sort_by("label", is_down=False)
    assert table.current_data_row() == at

    names = [model.row(row).label_name for row in range(model.rowCount())]
    assert names == sorted(names, key=str.casefold)


def test_a_title_sorts_and_sorts_back(page: ResultsPage):
    table, model = page.table_card.table, page.table_card.model
    keys = [column.key for column in model.columns]

    # As a click does it: the header turns its own arrow before it says so.
    table.horizontalHeader().setSortIndicator(keys.index("prevalence"), Qt.SortOrder.AscendingOrder)
    table.horizontalHeader().sectionClicked.emit(keys.index("prevalence"))
    down = [model.row(row).prevalence for row in range(model.rowCount())]
    table.horizontalHeader().sectionClicked.emit(keys.index("prevalence"))
    up = [model.row(row).prevalence for row in range(model.rowCount())]

    assert down == sorted(down, key=lambda value: -(value or 0))
    assert up == sorted(up, key=lambda value: value or 0)


def test_a_row_is_copied_with_its_titles(page: ResultsPage, qtbot: QtBot, settle: Settle):
    click_row(qtbot, page, row_of(page, "drawn-a", "baker", "age_range", "child"), settle)

    page.drawer.copy.click()

    titles, values = QGuiApplication.clipboard().text().splitlines()
    line = dict(zip(titles.split("\t"), values.split("\t"), strict=True))
    assert (line["generator"], line["role"], line["label"]) == ("drawn-a", "baker", "child")
    assert line["ccs"] == ""


def test_columns_drop_out_when_narrow_and_the_prevalence_stays(page: ResultsPage, settle: Settle):
    table = page.table_card.table
    keys = [column.key for column in table.columns]
    page.resize(720, 700)
    settle(page.studio)

    shown = {key for at, key in enumerate(keys) if not table.isColumnHidden(at)}

    assert {"label", "prevalence", "dimension"} <= shown
    assert "ccs_if_stable" not in shown
    for at, key in enumerate(keys):
        if key in shown:
            assert table.columnWidth(at) >= table.width_for(table.columns[at])


# Computing -------------------------------------------------------------------------------------------


def test_records_that_come_in_are_computed_when_a_person_asks(
    live_page: ResultsPage, qtbot: QtBot, settle: Settle
):
    page = live_page
    store, view = page.studio.store, page.view
    assert store is not None
    image = store.images()[2]
    readings = {"mood": DimensionReading(("calm",)), "age_range": DimensionReading(("child",))}
    store.add_records([NewRecord(image.image_id, "drawn-reader", "again", Status.OK, readings)])
    qtbot.waitUntil(lambda: page.stack.stale.sentence != "", timeout=5000)
    assert page.view is view

    page.stack.stale.act.click()
    settle(page.studio)

    assert page.view is not view
    assert page.stack.stale.sentence == ""


def test_several_readers_are_offered_and_each_has_its_own_numbers(
    live_page: ResultsPage, qtbot: QtBot, settle: Settle
):
    page = live_page
    assert page.extractors.isHidden()
    store = page.studio.store
    assert store is not None
    add_records(store, "second reader")
    qtbot.waitUntil(lambda: page.extractors.count() == 2, timeout=5000)
    settle(page.studio)

    page.extractors.choose(1)
    settle(page.studio)

    assert page.view is not None
    assert page.view.settings.extractor == "second reader"
    assert not page.view.is_simulated
    assert "records by second reader, seed 0" in page.facts


def test_the_header_names_images_records_reader_and_seed(page: ResultsPage):
    assert page.facts == ("120 images, 120 records by drawn-reader (simulated), seed 0, 40 resamples")


# Empty states ----------------------------------------------------------------------------------------


def test_a_study_without_images_says_so_and_leads_to_generators(shown: Shown, planned: Path, qtbot: QtBot):
    page = shown(ResultsPage, planned)

    assert page.stack.empty.text.endswith("No images yet. 18 prompts are ready.")
    assert page.stack.empty.act == "Choose generators"
    assert not page.export.isEnabled()
    with qtbot.waitSignal(page.asked_for) as asked:
        page.stack.empty.button.click()
    assert asked.args == ["generate", None]


def test_a_study_without_records_leads_to_extraction(shown: Shown, tmp_path: Path):
    page = shown(ResultsPage, make_audited(tmp_path / "unread", has_records=False))

    assert page.stack.empty.text.endswith("No records yet. 120 images are ready to be read.")
    assert page.stack.empty.act == "Extract 120 images"


# Export ----------------------------------------------------------------------------------------------


def test_export_writes_tables_and_figures(page: ResultsPage, tmp_path: Path, settle: Settle):
    page.export_tables(tmp_path / "tables")
    for ending in ("png", "svg", "pdf"):
        page.export_figure(tmp_path / f"bi.{ending}")
    settle(page.studio)

    written = pd.read_csv(tmp_path / "tables" / "persistence.csv", keep_default_na=False)
    assert len(written) == len(table_of(page, "persistence"))
    assert '"contains_simulated"' in (tmp_path / "tables" / "run.json").read_text(encoding="utf-8")
    assert (tmp_path / "bi.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "bi.pdf").read_bytes().startswith(b"%PDF")
    assert "simulated records" in (tmp_path / "bi.svg").read_text(encoding="utf-8")


def test_a_figure_that_cannot_be_written_is_said_in_a_sentence(
    page: ResultsPage, tmp_path: Path, qtbot: QtBot
):
    with qtbot.waitSignal(page.studio.runner.trouble) as trouble:
        page.export_figure(tmp_path / "nowhere" / "bi.png")

    assert "could not be written" in str(trouble.args[1])


def test_all_figures_and_latex_are_written_from_the_tables_on_the_page(
    page: ResultsPage, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("core.figures.writing.figure_bytes", lambda drawing, kind: kind.encode())
    page.export.paper_wanted.emit(tmp_path)
    qtbot.waitUntil(lambda: page.studio.runner.is_idle, timeout=120_000)

    assert (tmp_path / "figures" / "bi_by_cohort.pdf").read_bytes() == b"pdf"
    assert (tmp_path / "figures" / "persistence.csv").exists()
    assert (tmp_path / "latex" / "table_8_bi_change_by_cohort.tex").exists()
    assert str(tmp_path) in page.table_card.foot.text


def test_the_report_button_writes_the_report_of_what_is_shown(
    page: ResultsPage, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("core.report.html.figure_bytes", lambda drawing, kind, **more: b"")
    monkeypatch.setattr("gui.pages.results.ask_for_file", lambda *given: tmp_path / "report.html")

    qtbot.mouseClick(page.report, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.studio.runner.is_idle, timeout=120_000)

    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    view = page.view
    assert view is not None
    bi = view.tables["bi"]
    whole = bi[(bi["generator"] == "ALL") & (bi["condition"] == "CF") & (bi["cohort"] == "ALL")]
    value = float(whole[(whole["estimator"] == "plugin") & (whole["aggregation"] == "pool")]["value"].iloc[0])
    assert f'data-value="{value!r}"' in text
    assert "Human study and agreement" in text


def test_a_contact_sheet_shows_the_chosen_role(page: ResultsPage, tmp_path: Path, qtbot: QtBot):
    page.table_card.table.go_to(3)

    page.export_sheet(page.role, tmp_path / "sheet.png")
    qtbot.waitUntil(lambda: page.studio.runner.is_idle, timeout=120_000)

    assert page.role == page.table_card.model.row_at(3).role
    listed = pd.read_csv(tmp_path / "sheet.png.csv")
    assert set(listed["condition"]) == {"CF", "CA-R", "CA-U"}
    assert (tmp_path / "sheet.png").read_bytes().startswith(b"\x89PNG")
    assert f"Exported to {tmp_path / 'sheet.png'}" in page.table_card.foot.text
