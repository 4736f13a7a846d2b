"""The choices of an extraction with a vision-language model as options of a command line.

There is none for the key: what stands on a command line can be read by everybody on the machine.
"""

from __future__ import annotations

import argparse

from core.extraction.vlm.options import APIS, OUTPUTS, VlmOptions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a group of options to a command; `options_of` reads them."""
    add = parser.add_argument_group("with --extractor vlm").add_argument
    add("--model", default="", metavar="NAME", help="model, as the server calls it")
    add("--base-url", default="", metavar="URL", help="such as http://localhost:8000/v1 (default: OpenAI's)")
    add("--server", default="", metavar="NAME", help="openai, vllm, ollama, lm-studio, llama-cpp, own")
    add("--api", choices=APIS, default="chat", help="chat completions or responses")
    add("--key-variable", default="", metavar="NAME", help="environment variable that holds the key")
    add("--concurrency", type=int, default=8, metavar="N", help="most requests at once")
    add("--budget", type=float, metavar="MONEY", help="spend no more than this in this run")
    add("--price-in", type=float, metavar="MONEY", help="price of a million tokens of question")
    add("--price-out", type=float, metavar="MONEY", help="price of a million tokens of answer")
    add("--max-calls", type=int, metavar="N", help="send no more requests than this in this run")
    add("--image-size", type=int, default=768, metavar="PX", help="longest side of what is sent")
    add("--image-quality", type=int, default=90, metavar="Q", help="JPEG quality of what is sent")
    add("--image-detail", choices=("low", "high", "auto"), default="", help="detail to ask for")
    add(
        "--output",
        choices=OUTPUTS,
        default="",
        help="how to ask for JSON (default: the strictest that works)",
    )
    add("--temperature", type=float, metavar="T", help="default: 0 where the server takes it")
    add("--reasoning-effort", default="", metavar="WORD", help="such as low")
    add("--max-tokens", type=int, default=4096, metavar="N", help="longest answer, reasoning included")
    add("--timeout", type=float, default=120.0, metavar="S", help="seconds until a request is given up")
    add("--attempt", type=int, default=0, metavar="N", help="read again what was read, as attempt N")
    add("--allow-plain-http", action="store_true", help="send unencrypted to another machine")
    add("--allow-other-model", action="store_true", help="go on when the server changes its model")
    add("--batch", action="store_true", help="through the Batch interface: half the price, within a day")


def options_of(chosen: argparse.Namespace) -> VlmOptions:
    """The options that were given; BadInput for what cannot be meant."""
    return VlmOptions(
        model=chosen.model,
        base_url=chosen.base_url,
        server=chosen.server,
        api=chosen.api,
        key_variable=chosen.key_variable,
        concurrency=chosen.concurrency,
        budget=chosen.budget,
        most_calls=chosen.max_calls,
        price_in=chosen.price_in,
        price_out=chosen.price_out,
        image_size=chosen.image_size,
        image_quality=chosen.image_quality,
        image_detail=chosen.image_detail,
        output=chosen.output,
        temperature=chosen.temperature,
        reasoning_effort=chosen.reasoning_effort,
        max_tokens=chosen.max_tokens,
        timeout=chosen.timeout,
        attempt=chosen.attempt,
        allow_plain_http=chosen.allow_plain_http,
        allow_other_model=chosen.allow_other_model,
    )
