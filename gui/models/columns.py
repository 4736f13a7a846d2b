"""Columns of a wide table, and which of them fit: the least important drop out, none is squeezed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GridColumn:
    """A column of a wide table.

    `importance` says how late it drops out; `stretches` marks the one that takes the room left over;
    `group` is the title over several columns.
    """

    key: str
    title: str
    importance: int
    is_number: bool = False
    stretches: bool = False
    is_extra: bool = False
    """Only shown when asked for in the column menu."""
    group: str = ""
    tip: str = ""
    """What it is, in a few words: for the menu of columns."""
    meaning: str = ""
    """What its numbers mean, in sentences: for whoever rests the pointer on the title."""


def columns_that_fit(
    columns: Sequence[GridColumn], widths: Sequence[int], room: int, wishes: Mapping[str, bool]
) -> frozenset[int]:
    """Numbers of the columns to show in so much room.

    Columns are taken by importance until the next one does not fit. `wishes` come first: what a person
    asked for counts as most important, what they put away never shows. The most important column is
    always there.

    >>> some = [GridColumn("a", "a", 9), GridColumn("b", "b", 1), GridColumn("c", "c", 5)]
    >>> sorted(columns_that_fit(some, [50, 50, 50], 100, {}))
    [0, 2]
    >>> sorted(columns_that_fit(some, [50, 50, 50], 100, {"b": True}))
    [0, 1]
    """
    wanted = [number for number, column in enumerate(columns) if wishes.get(column.key, not column.is_extra)]
    most = max(range(len(columns)), key=lambda number: columns[number].importance)

    def rank(number: int) -> tuple[bool, bool, int]:
        column = columns[number]
        return number == most, wishes.get(column.key, False), column.importance

    shown: set[int] = {most}
    left = room - widths[most]
    for number in sorted(set(wanted) - shown, key=rank, reverse=True):
        if widths[number] > left:
            break
        shown.add(number)
        left -= widths[number]
    return frozenset(shown)
