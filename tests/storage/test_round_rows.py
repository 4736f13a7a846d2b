from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest

from core.errors import BadInput, StoreError
from core.records import Annotator, Condition
from storage.store import Store
from tests.storage.builders import add_image_set, make_event, make_image


def test_annotators_come_back_in_the_order_they_joined(store: Store) -> None:
    ada, robot = store.add_annotator("Ada"), store.add_annotator("simulated A", is_simulated=True)

    assert store.annotators() == [ada, robot] == [Annotator(1, "Ada"), Annotator(2, "simulated A", True)]


def test_the_same_name_is_the_same_annotator(store: Store) -> None:
    assert store.add_annotator("Ada") == store.add_annotator("Ada")


@pytest.mark.parametrize("is_simulated", [True, False])
def test_a_person_and_a_simulated_annotator_never_share_a_name(store: Store, is_simulated: bool) -> None:
    store.add_annotator("Ada", is_simulated)

    with pytest.raises(BadInput, match="already the name of a"):
        store.add_annotator("Ada", not is_simulated)


def test_a_round_comes_back_as_it_was_designed(store: Store) -> None:
    number = store.add_round("main", 2**40, ["mood", "items"], "marks only", {"repeats": 4}, show_role=True)

    (found,) = store.rounds()

    assert (found.round_id, found.name, found.seed) == (number, "main", 2**40)
    assert (found.questions, found.count_mode) == (("mood", "items"), "marks only")
    assert (found.settings, found.show_role, found.is_locked) == ({"repeats": 4}, True, False)


def test_a_round_needs_a_name_of_its_own(store: Store) -> None:
    store.add_round("main", 1, ["mood"])

    with pytest.raises(BadInput, match="already has a round 'main'"):
        store.add_round("main", 2, ["items"])


def test_an_image_set_keeps_its_images_in_its_own_order(store: Store) -> None:
    round_id = store.add_round("main", 1, ["mood"])
    images = store.add_images([make_image(number) for number in range(10)])

    (number,) = store.add_image_sets(round_id, [("k", "nurse", Condition.CF, "drawn-a", images[::-1])])

    (found,) = store.image_sets(round_id)
    assert (found.image_set_id, found.key) == (number, "k")
    assert (found.role, found.condition, found.generator) == ("nurse", Condition.CF, "drawn-a")
    assert found.images == tuple(store.image(image) for image in images[::-1])


def test_image_sets_come_back_in_the_order_they_were_added_and_by_round(store: Store) -> None:
    images = store.add_images([make_image(number) for number in range(3)])
    rounds = [store.add_round(name, 1, ["mood"]) for name in ("a", "b")]
    store.add_image_sets(
        rounds[0],
        [("z", "nurse", Condition.CF, "drawn-a", images), ("y", "bus_driver", None, "drawn-a", images[:1])],
    )

    assert [found.key for found in store.image_sets(rounds[0])] == ["z", "y"]
    assert store.image_sets(rounds[0])[1].condition is None
    assert store.image_sets(rounds[1]) == []


def test_the_same_image_set_again_changes_nothing_and_another_is_refused(store: Store) -> None:
    round_id = store.add_round("main", 1, ["mood"])
    images = store.add_images([make_image(number) for number in range(3)])
    new = ("k", "nurse", Condition.CF, "drawn-a", images)

    assert store.add_image_sets(round_id, [new]) == store.add_image_sets(round_id, [new])
    with pytest.raises(BadInput, match="image set 'k' with other images"):
        store.add_image_sets(round_id, [("k", "nurse", Condition.CF, "drawn-a", images[::-1])])


def test_an_image_stands_once_in_a_set(store: Store) -> None:
    round_id = store.add_round("main", 1, ["mood"])
    image = store.add_image(make_image())

    with pytest.raises(sqlite3.IntegrityError):
        store.add_image_sets(round_id, [("k", "nurse", None, "drawn-a", [image, image])])

    assert store.image_sets(round_id) == []


def test_an_eleventh_image_is_refused(store: Store) -> None:
    round_id = store.add_round("main", 1, ["mood"])
    images = store.add_images([make_image(number) for number in range(11)])

    with pytest.raises(sqlite3.IntegrityError):
        store.add_image_sets(round_id, [("k", "nurse", None, "drawn-a", images)])


def test_a_locked_round_takes_no_more_image_sets_and_answers(store: Store) -> None:
    image_set, ada = add_image_set(store), store.add_annotator("Ada").annotator_id
    event = make_event(ada, image_set, label="calm")
    kept = store.append_answer(event).result()
    (round_,) = store.rounds()

    store.lock_round(round_.round_id)
    locked_at = store.rounds()[0].locked_at
    store.lock_round(round_.round_id)

    assert store.rounds() == [replace(round_, locked_at=locked_at)]
    assert store.rounds()[0].is_locked
    with pytest.raises(StoreError, match="round 'main' is locked"):
        store.append_answer(event).result()
    with pytest.raises(StoreError, match="round 'main' is locked"):
        store.append_answers([event])
    with pytest.raises(StoreError, match="round 'main' is locked"):
        store.add_image_sets(round_.round_id, [])
    assert store.answer_events(ada) == [kept]
