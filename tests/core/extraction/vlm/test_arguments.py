"""The options of the command line are those of the extractor, and none is a key."""

from __future__ import annotations

import argparse
from dataclasses import fields

import pytest

from core.errors import BadInput
from core.extraction.vlm.arguments import add_arguments, options_of
from core.extraction.vlm.options import VlmOptions


def chosen(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(words)


def test_what_is_not_given_is_as_in_the_options() -> None:
    assert options_of(chosen("--model", "m")) == VlmOptions("m")


def test_what_is_given_arrives() -> None:
    options = options_of(
        chosen(
            *("--model", "m", "--base-url", "https://e.org/v1", "--concurrency", "32", "--budget", "5"),
            *("--price-in", "1", "--price-out", "4", "--image-detail", "low", "--max-calls", "9"),
            "--allow-plain-http",
        )
    )
    assert options == VlmOptions(
        "m", "https://e.org/v1", concurrency=32, budget=5.0, price_in=1.0, price_out=4.0,
        image_detail="low", most_calls=9, allow_plain_http=True,
    )  # fmt: skip


def test_without_a_model_it_is_said_what_is_missing() -> None:
    with pytest.raises(BadInput, match="No model"):
        options_of(chosen())


def test_no_option_takes_a_key() -> None:
    names = {name for name in vars(chosen("--model", "m")) if "key" in name or "secret" in name}
    assert names == {"key_variable"}
    assert {field.name for field in fields(VlmOptions) if "key" in field.name} == {"key_variable"}
