"""The JSON schema of an answer, and the limits of servers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.extraction.vlm.json_schema import Limits, answer_schema, problems_for
from core.extraction.vlm.servers import servers
from core.schema import load_schema
from tests.fake_server import true_reading

SCHEMA = load_schema()
OPENAI = servers()[0].limits
WIDE = Limits(9999, 99, 99999, 999999, 9999, 999999)


def test_it_is_closed_and_every_key_is_required() -> None:
    made = answer_schema(SCHEMA)
    assert made["additionalProperties"] is False
    assert made["required"] == ["n_persons", *SCHEMA.dimension_ids] == list(made["properties"])


def test_unknown_is_a_value_of_every_closed_dimension_and_the_vocabulary_is_as_it_is() -> None:
    for dimension in SCHEMA.dimensions:
        value = answer_schema(SCHEMA)["properties"][dimension.id]
        word = value["items"] if dimension.is_list else value
        assert word.get("enum") == ([*dimension.label_ids, "unknown"] if dimension.is_closed else None)


def test_lists_have_bounds_only_where_the_server_takes_them() -> None:
    assert answer_schema(SCHEMA)["properties"]["dominant_colors"]["maxItems"] == 3
    assert "Items" not in json.dumps(answer_schema(SCHEMA, bounds=False))


def test_right_answers_fit_it_and_wrong_ones_do_not() -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="the package jsonschema is not installed")
    jsonschema.Draft202012Validator.check_schema(answer_schema(SCHEMA))
    answer = true_reading(b"some", SCHEMA)
    jsonschema.validate(answer, answer_schema(SCHEMA))
    for change in ({"mood": "jolly"}, {"items": []}, {"more": 1}, {"n_persons": "two"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(answer | change, answer_schema(SCHEMA))


def test_the_released_schema_keeps_to_the_limits() -> None:
    assert OPENAI is not None
    assert problems_for(answer_schema(SCHEMA), OPENAI) == []


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        (Limits(30, 99, 99999, 999999, 9999, 999999), "It has 31 keys, and the server takes 30."),
        (Limits(9999, 2, 99999, 999999, 9999, 999999), "It is 3 levels deep, and the server takes 2."),
        (Limits(9999, 99, 100, 999999, 9999, 999999), "It lists 231 labels, and the server takes 100."),
        (
            Limits(9999, 99, 99999, 500, 9999, 999999),
            "characters of names and labels, and the server takes 500.",
        ),
        (Limits(9999, 99, 99999, 999999, 15, 100), "labels of accessories have"),
    ],
)
def test_each_limit_is_told_with_its_numbers(limits: Limits, sentence: str) -> None:
    assert any(sentence in problem for problem in problems_for(answer_schema(SCHEMA), limits))


def test_an_open_object_and_an_optional_key_are_told() -> None:
    loose: dict[str, Any] = {"type": "object", "properties": {"mood": {"type": "string"}}, "required": []}
    problems = problems_for(loose, WIDE)
    assert any("closed" in problem for problem in problems)
    assert any("mood may be left out" in problem for problem in problems)
