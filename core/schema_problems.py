"""What is wrong with a schema that somebody edited, one sentence for each fault."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from core.label_form import look_up_form
from core.records import UNKNOWN

COHORTS = ("Scene", "Camera", "Objects", "People")
KINDS = ("closed", "closed_list", "open_list")

ANY_DIMENSION = "*"
"""Key of the aliases that hold in every dimension."""

_ID = re.compile(r"[a-z][a-z0-9_]*")


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
            if look_up_form(said) in {look_up_form(label) for label in vocabulary if label != meant}:
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
