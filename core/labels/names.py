"""An optional pass: a server proposes a name for each group of labels, in the study's own words."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.jobs import Job
from core.labels.board import check_change
from core.labels.proposal import Proposal
from core.paths import RESOURCES
from core.schema import Schema

if TYPE_CHECKING:
    from core.extraction.vlm import VlmOptions

LONGEST_NAME = 40
_MOST_SHOWN = 30


@cache
def template() -> Mapping[str, Any]:
    """The words of the question, with their version."""
    loaded: dict[str, Any] = json.loads((RESOURCES / "labels" / "naming.json").read_text(encoding="utf-8"))
    return loaded


def name_groups(
    proposals: Sequence[Proposal],
    counts: Mapping[tuple[str, str], int],
    schema: Schema,
    options: VlmOptions,
) -> Job[list[Proposal]]:
    """The proposals with a name for each group that something is proposed for.

    A name that the map would not hold (over a negation, too long, not one of words) is left out.
    """
    from core.extraction.vlm.text_asking import TextQuestion, ask_in_words

    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in proposals:
        if each.is_merge:
            groups[(each.dimension, each.canonical)].append(each.label)
    keys = sorted(groups)
    questions = [TextQuestion(template()["system"], _user(key, groups[key], counts, schema)) for key in keys]
    answers = yield from ask_in_words(questions, options, schema, "asking for names")
    names = {
        key: name
        for key, answer in zip(keys, answers, strict=True)
        if (name := _name(answer.data, key, groups[key], schema))
    }
    return [
        replace(each, name=names.get((each.dimension, each.canonical), "")) if each.is_merge else each
        for each in proposals
    ]


def _user(
    key: tuple[str, str], labels: Sequence[str], counts: Mapping[tuple[str, str], int], schema: Schema
) -> str:
    dimension, canonical = key
    shown = sorted({canonical, *labels}, key=lambda label: (-counts.get((dimension, label), 0), label))
    text: str = template()["user"]
    about = schema.dimension(dimension)
    return (
        text.replace("{dimension}", about.name)
        .replace("{definition}", about.definition)
        .replace("{labels}", ", ".join(shown[:_MOST_SHOWN]))
    )


def _name(data: Mapping[str, Any] | None, key: tuple[str, str], labels: Sequence[str], schema: Schema) -> str:
    said = data.get("name") if data else None
    if not isinstance(said, str) or not 0 < len(said.strip()) <= LONGEST_NAME or not said.isprintable():
        return ""
    try:
        names = {check_change(schema, (key[0], label), said) for label in (key[1], *labels)}
    except BadInput:
        return ""
    name = names.pop()
    return "" if name == key[1] else name
