"""Ways of counting side by side on the Results page: the same numbers as the analyses themselves give."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.analysis import analyse
from core.jobs import run_here
from core.labels.review import Act, LabelAct
from gui.models.persistence_data import VERDICTS
from gui.models.results_data import ALL
from gui.pages.results import ResultsPage
from gui.results import reading
from gui.results.ways import WayRow, Ways, why_words
from gui.studio import Studio
from storage.frames import Frames
from storage.store import Store
from tests.gui.pages.audited import READER, make_audited


@pytest.fixture
def page(
    tmp_path: Path,
    studio: Studio,
    qtbot: QtBot,
    settle: Callable[[Studio], None],
    monkeypatch: pytest.MonkeyPatch,
) -> ResultsPage:
    """The page of a study whose label map merges bread into cup, showing the ways of counting."""
    monkeypatch.setattr(reading, "BOOTSTRAP", 0)
    folder = make_audited(tmp_path / "study", people=())
    with Store.open(folder) as store:
        store.add_label_act(LabelAct(Act.ACCEPT, "lead", {("items", "bread"): "cup"}, "one thing"))
    made = ResultsPage(studio)
    qtbot.addWidget(made)
    made.resize(1300, 800)
    made.show()
    studio.open_study(folder)
    settle(studio)
    made.part.choose(1)
    settle(studio)
    return made


def rows_of(page: ResultsPage) -> list[WayRow]:
    """All rows that were computed."""
    assert isinstance(page.ways.ways, Ways)
    return list(page.ways.ways.rows)


def test_every_way_is_counted_right_and_every_number_opens(
    page: ResultsPage, qtbot: QtBot, settle: Callable[[Studio], None]
) -> None:
    """One study for all of it, because it takes two analyses."""
    every_way_is_what_its_own_analysis_gives(page)
    a_number_opens_its_images_and_a_pair_of_verdicts_its_labels(page, qtbot, settle)


def every_way_is_what_its_own_analysis_gives(page: ResultsPage) -> None:
    """Mapped as on the page, raw without the map, published by the published formulas."""
    store, view = page.studio.store, page.view
    assert store is not None
    assert view is not None
    assert page.ways.resampled.text().endswith(view.run["resampled"]["words"])
    labels = Frames(store.folder).labels(READER)
    raw = run_here(analyse(labels, view.schema, bootstrap=0)).tables["bi"]
    mapped = store.label_map().apply(labels)
    paper = run_here(analyse(mapped, view.schema, mode="paper", bootstrap=0)).tables["bi"]
    for row in rows_of(page):
        for table, shown in ((view.tables["bi"], row.own), (raw, row.raw), (paper, row.paper)):
            mine = table[
                (table["generator"] == row.spot.generator)
                & (table["cohort"] == row.spot.cohort)
                & (table["dimension"] == row.spot.dimension)
                & (table["condition"] == row.spot.condition.value)
                & (table["estimator"] == "plugin")
                & (table["aggregation"] == "pool")
            ]
            found = [one for one in mine["value"] if pd.notna(one)]
            assert shown.value == (found[0] if found else None)
    items = next(row for row in rows_of(page) if row.spot.dimension == "items")
    assert "mapping merges words from 3 to 2 labels" in why_words(items)
    pose = next(row for row in rows_of(page) if row.spot.dimension == "pose" and row.spot.generator != ALL)
    assert (pose.own.value, pose.paper.value) == (1.0, 0.0)
    assert why_words(pose) == "a single label: published as 0"


def a_number_opens_its_images_and_a_pair_of_verdicts_its_labels(
    page: ResultsPage, qtbot: QtBot, settle: Callable[[Studio], None]
) -> None:
    """Enter on a row opens the drawer; a pair of verdicts shows exactly so many rows of the table."""
    page.ways.generator.choose(1)
    at = next(n for n, row in enumerate(page.ways.model.rows) if row.spot.dimension == "age_range")
    page.ways.table.setCurrentIndex(page.ways.model.index(at, 0))
    qtbot.keyClick(page.ways.table, Qt.Key.Key_Return)
    settle(page.studio)
    assert page.drawer.spot == page.ways.model.rows[at].spot
    assert sum(len(group.sheet.images) for group in page.drawer.groups if not group.isHidden()) > 0
    assert page.ways.ways is not None
    pairs = {pair: number for pair, number in page.ways.ways.verdicts.items() if number}
    assert page.view is not None
    assert sum(pairs.values()) == page.view.persistence.size
    for (ours, published), number in pairs.items():
        page.ways.verdicts_wanted.emit(ours, published)
        assert page.part.index == 0
        assert page.table_card.model.rowCount() == number
        assert {VERDICTS[page.table_card.model.table.verdict[at]] for at in page.table_card.model.order} == {
            ours
        }
