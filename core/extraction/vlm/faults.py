"""What can go wrong between us and a server, in classes, each with what to do about it.

=============  =======================================================  ==========================
kind           what happened                                            what is done
=============  =======================================================  ==========================
auth           the key is missing, wrong, or not allowed                the run stops
quota          the account has no money or no allowance left            the run stops
unsupported    the server does not take a parameter of the request      the run stops
not found      there is no such model or address                        the run stops
rate limit     too many requests                                        slower, asked again
overloaded     the server is up but cannot answer now                   slower, asked again
server         the server failed                                        asked again
network        the server could not be reached or broke off             asked again
time-out       no answer in time                                        asked again, fewer times
not an answer  status 200 with something that is no answer              asked again, fewer times
flagged        a content filter of the service stopped it               recorded as flagged
too large      the request is larger than the server takes              recorded as an error
rejected       the server calls the request wrong                       recorded as an error
=============  =======================================================  ==========================
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from core.extraction.vlm.json_schema import Json
from core.secrets import without_keys

LONGEST_SENTENCE = 300
"""Characters of a server's own words that are repeated."""

STOPPING = frozenset({"auth", "quota", "unsupported", "not found"})
"""Kinds that no other picture would fare better with."""

SLOWING = frozenset({"rate limit", "overloaded"})
"""Kinds that say that we ask too much at once."""

_AGAIN = {
    "rate limit": 10**6,
    "overloaded": 20,
    "server": 20,
    "network": 20,
    "time-out": 3,
    "not an answer": 3,
}
"""Kinds after which the same request is sent again, and how many requests at most, whatever is asked."""

_FILTER = re.compile(r"content[ _-]?(policy|filter|management)|moderation|safety system|flagged", re.I)
_QUOTA = re.compile(
    r"insufficient_quota|exceeded your current quota|billing|credit balance|insufficient (funds|credits)",
    re.I,
)
_NOT_TAKEN = re.compile(
    r"unsupported|not support|unrecognized|unrecognised|unknown (parameter|argument|field|name)|unexpected"
    r"|not permitted|not allowed|extra (inputs|fields)|invalid schema"
    r"|must be|does not (take|accept|support)|only the default",
    re.I,
)
_NO_EYES = re.compile(
    r"(image|vision|multimodal|multi-modal)[^.]{0,60}(not support|unsupported|not enabled|not available)"
    r"|(not support|unsupported|does not accept|cannot process)[^.]{0,40}(image|vision|multimodal)"
    r"|not a (multimodal|vision)|mmproj",
    re.I,
)
_BAD_FILE = re.compile(r"format|mime|file type|corrupt|valid image|decode", re.I)
_TOO_LONG = re.compile(r"too large|at most|maximum|greater than|exceed", re.I)

_PARAMETERS = (
    ("max_completion_tokens", "tokens"),
    ("max_output_tokens", "tokens"),
    ("max_tokens", "tokens"),
    ("temperature", "temperature"),
    ("reasoning(_effort|\\.effort)?", "reasoning"),
    ("minItems", "bounds"),
    ("maxItems", "bounds"),
    ("response_format", "output"),
    ("json_schema", "output"),
    ("json_object", "output"),
    (r"text\.format", "output"),
    ("grammar", "output"),
    ("schema", "output"),
    ("detail", "detail"),
    ("store", "store"),
)
"""How servers name a parameter, and which of our terms it is; the first one that is named counts."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that went wrong.

    `wait` is how many seconds the server asks for, `parameter` which of our terms it does not take.
    `is_paid_perhaps` says that the server may have done the work all the same.
    """

    kind: str
    sentence: str
    wait: float | None = None
    parameter: str = ""
    is_paid_perhaps: bool = False

    @property
    def most_tries(self) -> int:
        """How many requests this kind deserves at most; 1 when asking again is of no use."""
        return _AGAIN.get(self.kind, 1)


