"""The little English that prompts need."""

from __future__ import annotations

import pytest

from core.grammar import article_for, echoes, is_ing_form, stem_of

AN = """accountant,editor,umbrella,hour,honest mistake,heir,MRI,X-ray,FBI agent,IT department,8-bit console,
11th floor,18 m hall,80 m hall,unimportant room,uninsulated attic,HR office,LED wall,onerous task,usher"""
A = """CEO,clinic,European,university,unicorn,uniform,one-room flat,once-used hall,user,used-car lot,
utility room,UFO,U-turn,hotel,historian,NATO base,110 m track,ewe,1-bit clock,house,TV studio,PhD student,
Ukrainian,urinal"""


def phrases(text: str) -> list[str]:
    return [phrase.strip() for phrase in text.split(",")]


@pytest.mark.parametrize("phrase", phrases(AN))
def test_an_before_a_vowel_sound(phrase: str) -> None:
    assert article_for(phrase) == "an"


@pytest.mark.parametrize("phrase", phrases(A))
def test_a_before_a_consonant_sound(phrase: str) -> None:
    assert article_for(phrase) == "a"


@pytest.mark.parametrize(
    "activity", ["examining a patient", "blow-drying curls", "having a picnic", "digging"]
)
def test_a_verb_in_ing_form_is_known(activity: str) -> None:
    assert is_ing_form(activity)


@pytest.mark.parametrize(
    "activity", ["", "examine a patient", "string quartet", "grocery shopping", "ceiling"]
)
def test_another_beginning_is_not_taken_for_an_ing_form(activity: str) -> None:
    assert not is_ing_form(activity)


def test_a_stem_keeps_three_letters() -> None:
    words = ("actor", "poet", "ceo", "judge", "analyst", "salesperson")
    assert [stem_of(word) for word in words] == ["act", "poet", "ceo", "judg", "anal", "sales"]


def test_a_context_that_shares_a_stem_with_the_role_is_found() -> None:
    assert echoes("baker", "kneading dough in a bakery") == ["bakery"]
    assert echoes("writer", "writing at a desk") == ["writing"]
    assert echoes("bus driver", "driving a bus") == ["driving", "bus"]
    assert echoes("doctor", "reading a chart in a clinic") == []
