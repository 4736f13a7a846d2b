"""The JSON schema of an answer, built from the study's schema, and what a server may not take of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from core.records import UNKNOWN
from core.schema import Dimension, Schema

Json: TypeAlias = dict[str, Any]

PERSONS = "n_persons"
"""Key of the number of people, beside the dimensions."""

NAME = "reading"
"""What the schema is called in a request."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the strict JSON schemas of a server can hold."""

    properties: int
    depth: int
    enum_values: int
    characters: int
    long_enum_values: int
    long_enum_characters: int


def answer_schema(schema: Schema, *, bounds: bool = True) -> Json:
    """The JSON schema of one picture's answer, in the strict form: closed, with every key required.

    Parameters
    ----------
    schema : Schema
        The study's schema. Every dimension is a key; `unknown` is among the values of each closed one.
    bounds : bool
        Whether lists say how many entries they hold; not every server takes that.
    """
    keys: Json = {PERSONS: {"type": "integer"}}
    keys |= {dimension.id: _value_schema(dimension, bounds) for dimension in schema.dimensions}
    return {"type": "object", "properties": keys, "required": list(keys), "additionalProperties": False}


def _value_schema(dimension: Dimension, bounds: bool) -> Json:
    word: Json = {"type": "string"}
    if dimension.is_closed:
        word["enum"] = [*dimension.label_ids, UNKNOWN]
    if not dimension.is_list:
        return word
    value: Json = {"type": "array", "items": word}
    if bounds:
        value["minItems"] = 1
        if dimension.max_labels is not None:
            value["maxItems"] = dimension.max_labels
    return value


def problems_for(schema: Json, limits: Limits) -> list[str]:
    """Why a server would not take a JSON schema, one sentence each; empty when it would.

    >>> few = Limits(9, 9, 3, 999, 9, 99)
    >>> problems_for({"type": "string", "enum": ["red", "green", "blue", "grey"]}, few)
    ['It lists 4 labels, and the server takes 3.']
    """
    parts = list(_parts(schema))
    properties = sum(len(part.get("properties", {})) for part, _ in parts)
    depth = max(level for _, level in parts)
    enums = {path: part["enum"] for path, part in _enums(schema)}
    values = sum(len(words) for words in enums.values())
    characters = sum(len(key) for part, _ in parts for key in part.get("properties", {}))
    characters += sum(len(word) for words in enums.values() for word in words)
    problems = [
        f"It {verb} {count:,} {noun}, and the server takes {most:,}."
        for verb, count, noun, most in (
            ("has", properties, "keys", limits.properties),
            ("is", depth, "levels deep", limits.depth),
            ("lists", values, "labels", limits.enum_values),
            ("holds", characters, "characters of names and labels", limits.characters),
        )
        if count > most
    ]
    problems += [
        f"The {len(words):,} labels of {path} have {sum(map(len, words)):,} characters together, and the"
        f" server takes {limits.long_enum_characters:,} in a list of more than {limits.long_enum_values}."
        for path, words in enums.items()
        if len(words) > limits.long_enum_values and sum(map(len, words)) > limits.long_enum_characters
    ]
    return problems + list(_loose_ends(schema))


def _loose_ends(schema: Json, path: str = "the answer") -> Iterator[str]:
    """What the strict form forbids whatever the server: open objects and keys that may be left out."""
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            yield f"{path} may hold keys that are not listed; a strict schema is closed."
        for key in schema.get("properties", {}):
            if key not in schema.get("required", []):
                yield f"{key} may be left out; in a strict schema every key is required."
    for key, child in _children(schema):
        yield from _loose_ends(child, key)


def _enums(schema: Json, path: str = "the answer") -> Iterator[tuple[str, Json]]:
    if "enum" in schema:
        yield path, schema
    for key, child in _children(schema):
        yield from _enums(child, key or path)


def _parts(schema: Json, level: int = 1) -> Iterator[tuple[Json, int]]:
    yield schema, level
    for _, child in _children(schema):
        yield from _parts(child, level + 1)


def _children(schema: Json) -> Iterator[tuple[str, Json]]:
    yield from schema.get("properties", {}).items()
    if "items" in schema:
        yield "", schema["items"]
