"""A server proposes contexts for roles and judges each in a second call; a person decides about all."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from core.bank_builder.candidate import (
    KINDS,
    BankAct,
    Candidate,
    Judgement,
    candidates_of,
    judging,
    proposing,
)
from core.errors import BadInput
from core.jobs import Job
from core.paths import RESOURCES
from core.records import Role
from core.schema import Schema

if TYPE_CHECKING:
    from core.extraction.vlm import VlmOptions

_LONGEST = 60


@cache
def template() -> Mapping[str, Any]:
    """The words of both questions, with their version."""
    loaded: dict[str, Any] = json.loads((RESOURCES / "bank" / "asking.json").read_text(encoding="utf-8"))
    return loaded


def ask_for_contexts(
    roles: Sequence[Role],
    number: int,
    options: VlmOptions,
    schema: Schema,
    language: str = "English",
    *,
    is_english: bool = True,
) -> Job[list[BankAct]]:
    """Acts that put forward and judge what the server proposes: `number` contexts a role and kind.

    Answers without usable contexts leave their role and kind without proposals; the reason is in the
    progress, and asking again is a new run. An answer's words are taken as they are and never corrected.
    """
    from core.extraction.vlm.text_asking import TextQuestion, ask_in_words

    words = template()
    system = words["propose_system"].replace("{language}", language)
    wanted = [(role, kind) for role in roles for kind in KINDS]
    questions = [
        TextQuestion(
            system,
            words["propose_user"][kind].replace("{role}", role.display_name).replace("{number}", str(number)),
        )
        for role, kind in wanted
    ]
    answers = yield from ask_in_words(questions, options, schema, "asking for contexts")
    author = f"{options.model}, template {words['version']}"
    acts: list[BankAct] = []
    for (role, kind), answer in zip(wanted, answers, strict=True):
        for location, activity in _contexts(answer.data)[:number]:
            more: dict[str, Any] = {} if is_english else {"article": "", "role_words": role.display_name}
            acts.append(proposing(role.name, kind, location, activity, author, **more))
    acts = list({act.candidate: act for act in acts}.values())
    judged = yield from judge(candidates_of(acts), {role.name: role for role in roles}, options, schema)
    return [*acts, *judged]


def judge(
    candidates: Sequence[Candidate], roles: Mapping[str, Role], options: VlmOptions, schema: Schema
) -> Job[list[BankAct]]:
    """An act for each candidate that the server gave a usable judgement of."""
    from core.extraction.vlm.text_asking import TextQuestion, ask_in_words

    words = template()
    questions = [TextQuestion(words["judge_system"], _judge_user(each, roles)) for each in candidates]
    answers = yield from ask_in_words(questions, options, schema, "judging contexts")
    author = f"{options.model}, template {words['version']}"
    return [
        judging(candidate, judgement)
        for candidate, answer in zip(candidates, answers, strict=True)
        if (judgement := _judgement(answer.data, author)) is not None
    ]


def _judge_user(candidate: Candidate, roles: Mapping[str, Role]) -> str:
    if candidate.role not in roles:
        raise BadInput(f"There is no role {candidate.role!r}.", "Name roles of the study or of the file.")
    text: str = template()["judge_user"]
    return (
        text.replace("{role}", roles[candidate.role].display_name)
        .replace("{kind}", candidate.kind)
        .replace("{activity}", candidate.context.activity)
        .replace("{location}", candidate.context.place)
    )


def _contexts(data: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    items = data.get("contexts") if data else None
    found = []
    for item in items if isinstance(items, list) else []:
        parts = [item.get(name) for name in ("location", "activity")] if isinstance(item, dict) else []
        words = [" ".join(part.split()) for part in parts if isinstance(part, str)]
        if len(words) == 2 and all(0 < len(word) <= _LONGEST and word.isprintable() for word in words):
            found.append((words[0], words[1]))
    return found


def _judgement(data: Mapping[str, Any] | None, author: str) -> Judgement | None:
    if data is None:
        return None
    scores = [data.get(name) for name in ("relevance", "neutrality", "confound")]
    known = [score for score in scores if type(score) is int and 1 <= score <= 5]
    if len(known) != len(scores):
        return None
    sentence = data.get("sentence")
    said = sentence[:300] if isinstance(sentence, str) else ""
    return Judgement(known[0], known[1], known[2], said, author)
