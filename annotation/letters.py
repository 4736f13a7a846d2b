"""Answers for release: persons are letters, and what they typed beside an answer stays at home."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from annotation.quality import Given
from core.records import Annotator

if TYPE_CHECKING:
    import pandas as pd

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letters_of(people: Iterable[Annotator]) -> dict[str, str]:
    """A letter for each person, in the order they joined; simulated annotators keep their names.

    >>> letters_of([Annotator(1, "Ana"), Annotator(2, "simulated A", True), Annotator(3, "Ben")])
    {'Ana': 'A', 'simulated A': 'simulated A', 'Ben': 'B'}
    """
    found: dict[str, str] = {}
    persons = 0
    for one in people:
        found[one.name] = one.name if one.is_simulated else _letter(persons)
        persons += not one.is_simulated
    return found


def given_by_letter(given: Iterable[Given], letters: Mapping[str, str]) -> list[Given]:
    """Answers under letters, without comments."""
    return [
        (letters[who], image_set, repeats, question, replace(answer, comment=""), seconds)
        for who, image_set, repeats, question, answer, seconds in given
    ]


def table_by_letter(table: pd.DataFrame, letters: Mapping[str, str]) -> pd.DataFrame:
    """A table of answers under letters, without comments."""
    changed = table.assign(annotator=[letters[str(name)] for name in table["annotator"]])
    return changed.assign(comment="") if "comment" in changed else changed


def _letter(number: int) -> str:
    """A to Z, then AA, AB and so on."""
    rest, last = divmod(number, len(ALPHABET))
    return (_letter(rest - 1) if rest else "") + ALPHABET[last]
