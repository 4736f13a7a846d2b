"""Cells of a table that a person filled in: counts, marks, and the same row twice."""

from __future__ import annotations

import re
from collections.abc import Hashable

from core.errors import BadInput

_MARKS = re.compile(r"\[?\s*(\d{1,4}(?:[\s,;|]+\d{1,4})*)?\s*\]?", re.ASCII)
_COUNT = re.compile(r"(\d{1,9})(?:\.0)?", re.ASCII)


def count_in(text: str, most: int, where: str) -> int | None:
    """A count from 0 to `most`, None for an empty cell; BadInput for anything else.

    >>> count_in(" 4.0 ", 10, "Row 1"), count_in("", 10, "Row 1")
    (4, None)
    """
    if not text.strip():
        return None
    found = _COUNT.fullmatch(text.strip())
    if found is None or int(found[1]) > most:
        raise BadInput(f"{where}: the count {text[:40]!r} is not a whole number from 0 to {most}.")
    return int(found[1])


def marks_in(text: str, n: int, where: str) -> frozenset[int]:
    """Positions from 0 to n - 1: a JSON list, or numbers parted by spaces, commas, semicolons or bars.

    >>> sorted(marks_in("[0, 2]", 10, "Row 1")), sorted(marks_in("0 | 2", 10, "Row 1"))
    ([0, 2], [0, 2])

    Raises
    ------
    BadInput
        The cell holds something else, or a position that the set has not.
    """
    plain = text.strip()
    found = _MARKS.fullmatch(plain) if plain[:1] != "[" or plain[-1:] == "]" else None
    marks = frozenset(int(one) for one in re.findall(r"\d+", found[1] or "")) if found else None
    if marks is None or any(one >= n for one in marks):
        shown = f"{text[:40]!r}{' …' if len(text) > 40 else ''}"
        raise BadInput(
            f"{where}: the marks {shown} are no list of positions from 0 to {n - 1}.", "Write it as: 0 3 4."
        )
    return marks


Said = dict[Hashable, tuple[int, object]]
"""By what a row is about: its number, and what it says."""


def must_not_contradict(said: Said, about: Hashable, row: int, says: object) -> None:
    """Note in `said` what a row says; BadInput where a row before it says something else about the same."""
    before, other = said.setdefault(about, (row, says))
    if other != says:
        raise BadInput(
            f"Row {row} contradicts row {before}: both answer the same question of the same image set.",
            "Keep one of them.",
        )
