"""People and pipeline side by side on the Agreement page."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from annotation.compare import Direction
from core.jobs import run_here
from gui.agreement import reading
from gui.agreement.view import AgreementView, Settings
from gui.pages.agreement import AgreementPage
from gui.studio import Studio
from storage.store import Store
from tests.gui.pages.audited import READER, already, make_audited

Settle = Callable[[Studio], None]


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample study whose people marked images, made once: never open it."""
    return make_audited(tmp_path_factory.mktemp("marked") / "study", has_marks=True)


@pytest.fixture(scope="module")
def view(marked: Path) -> AgreementView:
    """Its result, computed once as the page does."""
    with pytest.MonkeyPatch.context() as patch, Store.open(marked) as store:
        patch.setattr(reading, "BOOTSTRAP", 0)
        number = store.rounds()[0].round_id
        return run_here(reading.compute(store, Settings(number, "label", READER)))


@pytest.fixture
def page(
    shown: Callable[..., AgreementPage],
    marked: Path,
    view: AgreementView,
    tmp_path: Path,
    settle: Settle,
    monkeypatch: pytest.MonkeyPatch,
) -> AgreementPage:
    """The page on a copy of the study, people and pipeline shown."""
    monkeypatch.setattr("gui.pages.agreement.compute", already(view))
    made = shown(AgreementPage, Path(shutil.copytree(marked, tmp_path / "sample")), 1700)
    made.part.choose(1)
    settle(made.studio)
    return made


def test_every_question_of_every_set_is_there_the_different_ones_first(
    page: AgreementPage, view: AgreementView
):
    rows, confusion = page.compare.model.rows, view.tables["confusion"]
    differ = confusion[
        (confusion["human"] != confusion["pipeline"])
        & ~confusion["human"].str.startswith("(")
        & ~confusion["pipeline"].str.startswith("(")
    ]

    assert len(rows) == 12 * 4
    unequal = {Direction.LABEL, Direction.PIPELINE_UNKNOWN, Direction.PEOPLE_UNKNOWN}
    assert sum(one.direction in unequal for one in rows) == differ["count"].sum()
    flags = [one.is_apart for one in rows]
    assert flags == sorted(flags, reverse=True)
    assert page.compare.count.text().startswith("48 of 48 questions of image sets")


def test_filters_show_fewer_and_one_question_offers_its_pairs_of_labels(page: AgreementPage):
    boxes, model = page.compare.boxes, page.compare.model
    boxes["question"].choose("items")
    assert {one.question.id for one in model.rows} == {"items"}

    boxes["condition"].choose("CF")
    assert {str(one.image_set.condition) for one in model.rows} == {"CF"}
    boxes["condition"].choose("all")
    pair = next(
        boxes["difference"].itemText(at)
        for at in range(boxes["difference"].count())
        if "→" in boxes["difference"].itemText(at)
    )
    boxes["difference"].choose(pair)

    number = int(pair.rpartition("(")[2].rstrip(")"))
    assert len(model.rows) == number > 0
    assert len({(one.people.label, one.pipeline.label) for one in model.rows}) == 1


def test_arrows_step_through_and_the_images_follow(page: AgreementPage, qtbot: QtBot, settle: Settle):
    compare = page.compare
    first = compare.detail.one
    assert first is compare.model.rows[0]

    qtbot.keyClick(compare.table, Qt.Key.Key_Down)
    settle(page.studio)

    second = compare.model.rows[1]
    assert compare.detail.one is second
    assert len(compare.detail.tiles.images) == len(second.image_set.images) == 10
    assert [image.position for image in compare.detail.tiles.images] == list(range(10))
    assert f"Set {compare.facts.number(second)}, " in compare.detail.title.text()
    assert "marked by" in compare.detail.tiles.accessibleDescription()

    compare.detail.tiles.chosen.emit(second.image_set.images[3])
    settle(page.studio)
    assert compare.detail.details.image == second.image_set.images[3]
    assert compare.close_detail()
    assert compare.detail.details.image is None


def test_marks_under_an_image_are_those_that_people_made(page: AgreementPage):
    compare = page.compare
    compare.boxes["question"].choose("pose")
    one = next(one for one in compare.model.rows if one.direction is Direction.SAME)

    images = compare.facts.images(one)

    said = {each.annotator: each.marks for each in compare.facts.said(one) if each.label == "standing"}
    for image in images:
        assert set(image.marked_by) == {who for who, marks in said.items() if image.position in marks}


def test_a_tag_by_its_key_and_a_note_are_kept_and_come_back(
    page: AgreementPage, qtbot: QtBot, settle: Settle
):
    compare, store = page.compare, page.studio.store
    one = compare.detail.one
    qtbot.keyClick(compare.table, Qt.Key.Key_1)
    qtbot.keyClick(compare.table, Qt.Key.Key_Return)
    qtbot.keyClicks(compare.detail.note, "hair")
    qtbot.keyClick(compare.detail.note, Qt.Key.Key_Return)
    settle(page.studio)

    number = page.round.round_id
    assert store.comparison_notes(number, READER) == {one.place: ("pipeline wrong", "hair")}
    assert compare.model.words(0, "tag") == "pipeline wrong"

    qtbot.keyClick(compare.table, Qt.Key.Key_Down)
    assert compare.detail.note.text() == ""
    qtbot.keyClick(compare.table, Qt.Key.Key_Up)
    assert (compare.detail.chosen_tag, compare.detail.note.text()) == ("pipeline wrong", "hair")


def test_what_is_on_the_screen_is_exported(page: AgreementPage, tmp_path: Path, settle: Settle):
    page.compare.boxes["question"].choose("age range")
    page.compare.export_to(tmp_path / "out.csv")
    settle(page.studio)

    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    shown = page.compare.model.rows
    assert [(row["image_set"], row["question"]) for row in rows] == [one.place for one in shown]
    assert [row["pipeline_label"] for row in rows] == [one.pipeline.label for one in shown]
    assert all(row["pipeline_images"].count(";") == 9 for row in rows)


@pytest.mark.usefixtures("view")  # what is imported for the first computation is there
def test_people_and_pipeline_stay_closed_until_the_round_is_locked(
    shown: Callable[..., AgreementPage], tmp_path: Path, settle: Settle, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reading, "BOOTSTRAP", 0)
    folder = make_audited(tmp_path / "open", is_sample=False)
    page = shown(AgreementPage, folder, 1700)

    page.part.choose(1)
    settle(page.studio)

    assert page.compare.facts is None
    assert page.compare.empty.sentence == "People and pipeline are compared once the round is locked."

    page.studio.store.lock_round(page.round.round_id)
    page.refresh()
    settle(page.studio)

    assert page.compare.facts is not None
    assert len(page.compare.model.rows) == 48


@pytest.mark.usefixtures("view")  # what is imported for the first computation is there
def test_a_study_without_records_says_so(
    shown: Callable[..., AgreementPage], tmp_path: Path, settle: Settle, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reading, "BOOTSTRAP", 0)
    page = shown(AgreementPage, make_audited(tmp_path / "bare", has_records=False), 1280)

    page.part.choose(1)
    settle(page.studio)

    assert page.compare.empty.sentence.startswith("There are no records yet")
