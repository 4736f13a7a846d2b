"""Classes of failure, from what servers really say."""

from __future__ import annotations

import time
from email.utils import formatdate
from typing import Any

import pytest

from core.extraction.vlm.faults import LONGEST_SENTENCE, fault_of_status, retry_after


def said(message: str, code: str = "", param: str = "") -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "code": code, "param": param}}


CASES: list[tuple[int, Any, str, str]] = [
    (401, said("Incorrect API key provided"), "auth", ""),
    (403, said("You are not allowed to sample from this model"), "auth", ""),
    (403, said("Blocked by content policy"), "flagged", ""),
    (402, "Payment required", "quota", ""),
    (429, said("You exceeded your current quota, please check your plan", "insufficient_quota"), "quota", ""),
    (429, said("Rate limit reached for requests"), "rate limit", ""),
    (503, said("That model is currently overloaded"), "overloaded", ""),
    (529, "", "overloaded", ""),
    (500, "<html>Internal Server Error</html>", "server", ""),
    (502, None, "server", ""),
    (408, "", "server", ""),
    (413, "Request Entity Too Large", "too large", ""),
    (404, said("The model `x` does not exist", "model_not_found"), "not found", ""),
    (404, "404 page not found", "not found", ""),
    (307, "", "not found", ""),
    (400, said("Rejected by our safety system", "moderation_blocked"), "flagged", ""),
    (400, said("The response was filtered: content management policy", "content_filter"), "flagged", ""),
    (
        400,
        said(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
            "'max_completion_tokens' instead.",
            "unsupported_parameter",
            "max_tokens",
        ),
        "unsupported",
        "tokens",
    ),
    (
        400,
        said("Unsupported parameter: 'max_tokens' is not supported with this model.", "invalid_request_body"),
        "unsupported",
        "tokens",
    ),
    (
        400,
        said(
            "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) "
            "value is supported.",
            "unsupported_value",
            "temperature",
        ),
        "unsupported",
        "temperature",
    ),
    (400, said("Unrecognized request argument supplied: reasoning_effort"), "unsupported", "reasoning"),
    (
        400,
        said("Unsupported parameter: 'reasoning.effort'", "unsupported_parameter", "reasoning.effort"),
        "unsupported",
        "reasoning",
    ),
    (
        400,
        said(
            "Invalid schema for response_format 'reading': In context=('properties', 'items'), 'minItems' "
            "is not permitted."
        ),
        "unsupported",
        "output",
    ),
    (400, {"error": "'response_format.type' must be 'json_schema' or 'text'"}, "unsupported", "output"),
    (
        400,
        said("Unknown parameter: 'text.format'", "unknown_parameter", "text.format"),
        "unsupported",
        "output",
    ),
    (
        422,
        {
            "detail": [
                {"type": "extra_forbidden", "loc": ["body", "store"], "msg": "Extra inputs are not permitted"}
            ]
        },
        "unsupported",
        "store",
    ),
    (400, {"message": "This model does not support image input", "code": 400}, "unsupported", "picture"),
    (400, said("Invalid content type. image_url is only supported by certain models."), "rejected", ""),
    (
        500,
        said("image input is not supported - hint: you may need to provide the mmproj"),
        "unsupported",
        "picture",
    ),
    (
        400,
        said(
            "max_tokens is too large: 4096. This model supports at most 2048 completion tokens.",
            "invalid_value",
        ),
        "rejected",
        "",
    ),
    (
        400,
        said(
            "You uploaded an unsupported image. Please make sure your image is of one the "
            "following formats: ['png', 'jpeg', 'gif', 'webp'].",
            "image_parse_error",
        ),
        "rejected",
        "",
    ),
    (400, said("Invalid image data. See the documentation for more details."), "rejected", ""),
    (418, 7, "rejected", ""),
]


@pytest.mark.parametrize(("status", "body", "kind", "parameter"), CASES)
def test_what_servers_say_falls_into_a_class(status: int, body: Any, kind: str, parameter: str) -> None:
    fault = fault_of_status(status, body, {})
    assert (fault.kind, fault.parameter) == (kind, parameter)
    assert fault.sentence


def test_a_servers_words_are_one_line_of_bearable_length_without_keys() -> None:
    fault = fault_of_status(400, said("Bad\nkey sk-abcdefghijkl\t" + "x" * 5000), {})
    assert "\n" not in fault.sentence
    assert len(fault.sentence) < LONGEST_SENTENCE + 60
    assert "sk-abc" not in fault.sentence


def test_a_time_to_wait_is_read_in_every_form() -> None:
    assert retry_after({"retry-after": "1.5"}) == 1.5
    assert retry_after({"retry-after": "9", "retry-after-ms": "100"}) == 0.1
    in_a_minute = retry_after({"retry-after": formatdate(time.time() + 60, usegmt=True)})
    assert in_a_minute is not None
    assert 50 < in_a_minute <= 61
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
    for nonsense in ("-3", "soon", "", "1e9", "inf", "nan"):
        assert retry_after({"retry-after": nonsense}) is None
    assert retry_after({}) is None
