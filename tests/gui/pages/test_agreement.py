"""What a lead does on the Agreement page."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from core.jobs import run_here
from core.records import Answer, AnswerEvent
from gui.agreement import reading
from gui.agreement.view import AgreementView, Settings
from gui.models.agreement_rows import AXIS, GAP, TOP, RowKind
from gui.pages.agreement import AgreementPage
from gui.studio import Studio
from storage.store import Store
from tests.gui.pages.audited import AT, already, make_audited

Settle = Callable[[Studio], None]
Shown = Callable[..., AgreementPage]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample study, made once: never open it."""
    return make_audited(tmp_path_factory.mktemp("whole") / "study", is_simulated=True)


@pytest.fixture(scope="module")
def whole_open(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of people whose round is open, made once: never open it."""
    return make_audited(tmp_path_factory.mktemp("open") / "study", is_sample=False)


@pytest.fixture(autouse=True)
def few_replicates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals of a test need not be fine."""
    monkeypatch.setattr(reading, "BOOTSTRAP", 40)


@pytest.fixture(scope="module")
def computed(whole: Path) -> AgreementView:
    """The result of the sample study, computed once as the page does."""
    with pytest.MonkeyPatch.context() as patch, Store.open(whole) as store:
        patch.setattr(reading, "BOOTSTRAP", 40)
        number = store.rounds()[0].round_id
        return run_here(reading.compute(store, Settings(number, "label", "drawn-reader")))


@pytest.fixture
def live_page(shown: Shown, whole: Path, tmp_path: Path) -> AgreementPage:
    """The page on a copy of the sample study, computing for itself."""
    return shown(AgreementPage, Path(shutil.copytree(whole, tmp_path / "sample")), 1700)


@pytest.fixture
def page(
    shown: Shown, whole: Path, tmp_path: Path, computed: AgreementView, monkeypatch: pytest.MonkeyPatch
) -> AgreementPage:
    """The page on a copy of the sample study, with the result that was computed once."""
    monkeypatch.setattr("gui.pages.agreement.compute", already(computed))
    return shown(AgreementPage, Path(shutil.copytree(whole, tmp_path / "sample")), 1700)


@pytest.fixture
def open_page(shown: Shown, whole_open: Path, tmp_path: Path) -> AgreementPage:
    """The page on a copy of the study whose round is open."""
    return shown(AgreementPage, Path(shutil.copytree(whole_open, tmp_path / "open")), 1700)


def place(page: AgreementPage, question: str, key: str) -> tuple[int, int]:
    model = page.grid.model
    return model.row_of(question), [column.key for column in model.columns].index(key)


def click(qtbot: QtBot, page: AgreementPage, question: str, key: str, settle: Settle) -> None:
    """Click a number of the grid as a person does."""
    table = page.grid.table
    index = page.grid.model.index(*place(page, question, key))
    where = table.visualRect(index).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    settle(page.studio)


def table_row(page: AgreementPage, question: str, scope: str, statistic: str, level: str) -> dict[str, Any]:
    assert page.view is not None
    table = page.view.tables["agreement"]
    wanted = {"question": question, "scope": scope, "statistic": statistic, "level": level}
    for name, value in wanted.items():
        table = table[table[name] == value]
    (row,) = table.to_dict("records")
    return row


# The grid --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["nominal", "interval"])
def test_every_number_of_the_grid_is_that_of_the_table(page: AgreementPage, level: str):
    page.level.choose(0 if level == "nominal" else 1)
    compared = "cohen_kappa_mean" if level == "nominal" else "mean_absolute_error"
    scopes = {AXIS: "pipeline with the rest", GAP: "pipeline minus people"}
    checked = 0

    for row_number, row in enumerate(page.grid.model.rows):
        for column_number, column in enumerate(page.grid.model.columns):
            number = page.grid.model.number_at(row_number, column_number)
            if number is None or not row.question:
                continue
            scope = scopes.get(column.key, "annotators")
            statistic = compared if column.key in scopes else column.key
            found = table_row(page, row.question, scope, statistic, level)
            assert (number.value is None) == pd.isna(found["value"])
            for name in ("value", "low", "high"):
                if not pd.isna(found[name]):
                    assert getattr(number, name) == found[name]
                    checked += 1
            assert (number.units, number.excluded) == (found["units"], found["excluded"])

    assert checked > 60


def test_questions_stand_by_cohort_with_their_mean_and_all_pooled_last(page: AgreementPage):
    kinds = [(row.kind, row.name) for row in page.grid.model.rows]

    assert kinds == [
        (RowKind.COHORT, "Scene"),
        (RowKind.QUESTION, "mood"),
        (RowKind.COHORT, "Objects"),
        (RowKind.QUESTION, "items"),
        (RowKind.COHORT, "People"),
        (RowKind.QUESTION, "age range"),
        (RowKind.QUESTION, "pose"),
        (RowKind.MEAN, "mean of 4 questions"),
        (RowKind.POOLED, "pooled, 48 units"),
    ]


def test_a_label_that_dominates_is_warned_of(page: AgreementPage):
    model = page.grid.model
    pose, age = (model.rows[model.row_of(one)] for one in ("pose", "age_range"))

    assert pose.is_dominated
    assert not age.is_dominated
    assert "κ is fragile" in model.sentence(*place(page, "pose", TOP))


def test_an_undefined_number_is_a_dash_and_says_why_when_it_has_the_focus(page: AgreementPage):
    table, where = page.grid.table, place(page, "mood", "fleiss_kappa")

    table.setCurrentIndex(page.grid.model.index(*where))

    assert page.grid.model.index(*where).data() == "–"
    assert "because: one category: every answer is the same" in page.grid.foot.text


def test_columns_drop_out_when_the_window_is_narrow_and_are_never_squeezed(
    page: AgreementPage, settle: Settle
):
    table = page.grid.table
    keys = [column.key for column in table.columns]

    def shown() -> list[str]:
        return [key for at, key in enumerate(keys) if not table.isColumnHidden(at)]

    wide = shown()
    page.resize(760, 600)
    settle(page.studio)
    narrow = shown()

    assert {"krippendorff_alpha", "gwet_ac1", "cohen_kappa_mean"} <= set(wide)
    assert set(narrow) < set(wide)
    assert {"question", "fleiss_kappa", AXIS, GAP} <= set(narrow)
    for at, key in enumerate(keys):
        if key in narrow:
            assert table.columnWidth(at) >= table.width_for(table.columns[at])


def test_a_column_that_was_put_away_comes_back_from_the_menu(page: AgreementPage, settle: Settle):
    page.resize(760, 600)
    settle(page.studio)
    menu = page.grid.table.column_menu(page)
    alpha = next(act for act in menu.actions() if act.data() == "krippendorff_alpha")
    assert not alpha.isChecked()

    alpha.trigger()

    assert not page.grid.table.isColumnHidden(place(page, "mood", "krippendorff_alpha")[1])


# The drawer ------------------------------------------------------------------------------------------


def test_a_number_opens_its_formula_its_counts_and_the_sets_behind_a_cell(
    page: AgreementPage, qtbot: QtBot, settle: Settle
):
    click(qtbot, page, "age_range", "fleiss_kappa", settle)
    drawer, number = page.drawer, page.grid.model.number_at(*place(page, "age_range", "fleiss_kappa"))
    assert number is not None
    assert number.value is not None

    assert drawer.title == "age range, Fleiss κ"
    assert drawer.number.text() == f"{number.value:.2f}"
    assert drawer.formula.text().endswith(f"= {number.value:.2f}.")
    assert drawer.rests_on.text().startswith("12 image sets, 3 annotators, none left out.")
    table = drawer.grid.shown
    assert table is not None
    assert table.total == 12
    raw = table_row(page, "age_range", "Ana and Ben", "raw_agreement", "nominal")["value"]
    assert table.agreed / table.total == pytest.approx(raw)

    cell = next(cell for cell in table.sets if cell[0] != cell[1])
    qtbot.mouseClick(drawer.grid, Qt.MouseButton.LeftButton, pos=drawer.grid.cell_rect(*cell).center())

    assert [entry.key for entry in drawer.sets.entries] == list(table.sets[cell])
    for entry in drawer.sets.entries:
        assert len(entry.images) == 10
        assert [who for who, _ in entry.said] == ["Ana", "Ben", "Cem", "pipeline"]
        assert entry.said[0][1] == table.categories[cell[0]].name
        assert entry.said[1][1] == table.categories[cell[1]].name


def test_another_pair_is_counted_anew(page: AgreementPage, qtbot: QtBot, settle: Settle):
    click(qtbot, page, "age_range", "cohen_kappa_mean", settle)
    control = page.drawer.pairs.itemAt(0).widget()

    control.choose(2)  # type: ignore[attr-defined]
    settle(page.studio)

    table = page.drawer.grid.shown
    assert table is not None
    assert (table.side, table.other) == ("Ben (simulated)", "Cem (simulated)")
    raw = table_row(page, "age_range", "Ben and Cem", "raw_agreement", "nominal")["value"]
    assert table.agreed / table.total == pytest.approx(raw)


def test_the_axis_opens_the_pipeline_against_the_consensus(page: AgreementPage, qtbot: QtBot, settle: Settle):
    click(qtbot, page, "age_range", AXIS, settle)
    table, view = page.drawer.grid.shown, page.view
    assert table is not None
    assert view is not None

    confusion = view.tables["confusion"]
    printed = confusion[confusion["question"] == "age_range"]["count"].sum()

    assert (table.side, table.other) == ("consensus", "pipeline (drawn-reader)")
    assert table.total == printed == 12
    assert "Each person in turn is compared with the rest" in page.drawer.formula.text()

    page.resize(1180, 700)
    page._on_opened(page.grid.model.rows[page.grid.model.row_of("items")], AXIS)
    settle(page.studio)
    scroll = page.drawer._scroll
    assert scroll.widget().minimumSizeHint().width() <= scroll.viewport().width()


def test_counts_are_opened_as_counts_of_the_same_label(page: AgreementPage, qtbot: QtBot, settle: Settle):
    page.level.choose(1)
    click(qtbot, page, "items", "mean_absolute_error", settle)
    table = page.drawer.grid.shown
    assert table is not None

    off = sum(abs(row - column) * table.count(row, column) for row, column in table.sets)
    mean = table_row(page, "items", "Ana and Ben", "mean_absolute_error", "interval")

    assert table.total == mean["units"]
    if len(table.categories) == 11:
        assert off / table.total == pytest.approx(mean["value"])


def test_arrows_in_the_table_change_the_drawer_and_esc_closes_image_then_drawer(
    page: AgreementPage, qtbot: QtBot, settle: Settle
):
    click(qtbot, page, "age_range", "fleiss_kappa", settle)
    qtbot.keyClick(page.grid.table, Qt.Key.Key_Down)
    settle(page.studio)
    assert page.drawer.title == "pose, Fleiss κ"

    entries = page.drawer.sets.entries
    page.drawer.sets.chosen.emit(entries[0].images[0])
    settle(page.studio)
    assert page.drawer.details.image == entries[0].images[0]

    assert page.close_drawer()
    assert page.drawer.details.image is None
    assert not page.drawer.isHidden()
    assert page.close_drawer()
    assert page.drawer.isHidden()
    assert not page.close_drawer()


def test_arrows_step_over_cohorts(page: AgreementPage, qtbot: QtBot):
    page.grid.go_to("mood")

    qtbot.keyClick(page.grid.table, Qt.Key.Key_Down)

    current = page.grid.current
    assert current is not None
    assert current[0].question == "items"


def test_a_mean_opens_its_questions_and_one_of_them_leads_on(
    page: AgreementPage, qtbot: QtBot, settle: Settle
):
    click(qtbot, page, "ALL", "fleiss_kappa", settle)
    keys = [entry.key for entry in page.drawer.spread.entries]
    assert keys[-1] == "mood"  # undefined comes last

    qtbot.mouseClick(page.drawer.spread, Qt.MouseButton.LeftButton, pos=QPoint(20, 10))
    settle(page.studio)

    assert page.drawer.shown is not None
    assert page.drawer.shown.row.question == keys[0]


def test_simulated_people_are_named_as_such(page: AgreementPage, qtbot: QtBot, settle: Settle):
    click(qtbot, page, "age_range", "fleiss_kappa", settle)
    assert "simulated annotators" in page.drawer.rests_on.text()
    table = page.drawer.grid.shown
    assert table is not None
    assert table.side == "Ana (simulated)"


# The pipeline half -----------------------------------------------------------------------------------


def test_a_sample_study_shows_the_pipeline_before_the_lock_and_says_so(page: AgreementPage):
    assert page.view is not None
    assert page.view.is_pipeline_open
    assert page.closed_words == ""
    assert page.grid.table.header.remark == "open: sample study"


def test_the_pipeline_stays_closed_until_the_round_is_locked(open_page: AgreementPage, settle: Settle):
    page = open_page
    assert page.view is not None
    assert not page.view.is_pipeline_open
    assert page.closed_words == "Everybody who began has answered everything; nothing is missing."
    assert page.grid.model.number_at(*place(page, "age_range", GAP)) is None

    page.lock.click()
    dialog = page.dialog
    assert dialog is not None
    assert dialog.act.text() == "Lock Round 1"
    dialog.act.click()
    settle(page.studio)

    assert page.view.is_pipeline_open
    assert page.closed_words == ""
    assert page.grid.model.number_at(*place(page, "age_range", GAP)) is not None
    assert page.lock.isHidden()
    assert page.facts.startswith("Round 1, locked ")


def test_a_lock_that_is_declined_leaves_the_round_open(open_page: AgreementPage, settle: Settle):
    open_page.lock.click()
    assert open_page.dialog is not None
    open_page.dialog.stay.click()
    settle(open_page.studio)

    assert open_page.studio.store is not None
    assert not open_page.studio.store.rounds()[0].is_locked


# Computing -------------------------------------------------------------------------------------------


def test_unknown_left_out_is_computed_once_and_kept(live_page: AgreementPage, settle: Settle):
    page = live_page
    before = page.grid.model.number_at(*place(page, "age_range", "fleiss_kappa"))
    page.unknown.choose(1)
    assert not page.stack.is_showing
    settle(page.studio)
    without = page.grid.model.number_at(*place(page, "age_range", "fleiss_kappa"))

    page.unknown.choose(0)

    assert page.stack.is_showing
    assert page.studio.runner.is_idle
    assert without != before == page.grid.model.number_at(*place(page, "age_range", "fleiss_kappa"))


def test_new_answers_are_computed_when_a_person_asks(live_page: AgreementPage, qtbot: QtBot, settle: Settle):
    page = live_page
    store, view = page.studio.store, page.view
    assert store is not None
    ana = next(one for one in store.annotators() if one.name == "Ana")
    image_set = store.image_sets(store.rounds()[0].round_id)[0]
    answer = Answer("lying", slider=1, slider_source="key", is_confirmed=True)
    store.append_answer(
        AnswerEvent(ana.annotator_id, image_set.image_set_id, "pose", "confirm", answer, AT)
    ).result()
    qtbot.waitUntil(lambda: page.stack.stale.sentence != "", timeout=5000)
    assert page.view is view

    page.stack.stale.act.click()
    settle(page.studio)

    assert page.view is not view
    assert page.stack.stale.sentence == ""
    raw = page.grid.model.number_at(*place(page, "pose", "raw_agreement"))
    assert raw is not None
    assert raw.value == table_row(page, "pose", "annotators", "raw_agreement", "nominal")["value"]


def test_a_study_that_is_closed_takes_its_numbers_along(page: AgreementPage, settle: Settle):
    page.studio.close_study()
    settle(page.studio)

    assert page.view is None
    assert page.drawer.isHidden()


# Empty states ----------------------------------------------------------------------------------------


def test_a_study_without_a_round_says_what_is_missing(shown: Shown, planned: Path):
    page = shown(AgreementPage, planned)

    assert page.stack.empty.text.endswith("No images yet, so there are no image sets to answer.")
    assert page.stack.empty.act == "Choose generators"
    assert not page.export.isEnabled()


def test_one_annotator_is_not_enough(shown: Shown, tmp_path: Path, qtbot: QtBot):
    page = shown(AgreementPage, make_audited(tmp_path / "one", people=("Ana",)))

    assert "Agreement needs the answers of two annotators. Ana has 48 answers." in page.stack.empty.text
    assert page.stack.empty.act == "Open Annotate"
    with qtbot.waitSignal(page.asked_for) as asked:
        page.stack.empty.button.click()
    assert asked.args == ["annotate", None]


# Export and imports ----------------------------------------------------------------------------------


def test_export_writes_tables_and_figures(page: AgreementPage, tmp_path: Path, settle: Settle):
    page.export_tables(tmp_path / "tables")
    for ending in ("png", "svg", "pdf"):
        page.export_figure(tmp_path / f"agreement.{ending}")
    settle(page.studio)

    written = pd.read_csv(tmp_path / "tables" / "agreement.csv", keep_default_na=False)
    assert page.view is not None
    assert len(written) == len(page.view.tables["agreement"])
    assert (tmp_path / "agreement.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "agreement.pdf").read_bytes().startswith(b"%PDF")
    assert "age range" in (tmp_path / "agreement.svg").read_text(encoding="utf-8")
    assert not list(tmp_path.glob("*.part"))


def test_nothing_heavy_is_imported_before_the_job_runs(tmp_path: Path):
    code = (
        "import os, sys; os.environ['QT_QPA_PLATFORM'] = 'offscreen'\n"
        "from PySide6.QtWidgets import QApplication; app = QApplication([])\n"
        "from gui.theme import Theme; from gui.tasks import TaskRunner; from gui.studio import Studio\n"
        "studio = Studio(TaskRunner(), Theme(app))\n"
        "from gui.pages.agreement import AgreementPage; from gui.pages.results import ResultsPage\n"
        "pages = [AgreementPage(studio), ResultsPage(studio)]\n"
        "acts = [page.header_acts() for page in pages]\n"
        "print(sorted({'numpy', 'pandas', 'scipy', 'matplotlib'} & set(sys.modules)))\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_all_figures_are_written_from_the_tables_on_the_page(
    page: AgreementPage, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("core.figures.writing.figure_bytes", lambda drawing, kind: kind.encode())

    page.export.paper_wanted.emit(tmp_path)
    qtbot.waitUntil(lambda: page.studio.runner.is_idle, timeout=120_000)

    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert {"agreement.pdf", "confusion.svg", "bland_altman.png", "bland_altman.csv", "captions.csv"} <= names
    captions = (tmp_path / "figures" / "captions.csv").read_text(encoding="utf-8")
    assert "3 of 3 annotators are simulated." in captions


def test_the_drawer_shows_each_person_left_out_and_a_second_opinion(
    page: AgreementPage, settle: Settle
) -> None:
    """The numbers of the panel are those of the table; the second opinion opens the image sets it means."""
    view = page.view
    assert view is not None
    row = next(one for one in page.grid.model.rows if one.question == "age_range")
    page._on_opened(row, AXIS)
    settle(page.studio)
    table = view.tables["agreement"]
    mine = table[(table["question"] == "age_range") & (table["statistic"] == "cohen_kappa_mean")]
    values = [None if pd.isna(one) else one for one in mine["value"]]
    by_scope = dict(zip(mine["scope"], values, strict=True))
    people = [person.name for person in view.people]
    expected = [
        by_scope[scope]
        for name in people
        for scope in (f"{name} with the rest", f"pipeline in the place of {name}")
    ]
    assert [one.number and one.number.value for one in page.drawer.left_out.numbers.entries] == expected
    each_of_them_opens_where_it_differs_from_anybody_left(page, settle)
    page._on_opened(row, "fleiss_kappa")
    settle(page.studio)
    panel = page.drawer.second
    assert not panel.isHidden()
    assert page.drawer.left_out.isHidden()
    found = panel._found
    assert found is not None
    for key, keys in (("differs", found.differs), ("decides", found.decides)):
        panel.sets.chosen.emit(key)
        assert tuple(one.key for one in page.drawer.sets.entries) == keys


def each_of_them_opens_where_it_differs_from_anybody_left(page: AgreementPage, settle: Settle) -> None:
    """A line of a person the person's, a line of the pipeline the pipeline's sets."""
    view, panel = page.view, page.drawer.left_out
    assert view is not None
    given, machine = view.given["age_range"], view.pipeline["age_range"]
    people = [person.name for person in view.people]
    lines = [(name, is_pipeline) for name in people for is_pipeline in (False, True)]
    for entry, (name, is_pipeline) in zip(panel.numbers.entries, lines, strict=True):
        panel.numbers.chosen.emit(entry.key)
        settle(page.studio)
        apart = [
            key
            for key in view.image_sets
            for said in [(machine[key] if is_pipeline else given[key][name]).label or "(mixed)"]
            if any(given[key][other].label != said for other in people if other != name)
        ]
        assert [one.key for one in page.drawer.sets.entries] == apart
        assert page.drawer.heading.text().startswith(f"{len(apart)} image set")
    assert apart


def test_the_drawer_plots_the_differences_of_counts(page: AgreementPage, settle: Settle) -> None:
    """As the table of pairs has them; a dot opens exactly its image sets."""
    view = page.view
    assert view is not None
    page.level.choose(1)
    row = next(one for one in page.grid.model.rows if one.question == "items")
    page._on_opened(row, "mean_absolute_error")
    settle(page.studio)
    one, other = (person.name for person in view.people[:2])
    table = view.tables["counts"]
    mine = table[(table["question"] == "items") & (table["scope"] == f"{one} and {other}")]
    panel = page.drawer.differences
    shown = panel.plot.shown
    assert shown is not None
    assert not panel.isHidden()
    assert shown.pairs == len(mine)
    assert shown.bias.value == pytest.approx((mine["second"] - mine["first"]).mean())
    assert sorted(key for dot in shown.dots for key in dot.keys) == sorted(mine["image_set"])
    for at, dot in enumerate(shown.dots):
        assert panel.plot.dot_at(panel.plot.place_of(at)) == at
        panel.plot.chosen.emit(at)
        assert tuple(entry.key for entry in page.drawer.sets.entries) == dot.keys
