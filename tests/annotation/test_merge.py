"""Hand-ins merged into a study: again, older, newer, from two laptops, edited, of another study."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import StoreError
from core.records import AnswerEvent
from storage.packet_book import PacketBook, RunBook
from storage.store import Store
from tests import team


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study with one round, and Ana's packet; never opened, only copied."""
    folder = tmp_path_factory.mktemp("merge")
    with team.new_study(folder / "study", roles=2, roomy=2) as store:
        team.open_round(store, annotators=3, overlap=3)
        team.packet_for(store, "Ana", folder / "ana.packet")
    return folder


@pytest.fixture
def place(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole, tmp_path / "work")
    return tmp_path / "work"


@pytest.fixture
def store(place: Path):
    with Store.open(place / "study") as made:
        yield made


def answered(
    place: Path, name: str, first: int, last: int, salt: int = 0, packet: str = "ana.packet"
) -> Path:
    """Answer some places of a packet and hand it in under a name."""
    with PacketBook(place / packet) as book:
        team.answer(book, team.study_places(book)[first:last], salt)
    return team.hand_in(place / packet, place / name)


def counts(found) -> dict[str, int]:
    return {word: number for word, number in found.counts.items() if number}


def test_a_preview_changes_nothing_and_a_merge_takes_everything_in(place: Path, store: Store) -> None:
    file = answered(place, "a", 0, 40)

    said, _ = team.merge(store, file, dry=True)
    assert counts(said[0]) == {"new": 40}
    assert team.standing(store) == {}
    assert store.hand_ins() == []

    said, outcome = team.merge(store, file)
    assert (counts(said[0]), outcome.done) == ({"new": 40}, 1)
    assert len(team.standing(store)) == 40


def test_marks_come_back_in_the_order_of_the_image_set(place: Path, store: Store) -> None:
    team.merge(store, answered(place, "a", 0, 23))

    (packet,) = store.packets()
    shown = next(one for one in packet.plan.sets if one.part == "study")
    with PacketBook(place / "ana.packet") as book:
        inside = {event.question: event.answer.marks for event in book.events(0)}
    for event in store.answer_events(packet.annotator.annotator_id):
        assert event.image_set_id == shown.image_set_id
        assert event.answer.marks == {shown.order[place] for place in inside[event.question]}


def test_the_same_file_twice_and_under_another_name_adds_nothing(place: Path, store: Store) -> None:
    file = answered(place, "a", 0, 30)
    shutil.copy(file, place / "renamed")
    team.merge(store, file)
    before = team.standing(store)

    said, outcome = team.merge(store, file, place / "renamed")

    assert [counts(one) for one in said] == [{"same": 30}, {"same": 30}]
    assert (outcome.done, outcome.skipped) == (0, 2)
    assert team.standing(store) == before
    assert len(store.hand_ins()) == 1


def test_an_older_file_after_a_newer_one_adds_nothing(place: Path, store: Store) -> None:
    older = answered(place, "a", 0, 20)
    newer = answered(place, "b", 10, 35, salt=1)

    team.merge(store, newer)
    before = team.standing(store)
    said, _ = team.merge(store, older)

    assert counts(said[0]) == {"same": 20}
    assert team.standing(store) == before


def test_a_newer_file_takes_the_place_of_the_older_answers(place: Path, store: Store) -> None:
    team.merge(store, answered(place, "a", 0, 20))

    said, _ = team.merge(store, answered(place, "b", 10, 35, salt=1))

    assert counts(said[0]) == {"newer": 10, "new": 15, "same": 10}


def test_two_laptops_that_contradict_each_other_wait_for_a_person_and_both_are_kept(
    place: Path, store: Store
) -> None:
    shutil.copy(place / "ana.packet", place / "laptop.packet")
    team.merge(store, answered(place, "a", 0, 10))
    before = team.standing(store)

    said, _ = team.merge(store, answered(place, "b", 5, 20, salt=1, packet="laptop.packet"))

    assert counts(said[0]) == {"new": 10, "conflicting": 5}
    after = team.standing(store)
    assert {where: after[where] for where in before} == before
    conflicts = store.conflicts()
    assert len(conflicts) == 5
    for one in conflicts[:2]:
        store.decide_conflict(one.conflict_id, "theirs", "Eve", "asked her")
    store.decide_conflict(conflicts[2].conflict_id, "ours", "Eve", "the other was a slip")
    decided = team.standing(store)
    for number, one in enumerate(conflicts):
        where = ("Ana", one.theirs.image_set_id, one.theirs.question)
        assert decided[where] == (one.theirs if number < 2 else one.ours).answer
    assert [one.decision for one in store.conflicts()] == ["theirs", "theirs", "ours", None, None]


