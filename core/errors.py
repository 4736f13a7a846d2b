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
        self.sentence = sentence
        self.remedy = remedy
        self.blind = blind or sentence

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
