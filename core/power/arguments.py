"""The options of `main.py plan`, and the design they make."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import fields

from core.errors import BadInput
from core.power.design import PROMPTS, PowerDesign


def add_arguments(one: argparse.ArgumentParser) -> None:
    """Add the options that describe a design; what is not said is `PowerDesign`'s default."""
    default = PowerDesign()
    one.add_argument("--design", choices=tuple(PROMPTS), default="balanced", help="prompts of a role")
    one.add_argument("--prompts", metavar="CF,CA-R,CA-U", help="or so many prompts of a role, as 3,7,8")
    whole = {
        "roles": "roles",
        "images_per_prompt": "images of a prompt",
        "generators": "generators",
        "annotators": "people who answer every image set",
        "image_sets": "image sets",
        "labels": "labels a question offers, unknown included",
        "replicates": "simulated studies",
        "seed": "seed of the draws",
    }
    for name, words in whole.items():
        _add(one, name, _whole, "N", words, getattr(default, name))
    share = {
        "prevalence": "share of images with the label",
        "correlation": "intraclass correlation of images of one prompt",
        "accuracy": "how often a person names the true label",
        "most_common": "share of image sets with the most common label",
    }
    for name, words in share.items():
        _add(one, name, _share, "SHARE", words, getattr(default, name))


def _add(
    one: argparse.ArgumentParser,
    name: str,
    kind: Callable[[str], float],
    metavar: str,
    words: str,
    value: float,
) -> None:
    option = f"--{name.replace('_', '-')}"
    one.add_argument(option, type=kind, default=value, metavar=metavar, help=f"{words} (default: {value})")


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise argparse.ArgumentTypeError(f"must be a whole number from 0, not {text[:40]!r}")
    return int(text)


def _share(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a share from 0 to 1, not {text[:40]!r}") from None


def design_of(chosen: argparse.Namespace) -> PowerDesign:
    """The design that the options describe; BadInput for one that cannot be.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add_arguments(parser)
    >>> design_of(parser.parse_args(["--design", "paper", "--roles", "12"])).clusters(12)
    (36, 84, 96)
    """
    given = {one.name: getattr(chosen, one.name) for one in fields(PowerDesign) if one.name != "prompts"}
    prompts = PROMPTS[chosen.design] if chosen.prompts is None else _prompts(chosen.prompts)
    return PowerDesign(**given, prompts=prompts)


def _prompts(text: str) -> tuple[int, int, int]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 3 or not all(part.isascii() and part.isdecimal() and len(part) < 6 for part in parts):
        raise BadInput(f"The prompts of a role are {text!r}.", "Give three numbers: CF,CA-R,CA-U.")
    cf, related, unrelated = map(int, parts)
    return cf, related, unrelated
