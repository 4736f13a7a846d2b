"""Everything that happened on the way to one record, as the JSON text that is kept with it.

The text has these keys: `form` (version of this list), `class` (what became of it; for an error, which),
`model` and `fingerprint` (as the server reports them), `template`, `schema`, `request` (hash of the request,
in which the picture's SHA-256 stands for the picture), `picture` (what was sent: hash, bytes, size),
`tries`, `seconds`, `usage` (tokens of all answers together), `answers` (each raw response with its hash, how
it ended and, if it could not be used, why), `faults` (what went wrong on the way) and `notes` (per
dimension, what could not be taken).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.extraction.vlm.faults import Fault
from core.extraction.vlm.reply import Reply, Usage
from core.keys import canonical_json, content_hash

FORM = 1

LONGEST_RAW = 100_000
"""Characters of a raw response that are kept; of a longer one the beginning, and its hash and length."""

MOST_FAULTS = 20
"""Faults that are listed one by one; their number is always kept."""


@dataclass(slots=True)
class Story:
    """What happened for one picture, in order."""

    request: str = ""
    picture: Mapping[str, Any] | None = None
    tries: int = 0
    seconds: float = 0.0
    model: str = ""
    fingerprint: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    answers: list[dict[str, Any]] = field(default_factory=list)
    faults: list[dict[str, Any]] = field(default_factory=list)
    fault_count: int = 0

    def add_answer(self, data: bytes, reply: Reply, seconds: float) -> None:
        """Keep an answer as it came."""
        self.model, self.fingerprint = reply.model, reply.fingerprint
        entry: dict[str, Any] = {"sha256": content_hash(data), "bytes": len(data), "end": reply.end}
        entry["raw"] = data.decode("utf-8", "replace")[:LONGEST_RAW]
        entry["seconds"] = round(seconds, 3)
        if reply.usage is not None:
            entry["usage"] = _usage(reply.usage.tokens_in, reply.usage.tokens_out)
            self.tokens_in += reply.usage.tokens_in
            self.tokens_out += reply.usage.tokens_out
        self.answers.append(entry)

    def add_problem(self, sentence: str) -> None:
        """Say of the last answer why it could not be used."""
        self.answers[-1]["problem"] = sentence

    def add_fault(self, fault: Fault) -> None:
        """Keep that a request came to nothing."""
        self.fault_count += 1
        if len(self.faults) < MOST_FAULTS:
            self.faults.append({"kind": fault.kind, "sentence": fault.sentence})

    def usage(self) -> Usage:
        """Tokens of all answers together."""
        return Usage(self.tokens_in, self.tokens_out)

    def text(self, kind: str, template: str, schema: str, notes: Mapping[str, str] | None = None) -> str:
        """The story as JSON text."""
        told: dict[str, Any] = {
            "form": FORM,
            "class": kind,
            "model": self.model,
            "fingerprint": self.fingerprint,
            "template": template,
            "schema": schema,
            "request": self.request,
            "tries": self.tries,
            "seconds": round(self.seconds, 3),
            "usage": _usage(self.tokens_in, self.tokens_out),
            "answers": self.answers,
            "faults": self.faults,
            "fault_count": self.fault_count,
            "notes": dict(notes or {}),
        }
        if self.picture is not None:
            told["picture"] = dict(self.picture)
        return canonical_json(told)


def _usage(tokens_in: int, tokens_out: int) -> dict[str, int]:
    return {"in": tokens_in, "out": tokens_out}
