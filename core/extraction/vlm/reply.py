"""What a server answered, taken out of the envelope of either API, trusting nothing in it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from core.extraction.vlm.faults import Fault, Trouble, fault_in_answer
from core.extraction.vlm.json_schema import Json

CUT = "cut"
FILTERED = "filtered"
WHOLE = "whole"

_ENDS = {"length": CUT, "max_output_tokens": CUT, "max_tokens": CUT, "content_filter": FILTERED}
"""How servers say that an answer is not whole."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more calls; None where a server did not say."""

    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer: its text, whether the model declined, how it ended, and what the server says of itself."""

    text: str
    refusal: str
    end: str
    usage: Usage | None
    model: str
    fingerprint: str


def read_reply(data: bytes, api: str) -> Reply:
    """The answer in a response with status 200; Trouble when there is none in it."""
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise Trouble(_no_answer("it is no JSON object" if data.strip() else "it is empty"))
    if body.get("error"):
        raise Trouble(fault_in_answer(body["error"]))
    return _responses(body) if api == "responses" else _chat(body)


def _chat(body: Json) -> Reply:
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise Trouble(_no_answer("it holds no choices"))
    message = choices[0].get("message")
    if not isinstance(message, dict):
        raise Trouble(_no_answer("its choice holds no message"))
    return Reply(
        text=_text(message.get("content")),
        refusal=_text(message.get("refusal")),
        end=_ENDS.get(str(choices[0].get("finish_reason")), WHOLE),
        usage=_usage(body.get("usage"), "prompt_tokens", "completion_tokens"),
        model=_word(body.get("model")),
        fingerprint=_word(body.get("system_fingerprint")),
    )


def _responses(body: Json) -> Reply:
    output = body.get("output")
    parts = [
        part
        for item in (output if isinstance(output, list) else [])
        if isinstance(item, dict) and isinstance(item.get("content"), list) and item.get("type") == "message"
        for part in item["content"]
        if isinstance(part, dict)
    ]
    details = body.get("incomplete_details")
    reason = str(details.get("reason")) if isinstance(details, dict) else ""
    end = _ENDS.get(reason, WHOLE)
    if not parts and end == WHOLE:
        raise Trouble(_no_answer("it holds no message"))
    return Reply(
        text="".join(_text(part.get("text")) for part in parts),
        refusal="".join(_text(part.get("refusal")) for part in parts),
        end=end,
        usage=_usage(body.get("usage"), "input_tokens", "output_tokens"),
        model=_word(body.get("model")),
        fingerprint="",
    )


def _no_answer(why: str) -> Fault:
    return Fault("not an answer", f"What the server sent is no answer: {why}.", is_paid_perhaps=True)


def _text(value: Any) -> str:
    """Text of a message, which is a string, a list of parts, or nothing."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(_text(part.get("text")) for part in value if isinstance(part, dict))
    return ""


def _word(value: Any) -> str:
    return value[:200] if isinstance(value, str) else ""


def _usage(value: Any, name_in: str, name_out: str) -> Usage | None:
    if not isinstance(value, dict):
        return None
    counts = [value.get(name) for name in (name_in, name_out)]
    known = [count for count in counts if type(count) is int and 0 <= count < 10**9]
    return Usage(*known) if len(known) == 2 else None
