"""What a person does on the Study page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.records import Condition, NewRecord, Status
from gui.models.coverage import Key, Layer
from gui.pages.extract import ExtractPage
from gui.pages.study import StudyPage
from gui.studio import Studio
from gui.widgets.behind_drawer import BehindDrawer
from gui.widgets.button import Button
from gui.widgets.caption import Caption
from gui.widgets.study_cards import FailureRow

Settle = Callable[[Studio], None]
CELL = Key("baker", "sdxl", Condition.CF)


@pytest.fixture
def page(qtbot: QtBot, open_studio: Studio, settle: Settle) -> StudyPage:
    made = StudyPage(open_studio)
    qtbot.addWidget(made)
    made.show_pages(frozenset({"study", "extract"}))
    made.resize(1200, 700)
    made.show()
    settle(open_studio)
    return made


def captions(widget: object) -> str:
    """All that a widget shows, counts that open something too, in the order in which it was made."""
    shown = [one for one in widget.findChildren(QWidget) if isinstance(one, Caption | Button)]
    return "  ".join(one.text() for one in shown if not one.isHidden())


def test_the_page_says_what_there_is(page: StudyPage):
    assert page.facts == "2 roles, 3 conditions, 2 generators, 4 images a cell"
    assert page.grid.roles == ("baker", "bus_driver")


def test_the_next_act_is_named_and_has_no_button_that_leads_nowhere(page: StudyPage):
    assert page.next_card.act is not None
    assert page.next_card.act.page == "generate"
    assert page.next_card.go.isHidden()

    page.show_pages(frozenset({"study", "generate"}))
    assert not page.next_card.go.isHidden()


def test_pressing_the_next_act_asks_for_its_page(page: StudyPage, qtbot: QtBot):
    page.show_pages(frozenset({"study", "generate"}))

    with qtbot.waitSignal(page.asked_for) as asked:
        qtbot.mouseClick(page.next_card.go, Qt.MouseButton.LeftButton)

    assert asked.args == ["generate", None]


def test_why_this_is_told_when_asked(page: StudyPage, qtbot: QtBot):
    assert "compared" not in captions(page.next_card)

    qtbot.mouseClick(page.next_card.why, Qt.MouseButton.LeftButton)

    assert "compared" in captions(page.next_card)


def test_progress_people_and_failures_stand_in_their_cards(page: StudyPage):
    assert "35 of 48" in captions(page.progress_card)
    assert "1 failed" in captions(page.progress_card)
    assert "Ana" in captions(page.people_card)
    assert "simulated A  1 of 1  simulated" in captions(page.people_card)
    assert "What failed, 3 items" in captions(page.failures_card)


def test_what_failed_opens_the_images_that_are_counted(
    page: StudyPage, open_studio: Studio, qtbot: QtBot, settle: Settle
):
    """Two extractors refused: each line opens what its own refused, also on a page that is made for it."""
    store = open_studio.store
    assert store is not None
    store.add_extractor("another", {}, is_simulated=False)
    refused = {"another": store.images(generator="sdxl", status="ok")[3:5]}
    store.add_records(
        NewRecord(image.image_id, "another", f"no {image.image_id}", Status.REFUSED, {}, reason="No.")
        for image in refused["another"]
    )
    refused["reader"] = store.images(generator="sdxl", status="ok")[:1]

    def rows() -> dict[str, FailureRow]:
        found = page.failures_card.findChildren(FailureRow)
        return {one.failure.reader: one for one in found if one.failure.page == "extract"}

    qtbot.waitUntil(lambda: set(rows()) == set(refused))
    extract = ExtractPage(open_studio)
    qtbot.addWidget(extract)
    extract.show()
    for reader, images in refused.items():
        row = rows()[reader]
        with qtbot.waitSignal(page.asked_for) as asked:
            qtbot.mouseClick(row, Qt.MouseButton.LeftButton)
        extract.show_item(asked.args[1])
        settle(open_studio)
        assert asked.args == ["extract", row.failure]
        assert extract.cards.current == reader
        assert [one.image for one in extract.list.rows] == images
        assert row.failure.count == len(images)


def test_every_sum_opens_exactly_the_images_it_counts(
    page: StudyPage, open_studio: Studio, qtbot: QtBot, settle: Settle
):
    def opened(button: Button) -> BehindDrawer:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        settle(open_studio)
        assert page.behind is not None
        return page.behind

    rows = {layer: page.progress_card.row(layer) for layer in Layer}
    for button in (rows[Layer.IMAGES].count, rows[Layer.IMAGES].failed, rows[Layer.RECORDS].count):
        count = int(button.text().split()[0])
        drawer = opened(button)
        assert len(drawer.sheet.images) == count > 0
        assert drawer.sheet.isVisible()
    assert {image.status.value for image in opened(rows[Layer.IMAGES].failed).sheet.images} == {"black"}
    unread = opened(rows[Layer.RECORDS].failed)
    assert open_studio.store is not None
    assert list(unread.sheet.images) == open_studio.store.images(generator="sdxl", status="ok")[:1]
    answered = opened(rows[Layer.ANSWERS].count)
    assert answered.sets.isVisible()
    assert not answered.sheet.isVisible()
    words = " ".join(said for entry in answered.sets.entries for _, said in entry.said)
    assert sum(int(part) for part in words.split()[::2]) == int(rows[Layer.ANSWERS].count.text().split()[0])

    people = page.people_card.findChildren(Button)
    opened(next(one for one in people if one.accessibleName().startswith("Ana")))
    assert [who for entry in answered.sets.entries for who, _ in entry.said] == ["Ana"]
    assert all(len(entry.images) > 0 for entry in answered.sets.entries)
    place = answered.sets.image_rect(0, 0).center()
    qtbot.mouseClick(answered.sets, Qt.MouseButton.LeftButton, pos=place)
    assert answered.details.image is not None
    assert page.close_drawer()
    assert not answered.isHidden()
    assert page.close_drawer()
    assert answered.isHidden()
    assert rows[Layer.PROMPTS].count.isEnabled()


def test_the_foot_follows_the_focus(page: StudyPage):
    page.grid.focus_key(CELL)

    assert page.foot.text.startswith("baker, CF, sdxl  3 of 4 images")
    assert "3 of 4 answers" in page.foot.text


def test_segments_change_what_is_counted(page: StudyPage):
    page.layers.choose(list(Layer).index(Layer.ANSWERS))

    assert page.grid.layer is Layer.ANSWERS


def test_filtering_and_only_unfinished_leave_roles_out(page: StudyPage, qtbot: QtBot):
    page.focus_filter()
    qtbot.keyClicks(page.filter, "bus")
    assert page.grid.roles == ("bus_driver",)

    page.filter.clear()
    page.layers.choose(list(Layer).index(Layer.PROMPTS))
    qtbot.mouseClick(page.unfinished, Qt.MouseButton.LeftButton)
    assert page.grid.roles == ()
    assert page.foot.text == "Nothing is unfinished."


def test_enter_on_a_cell_opens_its_images_with_their_records(
    page: StudyPage, open_studio: Studio, qtbot: QtBot, settle: Settle
):
    page.grid.setFocus()
    page.grid.focus_key(Key("bus_driver", "sdxl", Condition.CF))
    qtbot.keyClick(page.grid, Qt.Key.Key_Return)
    settle(open_studio)
    qtbot.waitUntil(lambda: "calm" in captions(page.drawer))

    assert page.drawer.title == "bus driver, CF, sdxl"
    assert "4 images" in captions(page.drawer)
    assert page.drawer.sheet.current is not None
    assert "unknown" in captions(page.drawer)


def test_a_black_image_is_shown_and_called_so(
    page: StudyPage, open_studio: Studio, qtbot: QtBot, settle: Settle
):
    page.grid.focus_key(CELL)
    page.grid.opened.emit(CELL)
    settle(open_studio)
    qtbot.waitUntil(lambda: "black" in captions(page.drawer))

    assert "4 images, 1 left out" in captions(page.drawer)
    assert "No record of this image yet." in captions(page.drawer)


def test_a_refused_record_gives_its_reason(
    page: StudyPage, open_studio: Studio, qtbot: QtBot, settle: Settle
):
    page.grid.opened.emit(CELL)
    settle(open_studio)
    qtbot.keyClick(page.drawer.sheet.inner, Qt.Key.Key_Right)

    qtbot.waitUntil(lambda: "refused: The server said no." in captions(page.drawer))


def test_arrows_in_the_grid_change_what_the_drawer_shows_and_escape_closes_it(
    page: StudyPage, open_studio: Studio, qtbot: QtBot, settle: Settle
):
    page.grid.focus_key(CELL)
    page.grid.opened.emit(CELL)
    qtbot.keyClick(page.grid, Qt.Key.Key_Right)
    settle(open_studio)
    assert page.drawer.title == "baker, CA-R, sdxl"

    assert page.close_drawer()
    assert not page.close_drawer()


def test_an_empty_cell_says_so(page: StudyPage, open_studio: Studio, qtbot: QtBot, settle: Settle):
    page.grid.opened.emit(Key("bus_driver", "drawn-a", Condition.CF))
    settle(open_studio)

    qtbot.waitUntil(lambda: "No images here yet." in captions(page.drawer))


def test_the_grid_is_exported_and_says_what_is_simulated(
    page: StudyPage, open_studio: Studio, settle: Settle, tmp_path: Path
):
    page.export_to(tmp_path / "coverage.csv")
    settle(open_studio)

    lines = (tmp_path / "coverage.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("role,condition,generator,prompts,images")
    assert len(lines) == 1 + 12
    assert all(line.endswith(",answers") for line in lines[1:])


def test_the_page_reads_again_when_something_was_written(page: StudyPage, open_studio: Studio, qtbot: QtBot):
    assert open_studio.store is not None
    open_studio.store.remove_simulated()

    qtbot.waitUntil(lambda: "simulated A" not in captions(page.people_card), timeout=5000)
    qtbot.waitUntil(lambda: open_studio.runner.is_idle)
    assert not open_studio.has_simulated
