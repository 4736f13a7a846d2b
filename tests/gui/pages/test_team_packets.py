"""Packets and hand-ins on the Team page: write one, merge what comes back, undo it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.pages.team import TeamPage
from storage.packet_book import PacketBook
from tests import team

Shown = Callable[..., TeamPage]


@pytest.fixture
def page(shown: Shown, tmp_path: Path) -> TeamPage:
    """The page on a study with a designed round and one person, Ana."""
    with team.new_study(tmp_path / "study", roles=1, generators=("sdxl-turbo",), roomy=1) as store:
        team.open_round(store, training=1)
        store.add_annotator("Ana")
    return shown(TeamPage, tmp_path / "study")


def settle(page: TeamPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page.studio.runner.is_idle, timeout=30_000)


def accept(page: TeamPage) -> str:
    dialog = page.packets.dialog
    assert dialog is not None
    words = " ".join(child.text() for child in dialog.findChildren(type(page.packets._said)))
    dialog.act.click()
    return words


def test_a_packet_leaves_comes_back_is_merged_and_undone(page: TeamPage, qtbot: QtBot, tmp_path: Path):
    card = page.packets
    qtbot.waitUntil(lambda: card.write.isEnabled(), timeout=10_000)
    assert card.write.text() == "Write a packet for Ana"
    assert not card.merge.isEnabled()

    card.write_to(tmp_path / "ana.packet")
    qtbot.waitUntil(lambda: "Ana: sent out" in card.words, timeout=30_000)
    assert "3 image sets" in card.said
    with PacketBook(tmp_path / "ana.packet") as book:
        team.answer(book, team.study_places(book)[:30])
    file = team.hand_in(tmp_path / "ana.packet", tmp_path / "ana.handin")

    card.preview([file])
    qtbot.waitUntil(lambda: card.dialog is not None, timeout=10_000)
    store = page.studio.store
    assert store is not None
    assert store.hand_ins() == []
    assert "ana.handin: 30 new, 0 same" in accept(page)
    qtbot.waitUntil(lambda: "Ana: 1 hand-in merged" in card.words, timeout=20_000)
    qtbot.waitUntil(lambda: page.model.rowCount() == 1 and page.model.rows[0].answers == 30, timeout=20_000)

    card.dialog = None
    card.undo.click()
    assert "Nothing is deleted" in accept(page)
    qtbot.waitUntil(lambda: "Undone: 30 acts" in card.said, timeout=20_000)
    assert not [one for one in store.hand_ins() if one.undone_at is None]
    settle(page, qtbot)


def test_a_file_that_is_no_hand_in_is_said_in_the_question(page: TeamPage, qtbot: QtBot, tmp_path: Path):
    other = tmp_path / "letter.txt"
    other.write_text("Dear all" * 300, encoding="utf-8")
    page.packets.preview([other])
    qtbot.waitUntil(lambda: page.packets.dialog is not None, timeout=10_000)
    assert "is no hand-in and no packet" in accept(page)
    settle(page, qtbot)


def test_a_round_for_packets_is_designed_in_a_dialog_that_says_what_comes_of_it(
    shown: Shown, qtbot: QtBot, tmp_path: Path
):
    with team.new_study(tmp_path / "study", roles=1, generators=("sdxl-turbo",), roomy=1):
        pass
    page = shown(TeamPage, tmp_path / "study")
    card = page.packets
    qtbot.waitUntil(lambda: card.design.isVisibleTo(page), timeout=10_000)
    card.design.click()
    dialog = card.design_dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: "3 image sets of 10 images, 23 questions." in dialog.said, timeout=20_000)
    assert "Images for 1 set are left over for training; 6 sets were asked for." in dialog.said
    assert page.studio.store is not None
    assert page.studio.store.rounds() == []

    dialog.boxes["training"].setValue(1)
    dialog.boxes["annotators"].setValue(2)
    qtbot.waitUntil(lambda: "Each of 2 annotators" in dialog.said, timeout=20_000)
    dialog.go.click()
    qtbot.waitUntil(lambda: bool(page.studio.store.rounds()), timeout=20_000)

    (found,) = page.studio.store.rounds()
    design = found.settings["design"]
    assert (design["annotators"], design["overlap"], design["training"]) == (2, 2, 1)
    qtbot.waitUntil(lambda: not card.design.isVisibleTo(page), timeout=20_000)
    settle(page, qtbot)
