from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.design_opening import plan_round
from annotation.rounds import count_sets, deal, design_round, sets_from_images, usable_cells
from core.records import Condition, ImageStatus, StoredImage
from tests.annotation.sittings import make_image


def make_cell(
    first_id: int,
    prompts: int,
    seeds: int,
    role: str = "baker",
    condition: Condition | None = Condition.CF,
    generator: str = "drawn-a",
) -> list[StoredImage]:
    return [
        make_image(
            first_id + seeds * prompt + number,
            role=role,
            condition=condition,
            generator=generator,
            prompt=f"{role} {condition} prompt {prompt}",
        )
        for prompt in range(prompts)
        for number in range(seeds)
    ]


STUDY = [
    image
    for index, (role, condition, generator) in enumerate(
        (role, condition, generator)
        for role in ("baker", "nurse")
        for condition in Condition
        for generator in ("drawn-a", "drawn-b")
    )
    for image in make_cell(1000 * index, 6, 5, role, condition, generator)
]


def test_every_cell_makes_one_set_of_ten() -> None:
    plan = design_round(STUDY, seed=1)

    assert len({(one.role, one.condition, one.generator) for one in plan.sets}) == 12
    assert all(len(one.images) == 10 for one in plan.sets)
    assert plan.left_out == ()


def test_images_of_a_set_belong_to_its_cell() -> None:
    for one in design_round(STUDY, seed=1).sets:
        cells = {(image.role, image.condition, image.generator) for image in one.images}
        assert cells == {(one.role, one.condition, one.generator)}


def test_ten_images_are_spread_over_six_prompts_as_evenly_as_can_be() -> None:
    for one in design_round(STUDY, seed=1).sets:
        per_prompt = sorted(Counter(image.prompt for image in one.images).values())
        assert per_prompt == [1, 1, 2, 2, 2, 2]


def test_same_seed_same_round_and_another_seed_another() -> None:
    plan = design_round(STUDY, seed=1)

    again = design_round(list(reversed(STUDY)), seed=1)
    other = design_round(STUDY, seed=2)

    assert again.sets == plan.sets
    assert {one.key for one in other.sets}.isdisjoint(one.key for one in plan.sets)
    assert [one.row[4] for one in other.sets] != [one.row[4] for one in plan.sets]


def test_keys_name_no_role_condition_generator_or_order() -> None:
    keys = [one.key for one in design_round(STUDY, seed=1).sets]

    assert len(set(keys)) == 12
    assert all(len(key) == 16 and set(key) <= set("0123456789abcdef") for key in keys)
    assert keys == sorted(keys)


def test_position_in_the_set_tells_nothing_about_the_prompt() -> None:
    in_first_place = Counter(
        one.images[0].prompt.split()[-1] for seed in range(40) for one in design_round(STUDY, seed=seed).sets
    )

    assert len(in_first_place) == 6
    assert all(count > 40 for count in in_first_place.values())


def test_a_cell_with_too_few_images_is_named_with_its_reason() -> None:
    images = make_cell(0, 3, 3) + make_cell(100, 6, 5, role="nurse")

    plan = design_round(images, seed=1)

    assert [one.role for one in plan.sets] == ["nurse"]
    assert [(one.role, one.images, one.reason) for one in plan.left_out] == [
        ("baker", 9, "9 usable images, a set needs 10")
    ]


def test_a_cell_asked_for_without_any_image_is_named() -> None:
    plan = design_round(STUDY, seed=1, roles=["baker", "pilot"], conditions=[Condition.CF])

    assert {(one.role, one.generator, one.reason) for one in plan.left_out} == {
        ("pilot", "drawn-a", "no usable image"),
        ("pilot", "drawn-b", "no usable image"),
    }


def test_images_outside_what_was_asked_are_counted() -> None:
    plan = design_round(STUDY, seed=1, generators=["drawn-a"])

    assert len(plan.sets) == 6
    assert plan.not_asked == len(STUDY) // 2


def test_black_images_and_repeated_pixels_are_never_sampled() -> None:
    images = make_cell(0, 4, 3)
    images[0] = make_image(0, prompt=images[0].prompt, status=ImageStatus.BLACK)
    images[2] = make_image(2, prompt=images[2].prompt, sha256=images[1].sha256)

    (one,) = design_round(images, seed=1).sets

    assert {image.image_id for image in one.images} == set(range(12)) - {0, 2}
    assert design_round(images, seed=1).unusable == {"black": 1, "same pixels as another": 1}


def test_images_without_a_condition_make_no_set_of_a_round() -> None:
    plan = design_round(make_cell(0, 2, 8, condition=None), seed=1)

    assert plan.sets == ()
    assert [one.reason for one in plan.left_out] == ["no condition is stated for these images"]


def test_imported_images_are_all_used_and_the_last_set_is_smaller() -> None:
    images = make_cell(0, 1, 24, condition=None)

    plan = sets_from_images(images, seed=1)

    assert sorted(len(one.images) for one in plan.sets) == [4, 10, 10]
    assert sorted(image.image_id for one in plan.sets for image in one.images) == list(range(24))
    assert all(one.condition is None for one in plan.sets)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(1, 12), min_size=1, max_size=8), st.integers(0, 2**31), st.integers(1, 20))
def test_no_prompt_gives_more_than_it_must(sizes: list[int], seed: int, n: int) -> None:
    images = [
        make_image(100 * prompt + number, prompt=f"prompt {prompt}")
        for prompt, size in enumerate(sizes)
        for number in range(size)
    ]

    dealt = Counter(image.prompt for image in deal(images, seed, n))

    assert dealt.total() == min(n, sum(sizes))
    most = max(dealt.values())
    for prompt, size in enumerate(sizes):
        assert dealt[f"prompt {prompt}"] >= min(size, most - 1)


def test_sets_are_counted_as_they_are_planned() -> None:
    """Full, short and missing cells, repeated pixels, unusable images and images without a condition."""
    unstated = make_cell(20_000, 4, 3, "baker", None, "camera")
    short = make_cell(30_000, 3, 3, "pilot", Condition.CA_R, "drawn-a")
    black = [replace(one, status=ImageStatus.BLACK) for one in make_cell(40_000, 2, 6, "judge")]
    twice = [replace(one, image_id=one.image_id + 500, sha256=short[0].sha256) for one in short]
    images = [*STUDY, *unstated, *short, *black, *twice]
    cells = {(one.role, one.condition, one.generator): 0 for one in images}
    cells |= {cell: len(found) for cell, found in usable_cells(images)[0].items()}

    sets, left_out = count_sets(cells)

    plan = plan_round(images, 1)
    assert sets == len(plan.sets)
    assert Counter(left_out) == Counter(plan.left_out)
    assert {one.images for one in left_out} == {0, 9}
