"""The audit schema: 30 dimensions in four cohorts, their labels and what each label means.

A closed dimension has a vocabulary that nothing enters; an open one takes words as they are said.
`unknown` (not visible, not enough evidence) is a status and in no vocabulary; `none` and `no` are labels.
A label is identified by (dimension, label): `medium` of framing is not `medium` of skin tone.

The schema is data (`resources/schema.json`) that a study may edit; `problems_of` says what is wrong with
an edited one. Ids stay as published (`hair_color`); the names on the screen are British.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, cast

from core.errors import BadInput
from core.keys import key_of
from core.paths import RESOURCES
from core.records import UNKNOWN

COHORTS = ("Scene", "Camera", "Objects", "People")
KINDS = ("closed", "closed_list", "open_list")

Kind: TypeAlias = Literal["closed", "closed_list", "open_list"]

ANY_DIMENSION = "*"
"""Key of the aliases that hold in every dimension."""

_ID = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class LabelDefinition:
    """One label of a closed vocabulary, as an annotator reads it."""

    id: str
    name: str
    definition: str


@dataclass(frozen=True)
class Dimension:
    """One attribute of an image. `max_labels` is the most that a list may hold; None is no limit."""

    id: str
    name: str
    cohort: str
    kind: Kind
    labels: tuple[LabelDefinition, ...]
    max_labels: int | None
    definition: str

    @property
    def is_closed(self) -> bool:
        """Whether the labels come from a fixed vocabulary."""
        return self.kind != "open_list"

    @property
    def is_list(self) -> bool:
        """Whether an image may have several labels."""
        return self.kind != "closed"

    @cached_property
    def label_ids(self) -> tuple[str, ...]:
        """Ids of the vocabulary in order; empty for an open dimension."""
        return tuple(label.id for label in self.labels)

    def label(self, label_id: str) -> LabelDefinition:
        """The definition of a label of this dimension; KeyError for another id."""
        for label in self.labels:
            if label.id == label_id:
                return label
        raise KeyError(f"{self.id} has no label {label_id}")


@dataclass(frozen=True)
class Schema:
    """All dimensions in order, and per dimension the other spellings that are accepted on the way in."""

    version: str
    dimensions: tuple[Dimension, ...]
    aliases: Mapping[str, Mapping[str, str]]

    @cached_property
    def dimension_ids(self) -> tuple[str, ...]:
        """Ids of all dimensions in order."""
        return tuple(dimension.id for dimension in self.dimensions)

    def dimension(self, dimension_id: str) -> Dimension:
        """The dimension with this id; BadInput when the schema has none."""
        found = self._by_id.get(dimension_id)
        if found is None:
            raise BadInput(
                f"The schema has no dimension {dimension_id!r}.",
                f"Use one of: {', '.join(self.dimension_ids)}.",
            )
        return found

    def has(self, dimension_id: str) -> bool:
        """Whether the schema has a dimension with this id."""
        return dimension_id in self._by_id

    def of_cohort(self, cohort: str) -> tuple[Dimension, ...]:
        """The dimensions of one cohort in order."""
        return tuple(dimension for dimension in self.dimensions if dimension.cohort == cohort)

    @cached_property
    def hash(self) -> str:
        """Content key of everything in the schema, wording included."""
        return key_of(self.as_data())

    def as_data(self) -> dict[str, Any]:
        """The schema as JSON-able data; `read_schema` of its JSON text gives the same schema."""
        return {
            "version": self.version,
            "dimensions": [_dimension_data(dimension) for dimension in self.dimensions],
            "aliases": {key: dict(words) for key, words in self.aliases.items()},
        }

    def canonical(self, dimension_id: str, text: str) -> str | None:
        """What a word said about a dimension means in its vocabulary.

        Returns a label id, `unknown`, or None for a word outside the vocabulary. Closed words are
        matched by id, by display name and by alias, never by likeness. An open dimension gives the
        word back in lower case with single spaces; an empty one gives None.

        >>> schema = load_schema()
        >>> schema.canonical("age_range", "Middle-aged"), schema.canonical("hair_color", "grey")
        ('middle_aged', 'gray')
        >>> schema.canonical("age_range", "ageless") is None
        True
        """
        dimension = self.dimension(dimension_id)
        word = _word(text)
        meaning = self._meanings[dimension_id].get(word)
        if meaning is not None:
            return meaning
        if dimension.is_closed:
            return None
        return normal_text(text) or None

    @cached_property
    def _by_id(self) -> dict[str, Dimension]:
        return {dimension.id: dimension for dimension in self.dimensions}

    @cached_property
    def _meanings(self) -> dict[str, dict[str, str]]:
        """Per dimension: word -> label id or `unknown`. The vocabulary goes before any alias."""
        everywhere = self.aliases.get(ANY_DIMENSION, {})
        meanings: dict[str, dict[str, str]] = {}
        for dimension in self.dimensions:
            words = {_word(said): meant for said, meant in everywhere.items()}
            words |= {_word(said): meant for said, meant in self.aliases.get(dimension.id, {}).items()}
            words |= {_word(label.name): label.id for label in dimension.labels}
            words |= {_word(label.id): label.id for label in dimension.labels}
            meanings[dimension.id] = words | {UNKNOWN: UNKNOWN}
        return meanings


def normal_text(text: str) -> str:
    """Open wording in one form: NFC, lower case, single spaces, no full stop or comma at the ends.

    >>> normal_text("  Lab_Coat. ")
    'lab coat'
    """
    plain = unicodedata.normalize("NFC", text).replace("_", " ").casefold()
    return " ".join(plain.split()).strip(" .,;:")


def load_schema(path: Path | None = None) -> Schema:
    """The schema of this release, or a user's own file; BadInput says what is wrong with that one."""
    path = path or RESOURCES / "schema.json"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The schema {path.name} cannot be read: {error}.") from error
    return read_schema(text, path.name)


