"""What a person does on the Extract page."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.extraction.registry import names
from core.records import Condition, DimensionReading, ImageStatus, NewRecord, Status
from gui.extract.facts import ReadImage, read_images
from gui.extract.filters import Filter, listed, pick
from gui.pages.extract import ExtractPage
from gui.studio import Studio
from storage.store import Store
from tests.gui.pages.conftest import PROMPTS, QuickGenerator

Settle = Callable[[Studio], None]
Shown = Callable[..., ExtractPage]
ALL = PROMPTS * 2


@pytest.fixture
def page(shown: Shown, made: Path) -> ExtractPage:
    return shown(ExtractPage, made)


def read_all(page: ExtractPage, qtbot: QtBot) -> None:
    """Press the button and wait until all is read and listed."""
    page.go.click()
    qtbot.waitUntil(lambda: page.studio.runner.is_idle, timeout=20_000)
    qtbot.waitUntil(lambda: all(one.status is not None for one in page.list.rows))


def line(page: ExtractPage, dimension: str) -> tuple[str, str, bool]:
    found = next(one for one in page.viewer.lines.lines if one.dimension.id == dimension)
    return found.read, found.true, found.differs


# Reading ---------------------------------------------------------------------------------------------


def test_each_extractor_says_what_it_is_and_that_it_does_not_look_at_pixels(page: ExtractPage):
    states = {name: card.state for name, card in page.cards.cards.items()}

    assert list(states)[:2] == ["drawn-reader", "drawn-truth"]
    assert "drawn pictures only" in states["drawn-reader"].line
    assert "stated errors" in states["drawn-reader"].line
    assert "without error" in states["drawn-truth"].line
    drawn = [state for name, state in states.items() if name.startswith("drawn-")]
    assert all("simulated" in state.notes[0] for state in drawn)
    assert "experimental" in states["pixels"].line
    assert not states["pixels"].notes


def test_every_extractor_has_its_words_and_a_card_that_can_be_seen(page: ExtractPage, qtbot: QtBot):
    cards = page.cards.cards

    assert set(cards) == set(names())
    qtbot.waitUntil(lambda: all(card.height() > 40 for card in cards.values()))
    assert all(card.state.line for card in cards.values())


def test_reading_all_images_fills_card_list_and_viewer(page: ExtractPage, qtbot: QtBot):
    page.cards.choose("drawn-truth")
    assert page.go.text() == "Read 36 images"

    read_all(page, qtbot)

    assert {one.status for one in page.list.rows} == {Status.OK}
    qtbot.waitUntil(lambda: page.cards.cards["drawn-truth"].state.status == "done")
    assert page.go.isHidden()
    qtbot.waitUntil(lambda: page.viewer.shown is not None and page.viewer.shown.record is not None)
    assert line(page, "mood") == ("calm", "calm", False)
    assert page.facts == "36 images, 36 records of drawn-truth"


def test_a_picture_without_a_known_truth_is_refused_counted_and_listed(
    shown: Shown, made: Path, generators: dict[str, QuickGenerator], qtbot: QtBot
):
    with Store.open(made) as store:
        store.add_generator("elsewhere", "imported", {})
        image = generators["drawn-a"].make(store.prompts()[0], 99)
        store.add_image(replace(image, generator="elsewhere", run_key="elsewhere 1", truth=None))
    page = shown(ExtractPage, made)
    read_all(page, qtbot)
    qtbot.waitUntil(lambda: len(page.failed_card.failures) == 1)

    (failure,) = page.failed_card.failures
    assert (failure.count, failure.title) == (1, "Refused by the extractor")
    page.failed_card.chosen.emit(failure)
    qtbot.waitUntil(lambda: [one.image.generator for one in page.list.rows] == ["elsewhere"])
    refused = "Refused by the extractor. drawn-reader reads drawn pictures only"
    qtbot.waitUntil(lambda: page.viewer.trouble.startswith(refused))


def test_while_images_are_read_the_button_says_who_is_at_it(page: ExtractPage, qtbot: QtBot):
    page.go.click()

    assert not page.go.isEnabled()
    assert "drawn-reader is at it" in page.go.toolTip()
    qtbot.waitUntil(lambda: page.studio.runner.is_idle, timeout=20_000)


def test_an_extractor_with_other_parameters_in_the_study_cannot_run(shown: Shown, made: Path):
    with Store.open(made) as store:
        store.add_extractor("drawn-truth", {"schema": "of another study"}, is_simulated=True)
    page = shown(ExtractPage, made)
    page.cards.choose("drawn-truth")

    assert page.cards.cards["drawn-truth"].state.status == "cannot run yet"
    assert not page.go.isEnabled()


# Looking ---------------------------------------------------------------------------------------------


def test_the_arrow_keys_step_from_image_to_image_with_their_records(page: ExtractPage, qtbot: QtBot):
    read_all(page, qtbot)
    page.list.table.setFocus()

    for _ in range(3):
        qtbot.keyClick(page.list.table, Qt.Key.Key_Down)

    wanted = page.list.rows[3].image
    qtbot.waitUntil(lambda: page.viewer.shown is not None and page.viewer.shown.image == wanted)
    assert page.viewer.picture.accessibleName() == f"Image: {wanted.prompt}, seed {wanted.seed}"


def test_what_was_read_stands_beside_what_is_true_and_a_difference_is_marked(
    shown: Shown, made: Path, qtbot: QtBot
):
    with Store.open(made) as store:
        store.add_extractor("reader", {}, is_simulated=False)
        readings = {
            "mood": DimensionReading(("somber",)),
            "age_range": DimensionReading(("middle_aged",)),
            "pose": DimensionReading((), Status.UNKNOWN),
        }
        store.add_records([NewRecord(1, "reader", "key 1", Status.OK, readings, n_persons=1)])
    page = shown(ExtractPage, made)
    page.cards.choose("reader")
    qtbot.waitUntil(lambda: page.viewer.shown is not None and page.viewer.shown.record is not None)

    read, true, differs = line(page, "mood")
    assert (true, differs) == ("calm", True)
    assert read != "calm"
    assert line(page, "age_range") == ("middle-aged", "middle-aged", False)
    assert line(page, "pose") == ("unknown", "standing", True)
    assert len(page.viewer.lines.lines) == 30


def test_the_list_keeps_its_place_while_records_arrive(page: ExtractPage, qtbot: QtBot):
    page.list.table.setCurrentIndex(page.list.model.index(7, 0))
    wanted = page.list.rows[7].image

    read_all(page, qtbot)

    assert page.list.current == wanted
    assert page.list.table.currentIndex().row() == 7
    qtbot.waitUntil(lambda: page.viewer.shown is not None and page.viewer.shown.record is not None)


def test_filters_leave_what_matches(page: ExtractPage, qtbot: QtBot):
    page.filters.condition.choose(1)

    qtbot.waitUntil(lambda: {one.image.condition for one in page.list.rows} == {Condition.CF})
    qtbot.keyClicks(page.filters.role, "pilot")
    qtbot.waitUntil(lambda: page.list.rows == [])
    assert page.filters.said.text() == "0 of 36 images"
    page.filters.clear()
    page.filters.status.choose("not read")
    qtbot.waitUntil(lambda: len(page.list.rows) == ALL)


def test_an_image_that_another_page_names_is_shown_whatever_the_filters(page: ExtractPage, qtbot: QtBot):
    wanted = next(one.image for one in page.list.rows if one.image.condition is Condition.CA_U)
    page.filters.condition.choose(1)
    qtbot.waitUntil(lambda: len(page.list.rows) < ALL)

    page.show_item(wanted)

    qtbot.waitUntil(lambda: page.list.current == wanted and len(page.list.rows) == ALL)
    assert page.filters.wanted == Filter()


def test_the_first_images_are_listed_before_the_others_are_read(
    shown: Shown, made: Path, monkeypatch: pytest.MonkeyPatch
):
    listed_then: list[tuple[int, bool, str]] = []
    has_listed = Event()

    class Watched(ExtractPage):
        def _on_listed(self) -> None:
            super()._on_listed()
            said, can_export = self.filters.said.text(), self._export.isEnabled()
            listed_then.append((len(self.list.rows), can_export, said))
            has_listed.set()

    def read_slowly(store: Store, name: str, number: int | None = None) -> list[ReadImage]:
        assert number is not None or has_listed.wait(20)
        return read_images(store, name, number)

    monkeypatch.setattr("gui.pages.extract.FIRST", 2)
    monkeypatch.setattr("gui.pages.extract.read_images", read_slowly)
    page = shown(Watched, made)

    assert listed_then == [(2, False, "the first 2 images, reading on"), (ALL, True, f"{ALL} images")]
    assert page.list.current == page.list.rows[0].image


def test_the_word_failed_lists_every_class_of_failure(made: Path):
    with Store.open(made) as store:
        images = store.images()[:3]
    statuses = (None, Status.OK, Status.REFUSED)
    found = listed([ReadImage(image, status) for image, status in zip(images, statuses, strict=True)])

    assert found.statuses[-2:] == ("failed", "refused by the extractor")
    assert pick(found, Filter(status="failed")).rows == found.images[2:]
    assert pick(found, Filter(status="not read")).rows == found.images[:1]


def test_a_black_picture_is_not_read_and_says_so(
    shown: Shown, made: Path, generators: dict[str, QuickGenerator], qtbot: QtBot
):
    with Store.open(made) as store:
        image = generators["drawn-a"].make(store.prompts()[0], 99)
        store.add_image(replace(image, status=ImageStatus.BLACK))
    page = shown(ExtractPage, made)
    read_all(page, qtbot)

    qtbot.waitUntil(lambda: [one.title for one in page.failed_card.failures] == ["Flagged, not read"])


# Export, and nothing there ---------------------------------------------------------------------------


def test_what_is_listed_is_exported_with_records_and_truth(page: ExtractPage, qtbot: QtBot, tmp_path: Path):
    page.cards.choose("drawn-truth")
    read_all(page, qtbot)
    page.filters.condition.choose(2)
    qtbot.waitUntil(lambda: len(page.list.rows) < ALL)
    file = tmp_path / "records.csv"

    page.export_to(file)
    qtbot.waitUntil(lambda: page.filters.said.text() == f"Exported to {file}")

    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [int(row["image"]) for row in rows] == [one.image.image_id for one in page.list.rows]
    assert {(row["condition"], row["extractor"], row["is_simulated"]) for row in rows} == {
        ("CA-R", "drawn-truth", "True")
    }
    assert {(row["mood"], row["true_mood"], row["weather"]) for row in rows} == {("calm", "calm", "unknown")}


def test_without_images_the_page_leads_to_where_they_are_made(shown: Shown, planned: Path, qtbot: QtBot):
    page = shown(ExtractPage, planned)
    asked: list[str] = []
    page.asked_for.connect(lambda name, _what: asked.append(name))

    qtbot.mouseClick(page.empty_page.button, Qt.MouseButton.LeftButton)

    assert page.empty_page.sentence == "No images yet."
    assert asked == ["generate"]
    assert page.go.isHidden()


def test_a_closed_study_leaves_nothing_behind(page: ExtractPage):
    page.studio.close_study()

    assert page.cards.cards == {}
    assert page.list.rows == []
    assert page.viewer.shown is None
