"""Errors of the world: each carries one sentence for the screen and, where there is one, what to do.

Anything raised that is not a `UserError` is a fault of ours: it gets a traceback in the log and exit code 2.

    UserError
    ├── BadInput        a file, table or option that cannot be used as it is
    ├── StoreError      the study file cannot be opened, read or written
    │   └── StoreTooNew
    ├── MissingPart     a Python package or system library is not there
    ├── GeneratorError  a generator cannot make the image asked for
    └── ExtractorError  an extractor cannot read the image given
"""

from __future__ import annotations

import re

MOST_SAID = 1000
"""Length of a sentence; a file's own words in it may be as long as the file."""

_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What a terminal or a screen would obey instead of showing it."""


def _told(text: str) -> str:
    cut = text if len(text) <= MOST_SAID else f"{text[: MOST_SAID - 200]} … {text[-190:]}"
    return _ODD.sub("\ufffd", cut)


class UserError(Exception):
    """A fact about the world that a person can act on.

    Parameters
    ----------
    sentence : str
        What is wrong and where, in one sentence.
    remedy : str
        What to do about it, in one sentence or command; empty when nothing can be done.
    blind : str
        The sentence for an annotator's screen, without path or name; `sentence` when none is given.
    """

    def __init__(self, sentence: str, remedy: str = "", *, blind: str = "") -> None:
        super().__init__(sentence)
        self.sentence = _told(sentence)
        self.remedy = _told(remedy)
        self.blind = _told(blind or sentence)

    def __str__(self) -> str:
        return f"{self.sentence} {self.remedy}".strip()


class BadInput(UserError):
    """A file, table or option from outside cannot be used as it is."""


class StoreError(UserError):
    """The study file cannot be opened, read or written."""


class StoreTooNew(StoreError):
    """The file was written by a newer release than this one."""


class MissingPart(UserError):
    """A Python package or a system library that this act needs is not installed."""


class GeneratorError(UserError):
    """A generator cannot make the image it was asked for."""


class ExtractorError(UserError):
    """An extractor cannot read the image it was given."""