def read_schema(text: str, where: str = "the schema") -> Schema:
    """A schema from its JSON text; `where` names it in the error."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput(f"{where} is not JSON: {error.msg} in line {error.lineno}.") from error
    problems = problems_of(data)
    if problems:
        more = f" Then see to {len(problems) - 1} more." if len(problems) > 1 else ""
        raise BadInput(f"{where}: {problems[0]}", f"Correct this and load it again.{more}")
    aliases = {key: MappingProxyType(dict(words)) for key, words in data.get("aliases", {}).items()}
    dimensions = tuple(_dimension(item) for item in data["dimensions"])
    return Schema(data["version"], dimensions, MappingProxyType(aliases))


def problems_of(data: Any) -> list[str]:
    """What is wrong with schema data, one sentence each, in the order of the file; empty when nothing is."""
    if not isinstance(data, dict) or not isinstance(data.get("dimensions"), list):
        return ["The schema needs an object with a version and a list of dimensions."]
    problems = [] if _is_text(data.get("version")) else ["The schema has no version."]
    if not data["dimensions"]:
        problems.append("The schema has no dimensions.")
    vocabularies: dict[str, set[str]] = {}
    for position, item in enumerate(data["dimensions"], start=1):
        if not isinstance(item, dict) or not _is_id(item.get("id")):
            problems.append(f"Dimension {position} has no usable id (small letters, digits and _).")
            continue
        if item["id"] in vocabularies:
            problems.append(f"The dimension id {item['id']} is used twice.")
        problems.extend(_dimension_problems(item))
        vocabularies[item["id"]] = _label_ids(item)
    problems.extend(_alias_problems(data.get("aliases", {}), vocabularies))
    return problems


def _dimension_problems(item: dict[str, Any]) -> Iterator[str]:
    name = item["id"]
    if not _is_text(item.get("name")):
        yield f"The dimension {name} has no display name."
    if not _is_text(item.get("definition")):
        yield f"The dimension {name} has no definition."
    if item.get("cohort") not in COHORTS:
        yield f"The dimension {name} is in no cohort; use one of {', '.join(COHORTS)}."
    if item.get("kind") not in KINDS:
        yield f"The kind of {name} is not one of {', '.join(KINDS)}."
    most = item.get("max_labels")
    if most is not None and (type(most) is not int or most < 1 or item.get("kind") == "closed"):
        yield f"max_labels of {name} must be a whole number from 1, and only a list has one."
    labels = item.get("labels", [])
    if not isinstance(labels, list) or not all(isinstance(label, dict) for label in labels):
        yield f"The labels of {name} must be a list of objects with id, name and definition."
        return
    if item.get("kind") == "open_list" and labels:
        yield f"The dimension {name} is open and cannot list labels."
    if item.get("kind") in ("closed", "closed_list") and len(labels) < 2:
        yield f"The dimension {name} is closed and needs two labels or more."
    yield from _label_problems(name, labels)


def _label_problems(dimension: str, labels: list[dict[str, Any]]) -> Iterator[str]:
    for position, label in enumerate(labels, start=1):
        if not _is_id(label.get("id")):
            yield f"Label {position} of {dimension} has no usable id (small letters, digits and _)."
            continue
        if label["id"] == UNKNOWN:
            yield f"{dimension} lists unknown as a label; it is a status and always offered."
        if not _is_text(label.get("name")):
            yield f"The label {label['id']} of {dimension} has no display name."
        if not _is_text(label.get("definition")):
            yield f"The label {label['id']} of {dimension} has no definition."
    for what in ("id", "name"):
        for text, times in Counter(str(label.get(what)).casefold() for label in labels).items():
            if times > 1:
                yield f"The label {what} {text!r} is used {times} times in {dimension}."


def _alias_problems(aliases: Any, vocabularies: dict[str, set[str]]) -> Iterator[str]:
    if not isinstance(aliases, dict) or not all(isinstance(words, dict) for words in aliases.values()):
        yield "The aliases must be an object: dimension, then other spelling, then label."
        return
    for dimension, words in aliases.items():
        if dimension != ANY_DIMENSION and dimension not in vocabularies:
            yield f"There are aliases for {dimension}, which is no dimension of the schema."
            continue
        vocabulary = vocabularies.get(dimension, set())
        for said, meant in words.items():
            if meant != UNKNOWN and meant not in vocabulary:
                yield f"The alias {said!r} of {dimension} leads to {meant!r}, which is no label there."
            if _word(said) in {_word(label) for label in vocabulary if label != meant}:
                yield f"The alias {said!r} of {dimension} hides the label of that name."


def _label_ids(item: dict[str, Any]) -> set[str]:
    labels = item.get("labels")
    if not isinstance(labels, list):
        return set()
    return {label["id"] for label in labels if isinstance(label, dict) and _is_id(label.get("id"))}


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _word(text: str) -> str:
    """A word for look-up: hyphens, slashes and underscores are spaces, apostrophes are nothing."""
    plain = unicodedata.normalize("NFC", text).replace("'", "").replace("’", "")
    return " ".join(re.sub(r"[-_/]", " ", plain).casefold().split()).strip(" .,;:")


def _dimension(item: Mapping[str, Any]) -> Dimension:
    labels = tuple(
        LabelDefinition(label["id"], label["name"], label["definition"]) for label in item.get("labels", [])
    )
    return Dimension(
        id=item["id"],
        name=item["name"],
        cohort=item["cohort"],
        kind=cast(Kind, item["kind"]),
        labels=labels,
        max_labels=item.get("max_labels"),
        definition=item["definition"],
    )


def _dimension_data(dimension: Dimension) -> dict[str, Any]:
    data: dict[str, Any] = {
        "id": dimension.id,
        "name": dimension.name,
        "cohort": dimension.cohort,
        "kind": dimension.kind,
        "definition": dimension.definition,
    }
    if dimension.max_labels is not None:
        data["max_labels"] = dimension.max_labels
    if dimension.labels:
        data["labels"] = [
            {"id": label.id, "name": label.name, "definition": label.definition} for label in dimension.labels
        ]
    return data
