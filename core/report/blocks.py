"""What a report is made of, before anybody knows whether it becomes HTML or PDF."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import pandas as pd

from core.figures.drawing import Drawing


@dataclass(frozen=True)
class Paragraph:
    """Sentences. `kind` is "" or "warning" (a box that must be seen)."""

    text: str
    kind: str = ""


@dataclass(frozen=True)
class Points:
    """A list of sentences."""

    items: Sequence[str]


@dataclass(frozen=True)
class Facts:
    """Terms and what they are."""

    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Code:
    """Text to be copied as it stands."""

    text: str


@dataclass(frozen=True)
class Table:
    """A part of a result table.

    Attributes
    ----------
    name : str
        Of the CSV file that it comes from.
    caption : str
    data : DataFrame
        The rows and columns to show, values as they are; a writer rounds what is seen and keeps the rest.
    header : mapping
        Words over a column, where not its name.
    digits : int
        Decimals that are seen.
    note : str
        Below: what is not shown, for instance.
    words : mapping
        By column, how a text of it is read, where it is an id.
    column_digits : mapping
        Decimals of a column, where they are others.
    """

    name: str
    caption: str
    data: pd.DataFrame
    header: Mapping[str, str] = field(default_factory=dict)
    digits: int = 2
    note: str = ""
    words: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    column_digits: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Picture:
    """A figure, drawn when it is written."""

    drawing: Drawing


Block: TypeAlias = Paragraph | Points | Facts | Code | Table | Picture


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it, sub-sections last."""

    title: str
    blocks: Sequence[Block] = ()
    parts: Sequence[Section] = ()

    @property
    def anchor(self) -> str:
        """Its name within the page.

        >>> Section("Data flow: what became of it").anchor
        'data-flow-what-became-of-it'
        """
        plain = "".join(sign if sign.isalnum() else " " for sign in self.title.lower())
        return "-".join(plain.split())


def printable(text: str) -> str:
    """A text without control characters and without signs that turn the direction of writing.

    >>> printable("left\\u202eright\\x00")
    'leftright'
    """
    kept = (" " if sign in "\n\r\t" else sign for sign in text)
    return "".join(sign for sign in kept if unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co"))
