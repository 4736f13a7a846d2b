"""From an answer's text to readings: nothing invalid becomes unknown, nothing unknown becomes a label."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.extraction.vlm.reading import Parsed, Unusable, declines, parse
from core.extraction.vlm.template import load_template
from core.records import DimensionReading, Status
from core.schema import load_schema
from tests.fake_server import true_reading

SCHEMA = load_schema()
PHRASES = load_template().refusal_phrases
GOOD = true_reading(b"some", SCHEMA)


def parsed(**changes: Any) -> Parsed:
    found = parse(json.dumps(GOOD | changes), SCHEMA, PHRASES)
    assert isinstance(found, Parsed)
    return found


def reading(dimension: str, value: Any) -> DimensionReading:
    return parsed(**{dimension: value}).readings[dimension]


@pytest.mark.parametrize(
    ("dimension", "value", "labels"),
    [
        ("mood", "calm", ("calm",)),
        ("mood", ["calm"], ("calm",)),
        ("age_range", "Middle-aged", ("middle_aged",)),
        ("hair_color", "grey", ("gray",)),
        ("eyewear_present", True, ("yes",)),
        ("eyewear_present", "false", ("no",)),
        ("dominant_colors", ["red", "blue", "red"], ("red", "blue")),
        ("dominant_colors", ["red", "blue", "green", "white"], ("red", "blue", "green")),
        ("dominant_colors", "red", ("red",)),
        ("accessories", ["none"], ("none",)),
        ("accessories", ["none", "watch"], ("watch",)),
        ("items", ["Wooden_Spoon", "unknown"], ("wooden spoon",)),
        ("clothing_garment", ["none"], ("none",)),
    ],
)
def test_a_value_in_the_vocabulary_or_an_alias_is_a_label(dimension: str, value: Any, labels: Any) -> None:
    assert reading(dimension, value) == DimensionReading(labels)


@pytest.mark.parametrize(
    ("dimension", "value"),
    [
        ("mood", "unknown"),
        ("mood", "Cannot tell"),
        ("dominant_colors", ["unknown"]),
        ("items", ["not visible"]),
    ],
)
def test_unknown_is_what_the_model_says_itself(dimension: str, value: Any) -> None:
    assert reading(dimension, value) == DimensionReading(status=Status.UNKNOWN)


@pytest.mark.parametrize(
    ("dimension", "value"),
    [
        ("mood", "jolly"),
        ("mood", ""),
        ("mood", None),
        ("mood", 3),
        ("mood", {"label": "calm"}),
        ("mood", ["calm", "tense"]),
        ("mood", "calm, tense"),
        ("dominant_colors", []),
        ("dominant_colors", ["red", "blurple"]),
        ("dominant_colors", [["red"]]),
        ("items", ["a pan", 7]),
        ("items", ["I'm sorry, I cannot identify people"]),
        ("items", ["a very long description of everything that can be seen on the table in front"]),
        ("items", ["pan\x00"]),
        ("items", [" .,"]),
    ],
)
def test_everything_else_is_invalid_and_noted(dimension: str, value: Any) -> None:
    found = parsed(**{dimension: value})
    assert found.readings[dimension] == DimensionReading(status=Status.INVALID)
    assert found.notes[dimension]
    others = {name: each for name, each in found.readings.items() if name != dimension}
    assert others == {name: each for name, each in parsed().readings.items() if name != dimension}


def test_a_missing_dimension_is_invalid_and_an_additional_key_does_no_harm() -> None:
    data = {key: value for key, value in GOOD.items() if key != "mood"} | {"comment": "nice"}
    found = parse(json.dumps(data), SCHEMA)
    assert isinstance(found, Parsed)
    assert found.readings["mood"].status is Status.INVALID
    assert tuple(found.readings) == SCHEMA.dimension_ids


def test_keys_by_display_name_and_inside_one_wrapper_are_found() -> None:
    data = {dimension.name.title(): GOOD[dimension.id] for dimension in SCHEMA.dimensions}
    found = parse(json.dumps({"reading": data | {"n_persons": 2}}), SCHEMA)
    assert isinstance(found, Parsed)
    assert found.readings == parsed().readings
    assert found.n_persons == 2


def test_a_dimension_that_is_given_twice_with_two_values_is_invalid() -> None:
    text = json.dumps(GOOD | {"mood": "calm"})
    twice = text.replace('"mood": "calm"', '"mood": "calm", "mood": "tense"')
    same = text.replace('"mood": "calm"', '"mood": "calm", "mood": "calm"')
    found, kept = parse(twice, SCHEMA), parse(same, SCHEMA)
    assert isinstance(found, Parsed)
    assert isinstance(kept, Parsed)
    assert found.readings["mood"].status is Status.INVALID
    assert kept.readings["mood"].labels == ("calm",)


@pytest.mark.parametrize("persons", [None, "two", -1, 2.5, True, 10**9])
def test_what_is_no_number_of_persons_is_none_and_noted(persons: Any) -> None:
    found = parsed(n_persons=persons)
    assert found.n_persons is None
    assert "n_persons" in found.notes


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "A kitchen.",
        "[]",
        "{",
        '{"mood": "calm"',
        "{}",
        '{"mood": "calm"}',
        "null",
        '{"a": {"b": {}}}',
        "{" * 5000,
    ],
)
def test_what_says_nothing_is_unusable_with_a_sentence(text: str) -> None:
    found = parse(text, SCHEMA, PHRASES)
    assert isinstance(found, Unusable)
    assert found.sentence.endswith(".")


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",
        "I’m unable to identify people in images.",
        "<think>They ask about a person.</think> I cannot assist with this request.",
        "As an AI model I cannot see.",
    ],
)
def test_refusals_in_words_are_known(text: str) -> None:
    assert declines(text, PHRASES)


def test_a_description_is_no_refusal() -> None:
    assert not declines("The picture shows a sorry-looking chef in a kitchen.", PHRASES)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=20)
    | st.sampled_from(["calm", "unknown", "red", "none"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from([*SCHEMA.dimension_ids, "n_persons", "x"]), VALUES, max_size=30))
def test_whatever_is_answered_only_the_vocabulary_counts(answer: dict[str, Any]) -> None:
    found = parse(json.dumps(GOOD | answer), SCHEMA, PHRASES)
    if isinstance(found, Unusable):
        return
    assert tuple(found.readings) == SCHEMA.dimension_ids
    for name, each in found.readings.items():
        assert each.status in (Status.OK, Status.UNKNOWN, Status.INVALID)
        assert bool(each.labels) == (each.status is Status.OK)
        assert all(SCHEMA.canonical(name, label) == label for label in each.labels)
        assert "unknown" not in each.labels


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    assert isinstance(parse(text, SCHEMA, PHRASES), Parsed | Unusable)