class Trouble(Exception):
    """A request came to nothing; `fault` says how."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.sentence)
        self.fault = fault


def fault_of_status(status: int, body: Any, headers: Mapping[str, str]) -> Fault:
    """The fault that an HTTP status other than 200 means, with what the server says about it.

    Parameters
    ----------
    status : int
        HTTP status.
    body : Any
        Decoded JSON, or text.
    headers : mapping
        Headers with names in lower case.
    """
    code, parameter, message = _said(body)
    words = f"{code} {message}"
    sentence = _sentence(f"The server answers {status}", message)
    wait = retry_after(headers)
    if status in (401, 403):
        if _FILTER.search(words) and status == 403:
            return Fault("flagged", sentence)
        return Fault(
            "auth", _sentence("The server does not accept the key", message if status == 403 else "")
        )
    if status == 402 or _QUOTA.search(words):
        return Fault("quota", _sentence("The account's allowance is used up", message))
    if status == 429:
        return Fault("rate limit", sentence, wait)
    if status in (503, 529):
        return Fault("overloaded", sentence, wait)
    if status in (408, 409, 425) or status >= 500:
        return _server_fault(sentence, words, wait, status)
    if status == 413:
        return Fault("too large", sentence)
    return _refused_request(status, code, parameter, message, sentence)


def _server_fault(sentence: str, words: str, wait: float | None, status: int) -> Fault:
    if _NO_EYES.search(words):
        return Fault("unsupported", sentence, parameter="picture")
    return Fault("server", sentence, wait, is_paid_perhaps=status in (408, 504))


def _refused_request(status: int, code: str, parameter: str, message: str, sentence: str) -> Fault:
    """A status from 300 to 499 that says that the request itself is wrong."""
    words = f"{code} {message}"
    if 300 <= status < 400:
        return Fault("not found", _sentence("The server sends us to another address", message))
    if _FILTER.search(words):
        return Fault("flagged", sentence)
    if status in (404, 405):
        return Fault("not found", sentence)
    if _NO_EYES.search(words) and not _BAD_FILE.search(words):
        return Fault("unsupported", sentence, parameter="picture")
    named = _term(parameter) or _term(message)
    is_value = named == "tokens" and _TOO_LONG.search(message) and not _NOT_TAKEN.search(words)
    if named and not is_value and (parameter or _NOT_TAKEN.search(words)):
        return Fault("unsupported", sentence, parameter=named)
    return Fault("rejected", sentence)


def fault_in_answer(error: Any) -> Fault:
    """The fault of a 200 whose body holds an error object, as some gateways send it."""
    code, _, message = _said({"error": error})
    if code.isdigit() and 400 <= int(code) < 600:
        return fault_of_status(int(code), {"error": error}, {})
    return Fault(
        "not an answer", _sentence("The server answers with an error", message), is_paid_perhaps=True
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait, from any of the headers in use; None for none or nonsense.

    >>> retry_after({"retry-after": "20"}), retry_after({"retry-after-ms": "250"})
    (20.0, 0.25)
    >>> retry_after({"retry-after": "soon"}) is None
    True
    """
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        text = headers.get(name, "").strip()
        if re.fullmatch(r"\d{1,9}(\.\d+)?", text):
            return float(text) * scale
        if name == "retry-after" and text:
            try:
                return max(parsedate_to_datetime(text).timestamp() - time.time(), 0.0)
            except ValueError:
                return None
    return None


def _term(text: str) -> str:
    """Which of our terms a text names first; empty for none."""
    found = [
        (place.start(), ours) for name, ours in _PARAMETERS if (place := re.search(rf"\b{name}\b", text))
    ]
    return min(found)[1] if found else ""


def _said(body: Any) -> tuple[str, str, str]:
    """Code, parameter and message of an error body in any of the forms in use."""
    error: Any = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(error, dict):
        found: Json = error
        nested = found.get("message") or found.get("detail") or found.get("error") or ""
        code = found.get("code") or found.get("type") or ""
        return str(code), str(found.get("param") or ""), str(nested)
    text = str(error or "")
    return "", "", "" if text.lstrip()[:1] == "<" else text


def _sentence(what: str, message: str) -> str:
    plain = without_keys(" ".join(message.split()))
    if len(plain) > LONGEST_SENTENCE:
        plain = plain[:LONGEST_SENTENCE] + "…"
    return f"{what}: {plain}" if plain else f"{what}."
