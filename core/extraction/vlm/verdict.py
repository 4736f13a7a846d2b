"""What an answer amounts to: read, refused, truncated, flagged or invalid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.extraction.vlm.reading import Parsed, declines, parse
from core.extraction.vlm.reply import CUT, FILTERED, Reply
from core.records import Status
from core.schema import Schema

_LONGEST_QUOTE = 200


@dataclass(frozen=True, slots=True)
class Verdict:
    """The class of an answer; `parsed` is there exactly when it is ok, `reason` when it is not."""

    status: Status
    parsed: Parsed | None = None
    reason: str = ""


def judge(reply: Reply, schema: Schema, refusal_phrases: Sequence[str]) -> Verdict:
    """The class of an answer.

    What the service says about it comes first: an answer that was filtered, declined or cut off is never
    read, however complete it looks.
    """
    if reply.end == FILTERED:
        return Verdict(Status.FLAGGED, reason="The service's content filter stopped the answer.")
    if reply.refusal:
        return Verdict(Status.REFUSED, reason=f"The model declined: {_quote(reply.refusal)}")
    if reply.end == CUT:
        return Verdict(
            Status.TRUNCATED, reason="The answer reached the longest length allowed and was cut off."
        )
    parsed = parse(reply.text, schema, refusal_phrases)
    if isinstance(parsed, Parsed):
        return Verdict(Status.OK, parsed)
    if "{" not in reply.text and declines(reply.text, refusal_phrases):
        return Verdict(Status.REFUSED, reason=f"The model declined: {_quote(reply.text)}")
    return Verdict(Status.INVALID, reason=parsed.sentence)


def _quote(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST_QUOTE else plain[:_LONGEST_QUOTE] + "…"
