"""The Annotate page: from an empty study to an annotator at work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from core.records import Condition, NewImage, Prompt, PromptKind, Role
from gui.annotate.offers import open_session, read_offer
from gui.annotate.start import facts_of
from gui.pages.annotate import AnnotatePage
from gui.studio import Studio
from storage.store import Store
from storage.study import NewStudy
from tests.gui.annotate.conftest import encoded, press

Settle = Callable[[Studio], None]


def make_study(folder: Path, images: int) -> Path:
    """A study of one role with so many images for each condition."""
    with Store.create(folder, NewStudy("audit", 7)) as store:
        store.add_roles([Role("baker", "baker", "a", "bakers")])
        prompts = [Prompt("baker", one, PromptKind.BASE, f"a photo of a baker, {one}") for one in Condition]
        store.add_prompts(prompts)
        store.add_generator("drawn-a", "drawn-a", {})
        store.add_images(
            [
                NewImage(
                    *("drawn-a", prompt, seed, f"{prompt.condition} {seed}"),
                    *(encoded(64, 31 * seed + 97 * number), 64, 64, "png"),
                )
                for number, prompt in enumerate(prompts)
                for seed in range(images)
            ]
        )
    return folder


@pytest.fixture
def page_on(studio: Studio, tmp_path: Path, settle: Settle, qtbot: QtBot) -> Callable[[int], AnnotatePage]:
    """A shown page on a study with so many images a condition."""

    def make(images: int) -> AnnotatePage:
        studio.open_study(make_study(tmp_path / "study", images))
        settle(studio)
        page = AnnotatePage(studio)
        qtbot.addWidget(page)
        page.resize(1280, 720)
        page.show()
        page.activateWindow()
        settle(studio)
        qtbot.waitUntil(lambda: bool(page.start.words))
        return page

    return make


def begin(page: AnnotatePage, name: str, settle: Settle) -> None:
    """Type a name and press the button."""
    page.start.name_box.setText(name)
    QTest.mouseClick(page.start.start_button, Qt.MouseButton.LeftButton)
    settle(page.studio)


def texts(widget: QWidget) -> str:
    """What can be read on a widget."""
    found = [getattr(child, "text", None) for child in widget.findChildren(QWidget) if child.isVisible()]
    return " | ".join(one() for one in found if callable(one))


def test_without_images_it_says_what_is_missing(page_on: Callable[[int], AnnotatePage]) -> None:
    page = page_on(0)

    assert "No images yet" in texts(page)
    assert page.start.generate_button.isVisible()
    assert not page.start.start_button.isVisible()


def test_without_a_round_it_offers_to_begin_one(page_on: Callable[[int], AnnotatePage]) -> None:
    page = page_on(12)

    assert "No round yet" in texts(page)
    assert "36 images make 3 image sets; with 23 questions that is 69 answers." in texts(page)
    assert page.start.mode_box.isVisible()


def test_too_few_images_are_named_with_their_reason(page_on: Callable[[int], AnnotatePage]) -> None:
    page = page_on(4)

    assert "12 images, and no ten that make an image set." in texts(page)
    assert "3 cells have fewer than ten usable images" in texts(page)
    assert not page.start.start_button.isVisible()


def test_whoever_is_about_to_annotate_reads_no_role_and_no_condition(
    page_on: Callable[[int], AnnotatePage],
) -> None:
    page = page_on(4)

    said = texts(page).lower()

    for word in ("baker", "drawn-a", *(one.value.lower() for one in Condition)):
        assert word not in said.split()
        assert f"{word}," not in said
        assert f"{word}:" not in said


def test_a_name_begins_a_round_and_sits_down(
    page_on: Callable[[int], AnnotatePage], settle: Settle, qtbot: QtBot
) -> None:
    page = page_on(10)

    begin(page, "  Ada  Lovelace ", settle)

    screen = page.screen_widget
    assert screen is not None
    assert screen.session.annotator.name == "Ada Lovelace"
    assert screen.session.set_total == 3
    qtbot.waitUntil(lambda: QApplication.focusWidget() is screen)
    press("1", "Q")
    assert screen.session.answer.slider == 1
    assert screen.hand_over()


def test_no_name_is_said_beside_the_field(page_on: Callable[[int], AnnotatePage], settle: Settle) -> None:
    page = page_on(10)

    begin(page, " ", settle)

    assert page.screen_widget is None
    assert "Type a name first." in texts(page)


def test_the_way_of_counting_is_chosen_before_the_round(
    page_on: Callable[[int], AnnotatePage], settle: Settle
) -> None:
    page = page_on(10)
    page.start.mode_box.choose(1)

    begin(page, "Ada", settle)

    assert page.screen_widget is not None
    assert page.screen_widget.session.count_mode == "slider only"
    assert page.studio.store is not None
    assert page.studio.store.rounds()[0].count_mode == "slider only"


def test_leaving_goes_back_to_the_list_and_continuing_finds_everything(
    page_on: Callable[[int], AnnotatePage], settle: Settle, qtbot: QtBot
) -> None:
    page = page_on(10)
    begin(page, "Ada", settle)
    first = page.screen_widget
    assert first is not None
    qtbot.waitUntil(lambda: QApplication.focusWidget() is first)
    press("2", *"QWERT", "Enter")

    page.leave()
    settle(page.studio)
    assert page.screen_widget is None
    qtbot.waitUntil(lambda: "1 of 69 answers" in texts(page))

    begin(page, "Ada", settle)
    again = page.screen_widget
    assert again is not None
    assert again.session.question_index == 1
    assert again.session.image_set.image_set_id == first.session.image_set.image_set_id
    qtbot.waitUntil(lambda: QApplication.focusWidget() is again)
    press("Ctrl+Z")
    assert again.session.question_index == 0


def test_two_annotators_have_their_own_order(page_on: Callable[[int], AnnotatePage], settle: Settle) -> None:
    page = page_on(10)
    orders = []

    for name in ("Ada", "Grace"):
        begin(page, name, settle)
        assert page.screen_widget is not None
        session = page.screen_widget.session
        orders.append((session.image_order, [one.key for one in session.image_sets]))
        page.leave()
        settle(page.studio)

    assert orders[0] != orders[1]


def test_a_page_made_anew_goes_on_where_it_was(
    page_on: Callable[[int], AnnotatePage], settle: Settle, qtbot: QtBot
) -> None:
    """The window makes its pages anew at another scale."""
    page = page_on(10)
    begin(page, "Ada", settle)
    assert page.screen_widget is not None
    session = page.screen_widget.session
    page.hide()

    again = AnnotatePage(page.studio)
    qtbot.addWidget(again)
    again.show()
    settle(page.studio)

    assert again.screen_widget is not None
    assert again.screen_widget.session is session
    again.leave()


def test_a_simulated_annotator_cannot_be_opened(
    page_on: Callable[[int], AnnotatePage], settle: Settle, qtbot: QtBot
) -> None:
    page = page_on(10)
    store = page.studio.store
    assert store is not None
    store.add_annotator("simulated A", True)

    begin(page, "simulated A", settle)

    assert page.screen_widget is None
    qtbot.waitUntil(lambda: "simulated; nobody can answer in its place" in texts(page))


def test_a_locked_round_takes_no_annotator(
    page_on: Callable[[int], AnnotatePage], settle: Settle, qtbot: QtBot
) -> None:
    page = page_on(10)
    begin(page, "Ada", settle)
    page.leave()
    store = page.studio.store
    assert store is not None
    store.lock_round(store.rounds()[0].round_id)
    page.mark_stale()
    settle(page.studio)

    qtbot.waitUntil(lambda: "The round is locked" in texts(page))
    assert not page.start.start_button.isVisible()
    assert facts_of(read_offer(store)).endswith("locked")
    with pytest.raises(Exception, match="locked"):
        open_session(store, "Ada", "marks+slider", lambda: None)


def test_closing_the_study_closes_the_screen(page_on: Callable[[int], AnnotatePage], settle: Settle) -> None:
    page = page_on(10)
    begin(page, "Ada", settle)

    page.studio.close_study()

    assert page.screen_widget is None


def test_words_of_the_offer() -> None:
    from gui.annotate.offers import Offer

    offer = Offer(36, 3, 23, None, (), "marks+slider")

    assert offer.answers == 69
    assert facts_of(offer) == ""
    assert replace(offer, sets=0).answers == 0
