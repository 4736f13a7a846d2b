"""What training pictures are of: captions in the form of a study's prompts, and a certain condition."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from core.generation.drawn.places import scene_at, work_of
from core.phantom.captions import SHARES, all_words, caption, contexts, draw_case, roles
from core.phantom.words import LENGTH, make_tokenizer, token_ids
from core.records import Condition
from core.sample import sample_plan

CASES = [draw_case(Random(number)) for number in range(3000)]
NURSE = next(role for role in roles() if role.name == "nurse")


def test_it_knows_twenty_roles_and_all_of_the_sample_study() -> None:
    known = {role.name for role in roles()}
    assert len(known) == 20
    assert {role.name for role in sample_plan().roles} <= known


def test_every_context_of_the_sample_study_was_shown_in_the_condition_it_has_there() -> None:
    for prompt in sample_plan().prompts:
        if prompt.place is not None and prompt.condition is not None:
            shown = {each.place for each in contexts(prompt.role, prompt.condition)}
            assert prompt.place in shown, prompt.text


def test_an_unrelated_place_is_never_drawn_like_a_place_of_the_roles_work() -> None:
    for role in roles():
        own = {scene_at(each.place).name for each in contexts(role.name, Condition.CA_R)}
        own.add(work_of(role.name).scene)
        assert not own & {scene_at(each.place).name for each in contexts(role.name, Condition.CA_U)}


def test_a_caption_is_the_prompt_of_a_study_with_what_is_stated_put_in() -> None:
    assert caption(NURSE) == "a photo of a nurse"
    stated = {"gender_presentation": "male", "eyewear_type": "eyeglasses", "facial_hair_style": "beard"}
    found = caption(NURSE, "a picture of", "a barn", "feeding cows", stated)
    assert found == "a picture of a male nurse wearing glasses with a beard feeding cows in a barn"
    accountant = next(role for role in roles() if role.name == "accountant")
    assert caption(accountant) == "a photo of an accountant"
    assert caption(accountant, stated={"gender_presentation": "female"}) == "a photo of a female accountant"


def test_conditions_come_in_their_shares_and_what_is_stated_is_even() -> None:
    conditions = Counter(case.condition for case in CASES)
    assert {each: count / len(CASES) for each, count in conditions.items()} == pytest.approx(SHARES, abs=0.03)
    genders = Counter(case.stated.get("gender_presentation") for case in CASES)
    assert genders["female"] / (genders["female"] + genders["male"]) == pytest.approx(0.5, abs=0.07)
    assert all(case.place is None for case in CASES if case.condition is Condition.CF)


def test_every_word_of_a_prompt_is_one_token_and_no_prompt_is_cut() -> None:
    tokenizer = make_tokenizer(all_words())
    for prompt in sample_plan().prompts:
        pieces = tokenizer.tokenize(prompt.text)
        assert all(piece.endswith("</w>") for piece in pieces), pieces
    longest = max((case.caption for case in CASES), key=len)
    assert len(tokenizer.tokenize(longest)) + 2 <= LENGTH
    assert token_ids(tokenizer, [longest, ""]).shape == (2, LENGTH)


def test_an_unknown_word_is_spelt_out_and_no_error() -> None:
    tokenizer = make_tokenizer(all_words())
    pieces = tokenizer.tokenize("a photo of a zebra ✓")
    assert "".join(pieces).startswith("a</w>photo</w>of</w>a</w>")
    assert tokenizer.unk_token_id not in tokenizer("zebra", add_special_tokens=False).input_ids
