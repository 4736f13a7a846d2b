"""Who said what when the other said what: a counts table that remembers the image sets in every cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

OTHERS = "other labels"
FOLDED = "\0"
"""Stands for all labels that were folded together; nobody can type it."""

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Category:
    """A label as the head of a row and of a column: its id, its key, its name.

    `is_state` marks what is no label (mixed, unresolved); it has a row or column only where it occurs.
    """

    label: str
    key: str
    name: str
    is_state: bool = False


@dataclass(frozen=True, slots=True)
class Contingency:
    """Counts of one side's label by the other side's; a cell is (row, column).

    `left_out` counts image sets that only one side answered, or where unknown is left out. `unit` is what
    is counted; of single images, a set is named once for each.
    """

    side: str
    other: str
    categories: tuple[Category, ...]
    sets: Mapping[Cell, tuple[str, ...]] = field(default_factory=dict)
    left_out: int = 0
    unit: str = "image set"

    def count(self, row: int, column: int) -> int:
        """Image sets in a cell."""
        return len(self.sets.get((row, column), ()))

    def row_sum(self, row: int) -> int:
        """Image sets of a row."""
        return sum(self.count(row, column) for column in range(len(self.categories)))

    def column_sum(self, column: int) -> int:
        """Image sets of a column."""
        return sum(self.count(row, column) for row in range(len(self.categories)))

    @property
    def rows(self) -> tuple[int, ...]:
        """Categories that have a row."""
        return tuple(n for n, one in enumerate(self.categories) if not one.is_state or self.row_sum(n))

    @property
    def columns(self) -> tuple[int, ...]:
        """Categories that have a column."""
        return tuple(n for n, one in enumerate(self.categories) if not one.is_state or self.column_sum(n))

    @property
    def total(self) -> int:
        """All image sets in the table."""
        return sum(len(keys) for keys in self.sets.values())

    def is_agreement(self, row: int, column: int) -> bool:
        """Whether a cell is one of agreement; two labels that are both "other" need not be the same."""
        return row == column and self.categories[row].label != FOLDED

    @property
    def agreed(self) -> int:
        """Image sets in cells of agreement."""
        return sum(len(keys) for cell, keys in self.sets.items() if self.is_agreement(*cell))

    @property
    def most_apart(self) -> int:
        """Largest count of a cell off the diagonal."""
        return max((len(keys) for (row, column), keys in self.sets.items() if row != column), default=0)

    def step(self, row: int, column: int) -> int:
        """Step of the heat of a cell off the diagonal, 0 for none to 5 for the largest."""
        count = self.count(row, column)
        if row == column:
            return 0
        return min(-(-5 * count // max(self.most_apart, 5)), 5) if count else 0

    def first_apart(self) -> Cell | None:
        """The fullest cell off the diagonal, the first of them; None where all agree."""
        apart = [(cell, len(keys)) for cell, keys in self.sets.items() if cell[0] != cell[1]]
        return min(apart, key=lambda one: (-one[1], one[0]))[0] if apart else None

    def folded(self, most: int) -> Contingency:
        """The same table with at most so many labels, the rarer ones together as "other labels".

        Labels that nobody chose go first.
        """
        if len(self.categories) <= most:
            return self
        weight = {n: self.row_sum(n) + self.column_sum(n) for n in range(len(self.categories))}
        used = [n for n in weight if weight[n]]
        if len(used) > most:
            kept = sorted(sorted(used, key=lambda n: (-weight[n], n))[: max(most - 1, 1)])
        else:
            kept = used
        place = {old: new for new, old in enumerate(kept)}
        categories = tuple(self.categories[n] for n in kept)
        if len(used) > len(kept):
            categories += (Category(FOLDED, "+", OTHERS),)
        last = len(categories) - 1
        sets: dict[Cell, tuple[str, ...]] = {}
        for (row, column), keys in self.sets.items():
            cell = (place.get(row, last), place.get(column, last))
            sets[cell] = sets.get(cell, ()) + keys
        return Contingency(self.side, self.other, categories, sets, self.left_out, self.unit)


def contingency(
    side: str, other: str, pairs: Iterable[tuple[str, str, str]], categories: Sequence[Category]
) -> Contingency:
    """The table of (image set, label of one side, label of the other); an empty label is left out.

    Labels outside the categories get rows of their own after them, the most frequent first.
    """
    found = list(pairs)
    complete = [(key, one, two) for key, one, two in found if one and two]
    known = {category.label for category in categories}
    further = Counter(label for _, *both in complete for label in both if label not in known)
    order = sorted(further, key=lambda label: (-further[label], label))
    everything = (*categories, *(Category(label, "", label) for label in order))
    number = {category.label: at for at, category in enumerate(everything)}
    sets: dict[Cell, list[str]] = {}
    for key, one, two in complete:
        sets.setdefault((number[one], number[two]), []).append(key)
    return Contingency(
        side,
        other,
        everything,
        {cell: tuple(keys) for cell, keys in sets.items()},
        len(found) - len(complete),
    )
