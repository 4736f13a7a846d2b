"""What a person does on the Generate page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from pytestqt.qtbot import QtBot

from core.prompts import seeds_for
from core.records import StoredImage
from gui.generate.prompt_sheet import MILLISECONDS_BETWEEN_REPAINTS
from gui.pages.generate import GeneratePage
from gui.studio import Studio
from gui.widgets.check_rows import Check
from gui.widgets.drop_hint import dropped_folder
from storage.listing import images_after
from tests.gui.pages.conftest import PROMPTS, QuickGenerator

Settle = Callable[[Studio], None]
Shown = Callable[..., GeneratePage]
ALL = PROMPTS * 2


@pytest.fixture
def page(shown: Shown, planned: Path) -> GeneratePage:
    return shown(GeneratePage, planned)


def press_make(page: GeneratePage, qtbot: QtBot) -> None:
    """Press the button and wait until everything is made and shown."""
    page.checks_card.make.click()
    qtbot.waitUntil(lambda: page.studio.runner.is_idle, timeout=20_000)


def check(page: GeneratePage, name: str) -> Check:
    return next(one for one in page.checks_card.checks if one.name == name)


def shown_images(page: GeneratePage) -> int:
    return sum(len(group.images) for group in page.new_images.sheet.groups)


# Looking ---------------------------------------------------------------------------------------------


def test_a_new_study_shows_both_embedded_generators_and_offers_the_first(page: GeneratePage):
    states = {name: card.state for name, card in page.cards.cards.items()}

    assert list(states) == ["drawn-a", "drawn-b"]
    assert (states["drawn-a"].status, states["drawn-a"].done, states["drawn-a"].total) == ("ready", 0, ALL)
    assert page.facts == "18 prompts, 2 images each"
    assert page.checks_card.make.text() == "Make 36 images"
    assert page.new_images.empty_page.sentence == "No images by drawn-a yet."


def test_what_nobody_has_measured_is_not_claimed(page: GeneratePage):
    assert check(page, "Time").state == "open"
    assert check(page, "Disk").said.startswith("Known after the first images")
    assert check(page, "Seeds").said.startswith("The same 2 seeds for every prompt of a role, so prompts are")


def test_the_settings_kept_with_every_image_are_shown(page: GeneratePage):
    assert ("size", "16 × 16") in page.settings_card.facts
    assert ("seeds", "from the study seed, 7") in page.settings_card.facts


def test_the_arrow_keys_choose_the_other_generator(page: GeneratePage, qtbot: QtBot):
    page.cards.cards["drawn-a"].setFocus()
    qtbot.keyClick(page.cards.cards["drawn-a"], Qt.Key.Key_Down)

    assert page.cards.current == "drawn-b"
    assert page.new_images.empty_page.sentence == "No images by drawn-b yet."


# Making ----------------------------------------------------------------------------------------------


def test_made_images_appear_under_their_prompts_with_the_newest_first(page: GeneratePage, qtbot: QtBot):
    press_make(page, qtbot)
    qtbot.waitUntil(lambda: shown_images(page) == ALL)

    groups = page.new_images.sheet.groups
    newest = [group.images[-1].image_id for group in groups]
    assert newest == sorted(newest, reverse=True)
    assert {group.made for group in groups} == {2}
    qtbot.waitUntil(lambda: page.cards.cards["drawn-a"].state.status == "done")
    assert page.checks_card.make.isHidden()


def test_while_images_are_made_the_card_runs_and_the_button_is_gone(
    page: GeneratePage, qtbot: QtBot, generators: dict[str, QuickGenerator]
):
    generators["drawn-a"].seconds = 0.02
    page.checks_card.make.click()
    card = page.cards.cards["drawn-a"]

    qtbot.waitUntil(lambda: card.state.status == "running" and 0 < shown_images(page) < ALL)

    assert card.state.is_running
    assert page.checks_card.make.isHidden()
    qtbot.waitUntil(lambda: page.studio.runner.is_idle, timeout=20_000)


def test_the_other_generator_waits_in_line(
    page: GeneratePage, qtbot: QtBot, generators: dict[str, QuickGenerator]
):
    generators["drawn-a"].seconds = 0.02
    page.checks_card.make.click()
    page.cards.choose("drawn-b")
    page.checks_card.make.click()

    qtbot.waitUntil(lambda: page.cards.cards["drawn-b"].state.status == "next in line")

    page.studio.runner.cancel_all()
    qtbot.waitUntil(lambda: page.studio.runner.is_idle)


def test_a_cancelled_run_keeps_what_was_made_and_offers_the_rest(
    page: GeneratePage, qtbot: QtBot, generators: dict[str, QuickGenerator]
):
    generators["drawn-a"].seconds = 0.02
    page.checks_card.make.click()
    qtbot.waitUntil(lambda: shown_images(page) > 2)

    page.studio.runner.cancel_all()
    qtbot.waitUntil(lambda: page.studio.runner.is_idle)

    assert page.studio.store is not None
    made = len(images_after(page.studio.store, "drawn-a"))
    qtbot.waitUntil(lambda: page.checks_card.make.text() == f"Make the other {ALL - made} images")


def test_a_page_made_anew_shows_the_run_that_goes_on(
    page: GeneratePage, qtbot: QtBot, generators: dict[str, QuickGenerator]
):
    generators["drawn-a"].seconds = 0.05
    page.checks_card.make.click()
    qtbot.waitUntil(lambda: page.cards.cards["drawn-a"].state.status == "running")

    other = GeneratePage(page.studio)
    qtbot.addWidget(other)
    other.show()

    qtbot.waitUntil(lambda: "drawn-a" in other.cards.cards)
    assert other.cards.cards["drawn-a"].state.status == "running"
    page.studio.runner.cancel_all()
    qtbot.waitUntil(lambda: page.studio.runner.is_idle)


def test_an_image_that_cannot_be_made_is_listed_with_class_and_reason_and_tried_again(
    page: GeneratePage, qtbot: QtBot, generators: dict[str, QuickGenerator]
):
    generators["drawn-a"].refuses = {seeds_for(7, "baker", 2)[0]}
    press_make(page, qtbot)
    qtbot.waitUntil(lambda: len(page.new_images.model.rows) == PROMPTS)

    failure = page.new_images.model.rows[0]
    assert (failure.source, failure.title) == ("drawn-a", "Could not be made")
    assert "The paint ran out." in failure.reason
    assert page.cards.cards["drawn-a"].state.failed == PROMPTS
    generators["drawn-a"].refuses.clear()
    qtbot.waitUntil(lambda: page.checks_card.make.text() == "Make the other 18 images")
    press_make(page, qtbot)
    qtbot.waitUntil(lambda: not page.new_images.model.rows and shown_images(page) == ALL)


def test_other_settings_than_those_in_the_study_keep_a_generator_from_running(
    page: GeneratePage, qtbot: QtBot, generators: dict[str, QuickGenerator]
):
    press_make(page, qtbot)
    generators["drawn-a"].settings = {"kind": "drawn", "size": 32}
    page.mark_stale()

    qtbot.waitUntil(lambda: page.cards.cards["drawn-a"].state.status == "cannot run yet")
    assert check(page, "Settings").state == "failed"


@pytest.mark.parametrize(
    ("turn", "said"), [(0, "Same seed, same picture"), (1, "Same seed, another picture")]
)
def test_whether_the_same_seed_gives_the_same_picture_is_tried_on_two(
    shown: Shown, made: Path, generators: dict[str, QuickGenerator], qtbot: QtBot, turn: int, said: str
):
    generators["drawn-a"].turn = turn
    page = shown(GeneratePage, made)

    qtbot.waitUntil(lambda: any(one.said.startswith(said) for one in page.checks_card.checks))

    assert check(page, "Repeatable").state == ("failed" if turn else "passed")


def test_images_with_other_seeds_are_a_note(
    page: GeneratePage, qtbot: QtBot, generators: dict[str, QuickGenerator]
):
    store = page.studio.store
    assert store is not None
    generator = generators["drawn-a"]
    store.add_generator("drawn-a", "drawn", generator.settings)
    store.add_image(generator.make(store.prompts()[0], 12345))

    qtbot.waitUntil(lambda: check(page, "Seeds").state == "note")


# Images ----------------------------------------------------------------------------------------------


def test_the_arrow_keys_go_from_image_to_image_and_enter_opens_one(page: GeneratePage, qtbot: QtBot):
    press_make(page, qtbot)
    qtbot.waitUntil(lambda: shown_images(page) == ALL)
    sheet, asked = page.new_images.sheet, []
    page.asked_for.connect(lambda name, what: asked.append((name, what)))

    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down):
        qtbot.keyClick(sheet.inner, key)
    qtbot.keyClick(sheet.inner, Qt.Key.Key_Return)

    assert sheet.current == sheet.groups[1].images[1]
    assert asked == [("extract", sheet.current)]
    assert isinstance(asked[0][1], StoredImage)


def test_many_pictures_that_arrive_at_once_are_one_repaint(page: GeneratePage):
    sheet = page.new_images.sheet.inner
    for number in range(50):
        sheet._on_arrived(str(number))

    assert sheet._repaint.interval() == MILLISECONDS_BETWEEN_REPAINTS >= 250
    assert sheet._repaint.isActive()


def test_who_has_scrolled_down_stays_there_while_images_arrive(
    page: GeneratePage, qtbot: QtBot, generators: dict[str, QuickGenerator]
):
    generators["drawn-a"].seconds = 0.03
    page.checks_card.make.click()
    sheet = page.new_images.sheet
    bar = sheet.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 100)
    bar.setValue(bar.maximum())
    before = sheet.inner.height_of_sheet - bar.value()

    height = sheet.inner.height_of_sheet
    qtbot.waitUntil(lambda: sheet.inner.height_of_sheet > height)

    assert sheet.inner.height_of_sheet - bar.value() == before
    qtbot.waitUntil(lambda: page.studio.runner.is_idle, timeout=20_000)


# Importing -------------------------------------------------------------------------------------------


@pytest.fixture
def pictures(tmp_path: Path, generators: dict[str, QuickGenerator]) -> Path:
    """A folder of three pictures, a text, and a picture that is cut off."""
    from core.records import Prompt, PromptKind

    folder = tmp_path / "elsewhere"
    prompt = Prompt("pilot", None, PromptKind.BASE, "a photo of a pilot")
    for number in range(3):
        place = folder / "Context-free_CF" / "pilot" / f"image_{number}_seed_{40 + number}.png"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(generators["drawn-a"].make(prompt, number).data)
    (folder / "notes.txt").write_text("not a picture", encoding="utf-8")
    (folder / "broken.png").write_bytes(generators["drawn-a"].make(prompt, 9).data[:60])
    return folder


def open_import(page: GeneratePage, qtbot: QtBot, folder: Path) -> None:
    """Open the dialog, type a folder, wait for its plan."""
    page.ask_for_import()
    assert page.dialog is not None
    page.dialog.folder.setText(str(folder))
    dialog = page.dialog
    qtbot.waitUntil(lambda: dialog.plan is not None)


def test_the_dialog_shows_what_would_be_taken_and_what_not_before_anything_is(
    page: GeneratePage, qtbot: QtBot, pictures: Path
):
    open_import(page, qtbot, pictures)
    dialog = page.dialog
    assert dialog is not None

    said = [pending.stated for pending in dialog.taken.rows if pending.stated.seed is not None]
    assert [(one.role, one.condition, one.seed) for one in said] == [
        ("pilot", "CF", 40 + n) for n in range(3)
    ]
    qtbot.waitUntil(lambda: dialog.is_decoded)
    refused = [(one.item, one.kind) for one in dialog.refused.rows]
    assert refused == [("notes.txt", "not a picture"), ("broken.png", "damaged")], "its first bytes are right"
    assert [one.path.name for one in dialog.taken.rows] == [f"image_{n}_seed_{40 + n}.png" for n in range(3)]
    assert dialog.go.text() == "Import 3 pictures"
    dialog.reject()
    assert page.studio.store is not None
    assert not page.studio.store.images()


def test_imported_pictures_get_a_card_and_what_failed_stays_on_the_page(
    page: GeneratePage, qtbot: QtBot, pictures: Path
):
    open_import(page, qtbot, pictures)
    assert page.dialog is not None
    page.dialog.go.click()

    qtbot.waitUntil(
        lambda: "elsewhere" in page.cards.cards and page.cards.cards["elsewhere"].state.done == 3,
        timeout=20_000,
    )
    state = page.cards.cards["elsewhere"].state
    assert (state.status, state.done, state.total) == ("imported", 3, None)
    assert page.new_images.which.index == 1
    failed = {(one.item, one.title) for one in page.new_images.model.rows}
    assert failed == {("notes.txt", "Not a picture"), ("broken.png", "Damaged")}
    qtbot.waitUntil(lambda: page.studio.runner.is_idle)


def test_what_nobody_states_is_taken_from_the_fields(page: GeneratePage, qtbot: QtBot, pictures: Path):
    open_import(page, qtbot, pictures)
    dialog = page.dialog
    assert dialog is not None
    dialog.generator.setText("midjourney")
    dialog.condition.choose(2)
    dialog.role.setText("baker")
    qtbot.waitUntil(lambda: dialog.plan is not None)

    assert dialog.plan is not None
    (broken,) = [one.stated for one in dialog.plan.pictures if one.path.name == "broken.png"]
    assert (broken.role, broken.condition, broken.generator) == ("baker", "CA-R", "midjourney")
    dialog.reject()


@pytest.mark.parametrize(("folder", "said"), [("nowhere", "There is no folder"), ("a.csv", "is a file")])
def test_a_wrong_folder_is_said_in_the_dialog(
    page: GeneratePage, qtbot: QtBot, tmp_path: Path, folder: str, said: str
):
    (tmp_path / "a.csv").write_text("file\n", encoding="utf-8")
    page.ask_for_import(tmp_path / folder)
    dialog = page.dialog
    assert dialog is not None

    qtbot.waitUntil(lambda: said in dialog.trouble)

    assert not dialog.go.isEnabled()
    dialog.reject()


def test_a_map_that_cannot_be_read_is_said_in_the_dialog(
    page: GeneratePage, qtbot: QtBot, pictures: Path, tmp_path: Path
):
    (tmp_path / "map.csv").write_text("picture,role\na,b\n", encoding="utf-8")
    open_import(page, qtbot, pictures)
    dialog = page.dialog
    assert dialog is not None
    dialog.map_file.setText(str(tmp_path / "map.csv"))

    qtbot.waitUntil(lambda: "has no column `file`" in dialog.trouble)
    dialog.reject()


def test_a_folder_that_is_dropped_on_the_page_is_filled_in(page: GeneratePage, qtbot: QtBot, pictures: Path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(pictures))])
    actions, buttons = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    page.dropEvent(QDropEvent(QPoint(9, 9), actions, data, buttons, Qt.KeyboardModifier.NoModifier))

    dialog = page.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.plan is not None)
    assert dialog.folder.text() == str(pictures)
    dialog.reject()


def test_a_file_or_two_folders_are_not_taken(tmp_path: Path):
    (tmp_path / "a.png").write_bytes(b"")
    one_file, two_folders = QMimeData(), QMimeData()
    one_file.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.png"))])
    two_folders.setUrls([QUrl.fromLocalFile(str(tmp_path))] * 2)

    assert dropped_folder(one_file) is None
    assert dropped_folder(two_folders) is None


# The study goes --------------------------------------------------------------------------------------


def test_a_closed_study_leaves_nothing_behind(page: GeneratePage, qtbot: QtBot):
    press_make(page, qtbot)
    qtbot.waitUntil(lambda: shown_images(page) == ALL)

    page.studio.close_study()

    assert page.cards.cards == {}
    assert shown_images(page) == 0


def test_a_generator_of_the_study_that_cannot_run_here_only_shows_what_it_made(
    shown: Shown, study_folder: Path, generators: dict[str, QuickGenerator], qtbot: QtBot
):
    page = shown(GeneratePage, study_folder)
    page.cards.choose("sdxl")

    state = page.cards.cards["sdxl"].state
    assert (state.status, state.done, state.total, state.failed) == ("made elsewhere", 23, None, 2)
    assert page.checks_card.isHidden()
    qtbot.waitUntil(lambda: shown_images(page) == 24)
    assert {one.title for one in page.new_images.model.rows} == {"Out of GPU memory", "Black image"}
