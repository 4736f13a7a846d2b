"""Questions in words to the same servers: no picture, one JSON object as the answer, each question one fate.

For the helpers that propose and never decide: contexts for a role, names for groups of labels. Waiting,
trying again, the limit in calls and in money are those of reading pictures.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from core.errors import ExtractorError
from core.extraction.extractor import RunStopped
from core.extraction.vlm.budget import Budget
from core.extraction.vlm.faults import Trouble
from core.extraction.vlm.json_schema import Json
from core.extraction.vlm.options import VlmOptions
from core.extraction.vlm.patience import Patience
from core.extraction.vlm.reader import VlmExtractor, close
from core.extraction.vlm.reply import CUT, FILTERED, Reply
from core.extraction.vlm.stepped import SteppedLoop
from core.extraction.vlm.story import Story
from core.extraction.vlm.throttle import Throttle
from core.jobs import Job, Progress
from core.schema import Schema

_FAULT_TO_KEYS = {
    "temperature": ("temperature",),
    "tokens": ("max_tokens", "max_completion_tokens"),
    "output": ("response_format",),
    "bounds": ("response_format",),
}


@dataclass(frozen=True, slots=True)
class TextQuestion:
    """Instructions, and what is asked; the answer is to be one JSON object."""

    system: str
    user: str


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """The object that was answered, or why there is none: `data` is None exactly when `reason` is there."""

    data: Json | None
    reason: str = ""
    model: str = ""


@dataclass
class _Body:
    """A request without what the server turned out not to take."""

    options: VlmOptions
    tokens_as: tuple[str, ...]
    left_out: set[str] = field(default_factory=set)

    def of(self, question: TextQuestion) -> Json:
        """The request for a question."""
        body: Json = {
            "model": self.options.model,
            "messages": [
                {"role": "system", "content": question.system},
                {"role": "user", "content": question.user},
            ],
            "response_format": {"type": "json_object"},
            "temperature": self.options.temperature or 0.0,
        }
        name = next((name for name in self.tokens_as if name not in self.left_out), "")
        if name:
            body[name] = self.options.max_tokens
        return {key: value for key, value in body.items() if key not in self.left_out}

    def leave_out(self, parameter: str) -> bool:
        """Leave out what the server does not take; False when there is nothing to leave out."""
        for key in _FAULT_TO_KEYS.get(parameter, ()):
            if key not in self.left_out:
                self.left_out.add(key)
                return True
        return False


def ask_in_words(
    questions: Sequence[TextQuestion], options: VlmOptions, schema: Schema, doing: str = "asking"
) -> Job[list[TextAnswer]]:
    """An answer for each question, in their order.

    Parameters
    ----------
    questions : sequence of TextQuestion
        Asked several at a time, as `options.concurrency` allows.
    options : VlmOptions
        Server, model and limits. Chat completions are used whatever `api` says.
    schema : Schema
        The study's; only to find the server the way an extraction does.
    doing : str
        What the progress says.

    Raises
    ------
    RunStopped
        When the server or a limit ends it.
    ExtractorError
        When the key or the model is refused.
    """
    reader = VlmExtractor(schema, options)
    loop, client = SteppedLoop(), reader.connect()
    random = Random()
    throttle = Throttle(options.concurrency, loop.clock, random)
    longest = max((len(each.system) + len(each.user) for each in questions), default=0)
    patience = Patience(client, options, throttle, Budget(options, longest), loop.clock, random)
    body = _Body(options, reader.server.tokens_as)
    answers: list[TextAnswer | None] = [None] * len(questions)
    try:
        asked = _all(questions, body, patience, answers, options.concurrency)
        for _ in loop.run(asked):
            yield Progress(sum(each is not None for each in answers), len(questions), doing)
    finally:
        close(loop, client)
    if patience.stopped is not None:
        raise patience.stopped
    return [each or TextAnswer(None, "It was not asked.") for each in answers]


def object_in(text: str) -> Json | None:
    """The first JSON object in a text, whatever stands around it.

    >>> object_in('Here it is: {"a": 1} as asked')
    {'a': 1}
    """
    start = text.find("{")
    while start >= 0:
        try:
            found, _ = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
            continue
        return found if isinstance(found, dict) else None
    return None


async def _all(
    questions: Sequence[TextQuestion],
    body: _Body,
    patience: Patience,
    answers: list[TextAnswer | None],
    at_once: int,
) -> None:
    feed = iter(enumerate(questions))
    await asyncio.gather(*(_work(feed, body, patience, answers) for _ in range(min(at_once, len(questions)))))


async def _work(
    feed: Iterator[tuple[int, TextQuestion]],
    body: _Body,
    patience: Patience,
    answers: list[TextAnswer | None],
) -> None:
    for place, question in feed:
        try:
            answers[place] = await _answer(question, body, patience)
        except RunStopped:
            return


async def _answer(question: TextQuestion, body: _Body, patience: Patience) -> TextAnswer:
    while True:
        try:
            reply = await patience.ask("chat", body.of(question), Story())
        except Trouble as trouble:
            fault = trouble.fault
            if fault.kind == "unsupported" and body.leave_out(fault.parameter):
                continue
            if fault.kind in ("auth", "quota", "not found", "unsupported"):
                raise ExtractorError(
                    fault.sentence, "Check address, model and key (--base-url, --model)."
                ) from trouble
            return TextAnswer(None, fault.sentence)
        return _read(reply)


def _read(reply: Reply) -> TextAnswer:
    if reply.end == FILTERED or reply.refusal:
        return TextAnswer(None, "The model declined.", reply.model)
    if reply.end == CUT:
        return TextAnswer(None, "The answer was cut off.", reply.model)
    found: Any = object_in(reply.text)
    if found is None:
        return TextAnswer(None, "The answer holds no JSON object.", reply.model)
    return TextAnswer(found, "", reply.model)
