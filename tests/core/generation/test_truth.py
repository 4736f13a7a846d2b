"""What is said about a picture can be seen in it."""

from __future__ import annotations

import pytest

from core.bank import load_contexts, load_roles
from core.generation.drawn.figure import Figure
from core.generation.drawn.painting import Sketch, sketch
from core.generation.drawn.truth import truth_of
from core.prompts import build_prompts
from core.records import Condition, Prompt
from core.schema import load_schema
from tests.contracts.generator_contract import make_prompt


@pytest.fixture(scope="module")
def plans() -> list[Sketch]:
    prompts = build_prompts(load_roles(), load_contexts(), seed=5)
    return [sketch("drawn-b", "drawn-b", prompt, seed) for prompt in prompts for seed in (1, 2)]


def truth(plan: Sketch) -> dict[str, tuple[str, ...]]:
    return truth_of(plan.values, plan.situation)


def test_every_role_and_condition_gives_truth_in_the_words_of_the_schema(plans: list[Sketch]) -> None:
    schema = load_schema()

    for plan in plans:
        for dimension, labels in truth(plan).items():
            known = schema.dimension(dimension)
            assert labels
            assert known.is_list or len(labels) == 1
            assert known.max_labels is None or len(labels) <= known.max_labels
            assert not known.is_closed or set(labels) <= set(known.label_ids)


def test_no_female_presentation_has_facial_hair(plans: list[Sketch]) -> None:
    for plan in plans:
        if plan.values["gender_presentation"] == "female":
            assert truth(plan).get("facial_hair_present") in (("no",), None)


def test_hijab_and_turban_leave_hair_unknown(plans: list[Sketch]) -> None:
    covered = [truth(plan) for plan in plans if plan.values["head_covering"] in ("hijab", "turban")]

    assert covered
    assert all(not {"hair_present", "hair_color", "hair_style"} & set(seen) for seen in covered)


def test_mask_hides_expression_and_beard(plans: list[Sketch]) -> None:
    masked = [truth(plan) for plan in plans if plan.values["mask"] == "yes"]

    assert masked
    assert all("mask" in seen["accessories"] for seen in masked)
    assert all(not {"expression", "facial_hair_present"} & set(seen) for seen in masked)


def test_hands_are_not_in_a_tight_frame(plans: list[Sketch]) -> None:
    tight = [truth(plan) for plan in plans if plan.values["framing"] == "tight"]

    assert tight
    assert all(not {"items", "pose", "activities"} & set(seen) for seen in tight)


def test_weather_is_known_outdoors_only(plans: list[Sketch]) -> None:
    for plan in plans:
        is_outdoors = plan.situation.scene(plan.values["setting"]).outdoors
        assert ("weather" in truth(plan)) is is_outdoors


def test_safety_gear_is_worn_with_a_helmet(plans: list[Sketch]) -> None:
    helmeted = [seen for seen in map(truth, plans) if seen["head_covering_type"] == ("helmet",)]

    assert helmeted
    assert all("safety_gear" in seen["accessories"] for seen in helmeted)


def test_held_thing_that_is_truth_is_drawn(plans: list[Sketch]) -> None:
    for plan in plans:
        figure = Figure(plan.values, plan.situation, plan.pick)
        assert (figure.item is not None) is ("activities" in truth(plan))


PERSON = ("gender_presentation", "skin_tone", "age_range", "hair_style", "eyewear_type")


def test_person_changes_between_conditions_only_where_the_planted_shares_do() -> None:
    related = make_prompt("nurse", Condition.CA_R, place="a clinic")
    elsewhere = make_prompt("nurse", Condition.CA_R, place="a forest", activity="following a trail")

    assert all(_person(related, seed) == _person(elsewhere, seed) for seed in range(50))


def test_common_numbers_keep_most_people_the_same_where_the_shares_do_change() -> None:
    free = make_prompt("accountant", Condition.CF)
    unrelated = make_prompt("accountant", Condition.CA_U, place="a forest")

    same = sum(_person(free, seed)[0] == _person(unrelated, seed)[0] for seed in range(400))

    assert same > 360  # the planted shares of the two differ by 5 points


def test_another_wording_is_another_person() -> None:
    one, other = make_prompt("nurse"), make_prompt("nurse", wording="a realistic image of")

    assert any(_person(one, seed) != _person(other, seed) for seed in range(10))


def _person(prompt: Prompt, seed: int) -> list[str]:
    values = sketch("drawn-a", "drawn-a", prompt, seed).values
    return [values[name] for name in PERSON]
