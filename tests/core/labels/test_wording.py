from __future__ import annotations

import pytest

from core.labels.wording import alias_of, fold, kind_of, wording


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lab-coats", "a lab coat"),
        ("labcoat", "lab coat"),
        ("grey scarves", "gray scarf"),
        ("chef's hat", "chef hat"),
        ("without a beard", "no beard"),
        ("moustaches", "mustache"),
    ],
)
def test_two_spellings_of_the_same_words_have_one_key(one: str, other: str) -> None:
    assert wording(one).key == wording(other).key
    assert kind_of(wording(one), wording(other)) == "spelling"


@pytest.mark.parametrize(
    ("one", "other"),
    [("glass", "glasses"), ("cloth", "clothes"), ("short", "shorts"), ("bus", "bu")],
)
def test_a_plural_that_is_another_thing_keeps_its_ending(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("beard", "no beard"),
        ("sleeveless shirt", "shirt"),
        ("buttoned shirt", "unbuttoned shirt"),
        ("glasses", "without any glasses"),
        ("no hat", "no coat"),
        ("woman's coat", "coat"),
        ("waiter", "waitress"),
    ],
)
def test_nothing_is_merged_over_a_negation_or_a_gender(one: str, other: str) -> None:
    assert kind_of(wording(one), wording(other)) == "none"
    assert kind_of(wording(other), wording(one)) == "none"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("lab coat", "trench coat"),
        ("coat", "raincoat"),
        ("overcoat", "raincoat"),
        ("white lab coat", "lab coat"),
        ("sunglasses", "eyeglasses"),
        ("holding a cup", "holding a book"),
        ("coffee cup", "cup of tea"),
    ],
)
def test_another_modifier_is_another_modifier_also_in_a_compound(one: str, other: str) -> None:
    assert kind_of(wording(one), wording(other)) == "modifier"


def test_a_uniform_is_not_the_opposite_of_a_form() -> None:
    assert wording("uniformed guard").negated == frozenset()
    assert wording("stainless steel pan").negated == frozenset()


def test_an_alias_holds_in_its_dimension_and_in_any_spelling() -> None:
    assert alias_of("clothing_garment", "Slacks") == "pants"
    assert alias_of("items", "slacks") is None
    assert alias_of("items", "cell-phones") == "mobile phone"
    assert alias_of("items", "mobile phones") is None
