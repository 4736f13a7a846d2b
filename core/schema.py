"""The audit schema: 30 dimensions in four cohorts, their labels and what each label means.

A closed dimension has a vocabulary that nothing enters; an open one takes words as they are said.
`unknown` (not visible, not enough evidence) is a status and in no vocabulary; `none` and `no` are labels.
A label is identified by (dimension, label): `medium` of framing is not `medium` of skin tone.

The schema is data (`resources/schema.json`) that a study may edit; `schema_problems` says what is wrong
with an edited one. Ids stay as published (`hair_color`); the names on the screen are British.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, cast

from core.errors import BadInput
from core.json_files import parse_json, read_json
from core.keys import key_of
from core.label_form import look_up_form, meaning_of, open_form
from core.paths import RESOURCES
from core.records import UNKNOWN
from core.schema_problems import ANY_DIMENSION, COHORTS, KINDS, problems_of

__all__ = [
    "ANY_DIMENSION",
    "COHORTS",
    "KINDS",
    "Dimension",
    "Kind",
    "LabelDefinition",
    "Schema",
    "load_schema",
    "normal_text",
    "problems_of",
    "read_schema",
    "schema_from",
]

Kind: TypeAlias = Literal["closed", "closed_list", "open_list"]


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

    @cached_property
    def label_names(self) -> Mapping[str, str]:
        """How each label of a fixed vocabulary is read, by its id."""
        return {label.id: label.name for dimension in self.dimensions for label in dimension.labels}

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
        word back in one form; an empty one gives None. The rule is in `core.label_form`.

        >>> schema = load_schema()
        >>> schema.canonical("age_range", "Middle-aged"), schema.canonical("hair_color", "grey")
        ('middle_aged', 'gray')
        >>> schema.canonical("age_range", "ageless") is None
        True
        """
        dimension = self.dimension(dimension_id)
        return meaning_of(text, self._meanings[dimension_id], is_closed=dimension.is_closed)

    def spellings(self, dimension_id: str) -> Mapping[str, str]:
        """Words that are accepted for a dimension, in look-up form, and the label that each means."""
        return MappingProxyType(self._meanings[dimension_id])

    @cached_property
    def _by_id(self) -> dict[str, Dimension]:
        return {dimension.id: dimension for dimension in self.dimensions}

    @cached_property
    def _meanings(self) -> dict[str, dict[str, str]]:
        """Per dimension: word -> label id or `unknown`. The vocabulary goes before any alias."""
        everywhere = self.aliases.get(ANY_DIMENSION, {})
        meanings: dict[str, dict[str, str]] = {}
        for dimension in self.dimensions:
            words = {look_up_form(said): meant for said, meant in everywhere.items()}
            words |= {look_up_form(said): meant for said, meant in self.aliases.get(dimension.id, {}).items()}
            words |= {look_up_form(label.name): label.id for label in dimension.labels}
            words |= {look_up_form(label.id): label.id for label in dimension.labels}
            words |= {label: label for label in (*dimension.label_ids, UNKNOWN)}
            meanings[dimension.id] = words
        return meanings


normal_text = open_form
"""Open wording in one form; the rule is in `core.label_form`."""


def load_schema(path: Path | None = None) -> Schema:
    """The schema of this release, or a user's own file; BadInput says what is wrong with that one."""
    path = path or RESOURCES / "schema.json"
    return schema_from(read_json(path, f"The schema {path.name}"), path.name)


@lru_cache(maxsize=8)
def read_schema(text: str, where: str = "the schema") -> Schema:
    """A schema from its JSON text; `where` names it in the error. The same text is looked over once."""
    return schema_from(parse_json(text, where), where)


def schema_from(data: Any, where: str = "the schema") -> Schema:
    """A schema from JSON data, as `Schema.as_data` gives it; BadInput names its first problem."""
    problems = problems_of(data)
    if problems:
        more = f" Then see to {len(problems) - 1} more." if len(problems) > 1 else ""
        raise BadInput(f"{where}: {problems[0]}", f"Correct this and load it again.{more}")
    aliases = {key: MappingProxyType(dict(words)) for key, words in data.get("aliases", {}).items()}
    dimensions = tuple(_dimension(item) for item in data["dimensions"])
    return Schema(data["version"], dimensions, MappingProxyType(aliases))


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
