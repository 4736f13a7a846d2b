from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import BadInput
from core.records import Condition, Prompt, PromptKind
from storage.store import Store
from storage.study import ExtractorInfo, GeneratorInfo
from tests.storage.builders import DRIVER, NURSE, ROLES, make_image, make_prompt


def test_roles_come_back_in_order(store: Store) -> None:
    assert store.roles() == ROLES


def test_a_role_added_again_takes_its_new_writing_and_keeps_its_place(store: Store) -> None:
    edited = replace(NURSE, plural="nursing staff")

    store.add_roles([edited])

    assert store.roles() == [edited, DRIVER]


def test_prompts_come_back_in_order_with_everything_in_them(store: Store) -> None:
    before = store.prompts()
    full = Prompt(
        "nurse",
        Condition.CA_R,
        PromptKind.SUBSTITUTION,
        "a realistic image of a nurse reading a chart in a clinic",
        "a realistic image of",
        "a clinic",
        "reading a chart",
    )

    store.add_prompts([full, make_prompt("nurse", None)])

    assert store.prompts() == [*before, full, make_prompt("nurse", None)]


@pytest.mark.parametrize("condition", [Condition.CF, None])
def test_a_prompt_is_the_same_by_role_condition_and_text(store: Store, condition: Condition | None) -> None:
    prompt = make_prompt("nurse", condition, "the same words")
    store.add_prompts([prompt])
    before = store.prompts()

    store.add_prompts([prompt, replace(prompt, wording="another")])

    assert store.prompts() == before


def test_a_prompt_of_an_unknown_role_is_refused_with_all_others(store: Store) -> None:
    before = store.prompts()

    with pytest.raises(BadInput, match="no role 'astronaut'"):
        store.add_prompts([make_prompt("nurse", text="new"), make_prompt("astronaut")])

    assert store.prompts() == before


def test_a_generator_is_added_once_with_its_settings(store: Store) -> None:
    store.add_generator("sdxl", "diffusers", {"steps": 30, "size": [1024, 1024]})
    store.add_generator("sdxl", "diffusers", {"size": [1024, 1024], "steps": 30})

    assert store.generators() == [
        GeneratorInfo("drawn-a", "drawn", {"size": 16}),
        GeneratorInfo("sdxl", "diffusers", {"steps": 30, "size": [1024, 1024]}),
    ]


def test_settings_may_change_until_there_is_an_image(store: Store) -> None:
    store.add_generator("drawn-a", "drawn", {"size": 512})

    assert store.generators() == [GeneratorInfo("drawn-a", "drawn", {"size": 512})]


def test_other_settings_need_another_name(store: Store) -> None:
    store.add_image(make_image(1))

    with pytest.raises(BadInput, match="generator 'drawn-a' is in this study already, with other settings"):
        store.add_generator("drawn-a", "drawn", {"size": 512})
    with pytest.raises(BadInput, match="extractor 'reader' is in this study already"):
        store.add_extractor("reader", {"temperature": 1})

    assert store.generators() == [GeneratorInfo("drawn-a", "drawn", {"size": 16})]


def test_an_extractor_is_added_once_with_its_parameters(store: Store) -> None:
    store.add_extractor("drawn-reader", {}, is_simulated=True)
    store.add_extractor("drawn-reader", {}, is_simulated=True)

    assert store.extractors() == [
        ExtractorInfo("reader", {"temperature": 0}, is_simulated=False),
        ExtractorInfo("drawn-reader", {}, is_simulated=True),
    ]
