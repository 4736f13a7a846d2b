"""What a lead does on the Team page."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.records import Annotator, Answer, AnswerEvent
from gui.fonts import px
from gui.pages.annotate import AnnotatePage
from gui.pages.team import SIDE, SITTING, TeamPage
from gui.studio import Studio
from gui.team.add_annotator import AddAnnotatorDialog
from gui.team.facts import SECONDS_RULE, read_team
from gui.widgets.consequence import ConsequenceDialog
from storage.store import Store
from tests.gui.conftest import AT

Settle = Callable[[Studio], None]
Shown = Callable[..., TeamPage]


@pytest.fixture
def page(shown: Shown, study_folder: Path) -> TeamPage:
    """The page on a study with one image set, a person and a simulated annotator."""
    return shown(TeamPage, study_folder)


def store_of(page: TeamPage) -> Store:
    assert page.studio.store is not None
    return page.studio.store


def text(page: TeamPage, row: int, title: str) -> str:
    column = next(at for at, one in enumerate(page.model.columns) if one.title == title)
    return str(page.model.index(row, column).data())


def question_of(page: TeamPage) -> ConsequenceDialog:
    assert isinstance(page.dialog, ConsequenceDialog)
    return page.dialog


# Who has come how far --------------------------------------------------------------------------------


def test_everybody_is_listed_with_what_they_have_done_of_what_is_asked(page: TeamPage):
    assert page.facts == "2 annotators, 1 image set, 2 questions"
    ana = [text(page, 0, title) for title in ("annotator", "who", "image sets", "answers", "last answer")]
    assert ana == ["Ana", "person", "0 of 1", "1 of 2", "26 Nov"]
    simulated = [text(page, 1, title) for title in ("annotator", "who", "image sets", "answers")]
    assert simulated == ["simulated A", "simulated", "1 of 1", "2 of 2"]


def test_seconds_are_of_the_first_confirmation_and_the_rule_stands_beside(page: TeamPage, qtbot: QtBot):
    store = store_of(page)
    (round_,) = store.rounds()
    (image_set,) = store.image_sets(round_.round_id)
    boris = store.add_annotator("Boris")
    confirmed = Answer("calm", slider=3, slider_source="key", is_confirmed=True)
    acts = ((False, 4.0), (True, 6.5), (True, 90.0))  # choosing, confirming, and coming back to it later
    for is_confirmed, seconds in acts:
        answer = confirmed if is_confirmed else Answer("calm")
        event = AnswerEvent(
            boris.annotator_id, image_set.image_set_id, "mood", "act", answer, AT, active_seconds=seconds
        )
        store.append_answers([event])
    qtbot.waitUntil(lambda: page.model.rowCount() == 3)
    qtbot.waitUntil(lambda: text(page, 2, "seconds an answer") == "6.5")

    assert text(page, 0, "seconds an answer") == "–"
    assert "60 s" in SECONDS_RULE


def test_flags_and_comments_of_the_chosen_annotator_are_listed(page: TeamPage, qtbot: QtBot):
    store = store_of(page)
    (image_set,) = store.image_sets(store.rounds()[0].round_id)
    ana = next(one for one in store.annotators() if one.name == "Ana")
    answer = Answer(
        "calm", slider=3, slider_source="key", is_confirmed=True, is_flagged=True, comment="blurred"
    )
    store.append_answers([AnswerEvent(ana.annotator_id, image_set.image_set_id, "mood", "flag", answer, AT)])

    qtbot.waitUntil(lambda: text(page, 0, "flagged") == "1")

    assert page.member_card.member is not None
    assert [(one.question, one.comment) for one in page.member_card.member.remarks] == [("mood", "blurred")]


def test_enter_sits_down_as_the_chosen_person_and_never_as_a_simulated_one(page: TeamPage, qtbot: QtBot):
    asked: list[object] = []
    page.asked_for.connect(lambda name, what: asked.append((name, what)))
    page.table.setFocus()

    page.table.setCurrentIndex(page.model.index(1, 0))
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert asked == []
    page.table.setCurrentIndex(page.model.index(0, 0))
    qtbot.keyClick(page.table, Qt.Key.Key_Return)

    assert asked == [("annotate", "Ana")]


# Adding ----------------------------------------------------------------------------------------------


def add(page: TeamPage, qtbot: QtBot, name: str) -> AddAnnotatorDialog:
    """Type a name into the dialog and press Enter."""
    page.add.click()
    dialog = page.dialog
    assert isinstance(dialog, AddAnnotatorDialog)
    dialog.line.setText(name)
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    return dialog


def test_adding_an_annotator_opens_annotate_for_them(page: TeamPage, qtbot: QtBot):
    asked: list[object] = []
    page.asked_for.connect(lambda name, what: asked.append((name, what)))

    add(page, qtbot, "  Chloé   B ")

    qtbot.waitUntil(lambda: asked == [("annotate", "Chloé B")])
    assert [one.name for one in store_of(page).annotators()] == ["Ana", "simulated A", "Chloé B"]
    assert page.dialog is None


def test_a_name_that_is_missing_or_simulated_is_refused_in_place(page: TeamPage, qtbot: QtBot):
    dialog = add(page, qtbot, "")
    assert dialog.trouble == "Type a name first."

    qtbot.keyClicks(dialog.line, "simulated A")
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: "simulated annotator" in dialog.trouble)
    dialog.reject()
    assert len(store_of(page).annotators()) == 2


def test_the_annotate_page_sits_down_whom_the_team_page_names(
    shown: Callable[..., AnnotatePage], study_folder: Path, qtbot: QtBot
):
    page = shown(AnnotatePage, study_folder)

    page.show_item("Ana")

    qtbot.waitUntil(lambda: page.screen_widget is not None)
    assert page.studio.property(SITTING) is not None
    page.leave()


def test_nearly_a_known_name_is_refused_in_place(page: TeamPage, qtbot: QtBot):
    dialog = add(page, qtbot, "ana ")

    qtbot.waitUntil(lambda: "nearly “Ana”" in dialog.trouble)
    dialog.reject()
    assert len(store_of(page).annotators()) == 2


def test_whoever_has_not_answered_can_be_taken_out(page: TeamPage, qtbot: QtBot):
    store_of(page).add_annotator("Boris")
    qtbot.waitUntil(lambda: page.model.rowCount() == 3)
    page.table.setCurrentIndex(page.model.index(0, 0))
    assert not page.member_card.take_out.isVisible()

    page.table.setCurrentIndex(page.model.index(2, 0))
    assert page.member_card.take_out.text() == "Remove Boris"
    page.member_card.take_out.click()

    qtbot.waitUntil(lambda: page.model.rowCount() == 2)
    assert [one.name for one in store_of(page).annotators()] == ["Ana", "simulated A"]


# The round -------------------------------------------------------------------------------------------


def test_locking_names_the_consequence_and_can_be_left(page: TeamPage, qtbot: QtBot):
    page.round_card.close_it.click()
    dialog = question_of(page)

    said = " ".join(caption.text() for caption in dialog.findChildren(type(page._said)))
    assert "1 answer still open stay unanswered." in said
    assert "not opened again" in said
    qtbot.mouseClick(dialog.stay, Qt.MouseButton.LeftButton)
    assert not store_of(page).rounds()[0].is_locked


def test_a_locked_round_takes_nobody_in(page: TeamPage, qtbot: QtBot):
    page.round_card.close_it.click()
    question_of(page).act.click()

    qtbot.waitUntil(lambda: page.round_card.close_it.isHidden())

    assert store_of(page).rounds()[0].is_locked
    assert not page.add.isEnabled()
    assert "locked" in page.add.toolTip()
    assert not page.member_card.go.isEnabled()


def test_the_round_is_not_locked_under_somebody_who_annotates(page: TeamPage):
    page.studio.setProperty(SITTING, "somebody")
    page._show_acts()

    assert not page.round_card.close_it.isEnabled()
    assert "annotating" in page.round_card.close_it.toolTip()
    page.studio.setProperty(SITTING, None)


def test_a_round_is_designed_from_what_there_is_and_says_what_it_leaves_out(
    shown: Shown, planned: Path, generators: dict[str, object], qtbot: QtBot
):
    with Store.open(planned) as store:
        from core.jobs import run_here
        from core.running import generate_in

        run_here(generate_in(store, "drawn-a", limit=24))
    page = shown(TeamPage, planned)

    assert page.round_card.make.text() == "Design a round of 2 image sets"
    page.round_card.mode.choose(1)
    page.round_card.make.click()

    qtbot.waitUntil(lambda: not page.round_card.close_it.isHidden())
    (round_,) = store_of(page).rounds()
    assert round_.count_mode == "slider only"
    assert len(store_of(page).image_sets(round_.round_id)) == 2

    said = page.round_card._consequence.text()
    assert said.startswith("Nobody has been asked yet: 2 image sets wait for annotators.")
    assert not page.round_card.close_it.isEnabled()
    assert "Nobody has been asked" in page.round_card.close_it.toolTip()
    store_of(page).lock_round(round_.round_id)
    qtbot.waitUntil(lambda: not page.round_card.next.isHidden())
    page.round_card.mode.choose(0)
    page.round_card.next.click()
    qtbot.waitUntil(lambda: not page.round_card.close_it.isHidden())
    first, second = store_of(page).rounds()
    assert first.is_locked
    assert not second.is_locked
    assert second.count_mode == "marks+slider"
    assert len(store_of(page).image_sets(second.round_id)) == 2


# Simulated -------------------------------------------------------------------------------------------


def test_removing_what_is_simulated_names_the_loss_and_leaves_people_alone(page: TeamPage, qtbot: QtBot):
    store_of(page).add_extractor("stand-in", {}, is_simulated=True)
    qtbot.waitUntil(lambda: "annotator and 1 extractor" in page.simulated_card.said)
    assert page.simulated_card.go.accessibleName() == "Remove 2 simulated answers"

    page.simulated_card.go.click()
    dialog = question_of(page)
    assert dialog.act.text() == "Remove 2 simulated answers"
    dialog.act.click()

    qtbot.waitUntil(lambda: page.simulated_card.isHidden())
    assert store_of(page).annotators() == [Annotator(1, "Ana")]
    assert store_of(page).answer_events(1)
    qtbot.waitUntil(lambda: not page.studio.has_simulated)


def test_nothing_is_removed_while_a_job_runs(page: TeamPage, qtbot: QtBot):
    def endless():
        from core.jobs import Progress

        while True:
            yield Progress(0, 1)

    task = page.studio.runner.run("Endless", endless())

    assert not page.simulated_card.go.isEnabled()
    task.cancel()
    qtbot.waitUntil(lambda: page.simulated_card.go.isEnabled())


# Export, and nothing there ---------------------------------------------------------------------------


def test_confirmed_answers_are_exported_with_who_is_simulated(page: TeamPage, qtbot: QtBot, tmp_path: Path):
    file = tmp_path / "answers.csv"
    page.export_to(file)
    qtbot.waitUntil(lambda: file.exists(), timeout=20_000)

    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [(row["annotator"], row["question"], row["slider"], row["is_simulated"]) for row in rows] == [
        ("Ana", "mood", "3", "False"),
        ("simulated A", "mood", "3", "True"),
        ("simulated A", "pose", "3", "True"),
    ]


def test_without_images_the_page_leads_to_where_they_are_made(shown: Shown, planned: Path, qtbot: QtBot):
    page = shown(TeamPage, planned)
    asked: list[str] = []
    page.asked_for.connect(lambda name, _what: asked.append(name))

    qtbot.mouseClick(page.empty_page.button, Qt.MouseButton.LeftButton)

    assert asked == ["generate"]
    assert not page.add.isEnabled()


@pytest.mark.parametrize("name", ["generate", "extract", "team"])
def test_making_the_page_brings_nothing_heavy_along(name: str):
    heavy = {"pandas", "scipy", "torch", "diffusers", "transformers", "matplotlib", "numpy", "PIL"}
    code = f"import sys, gui.pages.{name}; print(sorted({heavy} & set(sys.modules)))"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_dimensions_and_categories_go_by_their_names(page: TeamPage):
    team = read_team(store_of(page))
    assert team.questions["mood"] == "mood"
    assert all("_" not in name for name in team.questions.values())
    assert "colour temperature" in team.questions.values()


def test_the_ways_of_counting_fit_the_narrow_column(page: TeamPage):
    assert page.round_card.mode.sizeHint().width() <= px(SIDE) - px(40)
