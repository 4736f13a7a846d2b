"""Packets and hand-ins on the Team page: write one, merge what comes back, undo it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.csv_rows import read_rows, write_rows
from gui.models.rows import RowsModel
from gui.pages.team import TeamPage
from gui.team.add_annotator import AddAnnotatorDialog
from gui.team.facts import read_team
from gui.team.hand_ins_list import HandInsList
from gui.team.merge_dialog import MergeDialog
from gui.team.packets import PacketFacts
from storage.frames import Frames
from storage.merge_rows import MergedHandIn
from storage.packet_book import PacketBook
from tests import team

AT = "2026-11-26T10:00:00.000Z"

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


def look_at(page: TeamPage, qtbot: QtBot, *files: Path) -> MergeDialog:
    page.packets.preview(list(files))
    dialog = page.packets.merging.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.model.rowCount() == len(files), timeout=10_000)
    return dialog


def row_of(model: RowsModel, row: int = 0) -> dict[str, str]:
    return {one.title: model.index(row, at).data() for at, one in enumerate(model.columns)}


def test_a_packet_leaves_comes_back_is_merged_and_undone(page: TeamPage, qtbot: QtBot, tmp_path: Path):
    card = page.packets
    qtbot.waitUntil(lambda: card.write.isEnabled(), timeout=10_000)
    assert card.write.text() == "Write a packet for Ana"
    assert not card.merge.isEnabled()

    card.write_to(tmp_path / "ana.packet")
    qtbot.waitUntil(lambda: "Ana: sent out" in card.words and bool(card.said), timeout=30_000)
    assert "3 image sets" in card.said
    with PacketBook(tmp_path / "ana.packet") as book:
        team.answer(book, team.study_places(book)[:30])
    file = team.hand_in(tmp_path / "ana.packet", tmp_path / "ana.handin")

    dialog = look_at(page, qtbot, file)
    store = page.studio.store
    assert store is not None
    assert store.hand_ins() == []
    said = row_of(dialog.model)
    assert (said["file"], said["annotator"], said["new"], said["same"]) == ("ana.handin", "Ana", "30", "0")
    assert dialog.act.text() == "Merge 1 file"
    dialog.act.click()
    qtbot.waitUntil(lambda: "Ana: 1 hand-in merged" in card.words, timeout=20_000)
    qtbot.waitUntil(lambda: page.model.rowCount() == 1 and page.model.rows[0].answers == 30, timeout=20_000)

    assert card.said == "ana.handin: 30 new"
    merged = row_of(page.lists.hand_ins.model)
    assert (merged["file"], merged["new"], merged["state"]) == ("ana.handin", "30", "stands")
    listed = row_of(page.lists.packets.model)
    assert (listed["image sets"], listed["state"]) == ("3 image sets, 1 to practise on", "back")

    page.lists.hand_ins.back.click()
    assert "Nothing is deleted" in accept(page)
    qtbot.waitUntil(lambda: "Undone: 30 answers" in card.said, timeout=20_000)
    qtbot.waitUntil(lambda: row_of(page.lists.packets.model)["state"] == "out", timeout=20_000)
    assert not [one for one in store.hand_ins() if one.undone_at is None]
    settle(page, qtbot)


def test_a_merge_that_must_stay_says_why_before_anybody_asks(qtbot: QtBot):
    def merged(number: int, name: str, undone_at: str | None = None) -> MergedHandIn:
        return MergedHandIn(number, number, name, 1, "a.handin", "", {}, (), AT, undone_at)

    merges = (merged(1, "Ana"), merged(2, "Ben"), merged(3, "Ana"), merged(4, "Ben", AT))
    facts = PacketFacts(merges=merges)
    assert [bool(facts.why_stays(one)) for one in merges] == [True, False, False, True]
    assert facts.why_stays(merges[0]).startswith("Undo merge 3 first")

    locked = PacketFacts(merges=merges[1:2], locked={1: "Round 1"})
    table = HandInsList()
    qtbot.addWidget(table)
    table.show_rows(locked.merges, 0, locked.why_stays)
    assert not table.back.isEnabled()
    assert "Round 1 is locked, so its merges stay" in table.back.toolTip()


def test_a_packet_is_written_for_somebody_who_is_not_listed(
    page: TeamPage, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("gui.team.packets_card.save_file", lambda *_: tmp_path / "ben.packet")
    qtbot.waitUntil(lambda: page.packets.write.isEnabled(), timeout=10_000)
    page.packets.show_member(None, "")
    assert page.packets.write.text() == "Write a packet for …"

    page.packets.write.click()
    dialog = page.dialog
    assert isinstance(dialog, AddAnnotatorDialog)
    qtbot.keyClicks(dialog.line, "Ben")
    dialog.write.click()

    qtbot.waitUntil(lambda: "Ben: sent out" in page.packets.words, timeout=30_000)
    assert (tmp_path / "ben.packet").exists()
    settle(page, qtbot)


def test_a_file_that_is_no_hand_in_is_said_and_cannot_be_merged(page: TeamPage, qtbot: QtBot, tmp_path: Path):
    other = tmp_path / "letter.txt"
    other.write_text("Dear all" * 300, encoding="utf-8")
    dialog = look_at(page, qtbot, other)
    assert "is no hand-in and no packet" in row_of(dialog.model)["remark"]
    assert not dialog.act.isEnabled()
    dialog.reject()
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
    qtbot.waitUntil(lambda: card.designing.dialog is not None, timeout=10_000)
    dialog = card.designing.dialog
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
    qtbot.waitUntil(lambda: card.design.text() == "Design a changed round", timeout=20_000)
    settle(page, qtbot)


def test_two_computers_that_contradict_each_other_are_decided_with_both_shown(
    page: TeamPage, qtbot: QtBot, tmp_path: Path
):
    store = page.studio.store
    assert store is not None
    team.packet_for(store, "Ana", tmp_path / "a.packet")
    shutil.copy(tmp_path / "a.packet", tmp_path / "b.packet")
    for salt, name in enumerate("ab"):
        with PacketBook(tmp_path / f"{name}.packet") as book:
            team.answer(book, team.study_places(book)[:2], salt)
        team.hand_in(tmp_path / f"{name}.packet", tmp_path / f"{name}.handin")
    team.merge(store, tmp_path / "a.handin", tmp_path / "b.handin")
    before = team.standing(store)
    page.mark_stale()
    card = page.packets
    qtbot.waitUntil(lambda: card.decide.text() == "Decide 2 contradictions", timeout=20_000)

    card.decide.click()
    dialog = card.merging.conflict_dialog
    assert dialog is not None
    assert dialog.title.text() == "Ana answered twice, 1 more waits"
    assert dialog.versions["theirs"].text().startswith("From b.handin: ")
    first = dialog.rows[0].conflict
    qtbot.keyClicks(dialog, "2")
    qtbot.waitUntil(lambda: bool(dialog.rows) and dialog.rows[0].conflict != first, timeout=20_000)
    qtbot.keyClicks(dialog, "1")
    qtbot.waitUntil(lambda: card.merging.conflict_dialog is None, timeout=20_000)

    assert [one.decision for one in store.conflicts()] == ["theirs", "ours"]
    changed = {place for place, answer in team.standing(store).items() if before[place] != answer}
    assert len(changed) == 1, "the second answer was chosen once, the first once"
    settle(page, qtbot)


def test_a_packet_is_withdrawn_with_a_reason_and_nothing_of_it_is_taken(
    page: TeamPage, qtbot: QtBot, tmp_path: Path
):
    store = page.studio.store
    assert store is not None
    team.packet_for(store, "Ana", tmp_path / "a.packet")
    page.mark_stale()
    packets = page.lists.packets
    qtbot.waitUntil(packets.go.isEnabled, timeout=20_000)

    packets.go.click()
    dialog = page.packets.dialog
    assert not dialog.act.isEnabled(), "no reason yet"
    dialog.reason.setText("laptop lost")
    dialog.by.setText("Eve")
    dialog.act.click()
    qtbot.waitUntil(lambda: row_of(packets.model)["state"].startswith("withdrawn"), timeout=20_000)

    assert row_of(packets.model)["state"].startswith("withdrawn: laptop lost (Eve")
    assert not packets.go.isEnabled()
    said, _ = team.merge(store, tmp_path / "a.packet", dry=True)
    assert said[0].reason == "its packet was withdrawn (laptop lost)"
    team.packet_for(store, "Ben", tmp_path / "b.packet")
    assert [one.plan.slot for one in store.packets()] == [0, 0], "its place is free for another"
    settle(page, qtbot)


def test_quality_is_looked_over_and_an_exclusion_stands_where_it_applies(
    page: TeamPage, qtbot: QtBot, tmp_path: Path
):
    store = page.studio.store
    assert store is not None
    team.packet_for(store, "Ana", tmp_path / "a.packet")
    with PacketBook(tmp_path / "a.packet") as book:
        team.answer(book, team.study_places(book)[:10])
    team.merge(store, tmp_path / "a.packet")
    lists = page.lists
    lists.part.choose(3)
    qtbot.waitUntil(lambda: lists.quality.model.rowCount() == 1, timeout=20_000)
    assert row_of(lists.quality.model)["unknown"] == "0 of 10"

    lists.quality.go.click()
    lists.dialog.reason.setText("was asleep")
    lists.dialog.act.click()
    qtbot.waitUntil(lambda: "excluded: was asleep" in row_of(lists.quality.model)["flags"], timeout=20_000)
    assert not lists.quality.go.isEnabled()
    assert Frames(store.folder).answers(store.rounds()[-1].round_id).empty

    lists.quality.withdraw.emit(1)
    qtbot.waitUntil(lists.quality.go.isEnabled, timeout=20_000)
    assert len(Frames(store.folder).answers(store.rounds()[-1].round_id)) == 10
    settle(page, qtbot)


def test_right_answers_are_given_in_a_form_before_the_first_packet_leaves(
    page: TeamPage, qtbot: QtBot, tmp_path: Path
):
    store = page.studio.store
    assert store is not None
    card = page.packets
    qtbot.waitUntil(lambda: not card.keys.isHidden(), timeout=20_000)
    assert "have no right answer in sets to practise on" in card.keys.said.text()
    card.keys.write_to(tmp_path / "form.csv")
    qtbot.waitUntil(lambda: "to fill in" in card.said, timeout=20_000)

    rows = read_rows(tmp_path / "form.csv")
    assert {row["purpose"] for row in rows} == {"training"}, "what is known is not asked for"
    assert "own words" in rows[0]["options"]
    write_rows(tmp_path / "form.csv", [{**rows[0], "label": "lamp | desk", "slider": "4"}, rows[1]])
    before = len(store.key_answers(1))
    card.keys.take_from(tmp_path / "form.csv")
    qtbot.waitUntil(lambda: card.said == "1 right answer kept.", timeout=20_000)
    assert len(store.key_answers(1)) == before + 1, "a row that is not filled in is skipped"

    team.packet_for(store, "Ana", tmp_path / "a.packet")
    page.mark_stale()
    qtbot.waitUntil(lambda: card.keys.isHidden(), timeout=20_000)
    settle(page, qtbot)


def test_progress_is_of_what_the_packet_holds_and_nobody_without_one_is_waited_for(
    tmp_path: Path,
):
    with team.new_study(tmp_path / "study", roles=2, generators=("sdxl-turbo",), roomy=0) as store:
        team.open_round(store, training=0, repeat_share=0, annotators=3, overlap=2)
        store.add_annotator("Nobody")
        team.packet_for(store, "Ana", tmp_path / "a.packet")
        found = read_team(store)

    ana = next(one for one in found.members if one.annotator.name == "Ana")
    assert (ana.asked_sets, ana.asked_answers, ana.has_packet) == (4, 4 * 23, True)
    assert found.image_sets == 6
    assert found.open_answers == 4 * 23