def test_two_laptops_that_say_the_same_do_not_contradict_each_other(place: Path, store: Store) -> None:
    shutil.copy(place / "ana.packet", place / "laptop.packet")
    team.merge(store, answered(place, "a", 0, 10))

    said, _ = team.merge(store, answered(place, "b", 0, 12, packet="laptop.packet"))

    assert counts(said[0]) == {"same": 10, "new": 2}
    assert store.conflicts() == []


def test_the_laptop_whose_answer_was_chosen_may_go_on(place: Path, store: Store) -> None:
    shutil.copy(place / "ana.packet", place / "laptop.packet")
    team.merge(store, answered(place, "a", 0, 1))
    team.merge(store, answered(place, "b", 0, 1, salt=1, packet="laptop.packet"))
    store.decide_conflict(store.conflicts()[0].conflict_id, "theirs", "Eve", "")

    said, _ = team.merge(store, answered(place, "c", 0, 1, salt=2, packet="laptop.packet"))

    assert counts(said[0]) == {"newer": 1}


def test_an_undone_merge_leaves_the_study_as_it_was_and_can_be_merged_again(
    place: Path, store: Store
) -> None:
    first, second = answered(place, "a", 0, 20), answered(place, "b", 10, 35, salt=1)
    team.merge(store, first)
    before = team.standing(store)
    team.merge(store, second)
    whole = team.standing(store)

    with pytest.raises(StoreError, match="Merge number 2"):
        store.undo_merge(1)
    assert store.undo_merge(2) == 25
    assert team.standing(store) == before
    team.merge(store, second)
    assert team.standing(store) == whole
    store.undo_merge(3)
    store.undo_merge(1)
    assert team.standing(store) == {}
    team.merge(store, second)
    assert team.standing(store) == whole


def test_a_merge_of_a_locked_round_stays_as_it_could_not_be_merged_again(place: Path, store: Store) -> None:
    team.merge(store, answered(place, "a", 0, 3))
    store.lock_round(1)

    with pytest.raises(StoreError, match="is locked, so merge number 1 stays"):
        store.undo_merge(1)
    assert len(team.standing(store)) == 3


def test_undoing_a_merge_takes_its_decided_conflicts_along(place: Path, store: Store) -> None:
    shutil.copy(place / "ana.packet", place / "laptop.packet")
    team.merge(store, answered(place, "a", 0, 3))
    before = team.standing(store)
    team.merge(store, answered(place, "b", 0, 3, salt=1, packet="laptop.packet"))
    for one in store.conflicts():
        store.decide_conflict(one.conflict_id, "theirs", "Eve", "")
    assert team.standing(store) != before

    store.undo_merge(2)

    assert team.standing(store) == before
    assert store.conflicts() == []


def test_an_answer_given_in_the_study_itself_is_not_overruled(place: Path, store: Store) -> None:
    (packet,) = store.packets()
    shown = next(one for one in packet.plan.sets if one.part == "study")
    team.merge(store, answered(place, "a", 0, 1))
    (event,) = store.answer_events(packet.annotator.annotator_id)
    own = replace(event, answer=replace(event.answer, slider=1, marks=frozenset({0})), event_id=None)
    store.append_answer(own).result()

    said, _ = team.merge(store, answered(place, "b", 0, 1, salt=3))

    assert counts(said[0]) == {"conflicting": 1}
    assert team.standing(store)[("Ana", shown.image_set_id, event.question)] == own.answer


def test_undo_and_redo_come_through_with_the_acts_they_name(place: Path, store: Store) -> None:
    with PacketBook(place / "ana.packet") as book:
        where = team.study_places(book)[0]
        team.answer(book, [where])
        team.answer(book, [where], salt=1)
        first, second = book.events(0)
        undone = AnswerEvent(1, *where, "undo", first.answer, team.AT, undoes=second.event_id)
        RunBook(book, 0).append_answers([undone])

    team.merge(store, team.hand_in(place / "ana.packet", place / "a"))

    events = store.answer_events(1)
    assert [event.act for event in events] == ["confirm", "confirm", "undo"]
    assert events[2].undoes == events[1].event_id
    assert events[2].answer == events[0].answer


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE event SET label = 'none' WHERE id = 3",
        "UPDATE event SET active_seconds = 1.0 WHERE id = 7",
        "DELETE FROM event WHERE id = 9",
        "DELETE FROM event WHERE id = 5",
        "UPDATE seal SET events = 3",
    ],
)
def test_an_edited_file_is_quarantined(place: Path, store: Store, change: str) -> None:
    file = answered(place, "a", 0, 9)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(change)

    said, outcome = team.merge(store, file)

    assert "changed after it was written" in said[0].reason
    assert [failure.kind for failure in outcome.failures] == ["quarantined"]
    assert team.standing(store) == {}


