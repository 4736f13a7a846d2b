"""Arguments whose bytes are no text: names refuse them, and paths keep them where they can."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import BadInput


def is_text(word: str) -> bool:
    """Whether a word can be written as UTF-8: half a surrogate pair stands for a byte that is no text.

    >>> is_text("b\u00e4cker"), is_text("b" + chr(0xDCFF) + "cker")
    (True, False)
    """
    try:
        word.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\0" not in word


def must_be_text(chosen: Namespace) -> None:
    """Refuse names and words of the command line that are not UTF-8, or hold a NUL, with BadInput.

    The path of a file may be any bytes, as only the system reads it. A study's folder may not: its name goes
    into the study and into what is written of it.
    """
    for name, value in vars(chosen).items():
        for word in _words(value, takes_paths=name == "study"):
            if not is_text(word):
                shown = word.encode("utf-8", "replace").decode("utf-8").replace("\0", "?")[:80]
                raise BadInput(
                    f"What is given as `{name.replace('_', '-')}` is not UTF-8 text: {shown}.",
                    "Type it again, in a terminal that is set to UTF-8.",
                )


def odd_path(chosen: Namespace) -> str | None:
    """A path of the command line whose bytes are no text, as it can be shown; None where there is none."""
    for value in vars(chosen).values():
        for word in _words(value, takes_paths=True):
            if not is_text(word):
                return word.encode("utf-8", "replace").decode("utf-8").replace("\0", "?")
    return None


def _words(value: Any, *, takes_paths: bool) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Path) and takes_paths:
        yield str(value)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _words(one, takes_paths=takes_paths)
