"""The gallery: all images of a study, filtered, virtual, and what each one is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.records import Condition, ImageStatus, StoredImage
from gui.generate.gallery import Gallery
from gui.generate.gallery_filter import Wanted, conditions_in, generators_in, roles_in, statuses_in
from gui.generate.gallery_sheet import GallerySheet
from gui.generate.image_facts import facts_in
from gui.pages.generate import GeneratePage
from gui.studio import Studio

Settle = Callable[[Studio], None]
PAPER = 66_240


def image(number: int) -> StoredImage:
    """One of a study as large as the paper's: 92 roles, 18 prompts, ten seeds, four generators."""
    role, condition = f"role_{number // 10 % 92}", list(Condition)[number // 920 % 3]
    status = ImageStatus.BLACK if number % 1000 == 7 else ImageStatus.OK
    name = ("sdxl", "sd3.5", "flux.1", "qwen-image")[number // 16_560]
    return StoredImage(
        *(number + 1, name, role, condition, f"a photo of a {role}", number % 10),
        *("hash", "path", f"images/thumbnails/{number}.jpg", 64, 64, status),
    )


@pytest.fixture(scope="module")
def paper() -> list[StoredImage]:
    return [image(number) for number in range(PAPER)]


@pytest.fixture
def sheet(open_studio: Studio, qtbot: QtBot) -> GallerySheet:
    made = GallerySheet(open_studio)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    return made


@pytest.fixture
def gallery(open_studio: Studio, settle: Settle, qtbot: QtBot) -> Gallery:
    """The gallery of the small study: 36 images, one of them black."""
    made = Gallery(open_studio)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    made.refresh(now=True)
    settle(open_studio)
    return made


# Filters ---------------------------------------------------------------------------------------------


def test_filters_leave_exactly_what_they_say(paper: list[StoredImage]) -> None:
    shown = Wanted("role 3", "CA-R", "flux.1", "good").of(paper)

    assert shown
    assert shown == [
        one
        for one in paper
        if (one.role, one.condition, one.generator, one.status)
        == ("role_3", Condition.CA_R, "flux.1", ImageStatus.OK)
    ]
    assert len(Wanted(status="black image").of(paper)) == 67
    assert Wanted().of(paper) == paper


def test_the_boxes_offer_what_is_there(paper: list[StoredImage]) -> None:
    some = paper[:8]

    assert roles_in(some) == ["all", "role 0"]
    assert conditions_in(some) == ["all", "CF"]
    assert generators_in(paper) == ["all", "sdxl", "sd3.5", "flux.1", "qwen-image"]
    assert statuses_in(some) == ["all", "good", "black image"]


# The sheet -------------------------------------------------------------------------------------------


def test_only_what_is_in_sight_is_looked_at_however_many_there_are(
    sheet: GallerySheet, paper: list[StoredImage], qtbot: QtBot
) -> None:
    sheet.show_images(paper, is_other=True)
    qtbot.waitUntil(lambda: bool(sheet._thumbnails._kept))

    rows = sheet.viewport().height() // 60
    assert len(sheet.in_sight()) <= rows * sheet.columns
    asked = len(sheet._thumbnails._kept) + len(sheet._thumbnails._asked)
    assert asked <= len(sheet.in_sight())


def test_pictures_that_fly_past_are_not_asked_for(
    sheet: GallerySheet, paper: list[StoredImage], qtbot: QtBot, settle: Settle
) -> None:
    sheet.show_images(paper, is_other=True)
    settle(sheet._studio)
    before = len(sheet._thumbnails._kept)

    bar = sheet.verticalScrollBar()
    for at in range(1, 40):
        bar.setValue(at * bar.maximum() // 40)
        sheet.viewport().repaint()

    assert not sheet._thumbnails._asked
    assert len(sheet._thumbnails._kept) == before
    qtbot.waitUntil(lambda: len(sheet._thumbnails._kept) > before)


def test_the_keys_go_from_the_first_to_the_last_and_by_pages(
    sheet: GallerySheet, paper: list[StoredImage], qtbot: QtBot
) -> None:
    sheet.show_images(paper, is_other=True)
    moved: list[StoredImage] = []
    sheet.moved.connect(moved.append)

    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Left):
        qtbot.keyClick(sheet, key)
    qtbot.keyClick(sheet, Qt.Key.Key_End)
    at_end = sheet.place_of(PAPER - 1)
    qtbot.keyClick(sheet, Qt.Key.Key_PageUp)
    qtbot.keyClick(sheet, Qt.Key.Key_Home)

    ids = [one.image_id - 1 for one in moved]
    assert ids[:6] == [0, 1, 1 + sheet.columns, 1, 0, PAPER - 1]
    assert at_end.top() >= 0
    assert at_end.bottom() <= sheet.viewport().height()
    assert ids[-1] == 0
    assert PAPER - 1 - ids[-2] > sheet.columns


def test_more_images_leave_the_view_and_the_current_one_where_they_are(
    sheet: GallerySheet, paper: list[StoredImage]
) -> None:
    sheet.show_images(paper[:50_000], is_other=True)
    sheet.jump_to(40_000)
    before = sheet.verticalScrollBar().value()

    sheet.show_images(paper, is_other=False)

    assert sheet.current is paper[40_000]
    assert sheet.verticalScrollBar().value() == before
    sheet.show_images(paper[100:200], is_other=True)
    assert sheet.verticalScrollBar().value() == 0
    assert sheet.current is None


# The whole -------------------------------------------------------------------------------------------


def test_the_gallery_filters_and_says_how_many(gallery: Gallery) -> None:
    assert gallery.sentence == "36 images"

    gallery.boxes["generator"].choose("drawn-a")
    gallery.boxes["condition"].choose("CA-U")

    assert gallery.sentence == "4 of 36 images"
    assert {one.generator for one in gallery.sheet.images} == {"drawn-a"}
    gallery.boxes["generator"].choose("all")
    gallery.boxes["condition"].choose("all")
    gallery.boxes["status"].choose("black image")
    assert [one.status for one in gallery.sheet.images] == [ImageStatus.BLACK]


def test_a_click_shows_the_image_with_everything_that_went_into_it(
    gallery: Gallery, qtbot: QtBot, settle: Settle
) -> None:
    second = gallery.sheet.place_of(1).center()

    qtbot.mouseClick(gallery.sheet.viewport(), Qt.MouseButton.LeftButton, pos=second)
    settle(gallery._studio)

    shown = gallery.sheet.images[1]
    facts = dict(gallery.drawer.facts.facts)
    assert gallery.drawer.image == shown
    assert gallery.drawer.title == shown.prompt
    assert (facts["status"], facts["generator"], facts["seed"]) == ("good", "sdxl", str(shown.seed))
    assert facts["run key"] == "run 1"
    assert gallery.close_drawer()
    assert gallery.drawer.isHidden()


def test_in_a_narrow_card_an_image_takes_the_place_of_the_others(gallery: Gallery, settle: Settle) -> None:
    gallery.resize(480, 600)
    gallery.sheet.opened.emit(gallery.sheet.images[0])
    settle(gallery._studio)

    assert not gallery.sheet.isVisible()
    assert gallery.close_drawer()
    assert gallery.sheet.isVisible()


def test_filters_that_leave_nothing_say_so(gallery: Gallery) -> None:
    gallery.boxes["status"].choose("black image")
    gallery.boxes["generator"].choose("drawn-a")

    assert gallery.nothing.sentence == "No image is like that."
    assert gallery.nothing.isVisible()


def test_the_drawer_follows_the_arrow_keys_and_leads_to_the_records(
    gallery: Gallery, qtbot: QtBot, settle: Settle
) -> None:
    asked: list[StoredImage] = []
    gallery.opened.connect(asked.append)
    gallery.sheet.jump_to(0)
    qtbot.keyClick(gallery.sheet, Qt.Key.Key_Return)
    qtbot.keyClick(gallery.sheet, Qt.Key.Key_Right)
    settle(gallery._studio)

    gallery.drawer.records.click()

    assert asked == [gallery.sheet.images[1]]


def test_what_is_recorded_is_written_flat_and_in_words() -> None:
    recorded = {
        "settings": {"steps": 28, "dtype": "bfloat16"},
        "libraries": {"torch": "2.13.0"},
        "threads": 2,
    }

    assert list(facts_in(recorded | {"negative_prompt": None})) == [
        ("steps", "28"),
        ("dtype", "bfloat16"),
        ("libraries torch", "2.13.0"),
        ("threads", "2"),
    ]


# The page --------------------------------------------------------------------------------------------


def test_the_page_shows_the_gallery_and_new_images_come_into_it(
    open_studio: Studio, settle: Settle, qtbot: QtBot
) -> None:
    page = GeneratePage(open_studio)
    qtbot.addWidget(page)
    page.resize(1280, 720)
    page.show()
    settle(open_studio)

    page.new_images.which.choose(2)
    settle(open_studio)

    gallery = page.new_images.gallery
    assert gallery.sentence == "36 images"
    qtbot.mouseClick(
        gallery.sheet.viewport(), Qt.MouseButton.LeftButton, pos=gallery.sheet.place_of(0).center()
    )
    settle(open_studio)
    assert page.close_drawer()
    assert not page.close_drawer()


# What is found of a model ----------------------------------------------------------------------------


def test_a_model_is_looked_over_before_a_run_and_one_that_is_not_given_to_us_cannot_start(
    study_folder: Path,
    studio: Studio,
    settle: Settle,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tests import tiny_models

    row = tiny_models.row("sdxl", tmp_path, revision="a" * 40, repository="a/b", gated=True, licence="Lab")
    del row["folder"]
    row["name"] = "mine"
    own = tmp_path / "generators.json"
    own.write_text(json.dumps({"generators": [row]}))
    monkeypatch.setenv("CONTEXTBIAS_GENERATORS", str(own))
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "no token"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    with_wording(study_folder)
    studio.open_study(study_folder)
    settle(studio)
    page = GeneratePage(studio)
    qtbot.addWidget(page)
    page.resize(1280, 720)
    page.show()
    settle(studio)

    page.cards.choose("mine")
    qtbot.waitUntil(lambda: any(one.name == "Device" for one in page.checks_card.checks), timeout=60_000)

    weights = next(one for one in page.checks_card.checks if one.name == "Weights")
    assert weights.state == "note"
    assert weights.said.startswith("Not on this machine")
    assert not page.checks_card.make.isEnabled()
    assert page.checks_card.make.toolTip().startswith("Licence: Lab; given to accounts that accepted it")
    assert page.cards.cards["mine"].state.line == "Stable Diffusion XL, float32, 64 × 64"


def with_wording(folder: Path) -> None:
    """The small study's prompts state no wording, so nothing would be made of them: add one that does."""
    from core.records import Prompt, PromptKind
    from storage.store import Store

    text = "a photo of a baker"
    with Store.open(folder) as store:
        store.add_prompts([Prompt("baker", Condition.CF, PromptKind.BASE, text, "a photo of")])
