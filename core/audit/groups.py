"""Rows that belong together: how many there are in each group, and means over what is there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.statistics.arrays import Bools, Codes, Floats, Ints, ranked


@dataclass(frozen=True)
class Groups:
    """Distinct keys in ascending order, and the group of each row.

    Examples
    --------
    >>> groups = Groups.of(np.array([7, 3, 7]))
    >>> groups.keys.tolist(), groups.count().tolist(), groups.mean(np.array([1.0, np.nan, 3.0])).tolist()
    ([3, 7], [1, 2], [nan, 2.0])
    """

    keys: Ints
    group: Codes

    @staticmethod
    def of(key: Ints) -> Groups:
        """Groups of rows with equal keys, which are 0 or more."""
        return Groups(*ranked(key))

    def count(self, rows: Bools | None = None) -> Ints:
        """Rows in each group, all or those chosen."""
        chosen = self.group if rows is None else self.group[rows]
        return np.bincount(chosen, minlength=self.keys.size).astype(np.int64)

    def mean(self, values: Floats) -> Floats:
        """Mean of the values in each group that are not nan; nan where none is."""
        there = ~np.isnan(values)
        total = np.bincount(self.group[there], weights=values[there], minlength=self.keys.size)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(total / self.count(there), dtype=np.float64)
