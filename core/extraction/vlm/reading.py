"""From the text of an answer to readings: what is in the vocabulary counts, and nothing else does.

A value outside the vocabulary goes through the schema's aliases; failing that the dimension is invalid and
the rest of the record stays. A dimension that is missing, empty or of another type is invalid, too, and
never `unknown`: that is what the model has to say itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.extraction.vlm.json_schema import PERSONS, Json
from core.label_form import look_up_form
from core.records import UNKNOWN, DimensionReading, Status
from core.schema import Dimension, Schema

NONE = "none"
LONGEST_LABEL = 60
"""Characters of an open label; what is longer is a sentence and no label."""

MOST_PERSONS = 10_000

_UNKNOWN = DimensionReading(status=Status.UNKNOWN)
_INVALID = DimensionReading(status=Status.INVALID)
_THOUGHTS = re.compile(r"^\s*<think>.*?</think>", re.S)


@dataclass(frozen=True, slots=True)
class Parsed:
    """What an answer says. `notes` has a sentence for each dimension where not all of it could be taken."""

    readings: Mapping[str, DimensionReading]
    n_persons: int | None
    notes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Unusable:
    """An answer that says nothing: the sentence is part of what the model is told about it."""

    sentence: str


@dataclass
class _Notes:
    said: dict[str, str] = field(default_factory=dict)

    def invalid(self, name: str, why: str) -> DimensionReading:
        """Note why a dimension is invalid."""
        self.said[name] = why
        return _INVALID


def parse(text: str, schema: Schema, refusal_phrases: Sequence[str] = ()) -> Parsed | Unusable:
    """The readings in the text of an answer, or why there are none.

    Parameters
    ----------
    text : str
        The answer. A code fence, words around the object and hidden reasoning are passed over.
    schema : Schema
        The study's schema.
    refusal_phrases : sequence of str
        Words with which models decline, in lower case; an open label that holds one is invalid.
    """
    found = _object_in(text)
    if isinstance(found, Unusable):
        return found
    data, twice = found
    said = _by_id(data, schema, twice)
    there = [name for name in schema.dimension_ids if name in said]
    if len(there) * 2 < len(schema.dimension_ids):
        return Unusable(f"it has {len(there)} of the {len(schema.dimension_ids)} keys.")
    notes = _Notes()
    readings = {}
    for dimension in schema.dimensions:
        if dimension.id not in said:
            readings[dimension.id] = notes.invalid(dimension.id, "It is missing.")
        elif dimension.id in twice:
            readings[dimension.id] = notes.invalid(dimension.id, "It is given twice with two values.")
        else:
            readings[dimension.id] = _reading(said[dimension.id], dimension, schema, refusal_phrases, notes)
    if all(reading.status is Status.INVALID for reading in readings.values()):
        return Unusable("none of its values is among those listed.")
    persons = said.get(PERSONS)
    is_count = type(persons) is int and 0 <= persons <= MOST_PERSONS
    if not is_count:
        notes.said[PERSONS] = "It is no number of people."
    return Parsed(readings, persons if is_count else None, notes.said)


def declines(text: str, refusal_phrases: Sequence[str]) -> bool:
    """Whether a text that is no JSON is a refusal in words.

    >>> declines("I'm sorry, but I can't identify people.", ["i'm sorry"])
    True
    """
    start = _THOUGHTS.sub("", text).strip()[:300].casefold()
    return any(phrase in start for phrase in refusal_phrases)


def _by_id(data: Json, schema: Schema, twice: set[str]) -> Json:
    """The object with the ids of dimensions as keys, where their display names or other cases were used."""
    if schema.dimension_ids == tuple(key for key in data if key != PERSONS):
        return data
    keys = {look_up_form(name): name for name in schema.dimension_ids}
    keys |= {look_up_form(dimension.name): dimension.id for dimension in schema.dimensions}
    said: Json = {}
    for key, value in data.items():
        name = keys.get(look_up_form(key), key)
        if key in twice or said.get(name, value) != value:
            twice.add(name)
        said[name] = value
    return said


def _reading(
    value: Any, dimension: Dimension, schema: Schema, refusal_phrases: Sequence[str], notes: _Notes
) -> DimensionReading:
    words = value if isinstance(value, list) else [value]
    if not words:
        return notes.invalid(dimension.id, "The list is empty.")
    labels: list[str] = []
    for word in words:
        label = _label(word, dimension, schema, refusal_phrases)
        if label is None:
            return notes.invalid(dimension.id, f"{_short(word)} is not in its vocabulary.")
        labels.append(label)
    labels = list(dict.fromkeys(labels))
    if not dimension.is_list and len(labels) > 1:
        return notes.invalid(dimension.id, "It has several labels and can have one.")
    return _settled(labels, dimension, notes)


def _settled(labels: list[str], dimension: Dimension, notes: _Notes) -> DimensionReading:
    """A reading of labels that are all in the vocabulary, without those that another one rules out."""
    for weak in (UNKNOWN, NONE):
        if weak in labels and len(labels) > 1:
            labels = [label for label in labels if label != weak]
            notes.said[dimension.id] = f"{weak} stood beside other labels and was left out."
    if labels == [UNKNOWN]:
        return _UNKNOWN
    if dimension.max_labels is not None and len(labels) > dimension.max_labels:
        notes.said[dimension.id] = (
            f"{len(labels)} labels were given and the first {dimension.max_labels} taken."
        )
        labels = labels[: dimension.max_labels]
    return DimensionReading(tuple(labels))


def _label(word: Any, dimension: Dimension, schema: Schema, refusal_phrases: Sequence[str]) -> str | None:
    if isinstance(word, bool):
        word = str(word).lower()
    if not isinstance(word, str):
        return None
    label = schema.canonical(dimension.id, word)
    if label is None or dimension.is_closed:
        return label
    is_label = len(label) <= LONGEST_LABEL and label.isprintable()
    return label if is_label and not any(phrase in label for phrase in refusal_phrases) else None


def _object_in(text: str) -> tuple[Json, set[str]] | Unusable:
    """The JSON object in a text, and its keys that stand there twice with different values."""
    plain = _THOUGHTS.sub("", text).strip()
    if not plain:
        return Unusable("it is empty.")
    start = plain.find("{")
    if start < 0:
        return Unusable("it holds no JSON object.")
    twice: set[str] = set()

    def pairs(items: list[tuple[str, Any]]) -> Json:
        found: Json = {}
        for key, value in items:
            if key in found and found[key] != value:
                twice.add(key)
            found[key] = value
        return found

    try:
        data, _ = json.JSONDecoder(object_pairs_hook=pairs).raw_decode(plain, start)
    except (ValueError, RecursionError) as error:
        return Unusable(f"it is no valid JSON ({_why(error)}).")
    inner = list(data.values())
    if len(inner) == 1 and isinstance(inner[0], dict):
        data = inner[0]  # {"reading": {…}}
    return data, twice


def _why(error: Exception) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else "it is too deep or too long"


def _short(word: Any) -> str:
    text = repr(word) if isinstance(word, str) else f"A value of type {type(word).__name__}"
    return text if len(text) <= 60 else text[:60] + "…"
