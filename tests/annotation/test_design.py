from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.design import RoundDesign, assigned, design_of
from annotation.packet import showings
from core.errors import BadInput, StoreError
from core.records import Condition
from storage.store import Store
from tests import team


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory):
    with team.new_study(tmp_path_factory.mktemp("design") / "study") as made:
        yield made


def test_every_cell_makes_its_sets_and_images_are_spread_over_prompts(store: Store) -> None:
    plan = team.design(store)

    assert len(plan.sets) == 4 * 3 * 2
    for one in plan.sets:
        counts = Counter(image.prompt for image in one.images)
        assert max(counts.values()) - min(counts.values()) <= 1
        assert len(counts) == team.PROMPTS_A_CELL


def test_what_is_chosen_is_all_there_is_in_the_round(store: Store) -> None:
    plan = team.design(
        store,
        roles=("occupation_1",),
        conditions=(Condition.CF, Condition.CA_U),
        images_per_set=4,
        sets_per_cell=2,
    )

    assert Counter((one.role, one.condition, one.generator) for one in plan.sets) == {
        ("occupation_1", condition, generator): 2
        for condition in (Condition.CF, Condition.CA_U)
        for generator in team.GENERATORS
    }
    assert {len(one.images) for one in plan.sets} == {4}


def test_training_shows_no_image_of_the_study_and_comes_with_right_answers(store: Store) -> None:
    plan = team.design(store, training=5)

    shown = {image.image_id for one in plan.sets for image in one.images}
    assert len(plan.training) == 5
    assert not shown & {image.image_id for one in plan.training for image in one.images}
    for one in plan.training:
        truth = store.truth_of(image.image_id for image in one.images)
        for question in team.questions():
            key = plan.keys[one.key].get(question.id)
            if key is None or key.label is None:
                continue
            right = {
                place
                for place, image in enumerate(one.images)
                if key.label in truth[image.image_id][question.dimension]
            }
            assert key.marks == right
            assert key.slider == len(right)


def test_what_cannot_be_had_is_said(store: Store) -> None:
    plan = team.design(store, training=9, generators=("sdxl-turbo", "nobody"))

    (note,) = plan.notes
    assert note.startswith("Images for 3 sets are left over for training; 9 sets were asked for. Make more")
    assert {(one.generator, one.reason) for one in plan.left_out} == {("nobody", "no usable image")}


def test_a_design_is_the_same_again_and_another_seed_is_another(store: Store) -> None:
    assert team.design(store) == team.design(store)
    assert {one.key for one in team.design(store).sets}.isdisjoint(
        one.key for one in team.design(store, seed=6).sets
    )


def test_a_design_comes_back_from_its_settings(store: Store) -> None:
    chosen = RoundDesign(seed=9, roles=("a", "b"), conditions=(Condition.CA_R,), overlap=2, show_role=True)

    assert design_of({"design": chosen.as_settings()}, 9) == chosen
    assert design_of({}, 9) is None


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"overlap": 4}, "overlap"),
        ({"images_per_set": 11}, "1 to 10 images"),
        ({"gold_share": 1.2}, "gold"),
        ({"count_mode": "guess"}, "Count by one of"),
    ],
)
def test_what_cannot_be_carried_out_is_refused(changes: dict[str, int], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        RoundDesign(seed=1, **changes)  # type: ignore[arg-type]


@given(st.integers(1, 5), st.integers(1, 5), st.integers(1, 130), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_each_set_is_seen_by_as_many_as_overlap_and_everybody_sees_as_much(
    annotators: int, overlap: int, sets: int, seed: int
) -> None:
    overlap = min(overlap, annotators)
    chosen = RoundDesign(seed=seed, annotators=annotators, overlap=overlap)
    keys = [f"{number:04x}" for number in range(sets)]

    seen = [set(assigned(keys, slot, chosen)) for slot in range(annotators)]

    assert all(sum(key in one for one in seen) == overlap for key in keys)
    groups = len(list(combinations(range(annotators), overlap)))
    assert max(map(len, seen)) - min(map(len, seen)) <= groups


@given(st.integers(0, 130), st.floats(0, 0.5), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_a_repeat_comes_at_least_twenty_sets_after_its_first_showing(
    sets: int, share: float, seed: int
) -> None:
    chosen = RoundDesign(seed=seed, repeat_share=share)

    shown = showings(chosen, "Ada", 0, [f"{number:04x}" for number in range(sets)])

    order = shown.sequence()
    assert len(order) == sets + len(shown.repeats)
    assert len(shown.repeats) == min(round(share * sets), max(sets - 19, 0))
    for key in shown.repeats:
        assert order.index((key, True)) - order.index((key, False)) >= 20


def test_a_design_stays_as_it_is_once_a_packet_has_left_and_a_new_round_can_be_opened(tmp_path: Path) -> None:
    with team.new_study(tmp_path / "study", roles=2) as store:
        first = team.open_round(store)
        made = [one.images for one in team.design(store).training]
        store.put_key_answers([])
        team.packet_for(store, "Ana", tmp_path / "ana.packet")
        row = ("new", "occupation_0", Condition.CF, "flux-dev", [image.image_id for image in made[0]])

        with pytest.raises(StoreError, match="has left"):
            store.add_image_sets(first, [row])
        with pytest.raises(StoreError, match="has left"):
            store.put_key_answers([(number, *row) for (number, *row) in _some_key(store, first)])
        with pytest.raises(BadInput, match="another round"):
            team.open_round(store)
        store.lock_round(first)
        second = team.open_round(store, seed=77)

        assert [found.name for found in store.rounds()] == ["Round 1", "Round 2"]
        assert len(store.image_sets(second)) == len(store.image_sets(first)) == 12


def _some_key(store: Store, round_id: int):
    (number, question), key = next(iter(store.key_answers(round_id).items()))
    return [(number, question, key)]