def test_a_file_of_another_study_is_quarantined(place: Path, store: Store, tmp_path: Path) -> None:
    with team.new_study(tmp_path / "other", roles=2) as other:
        team.open_round(other)
        team.packet_for(other, "Ana", place / "other.packet")

    said, _ = team.merge(store, answered(place, "a", 0, 4, packet="other.packet"))

    assert (said[0].reason, counts(said[0])) == ("it belongs to another study", {"quarantined": 4})


def test_a_file_of_a_locked_round_is_quarantined_and_another_round_is_not_touched(
    place: Path, store: Store
) -> None:
    file = answered(place, "a", 0, 4)
    store.lock_round(1)
    team.open_round(store, seed=99)
    team.packet_for(store, "Ana", place / "second.packet")

    said, _ = team.merge(store, file, answered(place, "b", 0, 3, packet="second.packet"))

    assert said[0].reason == "its round is locked"
    assert counts(said[1]) == {"new": 3}


def test_a_packet_that_was_changed_after_it_left_is_quarantined(place: Path, store: Store) -> None:
    file = answered(place, "a", 0, 4)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("UPDATE packet SET content_hash = 'another'")

    assert team.merge(store, file)[0][0].reason == "its packet was changed after it left"


def test_a_question_that_is_gone_from_the_study_quarantines_the_file(place: Path, store: Store) -> None:
    from annotation.merge_running import preview_in

    file = answered(place, "a", 0, 4)

    found = preview_in(store, team.questions()[1:], team.FILES.read_hand_in(file))

    assert "the schema was changed meanwhile" in found.reason


def test_an_option_that_is_gone_quarantines_its_answers_only(place: Path, store: Store) -> None:
    from annotation.merge_running import preview_in

    file = answered(place, "a", 0, 23)
    first = team.questions()[0]
    said = next(one for one in team.FILES.read_hand_in(file).events if one.question == first.id)
    left = tuple(one for one in first.options if one.id != said.answer.label)

    found = preview_in(
        store, (replace(first, options=left), *team.questions()[1:]), team.FILES.read_hand_in(file)
    )

    assert counts(found) == {"new": 22, "quarantined": 1}
    assert list(found.reasons) == [f"the schema was changed meanwhile: no option {said.answer.label!r}"]


def test_an_answer_that_cannot_be_is_quarantined_with_its_reason(place: Path, store: Store) -> None:
    from annotation.merge_running import preview_in

    read = team.FILES.read_hand_in(answered(place, "a", 0, 23))
    lamp = next(at for at, one in enumerate(read.events) if one.question == "items")
    acts = list(read.events)
    changes = {0: {"label": None}, 1: {"label": ""}, 2: {"slider": 9, "marks": frozenset({1, 2})}}
    for at, change in {**changes, lamp: {"label": "|||"}}.items():
        acts[at] = replace(acts[at], answer=replace(acts[at].answer, **change))
    acts[3] = replace(acts[3], at="noon")

    found = preview_in(store, team.questions(), replace(read, events=tuple(acts)))

    assert counts(found) == {"new": 18, "quarantined": 5}
    assert [line.split(", ", 1)[1] for line in found.reason_lines] == [
        "confirmed without category",
        "the schema was changed meanwhile: no option ''",
        "a count from marks that is not the number of marks",
        "a time that is no date and time",
        "confirmed without descriptor",
    ]


def test_the_whole_packet_merges_as_its_hand_in_does(place: Path, store: Store) -> None:
    file = answered(place, "a", 0, 12)
    team.merge(store, file)

    said, _ = team.merge(store, place / "ana.packet")

    assert counts(said[0]) == {"same": 12}


def test_any_order_of_partial_hand_ins_gives_the_same_study(place: Path, whole: Path, tmp_path: Path) -> None:
    files = [answered(place, f"h{turn}", 30 * turn, 30 * turn + 45, salt=turn) for turn in range(5)]
    found = []
    for turn in range(4):
        order = files * 2
        random.Random(turn).shuffle(order)
        shutil.copytree(whole / "study", tmp_path / f"study {turn}")
        with Store.open(tmp_path / f"study {turn}") as store:
            team.merge(store, *order)
            found.append(team.standing(store))
            assert store.conflicts() == []

    assert len(found[0]) == 165
    assert all(one == found[0] for one in found)
