"""Single images, and people with themselves, on the Agreement page."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.jobs import run_here
from gui.agreement import reading
from gui.agreement.again_panel import pairs_of
from gui.agreement.counting import count_images
from gui.agreement.repeats import again_words
from gui.agreement.view import ALL, AgreementView, Settings
from gui.models.agreement_rows import (
    AXIS,
    CATEGORY_COLUMNS,
    COUNT_COLUMNS,
    GAP,
    IMAGE_COLUMNS,
    Level,
    RowKind,
)
from gui.pages.agreement import AgreementPage
from gui.studio import Studio
from storage.store import Store
from tests.gui.pages.audited import READER, already, make_audited

Settle = Callable[[Studio], None]


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample study whose people marked images and saw four sets twice, made once: never open it."""
    return make_audited(tmp_path_factory.mktemp("marked") / "study", has_marks=True, repeats=4)


@pytest.fixture(scope="module")
def view(marked: Path) -> AgreementView:
    """Its result, computed once as the page does."""
    with pytest.MonkeyPatch.context() as patch, Store.open(marked) as store:
        patch.setattr(reading, "BOOTSTRAP", 20)
        number = store.rounds()[0].round_id
        return run_here(reading.compute(store, Settings(number, "label", READER)))


def number(view: AgreementView, question: str, scope: str, statistic: str, level: str = "nominal"):
    return view.numbers[question, scope, statistic, level]


def test_the_rows_of_single_images_are_those_of_the_table(view: AgreementView):
    scopes = {AXIS: "pipeline with the rest image", GAP: "pipeline minus people image"}
    checked = 0
    for row in view.rows[Level.IMAGE]:
        for column in IMAGE_COLUMNS[1:]:
            is_compared = column.key in scopes
            statistic = "cohen_kappa_mean" if is_compared else column.key
            scope = scopes.get(column.key, "annotators image")
            found = row.number("pipeline" if column.key == AXIS else column.key)
            assert found == number(view, row.question, scope, statistic)
            checked += found is not None and found.value is not None

    assert checked > 12
    assert view.rows[Level.IMAGE][0].top_share is None


def test_the_pipeline_on_single_images_counts_each_image_that_was_marked_and_read(view: AgreementView):
    found = number(view, "pose", "pipeline image", "raw_agreement")

    # Everybody marked all ten images of every set as standing, and all but one were read as standing;
    # Ben alone chose sitting for one set, which asks of its ten images a second time.
    assert (found.units, found.excluded) == (12 * 10 + 10 - 1, 1)
    assert found.value == pytest.approx((12 * 10 - 1) / (12 * 10 + 10 - 1))


def test_images_are_opened_as_counts_of_images(view: AgreementView):
    question = view.question("age_range")
    assert question is not None

    table = count_images(view, question, "Ana", "Ben")

    row = number(view, "age_range", "Ana and Ben image", "raw_agreement")
    assert (table.unit, table.total) == ("image", row.units)
    assert table.agreed / table.total == pytest.approx(row.value)


def test_people_with_themselves_stand_with_their_number_in_a_sentence(view: AgreementView):
    said = again_words(view, "age_range", Level.CATEGORY)
    ana, cem = (number(view, "age_range", f"{who} again", "raw_agreement") for who in ("Ana", "Cem"))

    assert ana.value == 1.0
    assert said.startswith("People with themselves, 12 answers given twice by 3 people: the same label")
    assert f"Ana 100 %, Ben 100 %, Cem {cem.value * 100:.0f} %" in said
    assert again_words(view, "mood", Level.CATEGORY) == ""
    assert "12 answers given twice" in again_words(view, ALL, Level.CATEGORY)
    assert "differ by 0.00 images on average" in again_words(view, "age_range", Level.COUNT)


def test_the_page_shows_single_images_and_repeats(
    shown: Callable[..., AgreementPage],
    marked: Path,
    view: AgreementView,
    tmp_path: Path,
    settle: Settle,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("gui.pages.agreement.compute", already(view))
    page = shown(AgreementPage, Path(shutil.copytree(marked, tmp_path / "sample")), 1700)
    assert page.grid.again.text() == again_words(view, ALL, Level.CATEGORY)

    page.level.choose(2)
    page.grid.go_to("age_range")
    row = page.grid.model.rows[page.grid.model.row_of("age_range")]
    page.grid.opened.emit(row, "gwet_ac1")
    settle(page.studio)

    assert row.kind is RowKind.QUESTION
    assert page.drawer.rests_on.text().startswith(f"{row.number('gwet_ac1').units} images, 3 annotators")
    assert "images: " in page.drawer.heading.text() or "every image" in page.drawer.heading.text()
    assert len({entry.key for entry in page.drawer.sets.entries}) == len(page.drawer.sets.entries)

    every_kind_of_number_leads_to_its_image_sets(page, settle)
    people_with_themselves_open_what_they_answered_twice(page, view)


def every_kind_of_number_leads_to_its_image_sets(page: AgreementPage, settle: Settle) -> None:
    """Of people, axis and gap, at each level: each cell of the counts opens exactly its sets, with images."""
    columns = (CATEGORY_COLUMNS, COUNT_COLUMNS, IMAGE_COLUMNS)
    opened = 0
    for level, shown in enumerate(columns):
        page.level.choose(level)
        row = page.grid.model.rows[page.grid.model.row_of("items")]
        for key in (column.key for column in (*shown[1:3], *shown[-2:])):  # statistics share their counts
            page._on_opened(row, key)
            settle(page.studio)
            table, sets = page.drawer.grid.shown, page.drawer.sets
            assert table is not None
            assert table.total > 0, key
            for cell, keys in table.sets.items():
                page.drawer.grid.go(*cell)
                assert [one.key for one in sets.entries] == list(dict.fromkeys(keys)), (key, cell)
                assert all(len(one.images) == 10 for one in sets.entries)
                opened += 1
    assert opened > 50


def people_with_themselves_open_what_they_answered_twice(page: AgreementPage, view: AgreementView) -> None:
    """The sentence opens the four sets shown twice; a person's number opens exactly the answers it counts."""
    page.level.choose(0)
    page.grid.open_again.click()
    sets, panel = page.drawer.sets, page.drawer.again_panel
    assert not sets.isHidden()
    assert len(sets.entries) == 4
    assert all(len(one.images) == 10 for one in sets.entries)
    assert [one.key for one in panel.numbers.entries] == ["people again", "Ana", "Ben", "Cem"]
    pairs = sum(len(pairs_of(view, "age_range", who, Level.CATEGORY)) for who in ("Ana", "Ben", "Cem"))
    assert f"People with themselves, {pairs} answers given twice" in page.grid.again.text()

    page.grid.go_to("age_range")
    page._follow()
    panel.choose("Cem")
    cem = number(view, "age_range", "Cem again", "raw_agreement")
    others = [one for one in sets.entries if one.said[0][1] != one.said[1][1]]
    assert len(sets.entries) == cem.units
    assert 1 - len(others) / len(sets.entries) == pytest.approx(cem.value)
    assert list(sets.entries[: len(others)]) == others
    assert sets.entries[0].said[1] == ("Cem again", "child")
    assert f"{len(others)} otherwise by Cem" in page.drawer.heading.text()
