"""Adjudication on the Team page, with the keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.records import Answer, AnswerEvent
from gui.adjudication.panel import AdjudicationPanel
from gui.pages.team import TeamPage
from gui.studio import Studio
from tests import team

Settle = Callable[[Studio], None]


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    """A locked study of three sets: nobody agrees on the mood of the first two, all on that of the third."""
    with team.new_study(tmp_path / "study", roles=1, generators=("sdxl-turbo",), roomy=0) as store:
        round_id = team.open_round(store, training=0)
        sets = store.image_sets(round_id)
        mood = next(one for one in team.questions() if one.id == "mood")
        for place, name in enumerate(("Ana", "Ben", "Cy")):
            person = store.add_annotator(name)
            for number, one in enumerate(sets):
                label = mood.option_ids[place if number < 2 else 0]
                answer = Answer(label, False, 4, "marks", frozenset({place, 5, 6, 7}), is_confirmed=True)
                event = AnswerEvent(person.annotator_id, one.image_set_id, "mood", "confirm", answer, team.AT)
                store.append_answers([event])
        store.lock_round(round_id)
    return tmp_path / "study"


@pytest.fixture
def page(shown: Callable[..., TeamPage], locked: Path, settle: Settle) -> TeamPage:
    """The Team page with adjudication opened."""
    made = shown(TeamPage, locked)
    made.round_card.decide.click()
    settle(made.studio)
    return made


def press(panel: AdjudicationPanel, qtbot: QtBot, keys: str) -> None:
    for key in keys:
        qtbot.keyClicks(panel, key)


def kept(page: TeamPage) -> list[tuple[str, str | None, int | None, str, str]]:
    store = page.studio.store
    rows = store.adjudications(store.rounds()[-1].round_id)
    return [
        tuple(row[name] for name in ("question", "label", "slider", "cause", "confidence")) for row in rows
    ]


def test_cases_are_decided_one_after_the_other_and_taken_back_with_keys_alone(
    page: TeamPage, qtbot: QtBot, settle: Settle
) -> None:
    panel = page.adjudication
    mood = panel.desk.case.question.option_ids
    assert panel.facts.text() == "2 wait for a decision, 0 are decided"
    first = panel.desk.case
    assert "Ana" not in panel.card.said.text()
    assert panel.card.tiles.words(5) == "image 6: marked by A and B and C"

    qtbot.keyClick(panel, Qt.Key.Key_Return)
    assert panel.card.bar.open.text() == "Still open: category, cause, confidence"
    press(panel, qtbot, "bih=")
    qtbot.keyClick(panel, Qt.Key.Key_Return)
    assert not panel.writer.is_saved
    assert panel.writer.wait(), "the study is not left before it is on the disk"
    said = first.said[1].label
    assert panel.desk.case is not first, "the next that waits is shown at once"
    settle(page.studio)
    assert kept(page) == [("mood", said, 5, "ambiguous image", "high")]

    press(panel, qtbot, "usl")
    qtbot.keyClick(panel, Qt.Key.Key_Return)
    settle(page.studio)
    assert kept(page)[1] == ("mood", None, None, "slip", "low")
    assert panel.desk.waiting == 0

    qtbot.keyClick(panel, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(page.studio)
    assert len(kept(page)) == 1
    assert panel.desk.case.waits
    assert panel.facts.text() == "1 wait for a decision, 1 is decided"
    press(panel, qtbot, "1")
    assert panel.desk.draft.label == mood[0]


def test_a_decision_that_is_still_being_written_is_taken_back_once_it_is(
    page: TeamPage, qtbot: QtBot, settle: Settle
) -> None:
    panel = page.adjudication
    first = panel.desk.place
    for word in ("bih", "usl"):
        press(panel, qtbot, word)
        qtbot.keyClick(panel, Qt.Key.Key_Return)
    for _ in range(3):
        assert panel.writer.is_busy
        qtbot.keyClick(panel, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (panel.desk.place, panel.desk.waiting) == (first, 2)
    press(panel, qtbot, "usl")
    qtbot.keyClick(panel, Qt.Key.Key_Return)
    settle(page.studio)
    assert kept(page) == [("mood", None, None, "slip", "low")]
    assert panel.desk.waiting == 1


def test_typing_a_reason_fires_no_key_and_names_stay_hidden_until_they_are_asked_for(
    page: TeamPage, qtbot: QtBot
) -> None:
    panel = page.adjudication
    press(panel, qtbot, "t")
    qtbot.keyClicks(panel.card.bar.reason, "nasal bridge")
    qtbot.keyClick(panel.card.bar.reason, Qt.Key.Key_Down)
    assert panel.desk.draft.reason == "nasal bridge"
    assert (panel.desk.draft.label, panel.has_names, panel.desk.place) == ("", False, panel.desk.listed[0])

    qtbot.keyClick(panel.card.bar.reason, Qt.Key.Key_Escape)
    press(panel, qtbot, "n")
    assert "Ana" in panel.card.said.text()
    qtbot.keyClick(panel, Qt.Key.Key_Escape)
    assert page.adjudication.isHidden(), "Esc leads back to the team"


def test_every_way_in_which_a_label_came_about_is_listed(
    page: TeamPage, qtbot: QtBot, settle: Settle
) -> None:
    panel = page.adjudication
    captions = [panel.listing.itemText(at) for at in range(panel.listing.count())]
    assert captions == [
        *("waiting: 2", "adjudicated: 0", "tie by slider: 0", "majority: 0", "unanimous: 1", "all: 3"),
    ]
    panel.listing.choose("unanimous: 1")
    assert panel.card.how.text().startswith("unanimous: ")
    press(panel, qtbot, "x")
    assert panel.desk.case.how == "unresolved"


def test_a_decision_that_cannot_be_written_is_said_and_not_shown_as_made(
    page: TeamPage, qtbot: QtBot, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.errors import StoreError

    def refuse(*_: object) -> int:
        raise StoreError("The disk is full.", "Make room.")

    monkeypatch.setattr(page.studio.store, "adjudicate", refuse)
    panel = page.adjudication
    press(panel, qtbot, "aih")
    qtbot.keyClick(panel, Qt.Key.Key_Return)
    settle(page.studio)

    assert "The disk is full." in panel.trouble.text()
    assert panel.desk.waiting == 2
