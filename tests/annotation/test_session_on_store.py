"""The session on a real study file: durable, in order, with the ids that undo needs."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from annotation.clock import ActiveClock
from annotation.rounds import design_round
from annotation.session import Session
from core.records import Annotator, Condition
from storage.store import Store
from tests.annotation.sittings import QUESTIONS, HandClock, answer_all
from tests.storage.builders import add_image_set, make_image, new_store


def open_session(store: Store, annotator: Annotator) -> Session:
    image_sets = store.image_sets(store.rounds()[0].round_id)
    return Session(store, annotator, image_sets, QUESTIONS, 3, clock=ActiveClock(HandClock()))


def test_a_sitting_survives_closing_the_study(tmp_path: Path) -> None:
    with new_store(tmp_path / "study") as store:
        add_image_set(store)
        annotator = store.add_annotator("Ada")
        session = open_session(store, annotator)
        answer_all(session, 2)
        session.describe("Laptop")
        session.toggle_mark(3)
        session.undo()
        session.undo()
        assert session.wait_saved(20)
        states, stacks = session._history.states(), len(session._history.undone)

    with Store.open(tmp_path / "study") as store:
        again = open_session(store, annotator)

        assert again._history.states() == states
        assert len(again._history.undone) == stacks == 2
        assert again.redo()
        assert again.answer.label == "Laptop"
        assert again.wait_saved(20)


def test_many_acts_at_once_land_in_order(tmp_path: Path) -> None:
    with new_store(tmp_path / "study") as store:
        add_image_set(store)
        annotator = store.add_annotator("Ada")
        session = open_session(store, annotator)

        for n in range(60):
            session.set_count(n % 11)
            if n % 7 == 0:
                session.undo()
        assert session.wait_saved(60)

        events = store.answer_events(annotator.annotator_id)
    undone = [event for event in events if event.act == "undo"]
    assert len(undone) == 9
    by_id = {event.event_id: event for event in events}
    for event in undone:
        assert event.event_id is not None
        assert event.undoes == event.event_id - 1
        assert by_id[event.undoes].act == "set count"


def test_a_locked_round_is_trouble_with_everything_kept(tmp_path: Path) -> None:
    with new_store(tmp_path / "study") as store:
        add_image_set(store)
        session = open_session(store, store.add_annotator("Ada"))
        store.lock_round(store.rounds()[0].round_id)

        session.choose("adult")

        assert not session.wait_saved(20)
        assert session.pending == 1
        assert "1 act is waiting to be saved; none is lost." in session.trouble


def test_a_closed_study_is_trouble_too(tmp_path: Path) -> None:
    with new_store(tmp_path / "study") as store:
        add_image_set(store)
        session = open_session(store, store.add_annotator("Ada"))

    session.choose("adult")

    assert session.pending == 1
    assert session.trouble


def test_another_process_that_writes_delays_and_loses_nothing(tmp_path: Path) -> None:
    with new_store(tmp_path / "study") as store:
        add_image_set(store)
        annotator = store.add_annotator("Ada")
        session = open_session(store, annotator)
        other = sqlite3.connect(tmp_path / "study" / "study.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")

        session.choose("adult")
        session.mark_all()
        assert session.answer.slider == 10
        assert session.pending == 2
        other.execute("COMMIT")
        other.close()

        assert session.wait_saved(20)
        assert [event.act for event in store.answer_events(annotator.annotator_id)] == ["choose", "mark all"]


def test_a_designed_round_goes_into_the_study_and_comes_back(tmp_path: Path) -> None:
    with new_store(tmp_path / "study") as store:
        store.add_images([make_image(number) for number in range(12)])
        plan = design_round(store.images(), seed=3)
        round_id = store.add_round("main", 3, ["age"])

        store.add_image_sets(round_id, plan.rows)

        (found,) = store.image_sets(round_id)
        assert (found.key, found.condition, found.role) == (plan.sets[0].key, Condition.CF, "nurse")
        assert found.images == plan.sets[0].images


@pytest.mark.parametrize("n", [1, 4])
def test_small_sets_of_imported_images_are_answered(tmp_path: Path, n: int) -> None:
    with new_store(tmp_path / "study") as store:
        add_image_set(store, size=n)
        session = open_session(store, store.add_annotator("Ada"))

        answer_all(session)

        assert session.is_complete
        assert session.wait_saved(20)
